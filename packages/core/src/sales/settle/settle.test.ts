import { auditOf, emittedBy, eventsOf, newProduct, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { configureStripe, payment, send } from '@commerce/test-support/fixtures/stripe';
import { snapshot } from '@commerce/test-support/harness/denied';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { expect, it } from 'vitest';
import { createOrder, getOrder, getProduct, listOrders, listPayments, type Order } from '../../index.ts';
import { fakeClock } from '../../testing/index.ts';

const visa = { last4: '4242', brand: 'visa', expMonth: 8, expYear: 2030 };

forEachStorage('payments of an existing order', (database) => {
  const clock = fakeClock();
  const commerce = useCommerce(database, { clock });

  /** A shop with ten mugs at 12.50 and a pending order of two: 25.00 EUR. */
  async function twoMugs() {
    const shop = await newShop(commerce());
    await configureStripe(shop);
    const product = await newProduct(shop, { price: '12.50', trackStock: true, stock: 10 });
    const order = await createOrder(shop, { items: [{ productId: product.id, quantity: 2 }] });
    clock.advance(60_000);
    return { shop, order, product, paid: payment(order.id, 2500) };
  }

  it('mark it paid: stock, fields, times, events and the audit log', async () => {
    const { shop, order, product, paid } = await twoMugs();
    const at = new Date(clock.now()).toISOString();
    expect(await send(shop, paid.chargeSucceeded())).toEqual({ received: true, outcome: 'paid' });

    const confirmed = await getOrder(shop, order.id);
    expect(confirmed).toEqual({
      ...order,
      status: 'paid',
      paymentStatus: 'succeeded',
      paymentProvider: 'stripe',
      paymentId: paid.id,
      paymentMethod: 'card',
      paymentDetails: visa,
      placedAt: at,
      paidAt: at,
      updatedAt: at,
    });
    const left = await getProduct(shop, product.id);
    expect(left).toEqual({ ...product, stock: 8, updatedAt: at });
    const [, ...events] = await eventsOf(shop);
    expect(events.map(({ type, resourceId, data }) => ({ type, resourceId, data }))).toEqual([
      { type: 'product.updated', resourceId: product.id, data: left },
      { type: 'order.created', resourceId: order.id, data: confirmed },
      { type: 'order.paid', resourceId: order.id, data: confirmed },
      { type: 'order.updated', resourceId: order.id, data: confirmed },
    ]);
    expect((await auditOf(shop)).at(-1)).toMatchObject({
      action: 'order.paid',
      actor_type: 'provider',
      actor_id: 'stripe',
      resource_type: 'order',
      resource_id: order.id,
      changes: JSON.stringify({ paymentProvider: 'stripe', paymentId: paid.id, total: '25.00', currency: 'EUR' }),
    });
  });

  const inEveryOrder: [string, ((paid: ReturnType<typeof payment>) => object)[]][] = [
    [
      'the failed attempt of another card last',
      [(p) => p.intentSucceeded(), (p) => p.chargeFailed(), (p) => p.chargeSucceeded()],
    ],
    [
      'a failed intent after the session',
      [(p) => p.sessionCompleted(), (p) => p.intentFailed(), (p) => p.chargeSucceeded()],
    ],
    [
      'a failed attempt first',
      [(p) => p.intentFailed(), (p) => p.chargeFailed(), (p) => p.intentSucceeded(), (p) => p.chargeSucceeded()],
    ],
    [
      'the session unpaid at first',
      [(p) => p.sessionCompleted({ payment_status: 'unpaid' }), (p) => p.sessionPaidLater(), (p) => p.chargeUpdated()],
    ],
    [
      'processing in between',
      [
        (p) => p.intentProcessing(),
        (p) => p.intentSucceeded(),
        (p) => p.intentProcessing(),
        (p) => p.chargeSucceeded(),
      ],
    ],
    ['cancelled too late', [(p) => p.intentSucceeded(), (p) => p.intentCanceled(), (p) => p.chargeSucceeded()]],
  ]; // prettier-ignore
  it.each(inEveryOrder)('have the same result whatever comes first: %s', async (_, events) => {
    const { shop, order, product, paid } = await twoMugs();
    const types = await emittedBy(shop, async () => {
      for (const event of events) {
        clock.advance(1000);
        expect(await send(shop, event(paid))).not.toHaveProperty('warning');
      }
    });
    expect(types.filter((type) => type === 'order.paid')).toEqual(['order.paid']);
    expect(types.filter((type) => type === 'order.created')).toEqual(['order.created']);
    expect(types.filter((type) => type === 'product.updated')).toEqual(['product.updated']);
    expect((await getProduct(shop, product.id)).stock).toBe(8);
    expect(await getOrder(shop, order.id)).toMatchObject({
      status: 'paid',
      paymentStatus: 'succeeded',
      paymentProvider: 'stripe',
      paymentId: paid.id,
      paymentMethod: 'card',
      paymentDetails: visa,
    });
    expect(await listOrders(shop, { status: 'paid', paymentStatus: 'succeeded' })).toMatchObject({ total: 1 });
    expect(await listOrders(shop, { status: 'pending' })).toEqual({ items: [], total: 0 });
  });

  it('get the card from the charge when the intent lacked it, with one order.updated and nothing else', async () => {
    const { shop, order, paid } = await twoMugs();
    await send(shop, paid.intentSucceeded());
    const before = await getOrder(shop, order.id);
    expect(before).toMatchObject({ status: 'paid', paymentMethod: null, paymentDetails: null });
    clock.advance(5000);
    const types = await emittedBy(shop, async () => {
      expect(await send(shop, paid.chargeSucceeded())).toEqual({ received: true, outcome: 'recorded' });
    });
    expect(types).toEqual(['order.updated']);
    expect(await getOrder(shop, order.id)).toEqual({
      ...before,
      paymentMethod: 'card',
      paymentDetails: visa,
      updatedAt: new Date(clock.now()).toISOString(),
    });
  });

  it('write each payment field once: a later event of the same payment with another card changes nothing', async () => {
    const { shop, order, paid } = await twoMugs();
    await send(shop, paid.chargeSucceeded());
    const before = await getOrder(shop, order.id);
    const other = { type: 'klarna', card: { brand: 'amex', last4: '0005', exp_month: 1, exp_year: 2031 } };
    const types = await emittedBy(shop, async () => {
      expect(await send(shop, paid.chargeUpdated({ payment_method_details: other }))).toEqual({
        received: true,
        outcome: 'unchanged',
      });
      expect(await send(shop, paid.intentSucceeded({ payment_method_types: ['klarna'] }))).toEqual({
        received: true,
        outcome: 'unchanged',
      });
    });
    expect(types).toEqual([]);
    expect(await getOrder(shop, order.id)).toEqual(before);
  });

  it('take the card from an intent of the old API, which carried whole charges', async () => {
    const { shop, order, paid } = await twoMugs();
    const charge = {
      payment_method_details: { type: 'card', card: { brand: 'visa', last4: '4242', exp_month: 8, exp_year: 2030 } },
    };
    await send(shop, paid.intentSucceeded({ charges: { object: 'list', data: [charge] } }));
    expect(await getOrder(shop, order.id)).toMatchObject({ paymentMethod: 'card', paymentDetails: visa });
  });

  it('that fail set the payment status alone, and a later success wins', async () => {
    const { shop, order, product, paid } = await twoMugs();
    const types = await emittedBy(shop, () => send(shop, paid.intentFailed()));
    expect(types).toEqual(['order.updated']);
    const failed = await getOrder(shop, order.id);
    expect(failed).toEqual({ ...order, paymentStatus: 'failed', updatedAt: failed.updatedAt });
    expect((await auditOf(shop)).at(-1)).toMatchObject({
      action: 'order.payment_failed',
      actor_type: 'provider',
      resource_id: order.id,
    });
    expect(await emittedBy(shop, () => send(shop, paid.chargeFailed()))).toEqual([]);
    expect((await getProduct(shop, product.id)).stock).toBe(10);
    expect(await send(shop, paid.intentSucceeded())).toEqual({ received: true, outcome: 'paid' });
    expect((await getProduct(shop, product.id)).stock).toBe(8);
  });

  it('that failed never undo a paid order', async () => {
    const { shop, order, product, paid } = await twoMugs();
    await send(shop, paid.intentSucceeded());
    const before = await getOrder(shop, order.id);
    const failedCard = {
      status: 'failed',
      payment_method_details: { type: 'card', card: { brand: 'visa', last4: '0002', exp_month: 1, exp_year: 2031 } },
    };
    for (const late of [
      paid.intentFailed(),
      paid.chargeFailed(),
      paid.chargeUpdated(failedCard),
      paid.intentCanceled(),
      paid.sessionFailedLater(),
    ]) {
      expect(await emittedBy(shop, () => send(shop, late))).toEqual([]);
    }
    expect(await getOrder(shop, order.id)).toEqual(before);
    expect((await getProduct(shop, product.id)).stock).toBe(8);
  });

  it.each<[string, (paid: ReturnType<typeof payment>) => object, string]>([
    ['the intent is processing', (p) => p.intentProcessing(), 'processing'],
    ['the session waits for a slow method', (p) => p.sessionCompleted({ payment_status: 'unpaid' }), 'processing'],
    [
      'the charge is authorised but not captured',
      (p) => p.chargeSucceeded({ captured: false, amount_captured: 0 }),
      'processing',
    ],
    ['the intent is voided', (p) => p.intentCanceled(), 'cancelled'],
    ['the slow method brought nothing', (p) => p.sessionFailedLater(), 'failed'],
    ['the charge failed', (p) => p.chargeFailed(), 'failed'],
  ])('leave it pending while %s', async (_, event, paymentStatus) => {
    const { shop, order, product, paid } = await twoMugs();
    expect(await send(shop, event(paid))).toEqual({ received: true, outcome: 'recorded' });
    expect(await getOrder(shop, order.id)).toMatchObject({ status: 'pending', paymentStatus, paymentId: null });
    expect(await listOrders(shop, { paymentStatus: 'pending' })).toEqual({ items: [], total: 0 });
    expect((await getProduct(shop, product.id)).stock).toBe(10);
    expect(await emittedBy(shop, () => send(shop, event(paid)))).toEqual([]);
  });

  it('leave no trace when they are a copy, whatever their content: no audit entry, no other time', async () => {
    const { shop, order, paid } = await twoMugs();
    const events = [paid.intentFailed(), payment(null, 1).intentSucceeded({ metadata: {} }), paid.chargeSucceeded()];
    for (const event of events) await send(shop, event);
    const settled = [events[0], events[2]];
    const before = await snapshot(commerce());
    clock.advance(1000);
    for (const event of settled)
      expect(await send(shop, event ?? {})).toEqual({ received: true, outcome: 'unchanged' });
    expect(await snapshot(commerce())).toEqual(before);
    expect((await getOrder(shop, order.id)).status).toBe('paid');
  });

  it('of a session name the order in client_reference_id when the metadata does not', async () => {
    const { shop, order, paid } = await twoMugs();
    const event = paid.sessionCompleted({ metadata: {}, client_reference_id: order.id });
    expect(await send(shop, event)).toEqual({ received: true, outcome: 'paid' });
    expect((await getOrder(shop, order.id)).paymentId).toBe(paid.id);
  });

  it('name the order in any case of letters', async () => {
    const { shop, order } = await twoMugs();
    expect(await send(shop, payment(order.id.toUpperCase(), 2500).intentSucceeded())).toMatchObject({
      outcome: 'paid',
    });
  });

  it('of a session in another mode than payment are ignored', async () => {
    const { shop, order, paid } = await twoMugs();
    expect(await send(shop, paid.sessionCompleted({ mode: 'setup' }))).toEqual({ received: true, outcome: 'ignored' });
    expect(await getOrder(shop, order.id)).toEqual(order);
  });

  it('of the old API, without an intent, are known by their charge', async () => {
    const { shop, order, paid } = await twoMugs();
    await send(shop, paid.chargeSucceeded({ payment_intent: null }));
    expect((await getOrder(shop, order.id)).paymentId).toBe(`ch_of_${paid.id}`);
  });

  it('change nothing for a free order, paid at its creation: a session without an intent', async () => {
    const shop = await newShop(commerce());
    await configureStripe(shop);
    const product = await newProduct(shop, { price: '0' });
    let order = {} as Order;
    const types = await emittedBy(shop, async () => {
      order = await createOrder(shop, { items: [{ productId: product.id, quantity: 1 }] });
    });
    expect(types).toEqual(['order.created', 'order.paid', 'order.updated']);
    expect(order).toMatchObject({
      status: 'paid',
      paymentStatus: 'succeeded',
      paymentProvider: 'none',
      paymentId: null,
      total: '0.00',
    });
    const free = payment(order.id, 0).sessionCompleted({ payment_intent: null, payment_status: 'no_payment_required' });
    const later = await emittedBy(shop, async () => {
      expect(await send(shop, free)).toEqual({ received: true, outcome: 'unchanged' });
    });
    expect(later).toEqual([]);
    expect(await getOrder(shop, order.id)).toEqual(order);
    expect(await listPayments(shop)).toEqual({ items: [], total: 0 });
  });

  it('take the stock of two lines of one product together, and leave untracked products alone', async () => {
    const shop = await newShop(commerce());
    await configureStripe(shop);
    const tracked = await newProduct(shop, { price: '1', trackStock: true, stock: 5 });
    const untracked = await newProduct(shop, { price: '1', stock: 5 });
    const line = (productId: string, quantity: number) => ({ productId, quantity });
    const order = await createOrder(shop, {
      items: [line(tracked.id, 2), line(untracked.id, 9), line(tracked.id, 3)],
    });
    const types = await emittedBy(shop, () => send(shop, payment(order.id, 1400).intentSucceeded()));
    expect(types).toEqual([
      ...['product.updated', 'product.low_stock'],
      ...['order.created', 'order.paid', 'order.updated'],
    ]);
    expect((await getProduct(shop, tracked.id)).stock).toBe(0);
    expect(await getProduct(shop, untracked.id)).toEqual(untracked);
  });

  it('go below zero only where the product allows back-orders', async () => {
    const shop = await newShop(commerce());
    await configureStripe(shop);
    const product = await newProduct(shop, { price: '1', trackStock: true, stock: 1, allowBackorder: true });
    const order = await createOrder(shop, { items: [{ productId: product.id, quantity: 4 }] });
    await send(shop, payment(order.id, 400).intentSucceeded());
    expect((await getProduct(shop, product.id)).stock).toBe(-3);
  });
});
