import { describe, expect, it } from 'vitest';
import { t } from '../../words/words.ts';
import { atFields, languagesOf, positionOf, spotOf, wrongWith } from './places.ts';

const { errors } = t.mails.texts;

describe('the place of an error in a text', () => {
  it('is found in the sentence of the refusal', () => {
    expect(spotOf('line 3, column 5: tag "if" is not closed')).toEqual({ line: 3, column: 5 });
    expect(spotOf('output is not closed, line:1, col:12')).toEqual({ line: 1, column: 12 });
    expect(spotOf('is too long')).toBeUndefined();
  });

  it('is a position in the text', () => {
    const text = 'Hello\n{{ name\nBye';
    expect(positionOf(text, { line: 2, column: 4 })).toBe(9);
    expect(positionOf(text, { line: 1, column: 99 })).toBe(5);
    expect(positionOf(text, { line: 9, column: 1 })).toBe(text.length);
  });

  it('is said with what is wrong', () => {
    const detail = {
      field: 'template.text',
      reason: 'line 2, column 4: there is no "order.nmber"; known are shop.name',
    };
    expect(wrongWith(detail)).toBe(`Line 2, column 4: ${errors.unknown('order.nmber')}`);
    expect(wrongWith({ ...detail, reason: 'line 1, column 1: undefined filter: shout' })).toBe(
      `Line 1, column 1: ${errors.unknown('shout')}`,
    );
    expect(wrongWith({ ...detail, reason: 'line 1, column 1: output "{{ a" not closed' })).toBe(
      `Line 1, column 1: ${errors.syntax}`,
    );
    expect(wrongWith({ field: 'text', reason: 'is required', code: 'REQUIRED' })).toBe('This field is required.');
    expect(wrongWith({ field: 'text', reason: 'took too long' })).toBe(errors.failed);
    expect(atFields([detail])[0]).toMatchObject({ field: 'text', said: expect.stringContaining('order.nmber') });
  });
});

it('the languages are the built-in ones, then others', () => {
  expect(languagesOf(['pt-BR', 'de', 'da'])).toEqual(['en', 'de', 'fr', 'nl', 'es', 'it', 'pl', 'da', 'pt-BR']);
});
