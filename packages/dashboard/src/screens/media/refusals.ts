import type { ApiError } from '../../api/errors.ts';
import { explain } from '../../kit/states.tsx';
import { t } from '../../words/words.ts';
import { typeOfImage } from './image-type.ts';
import { sizeText } from './size.ts';

const words = t.media.uploads;

// The limits of the service, which checks them itself.
export const maxBytes = 10 * 1024 * 1024;
const maxPixels = 40_000_000;

export interface Refusal {
  reason: string;
  /** Whether the same file could be accepted later. */
  canRetry: boolean;
}

const final = (reason: string): Refusal => ({ reason, canRetry: false });
const tooLarge = ({ size }: File) => final(words.tooLarge(sizeText(size), sizeText(maxBytes)));

/** The refusal of a file before it is sent. @param type of its bytes; undefined if it is not an image */
export function refusalOf(file: File, type: string | undefined): Refusal | undefined {
  if (type === undefined) return final(words.wrongType);
  return file.size > maxBytes ? tooLarge(file) : undefined;
}

/** An error of an upload. A refused file is looked at again, because the answer of the service has no words for shopkeepers. */
export async function explained(error: ApiError, file: File): Promise<Refusal> {
  if (error.status === 413) return tooLarge(file);
  if (error.status !== 400 && error.status !== 415) {
    return { reason: explain(error)[1], canRetry: error.status !== 403 };
  }
  // Most browsers cannot decode HEIC.
  if ((await typeOfImage(file)) === 'image/heic') return final(words.refused);
  const image = await createImageBitmap(file).catch(() => undefined);
  if (!image) return final(words.damaged);
  const { width, height } = image;
  image.close();
  if (width * height > maxPixels) return final(words.tooManyPixels(width, height, maxPixels / 1_000_000));
  return final(words.refused);
}
