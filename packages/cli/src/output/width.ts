import { eastAsianWidth } from 'get-east-asian-width';

/**
 * Texts of characters that never combine with others. Those are western letters, quotation marks and dashes, one column each, and Chinese,
 * Japanese and Korean characters, two columns each.
 */
const plain =
  /^[\x20-\x7e\xa1-\xac\xae-\u02ff\u2010-\u2027\u20ac\u3000-\u3029\u3041-\u3096\u30a1-\u30fe\u4e00-\u9fff\uac00-\ud7a3]*$/;
const wide = /[\u3000-\ud7a3]/g;
let segmenter: Intl.Segmenter | undefined;

/** Splits a text into the characters that a reader sees. Created at first use: loading its data cost a fifth of a start. */
function graphemesOf(text: string): string[] {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

/** Columns that a text takes on a terminal: two for most of Chinese, Japanese and Korean, and for an emoji of several code points. */
export function widthOf(text: string): number {
  if (plain.test(text)) return text.length + (text.match(wide)?.length ?? 0);
  return graphemesOf(text).reduce((sum, grapheme) => sum + widthOfOne(grapheme), 0);
}

function widthOfOne(grapheme: string): number {
  // Marks and joiners without a base character.
  if (/^[\p{M}\p{Cf}]+$/u.test(grapheme)) return 0;
  // Shown as a picture, by default or on request: flags, keycaps and families are one picture.
  if (/\p{Emoji_Presentation}|\p{Emoji}\ufe0f/u.test(grapheme)) return 2;
  // A half-width voicing mark follows its letter, and has its own column.
  const marks = grapheme.match(/[\uff9e\uff9f]/g)?.length ?? 0;
  return eastAsianWidth(grapheme.codePointAt(0) ?? 0) + (grapheme.length > marks ? marks : 0);
}

/** A text padded with blanks on the given side. */
export function padded(text: string, width: number, side: 'left' | 'right' = 'right'): string {
  const blanks = ' '.repeat(Math.max(0, width - widthOf(text)));
  return side === 'right' ? text + blanks : blanks + text;
}

/** The beginning of a text that fits, with an ellipsis if it was cut; no character is cut in two. */
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
