import { TextDecoder } from 'node:util';
import { CommerceError } from '../../kernel/errors.ts';

/** Encodings of files that `--encoding` names; UTF-8 and a byte order mark are detected. */
export const encodings = ['utf-8', 'windows-1252', 'iso-8859-1', 'utf-16le', 'utf-16be'] as const;
export type Encoding = (typeof encodings)[number];

/** Bytes that begin a file of UTF-16. */
const marks: readonly (readonly [bytes: readonly [number, number], encoding: Encoding])[] = [
  [[0xff, 0xfe], 'utf-16le'],
  [[0xfe, 0xff], 'utf-16be'],
];

/**
 * The text of a file, without its byte order mark.
 * @param encoding defaults to the one of the byte order mark, else UTF-8
 * @throws CommerceError `validation` that names the first byte outside the encoding
 */
export async function* decodeText(bytes: AsyncIterable<Uint8Array>, encoding?: Encoding): AsyncGenerator<string> {
  let decoder: TextDecoder | undefined;
  let start: Uint8Array = new Uint8Array();
  let read = 0;
  for await (const chunk of bytes) {
    let fresh: Uint8Array = chunk;
    if (!decoder) {
      fresh = start.length === 0 ? chunk : Buffer.concat([start, chunk]);
      start = fresh;
      if (fresh.length < 2) continue;
      decoder = decoderOf(encoding ?? markedEncoding(fresh));
    }
    const text = decode(decoder, fresh, read);
    read += fresh.length;
    if (text !== '') yield text;
  }
  decoder ??= decoderOf(encoding);
  const rest = read === 0 ? decode(decoder, start, 0) : '';
  yield rest + decodeEnd(decoder, read);
}

function markedEncoding(bytes: Uint8Array): Encoding | undefined {
  return marks.find(([[first, second]]) => bytes[0] === first && bytes[1] === second)?.[1];
}

function decoderOf(encoding: Encoding = 'utf-8'): TextDecoder {
  return new TextDecoder(encoding, { fatal: true });
}

function decode(decoder: TextDecoder, bytes: Uint8Array, read: number): string {
  try {
    return decoder.decode(bytes, { stream: true });
  } catch (error) {
    throw notOfEncoding(decoder, error, bytes, read);
  }
}

function decodeEnd(decoder: TextDecoder, read: number): string {
  try {
    return decoder.decode();
  } catch (error) {
    throw notOfEncoding(decoder, error, new Uint8Array(), read);
  }
}

/** Finds the first invalid byte: the longest decodable beginning of the bytes ends there. */
function notOfEncoding({ encoding }: TextDecoder, cause: unknown, bytes: Uint8Array, read: number): CommerceError {
  let [good, bad] = [0, bytes.length];
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    if (canDecode(encoding, bytes.subarray(0, middle))) good = middle;
    else bad = middle;
  }
  // If a character is incomplete, its first byte is at fault, not the valid byte after it.
  if (encoding === 'utf-8') good = startOfCharacter(bytes, good);
  const byte = bytes[good];
  const what = byte === undefined ? 'it ends within a character' : `byte ${read + good + 1} is 0x${hex(byte)}`;
  const advice = encoding === 'utf-8' ? '; if it comes from Excel, say --encoding windows-1252' : '';
  return new CommerceError('validation', `the file is not ${encoding.toUpperCase()}: ${what}${advice}`, {
    details: [{ field: 'file', reason: `must be ${encoding.toUpperCase()}` }],
    cause,
  });
}

/** Start of the incomplete character that ends before this byte; the byte itself if there is none. */
function startOfCharacter(bytes: Uint8Array, at: number): number {
  let start = at;
  while (start > 0 && at - start < 3 && ((bytes[start - 1] as number) & 0xc0) === 0x80) start--;
  const lead = start > 0 ? (bytes[start - 1] as number) : 0;
  const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 0;
  return length > at - start + 1 ? start - 1 : at;
}

function canDecode(encoding: string, bytes: Uint8Array): boolean {
  try {
    // The start can continue a character of the previous chunk, which a new decoder does not know.
    const start = bytes.findIndex((byte) => (byte & 0xc0) !== 0x80);
    new TextDecoder(encoding, { fatal: true }).decode(bytes.subarray(Math.max(0, start)), { stream: true });
    return true;
  } catch {
    return false;
  }
}

function hex(byte: number): string {
  return byte.toString(16).toUpperCase().padStart(2, '0');
}
