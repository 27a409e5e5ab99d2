import { type Context, getProduct, listOrders, listPayments, type Product, type ProviderName } from '@commerce/core';
import type { RunningStub } from '@commerce/core/testing';
import { expect } from 'vitest';

const limit = 200;

/** A shop, its only product before any sale, and the stand-in of its provider. */
export interface Sold {
  shop: Context;
  product: Product;
  provider: ProviderName;
  stub: RunningStub;
}

/**
 * Expects what holds of a shop at any time: no piece is sold or promised twice, and no expired reservation counts. Each payment has its
 * order, and each paid order has one payment.
 */
export async function expectSound({ shop, product }: Pick<Sold, 'shop' | 'product'>): Promise<void> {
  const { storage, clock } = shop.engine;
  const orders = (await listOrders(shop, { limit })).items;
  const payments = (await listPayments(shop, { limit })).items;
  const unmatched = (await listPayments(shop, { unmatched: true, limit })).items.map(({ id }) => id);
  const inStore = storage.db.selectFrom('reservations').selectAll().where('store_id', '=', shop.store.id);
  const reserved = (await inStore.execute()).filter(({ expires_at }) => expires_at > clock.now());

  const paid = orders.filter(({ paidAt }) => paidAt !== null);
  const sold = paid.flatMap(({ items }) => items).reduce((sum, { quantity }) => sum + quantity, 0);
  const promised = reserved.reduce((sum, { quantity }) => sum + quantity, 0);
  expect((await getProduct(shop, product.id)).stock).toBe(product.stock - sold);
  expect(sold + promised).toBeLessThanOrEqual(product.stock);
  const pending = orders.filter(({ status }) => status === 'pending').map(({ id }) => id);
  for (const { order_id } of reserved) expect(pending).toContain(order_id);

  for (const { id, status, orderId, matched, amount, currency } of payments) {
    const order = orders.find((one) => one.id === orderId);
    if (order === undefined) throw new Error(`payment ${id} has no order`);
    if (status !== 'succeeded') continue;
    if (matched !== 'paid') expect(unmatched).toContain(id);
    else expect(order).toMatchObject({ paidAt: expect.any(String), total: amount, currency });
  }
  for (const { id } of paid) {
    expect(payments.filter(({ orderId, matched }) => orderId === id && matched === 'paid')).toHaveLength(1);
  }
}

/**
 * Also expects the final state: the provider's books and the shop's show the same money, nothing is reserved, and no page is open. An order
 * waits only for stock that its money came too late for.
 */
export async function expectSettled({ shop, product, provider, stub }: Sold): Promise<void> {
  await expectSound({ shop, product });
  const taken = stub
    .books(provider)
    .filter(({ payment }) => payment !== null)
    .map(({ payment, amount, currency }) => `${payment} ${amount} ${currency}`);
  const succeeded = (await listPayments(shop, { status: 'succeeded', limit })).items;
  const shown = succeeded.map(
    ({ providerPaymentId, amount, currency }) => `${providerPaymentId} ${amount?.replace('.', '')} ${currency}`,
  );
  expect(shown.sort()).toEqual(taken.sort());
  const { db } = shop.engine.storage;
  const reserved = db.selectFrom('reservations').selectAll().where('store_id', '=', shop.store.id);
  expect(await reserved.execute()).toEqual([]);
  const open = db.selectFrom('checkouts').select('id').where('store_id', '=', shop.store.id);
  expect(await open.where('state', 'in', ['opening', 'open']).execute()).toEqual([]);
  const waiting = succeeded.filter(({ matched }) => matched === 'insufficientStock').map(({ orderId }) => orderId);
  const pending = (await listOrders(shop, { status: 'pending', limit })).items.map(({ id }) => id);
  expect(pending.sort()).toEqual(waiting.sort());
}
