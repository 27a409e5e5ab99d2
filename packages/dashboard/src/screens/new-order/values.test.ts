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
  shippingCost,
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

it('Shipping methods serve countries, and are free from a subtotal on', () => {
  const usual = {
    kind: 'ship',
    rates: null,
    minSubtotal: null,
    postalPrefixes: null,
    deliveryDays: null,
    active: true,
  } as const;
  const post = { ...usual, id: 'a', name: 'Post', price: '4.90', freeFrom: '50.00', countries: ['DE'] };
  const express = { ...usual, id: 'b', name: 'Express', price: '9.90', freeFrom: null, countries: null };
  const old = { ...express, active: false };
  const rates = [{ upToWeight: 2000, upToSubtotal: null, price: '9.90' }];
  expect(methodsFor([post, express, old], 'FR')).toEqual([express]);
  expect(methodsFor([post, express, old], '')).toEqual([post, express]);
  expect(shippingCost(post, '49.99', 'EUR')).toBe('4.90');
  expect(shippingCost(post, '50', 'EUR')).toBe('0.00');
  expect(shippingCost(express, '500', 'EUR')).toBe('9.90');
  expect(shippingCost({ ...express, rates }, '500', 'EUR')).toBeNull();
});
