import { expect, it } from 'vitest';
import { initialsOf } from './initials.ts';

it.each([
  ['Ada Lovelace', 'AL'],
  ['Wolfgang Amadeus Mozart', 'WM'],
  ['ada@shop.test', 'A'],
  ['  grace  ', 'G'],
  ['Émile Zola', 'ÉZ'],
  ['陈 伟', '陈伟'],
  ['👩‍🌾 Farm', '👩‍🌾F'],
  ['ada.lovelace@shop.test', 'AL'],
  ['', ''],
])('%s has the initials %s', (name, initials) => {
  expect(initialsOf(name)).toBe(initials);
});
