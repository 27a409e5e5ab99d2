import transliterate from '@sindresorhus/transliterate';

/** Letters that Unicode does not decompose into a Latin letter and a mark. */
const letters: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  þ: 'th',
  ı: 'i',
};

/** A text with words of other scripts spelt in Latin letters, if the script has such a spelling. */
function inLatin(text: string): string {
  return text
    .normalize('NFC')
    .replace(/[\p{L}\p{M}]+/gu, (word) => (/[^\P{L}\p{Script=Latin}]/u.test(word) ? transliterate(word) : word));
}

/** A text as a slug, as imports make it; empty if it has letters without Latin equivalents, such as Chinese ones. */
export function slugOf(text: string): string {
  const plain = inLatin(text)
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}+/gu, '')
    .replace(/[ßæœøđðłþı]/g, (letter) => letters[letter] ?? letter);
  if (/[^\P{L}a-z]/u.test(plain)) return '';
  return plain
    .replace(/['’]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 200)
    .replace(/^-+|-+$/g, '');
}

/** Letters and digits that are not mistaken for each other. */
const signs = 'abcdefghijkmnpqrstuvwxyz23456789';

/** A slug for an item without any Latin letters, such as `product-x7k2m9`. */
export function randomSlug(noun: string): string {
  const bytes = crypto.getRandomValues(new Uint8Array(6));
  return `${noun}-${[...bytes].map((byte) => signs[byte % signs.length]).join('')}`;
}
