import { open } from 'node:fs/promises';
import type { Duplex } from 'node:stream';
import type { Sharp, SharpOptions } from 'sharp';
import { quote } from '../errors.ts';
import { Turns } from '../turns.ts';
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

/**
 * Pictures are decoded in the threads that read files and look up names, of which there are four; these two leave the
 * others to everybody else.
 */
const turns = new Turns(2);

// An honest picture takes a second; a file made to take hours is stopped.
const decodeSeconds = 30;

const reading: SharpOptions = { failOn: 'truncated', limitInputPixels: uploadLimits.pixels, autoOrient: true };

async function loadSharp() {
  // Loaded with the first picture: a start should not wait for it.
  const { default: sharp } = await import('sharp');
  // What is decoded here is decoded once.
  sharp.cache(false);
  return sharp;
}

/**
 * Decides what a file is, by its bytes, and that it can be shown: from its headers first, so that a small file that claims
 * to be a huge picture costs nothing, and then by decoding it.
 * @throws RefusedImage
 */
export async function inspectImage(path: string, declaredType: string): Promise<ImageFacts> {
  const format = await outline(path, declaredType);
  const sharp = await loadSharp();
  return turns.run(async () => {
    try {
      // The limit is left to us here, for it is one that we name.
      const found = await sharp(path, { ...reading, limitInputPixels: false }).metadata();
      if (found.format !== format) throw new RefusedImage(`is not a ${typeOf(format)} that can be decoded`);
      const { width, height } = found.autoOrient;
      if (width * height > uploadLimits.pixels) {
        const most = uploadLimits.pixels / 1_000_000;
        throw new RefusedImage(`has ${width} × ${height} pixels; at most ${most} million are taken`);
      }
      // Each row goes into the small picture, so each is decoded, and few are held.
      await sharp(path, reading).resize(16, 16, { fit: 'fill' }).timeout({ seconds: decodeSeconds }).raw().toBuffer();
      return { format, width, height };
    } catch (error) {
      if (error instanceof RefusedImage) throw error;
      throw new RefusedImage('cannot be decoded: it is damaged or cut off', { cause: error });
    }
  });
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
    const { whole, frames } = await readStructure(file, format, uploadLimits.frames);
    if (frames > uploadLimits.frames) throw new RefusedImage(`has more than ${uploadLimits.frames} frames`);
    if (!whole) throw new RefusedImage('cannot be decoded: it is damaged or cut off');
    return format;
  } finally {
    await file.close();
  }
}

/** The longest side of a variant: anybody may ask for one, and it should not cost many times what was uploaded. */
const maxSide = 4096;

const encode: Readonly<Record<VariantFormat, (image: Sharp) => Sharp>> = {
  webp: (image) => image.webp({ quality: 80 }),
  // What shines through is white, as on most pages.
  jpeg: (image) => image.flatten({ background: '#fff' }).jpeg({ quality: 80, progressive: true }),
  png: (image) => image.png(),
};

/**
 * Hands `work` what turns an image into a variant of it: upright, in sRGB, the first picture of an animation, never larger
 * than it was, and without what the camera wrote about it. Waits for a turn.
 */
export async function transforming<T>(
  variant: { width: number | undefined; format: VariantFormat },
  work: (transform: Duplex) => Promise<T>,
): Promise<T> {
  const sharp = await loadSharp();
  return turns.run(() => {
    const resized = sharp(reading).resize({
      width: variant.width ?? maxSide,
      height: maxSide,
      fit: 'inside',
      withoutEnlargement: true,
    });
    return work(encode[variant.format](resized).timeout({ seconds: decodeSeconds }));
  });
}
