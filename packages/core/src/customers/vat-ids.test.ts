import { expect, it } from 'vitest';
import { vatIdRule } from './vat-ids.ts';

it.each([
  ['atu 1234.5675', 'ATU12345675'],
  ['DE 136 695 976', 'DE136695976'],
  ['EL094259216', 'EL094259216'],
  ['GR 094259216', 'EL094259216'],
  ['GB980780684', 'GB980780684'],
  ['CHE-116.281.710 MWST', 'CHE116281710MWST'],
  ['NO 923 609 016 MVA', 'NO923609016MVA'],
  ['NO923609016', 'NO923609016'],
])('takes %s', (given, kept) => {
  expect(vatIdRule.parse(given)).toBe(kept);
});

it.each(['', ' ', 'ATU12345678', 'DE136695975', 'NO923609017MVA', 'NO92360901MVA', '136695976', 'XX1'])(
  'refuses "%s"',
  (given) => {
    expect(vatIdRule.safeParse(given).success).toBe(false);
  },
);
