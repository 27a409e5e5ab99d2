/** Separates the parts of a text, so that no word reaches from one into the next. */
const separator = '\u001f';

/** Texts that need only lower-casing. */
const isAscii = /^[\n\r\t -~]*$/;

/** Letters that Unicode does not take apart. */
const plainLetters: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ı: 'i',
  ς: 'σ',
  // Replaced by a code point that no exchanged text contains.
  [separator]: '\ufdd0',
};

const special = new RegExp(`[${Object.keys(plainLetters).join('')}]`, 'g');

/**
 * Text as it is indexed, and as words of a search are compared: lower case, without accents, and with plain letters for some special ones.
 * Only the marks of Latin, Greek and Cyrillic letters are removed (U+0300 to U+036F): other scripts write vowels as marks.
 */
export function foldText(text: string): string {
  if (isAscii.test(text)) return text.toLowerCase();
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .replace(special, (letter) => plainLetters[letter] ?? letter);
}

/** Several texts to search as one. */
export function foldTexts(...texts: (string | null)[]): string {
  return texts.map((text) => foldText(text ?? '')).join(separator);
}

/** Text whose letters are compared without case, such as a discount code; accents still matter. */
export function foldCase(text: string): string {
  return text.normalize('NFC').toLowerCase().replaceAll('ς', 'σ');
}

/** A SKU or barcode as it is compared: folded, without blanks and dashes. */
export function strippedCode(code: string): string {
  return foldText(code).replace(/[\s\p{Pd}]+/gu, '');
}

/** Words of a search that count. */
const maxWords = 8;

/**
 * The folded words of a search. A quotation mark that begins a word keeps the text up to one that ends a word together. Every other
 * character is literal.
 */
export function searchWords(text: string): string[] {
  return wordsOf(text, maxWords);
}

/** The text of a search as a title begins with it: its words, without the quotation marks that keep them together. */
export function searchedText(text: string): string {
  return wordsOf(text, Number.POSITIVE_INFINITY).join(' ');
}

function wordsOf(text: string, max: number): string[] {
  const folded = foldText(text);
  const words: string[] = [];
  for (let at = 0; at < folded.length && words.length < max; ) {
    if (isBlank(folded, at)) {
      at++;
      continue;
    }
    const close = closingQuote(folded, at);
    let end = close === -1 ? at : close + 1;
    while (!isBlank(folded, end)) end++;
    words.push(close === -1 ? folded.slice(at, end) : folded.slice(at + 1, close));
    at = end;
  }
  return words;
}

/** True at a blank and behind the text. */
function isBlank(text: string, at: number): boolean {
  return at >= text.length || /\s/.test(text[at] ?? '');
}

/** The quotation mark that ends what one at this place begins; -1 if there is none. */
function closingQuote(text: string, at: number): number {
  if (text[at] !== '"' || isBlank(text, at + 1)) return -1;
  for (let close = text.indexOf('"', at + 2); close !== -1; close = text.indexOf('"', close + 1)) {
    if (isBlank(text, close + 1) && !isBlank(text, close - 1)) return close;
  }
  return -1;
}
