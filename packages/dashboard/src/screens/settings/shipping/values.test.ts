import { describe, expect, it } from 'vitest';
import type { Method } from './prices.ts';
import { bandRefusals, methodOf, valuesOf } from './values.ts';

const stored: Method = {
  id: 'post',
  name: 'Post',
  kind: 'ship',
  price: '4.90',
  rates: [
    { upToWeight: 2000, upToSubtotal: null, price: '4.90' },
    { upToWeight: null, upToSubtotal: null, price: '9.90' },
  ],
  freeFrom: '50.00',
  minSubtotal: null,
  countries: ['GB'],
  postalPrefixes: { include: ['IV', 'KW1'], exclude: null },
  deliveryDays: { min: 2, max: 3 },
  active: true,
};

describe('the form of a shipping method', () => {
  it('has weights in kilograms, and gives back what is stored', () => {
    const values = valuesOf(stored);
    expect(values).toMatchObject({ pricing: 'weight', rates: [{ upTo: '2' }, { upTo: '' }] });
    const { id: _, active: __, ...given } = stored;
    expect(methodOf(values)).toEqual({ ...given, price: '0' });
    const bySubtotal = { ...stored, rates: [{ upToWeight: null, upToSubtotal: '20.00', price: '4.90' }] };
    expect(methodOf(valuesOf(bySubtotal)).rates).toEqual(bySubtotal.rates);
    expect(methodOf({ ...values, pricing: 'one', price: '3' })).toMatchObject({ price: '3', rates: null });
  });

  it('reads beginnings of postal codes and days, and leaves out what is empty', () => {
    const values = { ...valuesOf(undefined), name: ' Van ', 'postalPrefixes.exclude': '18, KW 17\n27498,' };
    expect(methodOf(values)).toMatchObject({
      name: 'Van',
      postalPrefixes: { include: null, exclude: ['18', 'KW 17', '27498'] },
      deliveryDays: null,
      countries: null,
      freeFrom: null,
    });
    expect(methodOf({ ...values, 'deliveryDays.max': '3' }).deliveryDays).toEqual({ min: null, max: 3 });
    expect(() => methodOf({ ...values, 'deliveryDays.min': 'soon' })).toThrow('Enter a whole number.');
  });

  it('refuses bands that do not rise, or are open before the last', () => {
    const wrong = (pricing: 'weight' | 'subtotal', ...upTo: string[]) =>
      Object.keys(bandRefusals({ pricing, rates: upTo.map((one) => ({ upTo: one, price: '1' })) }));
    expect(wrong('weight', '0.5', '2', '')).toEqual([]);
    expect(wrong('weight', '2', '2')).toEqual(['rates.1.upToWeight']);
    expect(wrong('weight', '', '2')).toEqual(['rates.0.upToWeight']);
    expect(wrong('weight', 'much')).toEqual(['rates.0.upToWeight']);
    expect(wrong('subtotal', '10', '9.5')).toEqual(['rates.1.upToSubtotal']);
    expect(wrong('subtotal', '')).toEqual(['rates.0.upToSubtotal']);
    expect(wrong('weight')).toEqual(['rates']);
    expect(bandRefusals({ pricing: 'weight', rates: [{ upTo: '1', price: ' ' }] })).toHaveProperty(['rates.0.price']);
    const values = { ...valuesOf(stored), rates: [{ upTo: '2', price: '' }] };
    expect(() => methodOf(values)).toThrow('This field is required.');
  });
});
