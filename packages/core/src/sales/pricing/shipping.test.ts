import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ShippingMethod } from '../../engine/settings/shipping.ts';
import type { StoreContext } from '../../engine/store.ts';
import type { Product } from '../../products/fields.ts';
import type { Cart, PricingFacts } from './cart.ts';
import { chooseShipping } from './shipping.ts';

const post: ShippingMethod = {
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

const upTo = (grams: number | null, price: string) => ({ upToWeight: grams, upToSubtotal: null, price });
const upToSubtotal = (end: string | null, price: string) => ({ upToWeight: null, upToSubtotal: end, price });

interface Given {
  methods: Partial<ShippingMethod>[];
  /** Grams and pieces. */
  lines?: [weight: number | null, quantity: number, requiresShipping?: boolean][];
  /** Cents. */
  subtotal?: number;
  wanted?: string;
  country?: string | null;
  postalCode?: string;
  /** Orders of trusted code instead of checkouts. */
  trusted?: boolean;
  defaultShipping?: boolean;
}

function chosen({ methods, lines = [[null, 1]], subtotal = 2500, wanted, country = 'DE', ...rest }: Given) {
  const shippingMethods = methods.map((one, i) => ({ ...post, ...(i > 0 && { id: `m${i}` }), ...one }));
  const store = { settings: { shippingMethods }, decimals: 2, currency: 'EUR' } as unknown as StoreContext;
  const cart: Cart = {
    lines: lines.map(([weight, quantity, requiresShipping = true]) => ({
      ...({ by: 'sku', value: 'A', quantity } as const),
      product: { weight, requiresShipping } as Product,
    })),
    country,
    postalCode: rest.postalCode,
    shippingMethodId: wanted,
    discountCode: null,
  };
  const buying = rest.trusted ? undefined : { maxQuantity: null, paymentMethods: [], wanted: null };
  const facts: PricingFacts = { store, now: 0, defaultShipping: rest.defaultShipping, buying };
  const { methods: offered, method, problem } = chooseShipping(cart, BigInt(subtotal), facts);
  return { prices: offered.map(({ method: { id }, price }) => [id, Number(price)]), id: method?.method.id, problem };
}

describe('the shipping methods of a cart', () => {
  const byWeight = [upTo(2000, '4.90'), upTo(10_000, '8.90')];
  const bySubtotal = [upToSubtotal('20.00', '4.90'), upToSubtotal('50.00', '2.00')];
  const highlands = { include: ['IV', 'KW'], exclude: ['IV99'] };

  it.each<[string, Given, number | null]>([
    ['the first band, up to its end', { methods: [{ rates: byWeight }], lines: [[500, 4]] }, 490],
    [
      'the next band, above that',
      {
        methods: [{ rates: byWeight }],
        lines: [
          [500, 4],
          [1, 1],
        ],
      },
      890,
    ],
    ['no band, above the last', { methods: [{ rates: byWeight }], lines: [[10_001, 1]] }, null],
    [
      'no band, free of charge or not',
      { methods: [{ rates: byWeight, freeFrom: '1.00' }], lines: [[10_001, 1]] },
      null,
    ],
    ['the open band', { methods: [{ rates: [...byWeight, upTo(null, '20.00')] }], lines: [[10_001, 1000]] }, 2000],
    ['goods without a weight', { methods: [{ rates: byWeight }], lines: [[null, 1000]] }, 490],
    [
      'goods that are not shipped',
      {
        methods: [{ rates: byWeight }],
        lines: [
          [500, 1],
          [9999, 9, false],
        ],
      },
      490,
    ],
    [
      'more grams than a number holds',
      {
        methods: [{ rates: byWeight }],
        lines: [
          [1e9, 1e6],
          [1e9, 1e6],
        ],
      },
      null,
    ],
    ['a band by subtotal, up to its end', { methods: [{ rates: bySubtotal }], subtotal: 2000 }, 490],
    ['the next band by subtotal', { methods: [{ rates: bySubtotal }], subtotal: 2001 }, 200],
    ['no band by subtotal', { methods: [{ rates: bySubtotal }], subtotal: 5001 }, null],
    ['free of charge', { methods: [{ rates: byWeight, freeFrom: '25.00' }], lines: [[5000, 1]] }, 0],
    ['not yet free of charge', { methods: [{ freeFrom: '25.01' }] }, 490],
    ['the least subtotal', { methods: [{ minSubtotal: '25.00' }] }, 490],
    ['less than the least subtotal', { methods: [{ minSubtotal: '25.01' }] }, null],
    ['a postal code', { methods: [{ postalPrefixes: highlands }], postalCode: ' i v1 1aa' }, 490],
    ['another postal code', { methods: [{ postalPrefixes: highlands }], postalCode: 'SW1Y 4JH' }, null],
    ['an excluded postal code', { methods: [{ postalPrefixes: highlands }], postalCode: 'IV9 9XX' }, null],
    ['no postal code', { methods: [{ postalPrefixes: highlands }] }, null],
    ['a postal code of blanks', { methods: [{ postalPrefixes: highlands }], postalCode: ' ' }, null],
    ['no postal code, with exclusions', { methods: [{ postalPrefixes: { include: null, exclude: ['IV'] } }] }, 490],
    ['an inactive method', { methods: [{ active: false }] }, null],
    ['pickup without an address', { methods: [{ kind: 'pickup', price: '0.00' }], country: null }, 0],
    ['pickup in some countries', { methods: [{ kind: 'pickup', countries: ['AT'] }], country: null }, null],
  ])('have the price of %s', (_, given, price) => {
    const { prices, id } = chosen({ ...given, wanted: 'post' });
    expect(prices).toEqual(price === null ? [] : [['post', price]]);
    expect(id).toBe(price === null ? undefined : 'post');
  });

  it.each<[string, Given, string, string]>([
    [
      'the weight',
      { methods: [{ rates: byWeight }, {}], lines: [[10_001, 1]], wanted: 'post' },
      'SHIPPING_METHOD_NOT_OFFERED',
      '"post" is offered up to 10000 g; the items weigh 10001 g',
    ],
    [
      'the subtotal',
      { methods: [{ rates: bySubtotal }], subtotal: 5001 },
      'SHIPPING_METHOD_NOT_OFFERED',
      'no shipping method serves this cart: "post" is offered up to 50.00 EUR; the items come to 50.01',
    ],
    [
      'the least subtotal',
      { methods: [{ minSubtotal: '30.00' }, {}], wanted: 'post' },
      'SHIPPING_METHOD_NOT_OFFERED',
      '"post" is offered from 30.00 EUR; the items come to 25.00',
    ],
    [
      'the postal code',
      { methods: [{ postalPrefixes: highlands }], postalCode: 'sw1', wanted: 'post' },
      'SHIPPING_METHOD_NOT_OFFERED',
      '"post" does not serve the postal code "sw1"',
    ],
    [
      'a postal code that is not known',
      { methods: [{ postalPrefixes: highlands }] },
      'SHIPPING_METHOD_NOT_OFFERED',
      'no shipping method serves this cart: "post" depends on the postal code, which is not known',
    ],
    [
      'each method',
      { methods: [{ rates: byWeight }, { countries: ['AT'] }], lines: [[10_001, 1]] },
      'SHIPPING_METHOD_NOT_OFFERED',
      'no shipping method serves this cart: "post" is offered up to 10000 g; the items weigh 10001 g; "m1" only ships to AT; the country is "DE"',
    ],
    [
      'a country that is not known',
      { methods: [{ rates: byWeight }, { countries: ['AT'] }], lines: [[10_001, 1]], country: null },
      'COUNTRY_REQUIRED',
      'is required: which shipping methods are offered depends on it',
    ],
    [
      'the weight, which no country changes',
      { methods: [{ rates: byWeight }], lines: [[10_001, 1]], country: null, wanted: 'post' },
      'SHIPPING_METHOD_NOT_OFFERED',
      '"post" is offered up to 10000 g; the items weigh 10001 g',
    ],
    [
      'the country',
      { methods: [{ countries: ['AT'] }], wanted: 'post' },
      'COUNTRY_NOT_SERVED',
      'no shipping method serves the country "DE"',
    ],
    [
      'the country of one method',
      { methods: [{ countries: ['AT', 'CH'] }, {}], wanted: 'post' },
      'SHIPPING_METHOD_NOT_OFFERED',
      '"post" only ships to AT, CH; the country is "DE"',
    ],
    [
      'an inactive method, as if there were none',
      { methods: [{ active: false }, {}], wanted: 'post' },
      'SHIPPING_METHOD_NOT_OFFERED',
      'unknown shipping method "post"; the shipping methods are: "m1"',
    ],
    [
      'no method of a store',
      { methods: [], wanted: 'post' },
      'SHIPPING_METHOD_NOT_OFFERED',
      'unknown shipping method "post"; the shipping methods are: none yet',
    ],
    ['no choice', { methods: [{}, {}] }, 'SHIPPING_METHOD_REQUIRED', 'is required; the shipping methods are post, m1'],
  ])('have a problem that names %s', (_, given, code, message) => {
    expect(chosen(given)).toMatchObject({ id: undefined, problem: { code, message } });
    if (given.wanted !== undefined) {
      expect(chosen({ ...given, trusted: true })).toMatchObject({ id: undefined, problem: { code, message } });
    }
  });

  it('are none for goods that are not shipped, whatever was chosen and whatever the country', () => {
    const methods = [{ countries: ['AT'] }];
    for (const wanted of [undefined, 'post', 'none']) {
      const given: Given = { methods, lines: [[500, 1, false]], country: null, ...(wanted && { wanted }) };
      expect(chosen(given)).toEqual({ prices: [], id: undefined, problem: undefined });
    }
    expect(
      chosen({
        methods,
        lines: [
          [500, 1, false],
          [500, 1],
        ],
        country: null,
      }),
    ).toMatchObject({
      problem: { code: 'COUNTRY_REQUIRED' },
    });
  });

  it('of a store without active methods ask for no choice', () => {
    expect(chosen({ methods: [{ active: false }] })).toEqual({ prices: [], id: undefined, problem: undefined });
  });

  it('that an order gets without a choice are the first ones that ship it', () => {
    const methods: Given['methods'] = [
      { kind: 'pickup', price: '0.00' },
      { rates: byWeight, active: false },
      { rates: byWeight },
      { price: '20.00' },
    ];
    const usual = (grams: number) => chosen({ methods, lines: [[grams, 1]], trusted: true, defaultShipping: true });
    expect([usual(10_000).id, usual(10_001).id]).toEqual(['m2', 'm3']);
    expect(chosen({ methods, trusted: true }).id).toBeUndefined();
  });

  it('cost what a table of all values says', () => {
    const weight = fc.integer({ min: 0, max: 30 });
    const given = fc.record({
      isByWeight: fc.boolean(),
      ends: fc.uniqueArray(fc.integer({ min: 1, max: 100 }), { minLength: 1, maxLength: 5 }),
      isOpen: fc.boolean(),
      freeFrom: fc.option(fc.integer({ min: 0, max: 120 })),
      lines: fc.array(fc.tuple(fc.option(weight), fc.integer({ min: 1, max: 4 }), fc.boolean()), {
        minLength: 1,
        maxLength: 4,
      }),
      subtotal: fc.integer({ min: 0, max: 120 }),
    });
    const seen = { free: 0, paid: 0, refused: 0, unshipped: 0 };
    fc.assert(
      fc.property(given, ({ isByWeight, ends, isOpen, freeFrom, lines, subtotal }) => {
        const sorted = ends.toSorted((a, b) => a - b);
        const cents = (n: number) => (n / 100).toFixed(2);
        const rates = sorted.map((end, i) => {
          const last = isOpen && i === sorted.length - 1 && i > 0;
          const price = cents(100 + i);
          return isByWeight ? upTo(last ? null : end, price) : upToSubtotal(last ? null : cents(end), price);
        });
        // Every gram or cent up to more than any cart has, with its price.
        const table: (number | undefined)[] = [];
        for (let value = 0; value <= 1000; value++) {
          const index = sorted.findIndex((end) => value <= end);
          const reached = index === -1 && isOpen && sorted.length > 1 ? sorted.length - 1 : index;
          table.push(reached === -1 ? undefined : 100 + reached);
        }
        const { prices } = chosen({
          methods: [{ rates, freeFrom: freeFrom === null ? null : cents(freeFrom) }],
          lines,
          subtotal,
        });
        const shipped = lines.filter(([, , requiresShipping]) => requiresShipping);
        let grams = 0;
        for (const [each, pieces] of shipped) for (let i = 0; i < pieces; i++) grams += each ?? 0;
        const price = shipped.length === 0 ? undefined : table[isByWeight ? grams : subtotal];
        const isFree = price !== undefined && freeFrom !== null && subtotal >= freeFrom;
        expect(prices).toEqual(price === undefined ? [] : [['post', isFree ? 0 : price]]);
        seen[shipped.length === 0 ? 'unshipped' : price === undefined ? 'refused' : isFree ? 'free' : 'paid']++;
      }),
      { numRuns: 1000 },
    );
    expect(Object.values(seen).every((n) => n > 20)).toBe(true);
  });
});
