import type { LetterData } from './letter.ts';

/** Characters of a text of one line: titles and names are shorter when they are entered. */
const maxLine = 300;
/** Characters of the text of an option, which has one line in a letter. */
const maxOption = 500;
const maxLines = 5000;
const maxAddress = 2048;

/** Texts of several lines. Every other text of `LetterData` is one line. */
const severalLines = new Set(['instructions', 'customerNote', 'giftNote', 'note', 'address', 'footer']);

/** Addresses of pages and pictures. */
const addresses = new Set(['url', 'logoUrl', 'order', 'withdraw', 'dashboard']);

/**
 * The facts of a letter as they can be written into it. A text that is not named here is cut to one short line, so that a field which is
 * added later is safe too. An address that is not of the web becomes null.
 */
export function cleanData(data: LetterData): LetterData {
  return cleanValue(data, '') as LetterData;
}

function cleanValue(value: unknown, key: string): unknown {
  if (typeof value === 'string') {
    if (addresses.has(key)) return webAddress(value);
    return severalLines.has(key) ? linesOf(value, maxLines) : lineOf(value, key === 'text' ? maxOption : maxLine);
  }
  if (Array.isArray(value)) return value.map((entry) => cleanValue(entry, key));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, cleanValue(entry, name)]));
}

/**
 * What must not reach a letter, except line ends and blanks: controls that reorder the text around them (Trojan Source), marks of
 * annotations, and the noncharacters that stand for blocks while a template is rendered.
 */
const unwanted = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufdd0-\ufdef\ufeff\ufff9-\ufffb]/g;

/** A text as one line, without control characters. */
export function lineOf(text: string, max: number): string {
  const line = shortened(text, max * 10)
    .replace(unwanted, '')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  return shortened(line, max);
}

/** A text of several lines, without other control characters than their ends. */
export function linesOf(text: string, max: number): string {
  const lines = shortened(text, max * 2)
    .replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n')
    .replace(/\t/g, ' ')
    .replace(unwanted, '')
    .split('\n')
    .map((line) => line.replace(/\p{Cc}/gu, '').trimEnd())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
  return shortened(lines, max);
}

function shortened(text: string, max: number): string {
  // Half of a character outside the basic plane cannot be sent.
  return (text.length <= max ? text : `${text.slice(0, max - 1)}…`).toWellFormed();
}

/** The address of a page, as a link can have it; null if it is not http or https, or says who signs in. */
export function webAddress(text: string): string | null {
  const url = URL.parse(text);
  if (!url || text.length > maxAddress) return null;
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return null;
  return url.username === '' && url.password === '' ? url.href : null;
}
