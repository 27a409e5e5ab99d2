import { describe, expect, it } from 'vitest';
import { type Method, offersOf, regionsOf } from './prices.ts';

const post: Method = {
  id: 'post',
  name: 'Post',
  kind: 'ship',
  price: '4.90',
  rates: null,
  freeFrom: null,
  minSubtotal: null,
  countries: null,
  postalPrefixes: null,
  deliveryDays: null,
  active: true,
};
const basket = { country: 'DE', postalCode: '', subtotal: '20.00', weight: 1500 };
const pricesOf = (changes: Partial<Method>, other: Partial<typeof basket> = {}) =>
  offersOf([{ ...post, ...changes }], { ...basket, ...other }, 2).map(({ price }) => price);

describe('prices of shipping', () => {
  it('follow the weight, up to the end of the last band', () => {
    const band = (upToWeight: number | null, price: string) => ({ upToWeight, upToSubtotal: null, price });
    const rates = [band(1000, '3.00'), band(2000, '5.00')];
    expect([1, 1000, 1001, 2000, 2001].map((weight) => pricesOf({ rates }, { weight })[0])).toEqual([
      '3.00',
      '3.00',
      '5.00',
      '5.00',
      undefined,
    ]);
    // A cart above the last band is not served, not even free of charge.
    expect(pricesOf({ rates, freeFrom: '10.00' }, { weight: 2001 })).toEqual([]);
    expect(pricesOf({ rates: [...rates, band(null, '9.00')] }, { weight: 90_000 })).toEqual(['9.00']);
  });

  it('follow the subtotal, in bands, from a minimum and up to where it is free', () => {
    const rates = [
      { upToWeight: null, upToSubtotal: '19.99', price: '5.00' },
      { upToWeight: null, upToSubtotal: null, price: '2.00' },
    ];
    expect(pricesOf({ rates })).toEqual(['2.00']);
    expect(pricesOf({ rates }, { subtotal: '19.99' })).toEqual(['5.00']);
    expect(pricesOf({ minSubtotal: '20.01' })).toEqual([]);
    expect(pricesOf({ minSubtotal: '20.00', freeFrom: '20.01' })).toEqual(['4.90']);
    expect(pricesOf({ freeFrom: '20.00' })).toEqual(['0.00']);
  });

  it('are those of active methods that serve the country and the postal code', () => {
    expect(pricesOf({ active: false })).toEqual([]);
    expect(pricesOf({ countries: ['AT'] })).toEqual([]);
    expect(offersOf([{ ...post, countries: ['AT'] }], { ...basket, country: undefined }, 2)).toHaveLength(1);
    const postalPrefixes = { include: ['IV', 'KW'], exclude: ['KW17'] };
    const codes = ['IV1 1AA', 'kw1 4yt', 'K W17 1AA', 'EH1', ''];
    expect(codes.map((postalCode) => pricesOf({ postalPrefixes }, { postalCode }).length)).toEqual([1, 1, 0, 0, 1]);
    expect(pricesOf({ postalPrefixes: { include: null, exclude: ['18'] } }, { postalCode: '18565' })).toEqual([]);
  });

  it('of a basket are said once for all countries that have the same', () => {
    const methods: Method[] = [
      { ...post, countries: ['DE'] },
      { ...post, id: 'abroad', price: '9.00', countries: ['AT', 'FR'] },
    ];
    const said = (list: readonly Method[], home: string | null) =>
      regionsOf(list, home, basket, 2).map(({ countries, hasOthers, offers }) => [
        countries.join(' '),
        hasOthers,
        offers.map(({ price }) => price).join(' '),
      ]);
    expect(said(methods, 'DE')).toEqual([
      ['DE', false, '4.90'],
      ['AT FR', false, '9.00'],
      ['', true, ''],
    ]);
    expect(said([post], null)).toEqual([['', true, '4.90']]);
    expect(said(methods, 'CH')[0]).toEqual(['CH', true, '']);
  });
});
