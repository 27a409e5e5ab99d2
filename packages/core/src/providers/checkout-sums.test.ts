import { pageRequest, pageRequests } from '@commerce/test-support/fixtures/page-requests';
import { repeats } from '@commerce/test-support/harness/repeats';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type PageRequest, ProviderSettingsError } from './checkout-page.ts';
import { rescale, spread } from './checkout-sums.ts';
import { paypalOrderFor } from './paypal/checkout.ts';
import { squareLink } from './square/checkout.ts';
import { stripeSession } from './stripe/checkout.ts';

const runs = { numRuns: repeats({ suite: 300, nightly: 10_000 }) };

/** The amount that Stripe charges: each line's price times its quantity, plus shipping. No amount can be negative or fractional. */
function chargedByStripe(request: PageRequest): bigint {
  const { line_items, shipping_options = [] } = stripeSession(request) as ReturnType<typeof stripeSession> & {
    shipping_options?: { shipping_rate_data: { fixed_amount: { amount: number; currency: string } } }[];
  };
  const prices = line_items.map(({ price_data, quantity }) => ({
    amount: price_data.unit_amount,
    quantity,
    ...price_data,
  }));
  const fees = shipping_options.map(({ shipping_rate_data: { fixed_amount } }) => ({ ...fixed_amount, quantity: 1 }));
  expect(line_items.length).toBeLessThanOrEqual(100);
  expect(fees.length).toBeLessThanOrEqual(1);
  return [...prices, ...fees].reduce((sum, { amount, quantity, currency }) => {
    expect(currency).toBe(request.currency.toLowerCase());
    expect(Number.isSafeInteger(amount) && amount >= 0 && quantity >= 1).toBe(true);
    return sum + BigInt(amount) * BigInt(quantity);
  }, 0n);
}

/** An amount that PayPal would accept, in units of its decimals. */
function paypalMinor(
  { currency_code, value }: { currency_code: string; value: string },
  { currency }: PageRequest,
): bigint {
  expect(currency_code).toBe(currency);
  expect(value).toMatch(['HUF', 'JPY', 'TWD'].includes(currency) ? /^\d+$/ : /^\d+\.\d\d$/);
  return BigInt(value.replace('.', ''));
}

/** The amount that PayPal charges. Its own checks of the parts must hold, or it would refuse the order. */
function chargedByPayPal(request: PageRequest): bigint {
  const [unit] = paypalOrderFor(request).purchase_units as {
    amount: {
      currency_code: string;
      value: string;
      breakdown?: Record<string, { currency_code: string; value: string }>;
    };
    items?: {
      name: string;
      quantity: string;
      sku?: string;
      unit_amount: { currency_code: string; value: string };
      tax?: unknown;
    }[];
  }[];
  if (!unit) throw new Error('no purchase unit');
  const value = paypalMinor(unit.amount, request);
  const { breakdown, items } = unit.amount.breakdown ? { breakdown: unit.amount.breakdown, items: unit.items } : {};
  if (breakdown === undefined || items === undefined) {
    expect(unit.items).toBeUndefined();
    return value;
  }
  const part = (name: string) => (breakdown[name] ? paypalMinor(breakdown[name], request) : 0n);
  const known = ['item_total', 'tax_total', 'shipping', 'discount'];
  expect(Object.keys(breakdown).filter((name) => !known.includes(name))).toEqual([]);
  expect(part('item_total') + part('tax_total') + part('shipping') - part('discount')).toBe(value);
  const sum = items.reduce((total, { name, quantity, sku = 'x', unit_amount, tax }) => {
    expect(quantity).toMatch(/^[1-9]\d{0,9}$/);
    expect(name.length >= 1 && name.length <= 127 && sku.length >= 1 && sku.length <= 127).toBe(true);
    expect(tax).toBeUndefined();
    return total + paypalMinor(unit_amount, request) * BigInt(quantity);
  }, 0n);
  expect(part('item_total')).toBe(sum);
  return value;
}

/** The amount that Square charges: lines less the order's discounts, plus charges and the shipping fee. */
function chargedBySquare(request: PageRequest): bigint {
  const { order, checkout_options } = squareLink(request, 'L1') as {
    order: {
      line_items: { name: string; quantity: string; base_price_money: { amount: number; currency: string } }[];
      discounts?: { amount_money: { amount: number; currency: string } }[];
      service_charges?: { amount_money: { amount: number; currency: string } }[];
    };
    checkout_options: { shipping_fee?: { charge: { amount: number; currency: string } } };
  };
  const minor = ({ amount, currency }: { amount: number; currency: string }) => {
    expect(currency).toBe(request.currency);
    expect(Number.isSafeInteger(amount) && amount >= 0).toBe(true);
    return BigInt(amount);
  };
  const sum = (amounts: bigint[]) => amounts.reduce((total, amount) => total + amount, 0n);
  const lines = sum(
    order.line_items.map(({ name, quantity, base_price_money }) => {
      expect(name.length >= 1 && name.length <= 512 && quantity.length <= 12).toBe(true);
      return minor(base_price_money) * BigInt(quantity);
    }),
  );
  const discounts = sum((order.discounts ?? []).map(({ amount_money }) => minor(amount_money)));
  expect(discounts <= lines).toBe(true);
  const charges = sum((order.service_charges ?? []).map(({ amount_money }) => minor(amount_money)));
  const { shipping_fee } = checkout_options;
  return lines - discounts + charges + (shipping_fee ? minor(shipping_fee.charge) : 0n);
}

