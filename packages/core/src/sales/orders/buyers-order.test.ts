import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { picture, uploadOf } from '@commerce/test-support/fixtures/media-images';
import { useSelling } from '@commerce/test-support/fixtures/selling';
import { newProduct } from '@commerce/test-support/fixtures/shop';
import { expectDenied } from '@commerce/test-support/harness/denied';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { expect, it } from 'vitest';
import {
  anonymiseCustomer,
  type Context,
  createCheckout,
  createFulfilment,
  createMedia,
  createOrder,
  deleteMedia,
  eraseOrder,
  getOrder,
  getOrderByToken,
  openMediaFolder,
  recordPayment,
  refundOrder,
  rotateOrderLinks,
  type SettingsChanges,
  updateFulfilment,
  updateOrder,
  updateProduct,
  updateSettings,
} from '../../index.ts';
import { linkDays, orderToken } from '../../orders/link.ts';
import { withdrawalEnd } from './buyers-order.ts';

const settings: SettingsChanges = {
  timeZone: 'Europe/Berlin',
  taxRate: '0.19',
  taxIncluded: true,
  shippingMethods: [{ id: 'post', name: 'Post', price: '5' }],
  paymentMethods: [
    { id: 'transfer', name: 'Bank transfer', kind: 'transfer', instructions: 'Pay {total} for {orderNumber}.' },
    { id: 'cod', name: 'On delivery', kind: 'cash_on_delivery' },
  ],
};
const day = 86_400_000;

