import { newProduct, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { configureStripe, payment, send } from '@commerce/test-support/fixtures/stripe';
import { expectDenied } from '@commerce/test-support/harness/denied';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { expect, it } from 'vitest';
import {
  type Context,
  createApiKey,
  createOrder,
  createWebhook,
  createWithdrawal,
  getOrderTimeline,
  listAllDeliveries,
  listDeliveries,
  refundOrder,
  type Scope,
  type TimelineEntry,
  updateOrder,
  updateWithdrawal,
  uuidV7Source,
} from '../index.ts';
import { fakeClock } from '../testing/index.ts';

forEachStorage('the timeline of an order', (database) => {
  const clock = fakeClock();
  const commerce = useCommerce(database, { clock });

  /** An order that was paid, partly refunded and fulfilled, each a minute after the other, or all at once. */
  async function liveOrder(shop: Context, pause = 60_000): Promise<string> {
    await configureStripe(shop);
    const { id: productId } = await newProduct(shop, { price: '10' });
    const { id } = await createOrder(shop, { items: [{ productId, quantity: 1 }] });
    clock.advance(pause);
    await send(shop, payment(id, 1000).chargeSucceeded());
    clock.advance(pause);
    await refundOrder(shop, id, { amount: '2.50' });
    clock.advance(pause);
    await updateOrder(shop, id, { status: 'fulfilled' });
    return id;
  }

  const said = (entry: TimelineEntry): string =>
    entry.kind === 'audit'
      ? entry.audit.action
      : entry.kind === 'payment'
        ? `payment of ${entry.payment.amount}`
        : entry.kind === 'refund'
          ? `refund of ${entry.refund.amount}`
          : entry.kind === 'withdrawal'
            ? `withdrawal of ${entry.withdrawal.orderNumber}`
            : entry.kind === 'mail'
              ? `mail ${entry.mail.kind}`
              : entry.kind === 'invoice'
                ? `${entry.invoice.kind} of ${entry.invoice.total}`
                : `told of ${entry.delivery.event}`;

  it('tells changes, payments, refunds and deliveries, oldest first', async () => {
    const shop = await newShop(commerce());
    const { id: webhookId } = await createWebhook(shop, {
      url: 'https://subscriber.example.com/',
      events: ['order.*'],
    });
    const id = await liveOrder(shop);
    // Another order of the same time has its own timeline.
    await liveOrder(shop);
    const { items, total } = await getOrderTimeline(shop, id);
    expect(total).toBe(items.length);
    expect(items.map(({ at }) => at)).toEqual(items.map(({ at }) => at).sort());
    const told = items.map(said);
    const steps = ['order.created', 'payment of 10.00', 'order.paid', 'refund of 2.50', 'order.refunded'];
    expect(told.filter((one) => steps.includes(one))).toEqual(steps);
    expect(told).toEqual(expect.arrayContaining(['told of order.paid', 'told of order.fulfilled']));
    const deliveries = items.flatMap((entry) => (entry.kind === 'delivery' ? [entry.delivery.id] : []));
    const all = (await listDeliveries(shop, webhookId, { limit: 200 })).items.map((one) => one.id);
    expect(all).toEqual(expect.arrayContaining(deliveries));
    expect(deliveries.length).toBe(all.length / 2);
  });

  it('tells what happened within one millisecond in its order, too', async () => {
    const shop = await newShop(commerce());
    await createWebhook(shop, { url: 'https://subscriber.example.com/', events: ['order.*'] });
    const { items } = await getOrderTimeline(shop, await liveOrder(shop, 0));
    expect(new Set(items.map(({ at }) => at)).size).toBe(1);
    expect(items.map(said)).toEqual([
      'order.created',
      'payment of 10.00',
      'order.paid',
      'refund of 2.50',
      'order.refunded',
      'order.fulfilled',
      'told of order.created',
      'told of order.paid',
      'told of order.updated',
      'told of order.refunded',
      'told of order.updated',
      'told of order.updated',
      'told of order.shipped',
      'told of order.fulfilled',
    ]);
  });

  it('shows each kind to those who may read it', async () => {
    const shop = await newShop(commerce());
    await createWebhook(shop, { url: 'https://subscriber.example.com/', events: ['order.*'] });
    const id = await liveOrder(shop);
    const kindsSeenBy = async (...scopes: Scope[]) => {
      const { key } = await createApiKey(shop, { name: 'some', scopes });
      const actor = (await commerce().identities.authenticate(key))?.actor;
      if (!actor) throw new Error('the key is nobody');
      const { items } = await getOrderTimeline({ ...shop, actor }, id);
      return [...new Set(items.map(({ kind }) => kind))].sort();
    };
    const { id: withdrawal } = await createWithdrawal(shop, { name: 'Ada', email: 'ada@shop.test', orderNumber: '?' });
    await updateWithdrawal(shop, withdrawal, { orderId: id });
    expect(await kindsSeenBy('order.read')).toEqual(['refund']);
    expect(await kindsSeenBy('order.read', 'payment.read')).toEqual(['payment', 'refund']);
    expect(await kindsSeenBy('order.read', 'auditLog.read')).toEqual(['audit', 'refund']);
    expect(await kindsSeenBy('order.read', 'webhook.read')).toEqual(['delivery', 'refund']);
    expect(await kindsSeenBy('order.read', 'withdrawal.read')).toEqual(['refund', 'withdrawal']);
  });

  it('is of no order that is not there', async () => {
    const [shop, other] = [await newShop(commerce()), await newShop(commerce())];
    for (const id of [await liveOrder(other), uuidV7Source().next(clock.now()), 'x']) {
      await expectDenied(commerce(), () => getOrderTimeline(shop, id), { kind: 'notFound' });
    }
  });

  it('has deliveries that are listed over all subscriptions, too', async () => {
    const [shop, other] = [await newShop(commerce()), await newShop(commerce())];
    for (const one of [shop, other]) {
      for (const path of ['a', 'b']) {
        await createWebhook(one, { url: `https://subscriber.example.com/${path}`, events: ['order.created'] });
      }
      await liveOrder(one);
    }
    // A subscriber of the application does not belong to the store.
    const off = await commerce().on('order.created', async () => {}, { name: 'ledger' });
    await liveOrder(shop);
    await off();
    const { items, total } = await listAllDeliveries(shop);
    expect([items.length, total]).toEqual([4, 4]);
    expect(items.map(({ id }) => id)).toEqual(
      items
        .map(({ id }) => id)
        .sort()
        .reverse(),
    );
    expect(items.every(({ webhookId }) => !webhookId.startsWith('app:'))).toBe(true);
    expect((await listAllDeliveries(shop, { status: 'pending', limit: 1 })).total).toBe(4);
    expect((await listAllDeliveries(shop, { status: 'failed' })).total).toBe(0);
    expect((await listAllDeliveries(shop, { event: 'order.paid' })).total).toBe(0);
  });
});