describe('What a page charges is the total of its order', () => {
  /** Decimals by ISO 4217, in Stripe's requests and in its charges. */
  it.each([
    ['EUR', 2, 2, 2],
    ['JPY', 0, 0, 0],
    ['KWD', 3, 3, 2],
    ['ISK', 0, 2, 0],
    ['MGA', 2, 0, 0],
  ])('at Stripe, in %s', (currency, decimals, sent, charged) => {
    fc.assert(
      fc.property(pageRequests(currency, decimals), (request) => {
        const total = rescale(request.total, decimals, charged);
        if (total === null) {
          expect(() => stripeSession(request)).toThrow(ProviderSettingsError);
        } else {
          expect(chargedByStripe(request)).toBe(rescale(total, charged, sent));
        }
      }),
      runs,
    );
  });

  it.each([
    ['EUR', 2, 2],
    ['JPY', 0, 0],
    ['HUF', 2, 0],
    ['KWD', 3, 2],
  ])('at PayPal, in %s', (currency, decimals, places) => {
    fc.assert(
      fc.property(pageRequests(currency, decimals), (request) => {
        const total = rescale(request.total, decimals, places);
        if (total === null) expect(() => paypalOrderFor(request)).toThrow(ProviderSettingsError);
        else expect(chargedByPayPal(request)).toBe(total);
      }),
      runs,
    );
  });

  it.each([
    ['EUR', 2],
    ['JPY', 0],
    ['KWD', 3],
  ])('at Square, in %s', (currency, decimals) => {
    fc.assert(
      fc.property(pageRequests(currency, decimals), (request) => {
        expect(chargedBySquare(request)).toBe(request.total);
      }),
      runs,
    );
  });

  it('where the parts cannot be expressed but the total can', () => {
    const lines = [{ name: 'Mug', sku: null, quantity: 3, unitPrice: 1255n, total: 3765n }];
    const parts = { lines, shipping: 35n, tax: 0n, decimals: 3, currency: 'KWD' };
    expect(stripeSession(pageRequest(parts)).line_items).toMatchObject([
      { quantity: 1, price_data: { unit_amount: 3800, product_data: { name: expect.stringMatching(/^Order ORD-/) } } },
    ]);
    expect(paypalOrderFor(pageRequest(parts)).purchase_units[0]).toMatchObject({ amount: { value: '3.80' } });
    expect(paypalOrderFor(pageRequest(parts)).purchase_units[0]).not.toHaveProperty('items');
  });
});

describe('What a buyer reads at Stripe', () => {
  const sold = (parts: Partial<PageRequest>) =>
    stripeSession(pageRequest(parts)).line_items.map(({ quantity, price_data }) => [
      price_data.product_data.name,
      quantity,
      price_data.unit_amount,
    ]);
  const mugs = (quantity: number, unitPrice = 1000n) => ({
    name: 'Mug',
    sku: null,
    quantity,
    unitPrice,
    total: unitPrice * BigInt(quantity),
  });

  it('is each line at its price, and the tax', () => {
    expect(sold({ lines: [mugs(2)], tax: 380n })).toEqual([
      ['Mug', 2, 1000],
      ['Tax', 1, 380],
    ]);
  });

  it('is no tax where prices contain it', () => {
    expect(sold({ lines: [mugs(2)], tax: 319n, taxIncluded: true })).toEqual([['Mug', 2, 1000]]);
  });

  it('is the price after the discount, of all pieces together where it cannot be divided', () => {
    expect(sold({ lines: [mugs(2), mugs(3)], discount: 500n, tax: 0n })).toEqual([
      ['Mug', 2, 900],
      ['Mug', 3, 900],
    ]);
    expect(sold({ lines: [mugs(3)], discount: 100n, tax: 0n })).toEqual([['3 × Mug', 1, 2900]]);
  });

  it('is the order as one line where it has more than 50, or costs its shipping alone', () => {
    const lines = Array.from({ length: 51 }, () => mugs(1));
    expect(sold({ lines, tax: 0n, shipping: 0n })).toEqual([[expect.stringMatching(/^Order ORD-\d+$/), 1, 51_000]]);
    expect(sold({ lines: [mugs(1)], discount: 1000n, tax: 0n, shipping: 490n })).toMatchObject(
      [[{}, 1, 490]].map(([, ...rest]) => [expect.any(String), ...rest]),
    );
  });
});

describe('spread', () => {
  it('gives away all of a discount, and of no amount more than it is', () => {
    const amounts = fc.array(fc.bigInt({ min: 0n, max: 10n ** 12n }), { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(amounts, fc.integer({ min: 0, max: 1000 }), (all, share) => {
        const total = all.reduce((sum, one) => sum + one, 0n);
        const discount = (total * BigInt(share)) / 1000n;
        const parts = spread(discount, all);
        expect(parts.reduce((sum, one) => sum + one, 0n)).toBe(discount);
        for (const [index, part] of parts.entries()) {
          expect(part >= 0n && part <= (all[index] ?? 0n)).toBe(true);
          // In proportion, to within one unit.
          const exact = (all[index] ?? 0n) * discount;
          if (total > 0n) expect(part * total - exact < total && exact - part * total < total).toBe(true);
        }
      }),
      runs,
    );
  });
});

describe('rescale', () => {
  it.each([
    [1250n, 2, 3, 12_500n],
    [1250n, 2, 1, 125n],
    [1255n, 2, 1, null],
    [0n, 3, 0, 0n],
  ])('makes %s of %i decimals into %i: %s', (amount, from, to, expected) => {
    expect(rescale(amount, from, to)).toBe(expected);
  });
});
