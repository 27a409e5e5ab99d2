import { eastAsianWidth } from 'get-east-asian-width';

/**
 * Texts of characters that join no other: those of western languages, with their quotation marks and dashes, which take a column each, and
 * those of Chinese, Japanese and Korean, which take two.
 */
const plain =
  /^[\x20-\x7e\xa1-\xac\xae-\u02ff\u2010-\u2027\u20ac\u3000-\u3029\u3041-\u3096\u30a1-\u30fe\u4e00-\u9fff\uac00-\ud7a3]*$/;
const wide = /[\u3000-\ud7a3]/g;
let segmenter: Intl.Segmenter | undefined;

/** What a reader takes for one character each. Made at first use: the data behind it cost a fifth of a start. */
function graphemesOf(text: string): string[] {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

/** Columns that a text takes on a terminal: two for most of Chinese, Japanese and Korean, and for an emoji of several parts. */
export function widthOf(text: string): number {
  if (plain.test(text)) return text.length + (text.match(wide)?.length ?? 0);
  return graphemesOf(text).reduce((sum, grapheme) => sum + widthOfOne(grapheme), 0);
}

function widthOfOne(grapheme: string): number {
  // Marks and joiners that stand alone.
  if (/^[\p{M}\p{Cf}]+$/u.test(grapheme)) return 0;
  // Shown as a picture, by default or on request: flags, keycaps and families are one of them.
  if (/\p{Emoji_Presentation}|\p{Emoji}\ufe0f/u.test(grapheme)) return 2;
  // A voicing mark of half width follows its letter, and has a column of its own.
  const marks = grapheme.match(/[\uff9e\uff9f]/g)?.length ?? 0;
  return eastAsianWidth(grapheme.codePointAt(0) ?? 0) + (grapheme.length > marks ? marks : 0);
}

/** A text filled up with blanks; `side` is where they go. */
export function padded(text: string, width: number, side: 'left' | 'right' = 'right'): string {
  const blanks = ' '.repeat(Math.max(0, width - widthOf(text)));
  return side === 'right' ? text + blanks : blanks + text;
}

/** The beginning of a text that fits, with an ellipsis where something is missing; no character is cut in two. */
export function cut(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  let [kept, used] = ['', 0];
  for (const grapheme of graphemesOf(text)) {
    const next = used + widthOfOne(grapheme);
    if (next > width - 1) break;
    kept += grapheme;
    used = next;
  }
  return `${kept}…`;
}
