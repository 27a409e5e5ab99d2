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
  const words = foldText(text).match(/"\S(?:.*?\S)??"(?=\s|$)|\S+/gs) ?? [];
  return words.slice(0, maxWords).map((word) => (isQuoted(word) ? word.slice(1, -1) : word));
}

function isQuoted(word: string): boolean {
  return word.length > 2 && word.startsWith('"') && word.endsWith('"');
}
