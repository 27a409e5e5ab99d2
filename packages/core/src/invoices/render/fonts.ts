import { readFile } from 'node:fs/promises';
import { invalid, quote } from '../../kernel/errors.ts';
import { ownFile } from '../../kernel/files/own-file.ts';

/** The bytes of the fonts of one document. */
export interface InvoiceFonts {
  regular: Buffer;
  bold: Buffer;
  /** For texts that the built-in fonts cannot print; null without one. */
  other: Buffer | null;
}

/**
 * Noto Sans under the Open Font License, cut to Latin, Greek and Cyrillic by `pyftsubset` of fontTools; see `isBuiltIn`. The build puts the
 * fonts beside the program.
 */
const builtIn = { regular: 'NotoSans-Regular.ttf', bold: 'NotoSans-Bold.ttf' } as const;

let known: Promise<[Buffer, Buffer]> | undefined;

/** @param path of a TrueType or OpenType font for other scripts */
export async function readFonts(path: string | undefined): Promise<InvoiceFonts> {
  known ??= Promise.all([read(builtIn.regular), read(builtIn.bold)]);
  known.catch(() => {
    known = undefined;
  });
  const [regular, bold] = await known;
  return { regular, bold, other: path === undefined ? null : await readFile(path) };
}

/** @throws CommerceError `validation` for a path of a file that cannot be read, or is not one font */
export async function checkFont(path: string | undefined): Promise<void> {
  if (path === undefined) return;
  let bytes: Buffer;
  try {
    bytes = await readFile(path);
  } catch {
    const why = `must be the path of a font file that can be read, not ${quote(path)}`;
    throw invalid('invoiceFont', why, { code: 'NOT_FOUND' });
  }
  const { default: PDFDocument } = await import('pdfkit');
  try {
    new PDFDocument({ font: '' }).font(bytes as never);
  } catch {
    const why = `must be the path of a TrueType or OpenType font, which ${quote(path)} is not`;
    throw invalid('invoiceFont', why, { code: 'NOT_OFFERED' });
  }
}

async function read(name: string): Promise<Buffer> {
  return readFile(ownFile({ name: `fonts/${name}`, beside: import.meta.url, of: '@commerce/core' }));
}

/** Ranges of characters that the built-in fonts can print, and of invisible ones, which need no font. */
const ranges = [
  [0x0a, 0x0a],
  [0x20, 0x7e],
  [0xa0, 0x24f],
  [0x2b9, 0x2dd],
  [0x300, 0x304],
  [0x306, 0x30c],
  [0x323, 0x323],
  [0x326, 0x328],
  [0x370, 0x3ff],
  [0x400, 0x52f],
  [0x1e00, 0x1eff],
  [0x2002, 0x200b],
  [0x2010, 0x2027],
  [0x202f, 0x203a],
  [0x2044, 0x2044],
  [0x20a0, 0x20bf],
  [0x2116, 0x2116],
  [0x2122, 0x2122],
  [0x2212, 0x2212],
] as const;

/** True if the built-in fonts can print a text. */
export function isBuiltIn(text: string): boolean {
  for (const char of text) if (!hasChar(char)) return false;
  return true;
}

function hasChar(char: string): boolean {
  const code = char.codePointAt(0) ?? 0;
  return ranges.some(([first, last]) => code >= first && code <= last);
}

/**
 * A text as the built-in fonts can print it. Letters and digits that they do not have become question marks, so that a reader sees that
 * something is missing; signs such as emoji are left out.
 */
export function inBuiltIn(text: string): string {
  if (isBuiltIn(text)) return text;
  return [...text].map((char) => (hasChar(char) ? char : /[\p{L}\p{N}]/u.test(char) ? '?' : '')).join('');
}
