import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { CommerceError } from '@commerce/core';

/** Reads a JSON file; `-` is standard input. */
export async function readJsonFile(file: string): Promise<unknown> {
  const name = file === '-' ? 'standard input' : file;
  let content: string;
  try {
    content = file === '-' ? await text(process.stdin) : await readFile(file, 'utf8');
  } catch (error) {
    throw new CommerceError('validation', `cannot read ${name}: ${(error as Error).message}`, { cause: error });
  }
  try {
    return JSON.parse(content);
  } catch (error) {
    throw new CommerceError('validation', `${name} is not JSON: ${(error as Error).message}`, { cause: error });
  }
}
