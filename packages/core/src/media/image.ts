import { open } from 'node:fs/promises';
import { quote } from '../errors.ts';
import { maxScans } from '../limits.ts';
import { DecoderEnded, Decoders } from './decoders.ts';
import { uploadLimits } from './fields.ts';
import { formatOf, headLength, type ImageFormat, imageTypes, typeOf } from './formats.ts';
import { readStructure } from './structure.ts';
import type { VariantFormat } from './variants.ts';

/** Why a file is not taken; told to whoever sent it. */
export class RefusedImage extends Error {
  override readonly name = 'RefusedImage';
}

export interface ImageFacts {
  format: ImageFormat;
  /** As it is shown, after the turn that the camera noted. */
  width: number;
  height: number;
}

const decoders = new Decoders({
  // An honest picture takes a second; a file made to take hours is stopped.
  milliseconds: 30_000,
  // The largest picture that is taken needs a third of it.
  bytes: 1024 * 1024 * 1024,
  processes: 2,
  idle: 30_000,
});

/**
 * Decides what a file is, by its bytes, and that it can be shown: from its headers first, so that a small file that claims
 * to be a huge picture costs nothing, and then by decoding it.
 * @throws RefusedImage
 */
export async function inspectImage(path: string, declaredType: string): Promise<ImageFacts> {
  const format = await outline(path, declaredType);
  const found = await decoders.run({ kind: 'inspect', path, maxPixels: uploadLimits.pixels }).catch((error) => {
    throw error instanceof DecoderEnded ? new RefusedImage(error.message, { cause: error }) : error;
  });
  if (found.kind !== 'found') {
    throw new RefusedImage('cannot be decoded: it is damaged or cut off', { cause: found });
  }
  if (found.format !== format) throw new RefusedImage(`is not a ${typeOf(format)} that can be decoded`);
  const { width, height } = found;
  refuseLarge(width, height);
  return { format, width, height };
}

/** @throws RefusedImage */
function refuseLarge(width: number, height: number): void {
  if (width * height <= uploadLimits.pixels) return;
  const most = uploadLimits.pixels / 1_000_000;
  throw new RefusedImage(`has ${width} × ${height} pixels; at most ${most} million are taken`);
}

/** The format, where it is the declared one and the file's own structure is sound. */
async function outline(path: string, declaredType: string): Promise<ImageFormat> {
  const allowed = imageTypes.join(', ');
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headLength), 0, headLength, 0);
    const format = formatOf(buffer.subarray(0, bytesRead));
    if (!imageTypes.some((type) => type === declaredType)) {
      throw new RefusedImage(`is sent as ${quote(declaredType)}, which is not one of ${allowed}`);
    }
    if (bytesRead === 0) throw new RefusedImage('is empty');
    if (format === undefined) throw new RefusedImage(`is sent as ${declaredType}, but holds none of ${allowed}`);
    if (typeOf(format) !== declaredType) {
      throw new RefusedImage(`is sent as ${declaredType}, but holds ${typeOf(format)}`);
    }
    const { whole, frames, scans, canvas } = await readStructure(file, format, uploadLimits.frames);
    if (canvas) refuseLarge(canvas.width, canvas.height);
    if (frames > uploadLimits.frames) throw new RefusedImage(`has more than ${uploadLimits.frames} frames`);
    if (scans > maxScans) throw new RefusedImage(`has more than ${maxScans} scans`);
    if (!whole) throw new RefusedImage('cannot be decoded: it is damaged or cut off');
    return format;
  } finally {
    await file.close();
  }
}

/** The longest side of a variant: anybody may ask for one, and it should not cost many times what was uploaded. */
const maxSide = 4096;

/**
 * Makes a variant of an image: upright, in sRGB, the first picture of an animation, never larger than it was, and without
 * what the camera wrote about it. Waits for a turn.
 * @param target a path where there is nothing yet
 * @throws Error when the image cannot be decoded
 */
export async function makeVariant(
  path: string,
  target: string,
  { width, format }: { width: number | undefined; format: VariantFormat },
): Promise<void> {
  const job = { kind: 'make', path, target, width, format, maxSide, maxPixels: uploadLimits.pixels } as const;
  const report = await decoders.run(job);
  if (report.kind !== 'made') {
    throw new Error(`the variant could not be made: ${report.kind === 'failed' ? report.message : report.kind}`);
  }
}
