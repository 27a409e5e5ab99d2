import { describe, expect, it } from 'vitest';
import type { TaxRateSetting } from '../../engine/settings/taxes.ts';
import { lacksRegion, type TaxFacts, taxRuleOf } from './tax-rules.ts';

const row = (country: string, taxClass: string, rate: string, region: string | null = null): TaxRateSetting => ({
  ...{ country, region, class: taxClass, rate, name: null },
});
const german: TaxFacts = {
  home: 'DE',
  scope: 'destination',
  taxRate: '0.19',
  rows: [
    row('DE', 'standard', '0.19'),
    row('DE', 'reduced', '0.07'),
    row('FR', 'standard', '0.2'),
    row('FR', 'reduced', '0.055'),
    row('AT', 'standard', '0.2'),
  ],
};
const american: TaxFacts = {
  home: 'US',
  scope: 'destination',
  taxRate: '0',
  rows: [row('US', 'standard', '0.0725', 'CA'), row('US', 'standard', '0.04', 'NY'), row('CA', 'standard', '0.05')],
};

describe('the tax rule of goods', () => {
  it.each<[string, TaxFacts, string, string | null, string, { country: string; region?: string; rate: string }]>([
    ['of the destination', german, 'FR', null, 'reduced', { country: 'FR', rate: '0.055' }],
    ['of a class without a row there: the standard one', german, 'AT', null, 'reduced', { country: 'AT', rate: '0.2' }],
    ['of a member state without rows: the own', german, 'IT', null, 'reduced', { country: 'DE', rate: '0.07' }],
    ['of a country outside the Union: none', german, 'CH', null, 'standard', { country: 'CH', rate: '0' }],
    ['by origin, in the Union', { ...german, scope: 'origin' }, 'FR', null, 'reduced', { country: 'DE', rate: '0.07' }],
    [
      'by origin, elsewhere as by destination',
      { ...german, scope: 'origin', rows: [...german.rows, row('CH', 'standard', '0.081')] },
      ...(['CH', null, 'standard', { country: 'CH', rate: '0.081' }] as const),
    ],
    ['of a region', american, 'US', 'CA', 'standard', { country: 'US', region: 'CA', rate: '0.0725' }],
    ['of a region without a row: the rate of the shop', american, 'US', 'OR', 'standard', { country: 'US', rate: '0' }],
    ['of the country, whatever the region', american, 'CA', 'QC', 'books', { country: 'CA', rate: '0.05' }],
    [
      'of a shop without rows: its one rate',
      { ...german, rows: [] },
      ...(['DE', null, 'standard', { country: 'DE', rate: '0.19' }] as const),
    ],
  ])('is that %s', (_, facts, country, region, taxClass, expected) => {
    expect(taxRuleOf(facts, { country, region }, taxClass)).toEqual({ region: null, name: null, ...expected });
  });

  it('needs the region of a country that has rows of regions alone', () => {
    expect(lacksRegion(american, { country: 'US', region: null })).toBe(true);
    expect(lacksRegion(american, { country: 'US', region: 'OR' })).toBe(false);
    expect(lacksRegion(american, { country: 'CA', region: null })).toBe(false);
    expect(lacksRegion(german, { country: 'IT', region: null })).toBe(false);
  });
});
