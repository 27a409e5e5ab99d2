import { textOfHtml } from '../kernel/html.ts';

/** Marks of direction that would also turn what follows the text, and what XML cannot have. */
const forbidden = /[\u202a-\u202e\u2066-\u2069\ufeff\p{Noncharacter_Code_Point}]/gu;
const blanks = /[\p{Cc}\p{Z}]+/gu;

/** A text on one line: no tab, no line break, no control character, no half of a character. */
export function oneLine(text: string): string {
  return text.toWellFormed().replace(forbidden, '').replace(blanks, ' ').trim();
}

const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });

/** Characters before the end of a text in which a cut looks for a blank. */
const longestWord = 40;

/** The beginning of a text, cut after a word, or within a very long one after a whole character: an emoji has several code units. */
export function cut(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const blank = text.lastIndexOf(' ', maxLength);
  if (blank > 0 && blank >= maxLength - longestWord) return text.slice(0, blank).trimEnd();
  const { index = 0 } = graphemes.segment(text.slice(0, maxLength + longestWord)).containing(maxLength) ?? {};
  if (index > 0) return text.slice(0, index);
  return text.slice(0, maxLength).replace(/[\ud800-\udbff]$/, '');
}

const markup = /<[/!]?[a-z]|&[a-z#]/i;

/** Characters of a description that are read: markup takes room, and no feed has more than 5,000. */
const maxRead = 40_000;

/** A description without its markup, on one line. */
export function plainText(text: string, format: 'text' | 'markdown' | 'html'): string {
  const begun = text.slice(0, maxRead);
  const told = format === 'markdown' ? withoutMarkdown(begun) : begun;
  return oneLine(format === 'html' || markup.test(told) ? textOfHtml(told) : told);
}

/** Markdown without its signs: headings, lists, quotes, emphasis, code, rules, and links without their addresses. */
function withoutMarkdown(text: string): string {
  return text
    .split('\n')
    .map((line) =>
      line
        .replace(/^\s{0,8}(?:#{1,6} |> ?|[-*+] |\d{1,9}[.)] )/, '')
        .replace(/^\s{0,3}(?:-{3,80}|\*{3,80}|_{3,80}|={3,80}|`{3}.{0,80})$/, ''),
    )
    .join('\n')
    .replace(/!?\[([^[\]\n]{0,200})\]\([^()\s]{0,500}\)/g, '$1')
    .replace(/(?<!\\)(?:\*\*|__|~~|`)/g, '')
    .replace(/(?<![\p{L}\p{N}\\])[*_](?=\S)|(?<=[^\s\\])[*_](?![\p{L}\p{N}])/gu, '')
    .replace(/\\([\\`*_{}[\]()#+.!~>-])/g, '$1');
}

/** An address without what XML or a list with commas would read otherwise. */
export function listedAddress(address: string): string {
  return address.replaceAll(',', '%2C');
}
