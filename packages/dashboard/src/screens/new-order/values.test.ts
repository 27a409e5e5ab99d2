import { describe, expect, it } from 'vitest';
import type { Schemas } from '../../api/types.ts';
import {
  blank,
  checkoutBody,
  type Line,
  lineOf,
  methodsFor,
  type NewOrderValues,
  orderBody,
  subtotalOf,
} from './values.ts';

const mug = lineOf({ id: 'p1', title: 'Mug', sku: 'MUG', primaryMediaId: null, price: '12.50' } as Schemas['Product']);
const values = (changes: Partial<NewOrderValues> = {}): NewOrderValues => ({ ...blank, items: [mug], ...changes });
const line = (changes: Partial<Line>) => values({ items: [{ ...mug, ...changes }] });

/** The refused fields. */
function refused(run: () => unknown): string[] {
  try {
    run();
  } catch (error) {
    return (error as { details: { field: string }[] }).details.map(({ field }) => field);
  }
  return [];
}

describe('a new order', () => {
  it('has the discount of a line instead of another price', () => {
    const body = orderBody(line({ quantity: '3', price: '10' }), 'EUR');
    expect(body.items).toEqual([{ productId: 'p1', quantity: 3, lineDiscount: '7.50' }]);
    expect(orderBody(line({ price: '12.50' }), 'EUR').items).toEqual([{ productId: 'p1', quantity: 1 }]);
    expect(refused(() => orderBody(line({ price: '13' }), 'EUR'))).toEqual(['items.0.price']);
  });

  it('sends the options of lines, two lines of one product, and the gift note', () => {
    const engraved = {
      ...mug,
      options: [
        ['Engraving', ' Ada '],
        ['', ''],
      ] as Line['options'],
    };
    const both = values({ items: [engraved, mug], giftNote: ' All the best ' });
    for (const body of [orderBody(both, 'EUR'), checkoutBody(both, 'EUR', 'https://a.example')]) {
      expect(body.items).toEqual([
        { productId: 'p1', quantity: 1, options: { Engraving: 'Ada' } },
        { productId: 'p1', quantity: 1 },
      ]);
      expect(body.giftNote).toBe('All the best');
    }
    const twice: Line['options'] = [
      ['A', '1'],
      ['A', '2'],
    ];
    expect(refused(() => orderBody(line({ options: twice }), 'EUR'))).toEqual(['items.0.options']);
    expect(refused(() => orderBody(line({ options: [['', 'x']] }), 'EUR'))).toEqual(['items.0.options']);
  });

  it('sends what was typed, and no empty text', () => {
    const body = orderBody(
      values({
        'customer.email': ' ada@shop.test ',
        'shippingAddress.city': 'London',
        discount: '2',
        discountCode: 'A',
      }),
      'EUR',
    );
    expect(body).toMatchObject({
      customer: { email: 'ada@shop.test', name: null, phone: null },
      shippingAddress: { city: 'London', country: null },
      billingAddress: { city: 'London' },
      discount: '2',
      discountCode: 'A',
      customerNote: null,
    });
    expect(body).not.toHaveProperty('shippingMethodId');
    expect(orderBody(values(), 'EUR')).not.toHaveProperty('customer');
    expect(orderBody(values({ billsElsewhere: true, 'shippingAddress.city': 'x' }), 'EUR').billingAddress).toBeNull();
  });

  it('is refused without items, with a quantity that is none, and with a code that takes nothing off', () => {
    expect(refused(() => orderBody(values({ items: [] }), 'EUR'))).toEqual(['items']);
    for (const quantity of ['', '0', '-1', '1.5', 'x'])
      expect(refused(() => orderBody(line({ quantity }), 'EUR'))).toEqual(['items.0.quantity']);
    expect(refused(() => orderBody(values({ discountCode: 'A' }), 'EUR'))).toEqual(['discount']);
  });
});

describe('a new checkout', () => {
  it('is sold at the prices of the catalogue alone', () => {
    expect(checkoutBody(line({ quantity: '2', price: '12.5' }), 'EUR', 'https://shop.example')).toMatchObject({
      items: [{ productId: 'p1', quantity: 2 }],
      successUrl: 'https://shop.example/',
      cancelUrl: 'https://shop.example/',
    });
    expect(refused(() => checkoutBody(line({ price: '1' }), 'EUR', 'https://a.example'))).toEqual(['items.0.price']);
    expect(refused(() => checkoutBody(values({ discount: '1' }), 'EUR', 'https://a.example'))).toEqual(['discount']);
  });
});

it('The subtotal counts complete lines', () => {
  const items = [
    { ...mug, quantity: '3' },
    { ...mug, quantity: '' },
    { ...mug, price: 'x' },
  ];
  expect(subtotalOf(items, 'EUR')).toBe('37.50');
});

it('Shipping methods are those for the address, the weight and the value of what was chosen', () => {
  const post = { id: 'a', name: 'Post', kind: 'ship', price: '4.90', freeFrom: '50.00', countries: ['DE'] };
  const rest = { rates: null, minSubtotal: null, postalPrefixes: null, deliveryDays: null, active: true };
  const rates = [{ upToWeight: 1000, upToSubtotal: null, price: '9.90' }];
  const methods = [
    { ...rest, ...post },
    { ...rest, ...post, id: 'b', rates, freeFrom: null, countries: null },
  ] as Parameters<typeof methodsFor>[1];
  const heavy = { ...mug, weight: 500 };
  const prices = (changes: Partial<NewOrderValues>) =>
    methodsFor(values({ items: [heavy], ...changes }), methods, 'EUR').map(({ method, price }) => method.id + price);
  expect(prices({})).toEqual(['a4.90', 'b9.90']);
  expect(prices({ 'shippingAddress.country': 'FR' })).toEqual(['b9.90']);
  expect(prices({ items: [{ ...heavy, quantity: '3' }] })).toEqual(['a4.90']);
  expect(prices({ items: [{ ...heavy, quantity: '4' }] })).toEqual(['a0.00']);
  const download = { id: 'p2', title: 'Pattern', price: '3.00', weight: 100, requiresShipping: false };
  expect(lineOf(download as Schemas['Product']).weight).toBe(0);
});
