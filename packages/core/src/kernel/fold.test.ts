import { describe, expect, it } from 'vitest';
import { foldText, foldTexts, searchWords, strippedCode } from './fold.ts';

describe('foldText', () => {
  it.each([
    ['Blue MUG', 'blue mug'],
    ['Żółty kubek', 'zolty kubek'],
    ['GRÖSSE Größe GRÖẞE', 'grosse grosse grosse'],
    ['Cafe\u0301 crème', 'cafe creme'],
    ['İstanbul ISPARTA ılık', 'istanbul isparta ilik'],
    ['ΟΔΟΣ Σοφός', 'οδοσ σοφοσ'],
    ['Ærø Łódź Đorđe œuvre', 'aero lodz dorde oeuvre'],
    ['ﬁne Ⅷ', 'fine viii'],
    // Marks of these scripts are letters.
    ['हिन्दी', 'हिन्दी'],
    ['が', 'が'],
    ['한국어', '한국어'],
    ['👕 T', '👕 t'],
    ['ЙОД', 'иод'],
  ])('%j is %j', (text, folded) => {
    expect(foldText(text)).toBe(folded);
    expect(foldText(folded)).toBe(folded);
    expect(foldText(text.normalize('NFD'))).toBe(folded);
  });

  it('keeps the separator of texts for itself', () => {
    expect(foldTexts('a\u001fb', null, 'C')).toBe('a\ufdd0b\u001f\u001fc');
  });
});

describe('searchWords', () => {
  it.each([
    ['', []],
    [' \t\n ', []],
    [' Blue  MUG ', ['blue', 'mug']],
    ['"blue mug" red', ['blue mug', 'red']],
    ['say "blue  mug"', ['say', 'blue  mug']],
    ['"blue mug', ['"blue', 'mug']],
    ['5" pipe 6"', ['5"', 'pipe', '6"']],
    ['"a"b c"', ['a"b c']],
    ['""', ['""']],
    ['"', ['"']],
    ['" a "', ['"', 'a', '"']],
    ['"a" "b c"', ['a', 'b c']],
    ['1 2 3 4 5 6 7 8 9', ['1', '2', '3', '4', '5', '6', '7', '8']],
    ['a\u00a0b\u3000c', ['a', 'b', 'c']],
  ])('%j is %j', (text, words) => {
    expect(searchWords(text)).toEqual(words);
  });
});

it('strips blanks and dashes from codes', () => {
  expect(strippedCode(' MUG–1 A-b_2')).toBe('mug1ab_2');
});
