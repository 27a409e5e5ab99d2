import { afterEach, expect, it } from 'vitest';
import { setLanguage } from '../../words/locales.ts';
import { percentInput, percentText, readPercent } from './percent.ts';

afterEach(() => setLanguage('en'));

it.each([
  ['-10', '-10'],
  ['-10%', '-10'],
  ['−10 %', '-10'],
  ['+5', '5'],
  ['10 %', '10'],
  [' 7,5 % ', '7.5'],
  ['2.25', '2.25'],
  ['0', '0'],
  ['', undefined],
  ['%', undefined],
  ['much', undefined],
  ['1,2,3', undefined],
  ['10%%', undefined],
  ['5e3', undefined],
  ['.5', undefined],
])('%j is read as the percentage %s', (typed, percent) => expect(readPercent(typed)).toBe(percent));

it('writes a percentage as the language does', () => {
  expect([percentText('7.5'), percentInput('7.5'), percentText('-10')]).toEqual(['7.5%', '7.5', '-10%']);
  setLanguage('de');
  expect([percentText('7.5'), percentInput('7.5'), percentInput('7')]).toEqual(['7,5\u00a0%', '7,5', '7']);
});
