import { expect, it } from 'vitest';
import type { Taxes } from '../form/tax-values.ts';
import { reckon } from './reckoning.ts';

const rate = (country: string, fraction: string, changes: Partial<Taxes['rates'][number]> = {}) => ({
  ...{ country, region: null, class: 'standard', rate: fraction, name: null },
  ...changes,
});
const sample = { goods: '100.00', taxClass: 'standard', shipping: '5.00' };
const facts = {
  plan: { scope: 'destination', rates: [rate('DE', '0.19'), rate('FR', '0.2')], shipping: null } as Taxes,
  ...{ home: 'DE', taxRate: '0.19', taxIncluded: true },
};
const shown = (changes: Partial<typeof facts> = {}, other: Partial<typeof sample> = {}) =>
  reckon({ ...facts, ...changes }, { ...sample, ...other }, 2).map(({ place, net, tax, total }) =>
    [typeof place === 'string' ? place : [place.country, place.region].filter(Boolean).join('-'), net, tax, total].join(
      ' ',
    ),
  );

it('A sample pays the rate of each place, the shop`s rate in the rest of the union, and nothing elsewhere', () => {
  expect(shown()).toEqual([
    'DE 88.24 16.76 105.00',
    'FR 87.50 17.50 105.00',
    'union 88.24 16.76 105.00',
    'others 105.00 0.00 105.00',
  ]);
  // Prices without tax: shipping is not taxed unless that is chosen.
  expect(shown({ taxIncluded: false })[0]).toBe('DE 105.00 19.00 124.00');
  const plan = { ...facts.plan, shipping: 'proportional' };
  expect(shown({ taxIncluded: false, plan })[1]).toBe('FR 105.00 21.00 126.00');
  expect(shown({ plan: { ...facts.plan, scope: 'origin' } })[1]).toBe('FR 88.24 16.76 105.00');
});

it('A sample pays by class and by region, and a country with rates of regions alone is not named without one', () => {
  const rates = [rate('US', '0.0725', { region: 'CA' }), rate('US', '0', { region: 'CA', class: 'books' })];
  const american = { home: 'US', taxRate: '0.05', taxIncluded: false, plan: { ...facts.plan, rates } };
  expect(shown(american, { shipping: '0' })).toEqual(['US-CA 100.00 7.25 107.25', 'others 100.00 0.00 100.00']);
  expect(shown(american, { shipping: '0', taxClass: 'books' })[0]).toBe('US-CA 100.00 0.00 100.00');
});
