import { createReadStream } from 'node:fs';
import { CommerceError } from '@commerce/core';

/** Longest file that is read, in bytes: the limit that the interface has for a body. */
const maxBytes = 1024 * 1024;

/** Reads a JSON file in UTF-8; `-` is standard input. */
export async function readJsonFile(file: string): Promise<unknown> {
  const name = file === '-' ? 'standard input' : file;
  const content = decode(await readBytes(file, name), name);
  try {
    return JSON.parse(content);
  } catch (error) {
    throw new CommerceError('validation', `${name} is not JSON: ${(error as Error).message}`, { cause: error });
  }
}

async function readBytes(file: string, name: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of file === '-' ? process.stdin : createReadStream(file)) {
      chunks.push(chunk);
      length += chunk.length;
      if (length > maxBytes) break;
    }
  } catch (error) {
    throw new CommerceError('validation', `cannot read ${name}: ${(error as Error).message}`, { cause: error });
  }
  if (length > maxBytes) throw new CommerceError('validation', `${name} is longer than 1 MiB`);
  return Buffer.concat(chunks);
}

/** UTF-8 text without a byte order mark. Other encodings would be stored with replacement characters. */
function decode(bytes: Buffer, name: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new CommerceError('validation', `${name} is not UTF-8; save it as UTF-8`, { cause: error });
  }
}
