import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { MediaUpload } from '@commerce/core';
import sharp from 'sharp';

export type Format = 'jpeg' | 'png' | 'webp' | 'gif';
export const formats: readonly Format[] = ['jpeg', 'png', 'webp', 'gif'];

export interface Picture {
  width?: number;
  height?: number;
  /** Pictures of an animation, below each other. */
  frames?: number;
  /** The turn that a camera notes, 1 to 8. */
  orientation?: number;
  /** Noise cannot be compressed: the file is about as large as its pixels. */
  noise?: boolean;
}

/** An image that is made for the test. */
export function picture(format: Format, options: Picture = {}): Promise<Buffer> {
  const { width = 40, height = 30, frames = 1, orientation, noise = false } = options;
  const size = width * height * frames * 3;
  const pixels = noise ? randomBytes(size) : Buffer.alloc(size);
  // Every frame is another, or they would be joined.
  if (!noise) for (let i = 0; i < size; i++) pixels[i] = (i + 50 * Math.floor((i * frames) / size)) % 251;
  const raw = { width, height: height * frames, channels: 3, ...(frames > 1 ? { pageHeight: height } : {}) } as const;
  const image = sharp(pixels, { raw });
  const turned = orientation === undefined ? image : image.withMetadata({ orientation });
  return turned.toFormat(format, format === 'webp' && noise ? { lossless: true } : {}).toBuffer();
}

/**
 * A JPEG that goes over its whole picture that many times: one scan for each frequency that others send in bands, which gives up
 * to 195, and beyond that the last scan again and again, which is against the rules and decoded all the same.
 */
export async function jpegOfScans(scans: number, { width = 64, height = 64 }: Picture = {}): Promise<Buffer> {
  const image = sharp({ create: { width, height, channels: 3, background: '#468' } });
  const bytes = await image.jpeg({ progressive: true }).toBuffer();
  const starts: number[] = [];
  for (let at = bytes.indexOf('\xff\xda', 0, 'latin1'); at !== -1; at = bytes.indexOf('\xff\xda', at + 2, 'latin1')) {
    starts.push(at);
  }
  let left = scans - starts.length;
  const parts: Buffer[] = [bytes.subarray(0, starts[0])];
  for (const [i, start] of starts.entries()) {
    const next = starts[i + 1] ?? bytes.length - 2;
    const scan = bytes.subarray(start, next);
    const spectrum = 5 + 2 * (scan[4] ?? 0);
    const [first = 0, last = 0, precision = 0] = scan.subarray(spectrum);
    const isSplit = first > 0 && precision >> 4 === 0 && left > 0;
    const cuts = isSplit ? Math.min(left, last - first) : 0;
    for (let cut = 0; cut <= cuts; cut++) {
      const band = Buffer.from(scan);
      band[spectrum] = first + cut;
      band[spectrum + 1] = cut === cuts ? last : first + cut;
      // The tables between two scans come once.
      parts.push(cut === cuts ? band : band.subarray(0, endOfScan(band)));
    }
    left -= cuts;
  }
  const final = bytes.subarray(starts.at(-1), -2);
  return Buffer.concat([...parts, ...Array(left).fill(final), Buffer.from([0xff, 0xd9])]);
}

/** Where the coded bytes of a scan end, in which FF is followed by 00. */
function endOfScan(scan: Buffer): number {
  let at = 2 + scan.readUInt16BE(2);
  while (at < scan.length && !(scan[at] === 0xff && scan[at + 1] !== 0)) at++;
  return at;
}

export function pngChunk(type: string, data: Buffer): Buffer {
  const chunk = Buffer.alloc(12 + data.length);
  chunk.writeUInt32BE(data.length, 0);
  chunk.write(type, 4, 'latin1');
  data.copy(chunk, 8);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, 8 + data.length)), 8 + data.length);
  return chunk;
}

export const pngSignature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');

/** A small file that claims to be a picture of that size. */
export function pngClaiming(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const data = Buffer.from('789c030000000001', 'hex');
  return Buffer.concat([
    pngSignature,
    pngChunk('IHDR', header),
    pngChunk('IDAT', data),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

/** An animation of one pixel with that many frames. */
export function gifOfFrames(frames: number): Buffer {
  const screen = Buffer.from('47494638396101000100800000000000ffffff', 'hex');
  const frame = Buffer.from('2c00000000010001000002024c0100', 'hex');
  return Buffer.concat([screen, ...Array.from({ length: frames }, () => frame), Buffer.from([0x3b])]);
}

/** What must never pass for an image. */
export const impostors: Readonly<Record<string, Buffer>> = {
  HTML: Buffer.from('<!doctype html><script>alert(document.domain)</script>'),
  SVG: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>'),
  'XML with SVG': Buffer.from('<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg"/>'),
  JavaScript: Buffer.from('alert(1)/*'.padEnd(64, ' ')),
  ZIP: Buffer.from(`PK\x03\x04${'\0'.repeat(60)}`, 'latin1'),
  PDF: Buffer.from('%PDF-1.7\n1 0 obj<</Type/Catalog>>endobj\n'),
  'an executable': Buffer.from(`\x7fELF${'\0'.repeat(60)}`, 'latin1'),
  TIFF: Buffer.from('II*\0'.padEnd(64, '\0'), 'latin1'),
  BMP: Buffer.from('BM'.padEnd(64, '\0'), 'latin1'),
  'a RIFF that is no WebP': Buffer.from('RIFF\x24\0\0\0WAVEfmt '.padEnd(64, '\0'), 'latin1'),
};

/** An upload as core takes it; its content comes in pieces of odd lengths. */
export function upload(content: Buffer, mimeType: string, fileName = 'picture'): MediaUpload {
  return { fileName, mimeType, content: inPieces(content) };
}

export function uploadOf(format: Format, content: Buffer, fileName = `picture.${format}`): MediaUpload {
  return upload(content, `image/${format}`, fileName);
}

async function* inPieces(content: Buffer, size = 40_009): AsyncGenerator<Buffer> {
  for (let at = 0; at < content.length; at += size) yield content.subarray(at, at + size);
}
