import {
  auditOf,
  emittedBy,
  eventsOf,
  newProduct,
  newShop,
  useCommerce,
  useTwoProcesses,
} from '@commerce/test-support/fixtures/shop';
import { configureStripe, payment, send } from '@commerce/test-support/fixtures/stripe';
import { expectDenied, invalid } from '@commerce/test-support/harness/denied';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { expect, it } from 'vitest';
import {
  createOrder,
  getOrder,
  getProduct,
  listOrders,
  listPayments,
  listRefunds,
  type RefundInput,
  refundOrder,
  updateOrder,
} from '../../index.ts';
import { fakeClock } from '../../testing/index.ts';

forEachStorage('refunds that the shop records', (database) => {
  const clock = fakeClock();
  const commerce = useCommerce(database, { clock });
  const twoProcesses = useTwoProcesses(database, { clock });

  async function pending(currency = 'EUR', price = '50', minor = 5000) {
    const shop = await newShop(commerce(), currency, { type: 'apiKey', id: 'key-1' });
    await configureStripe(shop);
    const product = await newProduct(shop, { price, trackStock: true, stock: 5 });
    const order = await createOrder(shop, { items: [{ productId: product.id, quantity: 1 }] });
    return { shop, product, order, pay: () => send(shop, payment(order.id, minor, currency).chargeSucceeded()) };
  }

  async function paid(currency?: string, price?: string, minor?: number) {
    const created = await pending(currency, price, minor);
    await created.pay();
    const { shop, order } = created;
    return {
      ...created,
      now: () => getOrder(shop, order.id),
      refund: (input: RefundInput) => refundOrder(shop, order.id, input),
    };
  }

  it('are refused for a field that they do not have', async () => {
    const { refund } = await paid();
    const unknown: [object, string][] = [
      [{ amount: '1', currency: 'EUR' }, 'currency'],
      [{ amount: '1', restock: [{ productId: 'a', quantity: 1, all: true }] }, 'restock.0.all'],
    ];
    for (const [input, field] of unknown) {
      await expectDenied(commerce(), () => refund(input as RefundInput), invalid(field));
    }
    // What the answer to a refund has is not read.
    const again = { amount: '1', refundId: 're_1', recordedAt: '2020-01-01T00:00:00.000Z' };
    expect((await refund(again as RefundInput)).recordedAt).not.toBe(again.recordedAt);
  });

  it('of lines are refused if their share is more than what is left', async () => {
    const { order, refund, now } = await paid();
    await refund({ amount: '20' });
    const lines = [{ itemId: order.items[0]?.id ?? '', quantity: 1 }];
    for (const more of [{}, { restock: true }, { shipping: true }]) {
      await expectDenied(commerce(), () => refund({ lines, ...more }), invalid('lines'));
    }
    // With an amount, they say what it is for.
    expect(await refund({ lines, amount: '30' })).toMatchObject({ amount: '30.00', lines });
    expect(await now()).toMatchObject({ status: 'refunded', refundedAmount: '50.00' });
  });

  it('of a part leave the order paid: the record, the order, the events and the audit log', async () => {
    const { shop, order, product, now, refund } = await paid();
    const before = await now();
    clock.advance(1000);
    const at = new Date(clock.now()).toISOString();
    const record = {
      ...{
        refundId: 're_1',
        amount: '10.50',
        status: 'succeeded',
        kind: 'refund',
        providerRefundId: 're_1',
        error: null,
      },
      ...{ reason: 'a crack', lines: null, shipping: false, restocked: false, recordedAt: at },
    };
    const types = await emittedBy(shop, async () => {
      expect(await refund({ amount: '10.5', refundId: 're_1', reason: 'a crack' })).toEqual(record);
    });
    expect(types).toEqual(['order.refunded', 'order.updated']);
    const after = await now();
    expect(after).toEqual({ ...before, refundedAmount: '10.50', paymentStatus: 'partially_refunded', updatedAt: at });
    for (const { data } of (await eventsOf(shop)).slice(-2)) expect(data).toEqual(after);
    expect(await listRefunds(shop, order.id)).toEqual({
      items: [record],
      total: 1,
    });
    const entry = (await auditOf(shop)).at(-1);
    expect(entry).toMatchObject({
      action: 'order.refunded',
      actor_type: 'apiKey',
      actor_id: 'key-1',
      resource_id: order.id,
    });
    expect(JSON.parse(entry?.changes ?? '{}')).toEqual({
      refundId: 're_1',
      amount: '10.50',
      reason: 'a crack',
      refundedAmount: { from: '0.00', to: '10.50' },
    });
    expect((await getProduct(shop, product.id)).stock).toBe(4);
    expect((await listOrders(shop, { paymentStatus: 'partially_refunded' })).total).toBe(1);
    expect((await listOrders(shop, { paymentStatus: 'succeeded' })).total).toBe(0);
  });

  it('of the whole total make it refunded, at once or in parts, and return no stock', async () => {
    const { shop, product, now, refund } = await paid();
    await refund({ amount: '49.99' });
    expect(await now()).toMatchObject({ status: 'paid', paymentStatus: 'partially_refunded' });
    const types = await emittedBy(shop, () => refund({ amount: '0.01' }));
    expect(types).toEqual(['order.refunded', 'order.updated']);
    expect(await now()).toMatchObject({ status: 'refunded', paymentStatus: 'refunded', refundedAmount: '50.00' });
    expect((await getProduct(shop, product.id)).stock).toBe(4);
    expect((await listOrders(shop, { status: 'refunded' })).total).toBe(1);
  });

  it('of a fulfilled order keep it fulfilled until the whole total is refunded', async () => {
    const { shop, order, now, refund } = await paid();
    await updateOrder(shop, order.id, { status: 'fulfilled' });
    await refund({ amount: '20' });
    expect(await now()).toMatchObject({ status: 'fulfilled', paymentStatus: 'partially_refunded' });
    await refund({ amount: '30' });
    expect(await now()).toMatchObject({ status: 'refunded' });
  });

  it('of an order that was cancelled after it was paid change its payment status alone', async () => {
    const { shop, order, now, refund } = await paid();
    await updateOrder(shop, order.id, { status: 'cancelled' });
    await refund({ amount: '20' });
    expect(await now()).toMatchObject({ status: 'cancelled', paymentStatus: 'partially_refunded' });
    await refund({ amount: '30' });
    expect(await now()).toMatchObject({ status: 'cancelled', paymentStatus: 'refunded', refundedAmount: '50.00' });
  });

  it('without an id each get one', async () => {
    const { shop, order, refund } = await paid();
    const [one, two] = [await refund({ amount: '5' }), await refund({ amount: '5', refundId: null, reason: null })];
    expect(one?.refundId).toMatch(/^[0-9a-f-]{36}$/);
    expect(two?.refundId).not.toBe(one?.refundId);
    expect(await getOrder(shop, order.id)).toMatchObject({ refundedAmount: '10.00' });
    expect((await listRefunds(shop, order.id)).items).toEqual([one, two]);
  });

  it('under a known id with the same amount, however it is written, answer the existing record', async () => {
    const { shop, now, refund } = await paid();
    const first = await refund({ amount: '5.00', refundId: 're_1' });
    const before = await now();
    clock.advance(60_000);
    const types = await emittedBy(shop, async () => {
      expect(await refund({ amount: '5', refundId: 're_1', reason: 'another one' })).toEqual(first);
      expect(await refund({ amount: '5.0', refundId: 're_1' })).toEqual(first);
    });
    expect(types).toEqual([]);
    expect(await now()).toEqual(before);
  });

  it('under a known id answer the existing record also when nothing is left to refund', async () => {
    const { now, refund } = await paid();
    const all = await refund({ amount: '50', refundId: 're_1' });
    expect(await refund({ amount: '50', refundId: 're_1' })).toEqual(all);
    expect((await now()).refundedAmount).toBe('50.00');
  });

  it('under a known id with another amount are a conflict', async () => {
    const { shop, order, refund } = await paid();
    await refund({ amount: '5', refundId: 're_1' });
    for (const amount of ['5.01', '4.99', '50']) {
      await expectDenied(commerce(), () => refundOrder(shop, order.id, { amount, refundId: 're_1' }), {
        kind: 'conflict',
        fields: ['refundId'],
        message: /"re_1" is recorded with 5\.00/,
      });
    }
  });

  it.each<[string, unknown, string[]]>([
    ['nothing', { amount: '0' }, ['amount']],
    ['nothing, with decimals', { amount: '0.00' }, ['amount']],
    ['less than nothing', { amount: '-1' }, ['amount']],
    ['more than the total', { amount: '50.01' }, ['amount']],
    ['a decimal too many', { amount: '1.001' }, ['amount']],
    ['a number', { amount: 5 }, ['amount']],
    ['a comma', { amount: '5,00' }, ['amount']],
    ['a currency beside it', { amount: '5 EUR' }, ['amount']],
    ['powers of ten', { amount: '1e1' }, ['amount']],
    ['blanks', { amount: ' 5' }, ['amount']],
    ['more digits than there are', { amount: '1'.repeat(13) }, ['amount']],
    ['no amount', {}, ['amount']],
    ['null as amount', { amount: null }, ['amount']],
    ['an id that is a number', { amount: '5', refundId: 7 }, ['refundId']],
    ['an empty id', { amount: '5', refundId: '' }, ['refundId']],
    ['an id that is too long', { amount: '5', refundId: 'x'.repeat(256) }, ['refundId']],
    ['a NUL in the id', { amount: '5', refundId: 'a\0b' }, ['refundId']],
    ['a reason that is too long', { amount: '5', reason: 'x'.repeat(1001) }, ['reason']],
    ['a list', [], ['body']],
    ['nothing at all', undefined, ['body']],
    ['a text', 'all', ['body']],
  ])('are refused when asked for %s', async (_, input, fields) => {
    const { shop, order } = await paid();
    await expectDenied(commerce(), () => refundOrder(shop, order.id, input as RefundInput), invalid(...fields));
  });

  it('are refused beyond what is left, which the message names', async () => {
    const { shop, order, refund } = await paid();
    await refund({ amount: '30' });
    await expectDenied(commerce(), () => refundOrder(shop, order.id, { amount: '20.01' }), {
      kind: 'validation',
      fields: ['amount'],
      message: /at most 20\.00, the rest of the total 50\.00/,
    });
    await refund({ amount: '20' });
    await expectDenied(commerce(), () => refundOrder(shop, order.id, { amount: '0.01' }), {
      kind: 'validation',
      fields: ['amount'],
      message: /at most 0\.00/,
    });
  });

  it.each<[string, (created: Awaited<ReturnType<typeof pending>>) => Promise<unknown>]>([
    ['pending', async () => {}],
    ['failed', ({ shop, order }) => send(shop, payment(order.id, 5000).intentFailed())],
    ['cancelled before it was paid', ({ shop, order }) => updateOrder(shop, order.id, { status: 'cancelled' })],
  ])('are a conflict while the order is not paid: %s', async (_, prepare) => {
    const created = await pending();
    await prepare(created);
    await expectDenied(commerce(), () => refundOrder(created.shop, created.order.id, { amount: '5' }), {
      kind: 'conflict',
      message: /ORD-1001 is not paid/,
    });
    // Mistakes in the request are reported first.
    await expectDenied(
      commerce(),
      () => refundOrder(created.shop, created.order.id, { amount: '0' }),
      invalid('amount'),
    );
  });

  it("find neither an unknown order nor another store's", async () => {
    const [ours, theirs] = [await paid(), await paid()];
    for (const id of ['0190a5c8-0000-7000-8000-00000000dead', theirs.order.id, 'x', '', "' or 1=1"]) {
      await expectDenied(commerce(), () => refundOrder(ours.shop, id, { amount: '5' }), { kind: 'notFound' });
      await expect(listRefunds(ours.shop, id)).rejects.toMatchObject({ kind: 'notFound' });
    }
  });

  it('are identified per order: two orders may have the same refund id', async () => {
    const { shop, order, product, refund } = await paid();
    const other = await createOrder(shop, { items: [{ productId: product.id, quantity: 1 }] });
    await send(shop, payment(other.id, 5000).intentSucceeded());
    await refund({ amount: '5', refundId: 're_1' });
    await refundOrder(shop, other.id, { amount: '7', refundId: 're_1' });
    expect((await listRefunds(shop, order.id)).items).toMatchObject([{ amount: '5.00' }]);
    expect((await listRefunds(shop, other.id)).items).toMatchObject([{ amount: '7.00' }]);
  });

  it('are listed oldest first, in pages, with their number', async () => {
    const { shop, order, refund } = await paid();
    expect(await listRefunds(shop, order.id)).toEqual({ items: [], total: 0 });
    for (let n = 1; n <= 5; n++) {
      clock.advance(1000);
      await refund({ amount: `${n}`, refundId: `re_${6 - n}` });
    }
    const amounts = async (query: { limit?: number; offset?: number }) => {
      const { items, total } = await listRefunds(shop, order.id, query);
      return [items.map(({ amount }) => Number(amount)), total];
    };
    expect(await amounts({})).toEqual([[1, 2, 3, 4, 5], 5]);
    expect(await amounts({ limit: 2, offset: 1 })).toEqual([[2, 3], 5]);
    expect(await amounts({ offset: 5 })).toEqual([[], 5]);
    for (const query of [{ limit: 0 }, { limit: 201 }, { offset: -1 }]) {
      await expect(listRefunds(shop, order.id, query)).rejects.toMatchObject({ kind: 'validation' });
    }
  });

  it.each([
    ['JPY', '5000', 5000, ['1500', '3500'], ['1.5', '0.0', '5001']],
    ['KWD', '50.000', 50_000, ['15.005', '34.995'], ['1.0005', '50.001']],
    ['EUR', '0.01', 1, ['0.01'], ['0.001', '0.02']],
  ])('have the decimals of %s', async (currency, price, minor, parts, wrong) => {
    const { shop, order, now, refund } = await paid(currency, price, minor);
    for (const amount of wrong) {
      await expectDenied(commerce(), () => refundOrder(shop, order.id, { amount }), invalid('amount'));
    }
    for (const amount of parts) expect((await refund({ amount })).amount).toBe(amount);
    expect(await now()).toMatchObject({ status: 'refunded', refundedAmount: (await now()).total });
  });

  it('of a tenth, twenty at once, succeed ten times', async () => {
    const { shop, order, now } = await paid();
    const either = await twoProcesses(shop);
    const refund = () => refundOrder(either(), order.id, { amount: '5' });
    const results = await Promise.allSettled(Array.from({ length: 20 }, refund));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
    for (const result of results) {
      if (result.status === 'rejected') expect(result.reason).toMatchObject({ kind: 'validation' });
    }
    expect(await now()).toMatchObject({ status: 'refunded', refundedAmount: '50.00' });
    expect((await listRefunds(shop, order.id)).total).toBe(10);
    const events = (await eventsOf(shop)).filter(({ type }) => type === 'order.refunded');
    expect(events).toHaveLength(10);
  });

  it('of a tenth, twenty at once, would be too many if the rest were read first: this suite catches it', async () => {
    const { shop, order } = await paid();
    const { db } = shop.engine.storage;
    const [payment] = (await listPayments(shop, { orderId: order.id })).items;
    const payment_id = payment?.id ?? '';
    const recorded = async () => {
      const rows = await db
        .selectFrom('payment_refunds')
        .select('amount')
        .where('payment_id', '=', payment_id)
        .execute();
      return rows.reduce((sum, { amount }) => sum + amount, 0);
    };
    const refundAfter = async (before: number, n: number) => {
      if (before + 500 > 5000) return;
      const row = { store_id: shop.store.id, payment_id, refund_id: `naive-${n}`, amount: 500, recorded_at: n };
      await db.transaction().execute((tx) =>
        tx
          .insertInto('payment_refunds')
          .values({
            ...row,
            origin: 'shop',
            named: 0,
            status: 'completed',
            position: n,
            told_at: null,
            status_since: n,
            shipping: 0,
            restocked: 0,
          })
          .execute(),
      );
    };
    // All read before one of them refunds, which sooner or later happens.
    await Promise.all((await Promise.all(Array.from({ length: 20 }, recorded))).map(refundAfter));
    expect(await recorded()).toBeGreaterThan(5000);
  });

  it('under one id, twenty at once, are one record and twenty equal answers', async () => {
    const { shop, order, now } = await paid();
    const either = await twoProcesses(shop);
    const refund = () => refundOrder(either(), order.id, { amount: '5', refundId: 're_1' });
    const answers = await Promise.all(Array.from({ length: 20 }, refund));
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    expect((await now()).refundedAmount).toBe('5.00');
    expect(await listRefunds(shop, order.id)).toEqual({ items: [answers[0]], total: 1 });
    expect((await eventsOf(shop)).filter(({ type }) => type === 'order.refunded')).toHaveLength(1);
  });
});
