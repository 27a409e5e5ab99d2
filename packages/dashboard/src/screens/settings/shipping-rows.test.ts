import { expect, it } from 'vitest';
import type { Schemas } from '../../api/types.ts';
import { methodsOfRows, rowsOfMethods } from './shipping-rows.ts';

it('A shipping method that is saved keeps what its row does not show', () => {
  const method: Schemas['Settings']['shippingMethods'][number] = {
    id: 'post',
    name: 'Post',
    kind: 'pickup',
    price: '4.90',
    rates: [{ upToWeight: 2000, upToSubtotal: null, price: '4.90' }],
    freeFrom: null,
    minSubtotal: '10.00',
    countries: null,
    postalPrefixes: { include: ['IV'], exclude: null },
    deliveryDays: { min: 1, max: 2 },
    active: false,
  };
  expect(methodsOfRows(rowsOfMethods([method]))).toEqual([method]);
});