forEachStorage("the buyer's page of an order", (database) => {
  const { clock, commerce, openShop } = useSelling(database);
  const tokenOf = async ({ engine, store }: Context, id: string) =>
    (await orderToken(engine.storage.db, store.id, id, clock.now())) ?? '';
  const address = {
    firstName: 'Ada',
    lastName: 'Lovelace',
    address1: '12 St James Square',
    address2: null,
    city: 'London',
    region: null,
    postalCode: 'SW1Y 4JH',
    country: 'GB',
    company: null,
    phone: null,
  };
  async function ordered(paymentMethodId = 'transfer') {
    const { shop, product, input } = await openShop([], {
      settings,
      more: { title: 'Blue mug', sku: 'MUG', withdrawalExempt: 'made to your measure' },
    });
    const wish = { shippingAddress: address, shippingMethodId: 'post', paymentMethodId, customerNote: 'Please ring.' };
    const { orderId } = await createCheckout(shop, {
      ...input(wish),
      giftNote: 'For Byron',
      items: [{ productId: product.id, quantity: 2, options: { Engraving: 'B.' } }],
    });
    return { shop, product, order: await getOrder(shop, orderId), token: await tokenOf(shop, orderId) };
  }
  const anyone = (shop: Context): Context => ({
    ...shop,
    actor: { type: 'apiKey', id: 'storefront', isPublic: true },
  });

  it('has all that the buyer may see, and nothing else', async () => {
    const { shop, product, order, token } = await ordered();
    await updateOrder(shop, order.id, { merchantNote: 'A difficult buyer.' });
    const shown = await getOrderByToken(anyone(shop), token);
    expect(shown).toEqual({
      orderNumber: 'ORD-1001',
      placedAt: order.placedAt,
      status: 'unpaid',
      items: [
        {
          productId: product.id,
          title: 'Blue mug',
          variant: null,
          options: { Engraving: 'B.' },
          sku: 'MUG',
          image: null,
          quantity: 2,
          unitPrice: '12.50',
          total: '25.00',
          withdrawalExempt: 'made to your measure',
        },
      ],
      subtotal: '25.00',
      discount: '0.00',
      discountCode: null,
      shipping: '5.00',
      shippingMethod: 'Post',
      tax: '4.79',
      taxRate: '0.19',
      taxIncluded: true,
      taxes: [{ rate: '0.19', name: null, base: '25.21', amount: '4.79' }],
      total: '30.00',
      refundedAmount: '0.00',
      currency: 'EUR',
      decimals: 2,
      shippingAddress: address,
      billingAddress: null,
      giftNote: 'For Byron',
      payment: { name: 'Bank transfer', kind: 'transfer', paidAt: null, instructions: 'Pay 30.00 for ORD-1001.' },
      parcels: [],
      invoices: [],
      withdrawal: { until: null, exempt: true },
    });
    const text = JSON.stringify(shown);
    for (const hidden of ['difficult', order.id, order.customerId, shop.store.id]) expect(text).not.toContain(hidden);
  });

  it('shows the image of a product, also once the product is not published any more', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'commerce-buyers-order-'));
    const { shop: before } = await ordered();
    const media = { files: openMediaFolder({ directory }), url: () => 'https://cdn.example.com' };
    const shop = { ...before, engine: { ...before.engine, media } };
    const [image] = await createMedia(shop, [uploadOf('png', await picture('png'))]);
    const { id: productId } = await newProduct(shop, { primaryMediaId: image?.id ?? null });
    const { id } = await createOrder(shop, { items: [{ productId, quantity: 1 }] });
    await updateProduct(shop, productId, { status: 'archived' });
    const seen = await getOrderByToken(anyone(shop), await tokenOf(shop, id));
    expect(seen.items[0]?.image).toEqual({ url: image?.url, altText: null });
    expect(image?.url).toMatch(/^https:\/\/cdn\.example\.com\//);
    await deleteMedia(shop, image?.id ?? '');
    expect((await getOrderByToken(anyone(shop), await tokenOf(shop, id))).items[0]?.image).toBeNull();
    rmSync(directory, { recursive: true });
  });

  it('follows the order to the buyer, with its parcels and the end of the right of withdrawal', async () => {
    const { shop, order, token } = await ordered();
    const seen = async () => {
      const { status, payment, refundedAmount, withdrawal } = await getOrderByToken(shop, token);
      return { status, instructions: payment.instructions, refundedAmount, until: withdrawal.until };
    };
    await recordPayment(shop, order.id, { method: 'transfer', amount: '30' });
    const open = { instructions: null, refundedAmount: '0.00', until: null };
    expect(await seen()).toEqual({ status: 'preparing', ...open });
    const itemId = order.items[0]?.id ?? '';
    const tracking = { carrier: 'DHL', number: '1', url: 'https://carrier.test/1' };
    const first = await createFulfilment(shop, order.id, { lines: [{ itemId, quantity: 1 }], tracking });
    expect(await seen()).toEqual({ status: 'partly_shipped', ...open });
    const second = await createFulfilment(shop, order.id, {});
    expect(await seen()).toEqual({ status: 'shipped', ...open });
    const pieces = [{ title: 'Blue mug', variant: null, options: { Engraving: 'B.' }, sku: 'MUG', quantity: 1 }];
    const none = { carrier: null, number: null, url: null };
    expect((await getOrderByToken(shop, token)).parcels).toEqual([
      { shippedAt: first.shippedAt, deliveredAt: null, ...tracking, items: pieces },
      { shippedAt: second.shippedAt, deliveredAt: null, ...none, items: pieces },
    ]);
    const deliveredAt = new Date(clock.now()).toISOString();
    for (const { id } of [first, second]) await updateFulfilment(shop, order.id, id, { deliveredAt });
    const until = withdrawalEnd(deliveredAt, 'Europe/Berlin');
    expect(await seen()).toEqual({ status: 'delivered', ...open, until });
    await refundOrder(shop, order.id, { amount: '30' });
    expect(await seen()).toEqual({ status: 'refunded', instructions: null, refundedAmount: '30.00', until });
  });

  it('says that an order to pay on delivery is being prepared, and that one was cancelled', async () => {
    const { shop, order, token } = await ordered('cod');
    expect(await getOrderByToken(shop, token)).toMatchObject({ status: 'preparing' });
    await updateOrder(shop, order.id, { status: 'cancelled' });
    expect(await getOrderByToken(shop, token)).toMatchObject({ status: 'cancelled' });
  });

  it('is exempt from withdrawal only if each line is', async () => {
    const { shop, product } = await ordered();
    const { id: other } = await newProduct(shop);
    const items = [product.id, other].map((productId) => ({ productId, quantity: 1 }));
    const { id } = await createOrder(shop, { items });
    expect((await getOrderByToken(shop, await tokenOf(shop, id))).withdrawal).toEqual({ until: null, exempt: false });
  });

  it('opens with no other token, and says the same for each', async () => {
    const { shop, order, token } = await ordered();
    const { shop: elsewhere } = await ordered();
    const [id, end, signature] = token.split('.');
    const messages = new Set<string>();
    const expectClosed = async (wrong: string | undefined, ctx = shop) => {
      const error = await getOrderByToken(anyone(ctx), wrong).then(
        () => undefined,
        (one) => one,
      );
      expect(error).toMatchObject({ kind: 'notFound' });
      messages.add(error.message);
    };
    await expectClosed(undefined);
    for (const wrong of ['', 'x', id, `${id}.${end}`, `${id}.${end}.`, `${token}A`, `${id}.zzz.${signature}`]) {
      await expectClosed(wrong);
    }
    await expectClosed('ü'.repeat(300));
    await expectClosed(await tokenOf(elsewhere, order.id));
    await expectClosed(token, elsewhere);
    clock.advance(linkDays * day);
    await getOrderByToken(shop, token);
    clock.advance(day);
    await expectClosed(token);
    const fresh = await tokenOf(shop, order.id);
    await getOrderByToken(shop, fresh);
    await anonymiseCustomer(shop, order.customerId ?? '');
    await expectClosed(fresh);
    const { shop: third, order: unreal, token: ofUnreal } = await ordered();
    await eraseOrder(third, unreal.id);
    await expectClosed(ofUnreal, third);
    expect(messages.size).toBe(1);
    expect([...messages].join()).not.toContain(id);
  });

  it('closes with all others when the links are replaced', async () => {
    const { shop, order, token } = await ordered();
    const before = await updateSettings(shop, { orderUrl: 'https://shop.example/order#{token}' });
    expect(await rotateOrderLinks(shop)).toEqual(before);
    await expectDenied(commerce(), () => getOrderByToken(shop, token), { kind: 'notFound' });
    expect(await getOrderByToken(shop, await tokenOf(shop, order.id))).toMatchObject({ orderNumber: 'ORD-1001' });
    const { db } = shop.engine.storage;
    const entry = await db
      .selectFrom('audit_logs')
      .select(['action', 'changes'])
      .where('store_id', '=', shop.store.id)
      .orderBy('id', 'desc')
      .executeTakeFirst();
    expect(entry).toEqual({ action: 'settings.order_links_rotated', changes: '{}' });
  });
});

