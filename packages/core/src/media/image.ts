import { open, rename, rm } from 'node:fs/promises';
import { quote } from '../kernel/errors.ts';
import { maxScans } from '../kernel/limits.ts';
import { DecoderEnded, Decoders } from './decoders.ts';
import { uploadLimits } from './fields.ts';
import {
  type ConvertedFormat,
  convertedFormatOf,
  formatOf,
  headLength,
  type ImageFormat,
  imageTypes,
  typeOf,
  usualType,
} from './formats.ts';
import { readStructure } from './structure.ts';
import type { VariantFormat } from './variants.ts';

/** Refusal of a file; the message continues the file's name and is shown to the client. */
export class RefusedImage extends Error {
  override readonly name = 'RefusedImage';
}

export interface ImageFacts {
  format: ImageFormat;
  /** Displayed size in pixels, after the rotation noted by the camera. */
  width: number;
  height: number;
}

const decoders = new Decoders({
  // An ordinary picture takes a second; a file built to take hours is aborted.
  milliseconds: 30_000,
  // Three times the need of the largest accepted picture.
  bytes: 1024 * 1024 * 1024,
  processes: 2,
  idle: 30_000,
});

/**
 * Determines the format of a file by its bytes and checks that it can be displayed. Headers are checked before decoding, so a small file
 * that claims a huge size costs nothing.
 * @throws RefusedImage
 */
export async function inspectImage(path: string, declaredType: string): Promise<ImageFacts> {
  const format = await outline(path, declaredType);
  const report = await decoders.run({ kind: 'inspect', path, maxPixels: uploadLimits.pixels }).catch((error) => {
    throw error instanceof DecoderEnded ? new RefusedImage(error.message, { cause: error }) : error;
  });
  if (report.kind !== 'inspected') {
    throw new RefusedImage('cannot be decoded: it is damaged or incomplete', { cause: report });
  }
  if (report.format !== format) throw new RefusedImage(`is not a ${typeOf(format)} that can be decoded`);
  const { width, height } = report;
  refuseLarge(width, height);
  return { format, width, height };
}

/** Longest side of a WebP. */
const maxWebpSide = 16_383;

/**
 * Replaces a file whose format is not stored, such as AVIF, with a WebP.
 * @returns the declared type of the new file, by its usual name
 * @throws RefusedImage
 */
export async function convertUpload(path: string, declaredType: string): Promise<string> {
  const declared = usualType(declaredType);
  const format = await convertedFormat(path);
  if (!format) return declared;
  if (declared !== `image/${format}`) {
    throw new RefusedImage(`is sent as ${quote(declaredType)}, but its bytes are image/${format}`);
  }
  const target = `${path}.webp`;
  try {
    await writeWebp(path, target, format);
    await rename(target, path);
  } finally {
    await rm(target, { force: true });
  }
  return typeOf('webp');
}

async function convertedFormat(path: string): Promise<ConvertedFormat | undefined> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headLength), 0, headLength, 0);
    return convertedFormatOf(buffer.subarray(0, bytesRead));
  } finally {
    await file.close();
  }
}

/** @throws RefusedImage, and an error with the code ENOSPC */
async function writeWebp(path: string, target: string, format: ConvertedFormat): Promise<void> {
  const job = { kind: 'convert', path, target, width: undefined, format: 'webp', maxSide: maxWebpSide } as const;
  const report = await decoders.run({ ...job, maxPixels: uploadLimits.pixels }).catch((error) => {
    throw error instanceof DecoderEnded ? new RefusedImage(error.message, { cause: error }) : error;
  });
  if (report.kind === 'converted') return;
  const reason = report.kind === 'failed' ? report.message : report.kind;
  const cause = refusedWrite(reason);
  if (cause.code === 'ENOSPC') throw cause;
  if (/pixel limit/i.test(reason)) {
    throw new RefusedImage(`has more than ${uploadLimits.pixels / 1_000_000} million pixels`, { cause });
  }
  const isHeic = format === 'heic';
  throw new RefusedImage(
    isHeic ? 'is HEIC, which is not supported: save it as JPEG' : 'cannot be decoded: it is damaged or incomplete',
    { cause },
  );
}

/** The error of a decoder that could not write a file. */
function refusedWrite(reason: string): Error & { code?: string } {
  const error = new Error(`the picture could not be written: ${reason}`);
  // libvips reports the system's errors only in words.
  return /no space left on device|quota exceeded/i.test(reason) ? Object.assign(error, { code: 'ENOSPC' }) : error;
}

/** @throws RefusedImage */
function refuseLarge(width: number, height: number): void {
  if (width * height <= uploadLimits.pixels) return;
  const max = uploadLimits.pixels / 1_000_000;
  throw new RefusedImage(`has ${width} × ${height} pixels; at most ${max} million are accepted`);
}

/** The format, checked against the declared type and the file's structure. @throws RefusedImage */
async function outline(path: string, declaredType: string): Promise<ImageFormat> {
  const allowed = imageTypes.join(', ');
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headLength), 0, headLength, 0);
    const format = formatOf(buffer.subarray(0, bytesRead));
    if (!imageTypes.some((type) => type === declaredType)) {
      throw new RefusedImage(`is sent as ${quote(declaredType)}; accepted are ${allowed}`);
    }
    if (bytesRead === 0) throw new RefusedImage('is empty');
    if (format === undefined)
      throw new RefusedImage(`is sent as ${declaredType}, but its bytes are none of ${allowed}`);
    if (typeOf(format) !== declaredType) {
      throw new RefusedImage(`is sent as ${declaredType}, but its bytes are ${typeOf(format)}`);
    }
    const { whole, frames, scans, canvas } = await readStructure(file, format, uploadLimits.frames);
    if (canvas) refuseLarge(canvas.width, canvas.height);
    if (frames > uploadLimits.frames) throw new RefusedImage(`has more than ${uploadLimits.frames} frames`);
    if (scans > maxScans) throw new RefusedImage(`has more than ${maxScans} scans`);
    if (!whole) throw new RefusedImage('cannot be decoded: it is damaged or incomplete');
    return format;
  } finally {
    await file.close();
  }
}

/** Longest side of a variant in pixels. Any visitor can request a variant, so it must not cost many times the upload. */
const maxSide = 4096;

/**
 * Writes a variant of an image: upright, in sRGB, the first frame of an animation, never enlarged, and without the camera's metadata. Waits
 * for a free decoder.
 * @param target path of the new file
 * @throws Error if the image cannot be decoded
 */
export async function writeVariant(
  path: string,
  target: string,
  { width, format }: { width: number | undefined; format: VariantFormat },
): Promise<void> {
  const job = { kind: 'convert', path, target, width, format, maxSide, maxPixels: uploadLimits.pixels } as const;
  const report = await decoders.run(job);
  if (report.kind === 'converted') return;
  const reason = report.kind === 'failed' ? report.message : report.kind;
  throw refusedWrite(reason);
}
