import { describe, expect, it } from 'vitest';
import { memberStates } from './member-states.ts';
import { proposedTaxes, starterRates } from './starter-rates.ts';

describe('proposed taxes', () => {
  it('are the standard rates of all member states for a shop in one, its own first', () => {
    const { scope, rates, shipping } = proposedTaxes('DE', null) ?? expect.fail('DE is known');
    expect([scope, shipping]).toEqual(['destination', null]);
    expect(rates[0]).toEqual({ country: 'DE', region: null, class: 'standard', rate: '0.19', name: null });
    expect(rates.map(({ country }) => country).sort()).toEqual([...memberStates].sort());
  });

  it('are its own rate for a shop elsewhere, and none for a country that the list does not have', () => {
    expect(proposedTaxes('CH', null)?.rates).toMatchObject([{ country: 'CH', rate: '0.081' }]);
    expect(proposedTaxes('US', null)).toBeUndefined();
  });

  it('keep what the shop says about other classes, regions and countries, and its names', () => {
    const row = (country: string, taxClass: string, rate: string, region: string | null = null) => ({
      ...{ country, region, class: taxClass, rate, name: country === 'DE' ? 'MwSt.' : null },
    });
    const before = {
      scope: 'origin' as const,
      shipping: 'none',
      rates: [row('DE', 'standard', '0.16'), row('DE', 'reduced', '0.07'), row('US', 'standard', '0.05', 'OH')],
    };
    const { rates, ...rest } = proposedTaxes('DE', before) ?? expect.fail('DE is known');
    expect(rest).toEqual({ scope: 'origin', shipping: 'none' });
    expect(rates[0]).toEqual(row('DE', 'standard', '0.19'));
    expect(rates.slice(memberStates.length)).toEqual(before.rates.slice(1));
  });

  it('have a rate of every country of the list between 0 and 1', () => {
    expect(Object.keys(starterRates.rates)).toHaveLength(30);
    for (const rate of Object.values(starterRates.rates)) expect(rate).toMatch(/^0\.\d{1,6}$/);
  });
});
