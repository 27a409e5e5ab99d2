import type { Markup } from './nodes.ts';

/** A text with a selection. */
export interface Selected {
  text: string;
  start: number;
  end: number;
}

/** Replaces a part of a text, and selects a part of the result. */
export interface Edit {
  from: number;
  to: number;
  insert: string;
  start: number;
  end: number;
}

type Marks = Record<Markup, readonly [before: string, after: string]>;

const boldMarks: Marks = { markdown: ['**', '**'], html: ['<strong>', '</strong>'] };
const italicMarks: Marks = { markdown: ['*', '*'], html: ['<em>', '</em>'] };

export const bold = (at: Selected, markup: Markup): Edit => around(at, boldMarks[markup]);
export const italic = (at: Selected, markup: Markup): Edit => around(at, italicMarks[markup]);

/** Puts marks around the selection, or takes off those around it. */
function around({ text, start, end }: Selected, [before, after]: readonly [string, string]): Edit {
  const inner = text.slice(start, end);
  const from = start - before.length;
  const to = end + after.length;
  // Two stars are one mark, which does not consist of two of one star.
  const isLonger = before === '*' && (text[from - 1] === '*') !== (text[from - 2] === '*');
  if (from >= 0 && text.slice(from, start) === before && text.slice(end, to) === after && !isLonger)
    return { from, to, insert: inner, start: from, end: from + inner.length };
  return {
    from: start,
    to: end,
    insert: before + inner + after,
    start: start + before.length,
    end: end + before.length,
  };
}

/** Makes a heading of each selected line, or lines of headings. */
export const heading = (at: Selected, markup: Markup): Edit =>
  byLine(at, (lines) => {
    const found = markup === 'html' ? /^<h2>(.*)<\/h2>$/ : /^#{1,6} (.*)$/;
    if (lines.every((line) => found.test(line))) return lines.map((line) => line.replace(found, '$1'));
    return lines.map((line) => (markup === 'html' ? `<h2>${line}</h2>` : `## ${line}`));
  });

/** Makes a list of the selected lines, or lines of a list. */
export const list = (at: Selected, markup: Markup): Edit =>
  byLine(at, (lines) => {
    if (markup === 'html') return ['<ul>', ...lines.map((line) => `<li>${line}</li>`), '</ul>'];
    const found = /^[-*] (.*)$/;
    if (lines.every((line) => found.test(line))) return lines.map((line) => line.replace(found, '$1'));
    return lines.map((line) => `- ${line}`);
  });

/** Changes the lines that the selection touches, and selects them. */
function byLine({ text, start, end }: Selected, change: (lines: string[]) => string[]): Edit {
  const from = text.lastIndexOf('\n', start - 1) + 1;
  // A selection that ends behind a line break does not touch the next line.
  const last = end > start && text[end - 1] === '\n' ? end - 1 : end;
  const next = text.indexOf('\n', last);
  const to = next === -1 ? text.length : next;
  const insert = change(text.slice(from, to).split('\n')).join('\n');
  return { from, to, insert, start: from, end: from + insert.length };
}

const address = 'https://';

/** Makes a link of the selection, and selects its address. @param word text of the link without a selection */
export function link({ text, start, end }: Selected, markup: Markup, word: string): Edit {
  const inner = text.slice(start, end) || word;
  const [before, after] = markup === 'html' ? ['<a href="', `">${inner}</a>`] : ([`[${inner}](`, ')'] as const);
  const from = start + before.length;
  return { from: start, to: end, insert: before + address + after, start: from, end: from + address.length };
}

/** Puts a picture in the place of the selection. */
export function picture({ start, end }: Selected, markup: Markup, source: string, words: string): Edit {
  const alt = words.replace(/\s+/g, ' ');
  const insert =
    markup === 'html'
      ? `<img src="${escaped(source)}" alt="${escaped(alt)}">`
      : `![${alt.replace(/[[\]]/g, '')}](${source.replace(/[()\s]/g, encodeURIComponent)})`;
  return { from: start, to: end, insert, start: start + insert.length, end: start + insert.length };
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
