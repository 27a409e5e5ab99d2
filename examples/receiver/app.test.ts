// Tests of the receiver with a real store, which sends it webhooks: `node --test`.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { it } from 'node:test';
import { createCheckout, createProduct, createWebhook } from '@commerce/core';
import { openTestCommerce } from '@commerce/core/testing';
import { createReceiver, type Parcel } from './app.ts';

it('packs each paid order once, also if the warehouse fails at first', async () => {
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  const packed: Parcel[] = [];
  const known = new Set<string>();
  let failures = 1;
  const receiver = createReceiver({
    secret,
    async pack(parcel) {
      if (failures-- > 0) throw new Error('the warehouse does not answer');
      packed.push(parcel);
    },
    isKnown: async (id) => known.has(id),
    note: async (id) => {
      known.add(id);
    },
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  // The time of the store, because webhooks that are too old are refused.
  const { shop, commerce, clock, pay, close } = await openTestCommerce({
    allowInsecureWebhooks: true,
    now: Date.now(),
  });
  try {
    await createWebhook(shop, { url, events: ['order.*'], secret });
    const mug = await createProduct(shop, { title: 'Mug', slug: 'mug', sku: 'M-1', price: '5', status: 'published' });
    await pay(
      await createCheckout(shop, {
        items: [{ productId: mug.id, quantity: 2 }],
        customer: { email: 'ada@shop.test' },
        successUrl: 'https://shop.test/thanks',
        cancelUrl: 'https://shop.test/cart',
      }),
    );
    await commerce.deliverDue();
    assert.deepEqual(packed, []);
    clock.advance(10_000); // when the store tries again
    await commerce.deliverDue();
    assert.deepEqual(packed, [{ order: 'ORD-1001', lines: [{ sku: 'M-1', pieces: 2 }] }]);
    const forged = await fetch(url, { method: 'POST', body: '{"type":"order.paid"}' });
    assert.equal(forged.status, 400);
  } finally {
    receiver.close();
    await close();
  }
});
