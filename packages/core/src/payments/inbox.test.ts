import { capture, configurePayPal, deliver, paypalOrderOf } from '@commerce/test-support/fixtures/paypal';
import { type PayPalStub, startPayPal } from '@commerce/test-support/fixtures/paypal-stub';
import { auditOf, emittedBy, newProduct, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { configureStripe, payment, send } from '@commerce/test-support/fixtures/stripe';
import { refundsOf } from '@commerce/test-support/fixtures/stripe-refunds';
import { expectDenied } from '@commerce/test-support/harness/denied';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import {
  type Context,
  confirmFromInbox,
  createOrder,
  getNotification,
  getOrder,
  getProduct,
  listNotifications,
  replayNotification,
  updateOrder,
  updateProduct,
} from '../index.ts';
import { uuidV7Source } from '../kernel/ids.ts';
import { fakeClock } from '../testing/index.ts';

const ids = uuidV7Source();
const newId = () => ids.next(Date.now());
const paidEvents = ['order.created', 'order.paid', 'order.updated', 'product.updated'];

forEachStorage('the inbox', (database) => {
  const clock = fakeClock();
  const commerce = useCommerce(database, { clock });
  let paypal: PayPalStub;
  beforeAll(async () => {
    paypal = await startPayPal();
  });
  beforeEach(() => paypal.reset());
  afterAll(() => paypal.close());

  async function pending() {
    const shop = await newShop(commerce(), 'EUR', { type: 'cli', id: null });
    await configureStripe(shop);
    await configurePayPal(shop, paypal.url);
    const product = await newProduct(shop, { price: '10', sku: 'MUG', trackStock: true, stock: 5 });
    const order = await createOrder(shop, { items: [{ productId: product.id, quantity: 1 }] });
    return { shop, product, order, paid: payment(order.id, 1000) };
  }

  const list = async (shop: Context, unmatched = false) => (await listNotifications(shop, { unmatched })).items;
  const first = async (shop: Context) => {
    const [notification] = await list(shop, true);
    if (!notification) throw new Error('nothing is unmatched');
    return notification;
  };
  /** A payment that finds no stock left, which answers the provider with an error. */
  async function shortOfStock() {
    const created = await pending();
    await updateProduct(created.shop, created.product.id, { stock: 0 });
    await expect(send(created.shop, created.paid.chargeSucceeded())).rejects.toMatchObject({
      kind: 'insufficientStock',
    });
    return created;
  }

  it('stores each notification with its content, its outcome and its raw body', async () => {
    const { shop, order, paid } = await pending();
    const event = paid.chargeSucceeded() as { id: string };
    await send(shop, event);
    const at = new Date(clock.now()).toISOString();
    const [kept, ...others] = await list(shop);
    expect(others).toEqual([]);
    expect(kept).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      storeId: shop.store.id,
      provider: 'stripe',
      eventId: event.id,
      eventType: 'charge.succeeded',
      orderId: order.id,
      paymentId: paid.id,
      outcome: 'paid',
      warning: null,
      receivedAt: at,
      updatedAt: at,
    });
    expect(await getNotification(shop, kept?.id ?? '')).toEqual({ ...kept, payload: JSON.stringify(event) });
  });

  it('shows unapplied notifications apart: each reason, and nothing settled', async () => {
    const { shop, order, paid, product } = await pending();
    const cancelled = await createOrder(shop, { items: [{ productId: product.id, quantity: 1 }] });
    await updateOrder(shop, cancelled.id, { status: 'cancelled' });
    const wrong = await createOrder(shop, { items: [{ productId: product.id, quantity: 1 }] });
    const unreadable = { metadata: { order_id: newId(), order_items: 'x' } };
    for (const event of [
      paid.intentFailed(),
      paid.intentSucceeded(),
      paid.chargeSucceeded(),
      payment(order.id, 1000).intentSucceeded(),
      payment(cancelled.id, 1000).intentSucceeded(),
      payment(wrong.id, 999).intentSucceeded(),
      payment(newId(), 1000).intentSucceeded(),
      payment(null, 1000).intentSucceeded(unreadable),
      refundsOf(payment(null, 1)).one(1).created(),
      payment(order.id, 1000).intentFailed(),
    ]) {
      clock.advance(1000);
      await send(shop, event);
    }
    expect((await list(shop, true)).map(({ outcome }) => outcome)).toEqual(
      'order_not_found unreadable_items order_not_found amount_mismatch order_cancelled second_payment'.split(' '),
    );
    for (const { warning } of await list(shop, true)) expect(warning).toEqual(expect.any(String));
    const settled = (await list(shop)).filter(({ warning }) => warning === null);
    expect(settled.map(({ outcome }) => outcome)).toEqual(['ignored', 'recorded', 'paid', 'recorded']);
    expect((await auditOf(shop)).filter(({ action }) => action === 'payment.refused')).toHaveLength(5);
  });

  it('is read in pages, newest first, with exact totals', async () => {
    const { shop } = await pending();
    const sent: string[] = [];
    for (let i = 0; i < 5; i++) {
      // Two in one millisecond are ordered too.
      if (i !== 3) clock.advance(1000);
      const event = payment(i % 2 === 0 ? newId() : null, 100);
      const sentEvent = (i % 2 === 0 ? event.intentSucceeded() : event.sessionCompleted({ mode: 'setup' })) as {
        id: string;
      };
      sent.unshift(sentEvent.id);
      await send(shop, sentEvent);
    }
    const page = async (query: Parameters<typeof listNotifications>[1]) => {
      const { items, total } = await listNotifications(shop, query);
      return [items.map(({ eventId }) => eventId), total];
    };
    expect(await page({})).toEqual([sent, 5]);
    expect(await page({ limit: 2 })).toEqual([sent.slice(0, 2), 5]);
    expect(await page({ limit: 2, offset: 3 })).toEqual([sent.slice(3), 5]);
    expect(await page({ offset: 9 })).toEqual([[], 5]);
    expect(await page({ unmatched: true, limit: 2 })).toEqual([[sent[0], sent[2]], 3]);
    expect(await page({ unmatched: false })).toEqual([sent, 5]);
    for (const query of [{ limit: 0 }, { limit: 201 }, { offset: -1 }]) {
      await expect(listNotifications(shop, query)).rejects.toMatchObject({ kind: 'validation' });
    }
  });

  it("shows no other store's, and finds none by a wrong id", async () => {
    const [ours, theirs] = [await shortOfStock(), await shortOfStock()];
    const { id } = await first(theirs.shop);
    expect((await list(ours.shop)).map((one) => one.storeId)).toEqual([ours.shop.store.id]);
    for (const wrong of [id, '0190a5c8-0000-7000-8000-00000000dead', 'x', '', "' or 1=1"]) {
      await expect(getNotification(ours.shop, wrong)).rejects.toMatchObject({ kind: 'notFound' });
      await expectDenied(commerce(), () => replayNotification(ours.shop, wrong), { kind: 'notFound' });
    }
    await expectDenied(commerce(), () => confirmFromInbox(ours.shop, theirs.order.id), { kind: 'notFound' });
  });

  it('applies a payment again after restocking', async () => {
    const { shop, order, product } = await shortOfStock();
    const before = await first(shop);
    expect(before).toMatchObject({ outcome: 'insufficient_stock', warning: expect.stringContaining('not enough') });
    const still = await emittedBy(shop, async () => {
      expect(await replayNotification(shop, before.id)).toMatchObject({ outcome: 'insufficient_stock' });
    });
    expect(still).toEqual([]);
    await updateProduct(shop, product.id, { stock: 3 });
    clock.advance(60_000);
    const types = await emittedBy(shop, async () => {
      expect(await replayNotification(shop, before.id)).toEqual({
        ...before,
        outcome: 'paid',
        warning: null,
        updatedAt: new Date(clock.now()).toISOString(),
      });
    });
    expect(types.sort()).toEqual(paidEvents);
    expect(await getOrder(shop, order.id)).toMatchObject({ status: 'paid', paymentDetails: { last4: '4242' } });
    expect((await getProduct(shop, product.id)).stock).toBe(2);
    expect((await auditOf(shop)).at(-1)).toMatchObject({ action: 'order.paid', actor_type: 'cli' });
    expect(await list(shop, true)).toEqual([]);
  });

  it('leaves a settled one unchanged, also when it is replayed twenty times at once', async () => {
    const { shop, order, product, paid } = await pending();
    await send(shop, paid.intentSucceeded());
    const [settled] = await list(shop);
    const before = await getOrder(shop, order.id);
    const types = await emittedBy(shop, async () => {
      const answers = await Promise.all(Array.from({ length: 20 }, () => replayNotification(shop, settled?.id ?? '')));
      for (const answer of answers) expect(answer).toEqual(settled);
    });
    expect(types).toEqual([]);
    expect(await getOrder(shop, order.id)).toEqual(before);
    expect((await getProduct(shop, product.id)).stock).toBe(4);
  });

  it('applies one payment once when it is replayed and sent again and confirmed at once', async () => {
    const { shop, order, product, paid } = await pending();
    await updateProduct(shop, product.id, { stock: 0 });
    const event = paid.intentSucceeded();
    await send(shop, event).catch(() => {});
    await updateProduct(shop, product.id, { stock: 5 });
    const { id } = await first(shop);
    // A confirmation after the payment is refused, because the order is already paid.
    const confirm = () =>
      confirmFromInbox(shop, order.id).catch((error) =>
        expect(error).toMatchObject({ kind: 'conflict', message: expect.stringContaining('it is paid, not pending') }),
      );
    const types = await emittedBy(shop, async () => {
      await Promise.all(
        Array.from({ length: 12 }, (_, i) =>
          [() => replayNotification(shop, id), () => send(shop, event), confirm][i % 3]?.(),
        ),
      );
    });
    // `recorded` when the order was confirmed separately.
    expect(['paid', 'recorded']).toContain((await getNotification(shop, id)).outcome);
    expect((await getNotification(shop, id)).warning).toBe(null);
    expect(types.sort()).toEqual(paidEvents);
    expect((await getProduct(shop, product.id)).stock).toBe(4);
  });

  it('records the new reason when a refused payment is refused again', async () => {
    const { shop, order } = await pending();
    await send(shop, payment(order.id, 999).intentSucceeded());
    const before = await first(shop);
    const types = await emittedBy(shop, async () => {
      expect(await replayNotification(shop, before.id)).toEqual(before);
    });
    expect(types).toEqual([]);
    expect(await getOrder(shop, order.id)).toEqual(order);
  });

  it('asks PayPal again for facts it could not read the first time', async () => {
    const { shop } = await pending();
    const id = newId();
    const paid = capture(id, '10.00');
    expect(await deliver(shop, paid.completed())).toMatchObject({ outcome: 'unreadable_items' });
    paypal.orders.set(
      paid.paypalOrder,
      paypalOrderOf(paid.paypalOrder, { items: [{ name: 'Mug', sku: 'MUG', quantity: '1' }] }),
    );
    expect(await replayNotification(shop, (await first(shop)).id)).toMatchObject({ outcome: 'paid' });
    expect(await getOrder(shop, id)).toMatchObject({ status: 'paid', paymentDetails: { payerStatus: 'VERIFIED' } });
  });

  it('leaves a notification unchanged while PayPal cannot be reached', async () => {
    const { shop } = await pending();
    const paid = capture(newId(), '10.00');
    await deliver(shop, paid.completed());
    const { id } = await first(shop);
    paypal.plan('order', { status: 500 }, { status: 500 }, { status: 500 });
    await expectDenied(commerce(), () => replayNotification(shop, id), { kind: 'unavailable' });
  });

  it('keeps a refund of a payment that waits for stock, and applies it once the order is confirmed', async () => {
    const { shop, order, paid } = await shortOfStock();
    expect(await send(shop, refundsOf(paid).one(400).created())).toEqual({ received: true, outcome: 'recorded' });
    expect(await getOrder(shop, order.id)).toEqual(order);
    await updateProduct(shop, order.items[0]?.productId ?? '', { stock: 1 });
    const confirmed = await confirmFromInbox(shop, order.id);
    expect(confirmed).toMatchObject({ status: 'paid', refundedAmount: '4.00', paymentStatus: 'partially_refunded' });
    expect(await list(shop, true)).toEqual([]);
  });

  it('confirms an order from the payments that wait for it', async () => {
    const { shop, order, product } = await shortOfStock();
    const still = await emittedBy(shop, () =>
      expect(confirmFromInbox(shop, order.id)).rejects.toMatchObject({
        kind: 'insufficientStock',
        details: [{ field: 'items' }],
      }),
    );
    expect(still).toEqual([]);
    expect(await getOrder(shop, order.id)).toEqual(order);
    expect((await getProduct(shop, product.id)).stock).toBe(0);
    await updateProduct(shop, product.id, { stock: 1 });
    const types = await emittedBy(shop, async () => {
      expect(await confirmFromInbox(shop, order.id)).toEqual(await getOrder(shop, order.id));
    });
    expect(types.sort()).toEqual([...paidEvents, 'product.low_stock'].sort());
    expect(await getOrder(shop, order.id)).toMatchObject({ status: 'paid' });
    expect((await getProduct(shop, product.id)).stock).toBe(0);
    expect((await list(shop)).map(({ outcome }) => outcome)).toEqual(['recorded']);
    await expectDenied(commerce(), () => confirmFromInbox(shop, order.id), {
      kind: 'conflict',
      message: /ORD-1001 cannot be confirmed: it is paid, not pending/,
    });
  });

  it('does not confirm an order without a payment, or with one that does not fit', async () => {
    const { shop, order } = await pending();
    await expectDenied(commerce(), () => confirmFromInbox(shop, order.id), {
      kind: 'conflict',
      message: /ORD-1001 cannot be confirmed: no payment for it was received/,
    });
    const paid = payment(order.id, 999);
    await send(shop, paid.intentSucceeded());
    await expectDenied(commerce(), () => confirmFromInbox(shop, order.id), {
      kind: 'conflict',
      message: new RegExp(`ORD-1001 cannot be confirmed: its payment ${paid.id} of 9\\.99 EUR is mismatch`),
    });
    expect(await getOrder(shop, order.id)).toEqual(order);
    for (const id of ['0190a5c8-0000-7000-8000-00000000dead', 'x']) {
      await expectDenied(commerce(), () => confirmFromInbox(shop, id), { kind: 'notFound' });
    }
  });

  it('confirms with the matching one of several payments, and keeps the others for somebody to look at', async () => {
    const { shop, order } = await shortOfStock();
    await send(shop, payment(order.id, 999).intentSucceeded());
    await expect(send(shop, payment(order.id, 1000).intentSucceeded())).rejects.toMatchObject({
      kind: 'insufficientStock',
    });
    await updateProduct(shop, order.items[0]?.productId ?? '', { stock: 9 });
    expect(await confirmFromInbox(shop, order.id)).toMatchObject({ status: 'paid' });
    expect((await list(shop, true)).map(({ outcome }) => outcome).sort()).toEqual(['second_payment', 'second_payment']);
    expect((await getProduct(shop, order.items[0]?.productId ?? '')).stock).toBe(8);
  });

  it('lets no payment pay two orders, whichever of its events names the other one', async () => {
    const { shop, order, product, paid } = await pending();
    const other = await createOrder(shop, { items: [{ productId: product.id, quantity: 1 }] });
    expect(await send(shop, paid.intentSucceeded())).toMatchObject({ outcome: 'paid' });
    const types = await emittedBy(shop, async () => {
      const session = paid.sessionCompleted({ metadata: {}, client_reference_id: other.id });
      expect(await send(shop, session)).toMatchObject({
        outcome: 'second_payment',
        warning: expect.stringContaining(order.orderNumber),
      });
    });
    expect(types).toEqual([]);
    expect(await getOrder(shop, other.id)).toEqual(other);
    expect((await getProduct(shop, product.id)).stock).toBe(4);
  });

  it('lets no payment pay two orders, when the events that name them come at once', async () => {
    for (let round = 0; round < 5; round++) {
      const { shop, order, product, paid } = await pending();
      const other = await createOrder(shop, { items: [{ productId: product.id, quantity: 1 }] });
      const session = paid.sessionCompleted({ metadata: {}, client_reference_id: other.id });
      await Promise.all([send(shop, paid.intentSucceeded()), send(shop, session)]);
      const statuses = [(await getOrder(shop, order.id)).status, (await getOrder(shop, other.id)).status];
      expect(statuses.sort()).toEqual(['paid', 'pending']);
      expect((await getProduct(shop, product.id)).stock).toBe(4);
    }
  });
});
