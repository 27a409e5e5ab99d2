import { expect, it } from 'vitest';
import { classNames, classOf, classText } from './tax-class.ts';

it('A class of goods is a name in the language, or a word of the shop', () => {
  expect(['standard', 'reduced', 'books'].map(classText)).toEqual(['Standard', 'Reduced', 'books']);
  expect(['Standard', ' reduced ', '', 'Books & maps', 'Bücher', '本'].map(classOf)).toEqual([
    'standard',
    'reduced',
    'standard',
    'books-maps',
    'bucher',
    '本',
  ]);
  expect(classNames(['books', 'standard'])).toEqual(expect.arrayContaining(['Standard', 'Reduced', 'books']));
  expect(classNames(['standard'])).toHaveLength(new Set(classNames([])).size);
});