it.each([
  // Delivered on a Friday, and on the days after it.
  ['2026-11-20T12:00:00Z', 'Europe/Berlin', '2026-12-04T22:59:59.999Z'],
  ['2026-11-21T12:00:00Z', 'Europe/Berlin', '2026-12-07T22:59:59.999Z'],
  ['2026-11-22T12:00:00Z', 'Europe/Berlin', '2026-12-07T22:59:59.999Z'],
  ['2026-11-23T12:00:00Z', 'Europe/Berlin', '2026-12-07T22:59:59.999Z'],
  // It is Tuesday there already, and still Monday elsewhere.
  ['2026-11-23T23:30:00Z', 'Europe/Berlin', '2026-12-08T22:59:59.999Z'],
  ['2026-11-24T04:30:00Z', 'America/New_York', '2026-12-08T04:59:59.999Z'],
  // The clocks go forward in between.
  ['2026-03-24T12:00:00Z', 'Europe/Berlin', '2026-04-07T21:59:59.999Z'],
])('a delivery at %s in %s can be withdrawn from until %s', (deliveredAt, timeZone, until) => {
  expect(withdrawalEnd(deliveredAt, timeZone)).toBe(until);
});

it('a right of withdrawal has no end before the delivery', () => {
  expect(withdrawalEnd(null, 'UTC')).toBeNull();
});
