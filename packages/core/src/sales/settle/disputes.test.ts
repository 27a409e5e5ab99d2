import { paypalDispute, squareDispute, stripeDispute } from '@commerce/test-support/fixtures/disputes';
import { capture, configurePayPal, deliver } from '@commerce/test-support/fixtures/paypal';
import { type PayPalStub, startPayPal } from '@commerce/test-support/fixtures/paypal-stub';
import {
  emittedBy,
  eventsOf,
  newProduct,
  newShop,
  orderingsOf,
  useCommerce,
} from '@commerce/test-support/fixtures/shop';
import { configureSquare, sendSquare, squarePayment } from '@commerce/test-support/fixtures/square';
import { configureStripe, payment, send } from '@commerce/test-support/fixtures/stripe';
import { refundsOf } from '@commerce/test-support/fixtures/stripe-refunds';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type Context,
  createOrder,
  getDesk,
  getOrder,
  getOrderTimeline,
  getPayment,
  getProduct,
  getSales,
  listAuditLogs,
  listMails,
  listNotifications,
  listPayments,
  listRefunds,
  type Payment,
  refundOrder,
  updateSettings,
} from '../../index.ts';
import { runTransaction } from '../../storage/run.ts';

type Facts = Partial<Payment['disputes'][number]>;

interface Life {
  set: (shop: Context) => Promise<unknown>;
  send: (shop: Context, event: object) => Promise<unknown>;
  /** Events of a payment of 50.00, of which 40.00 is disputed, sent in every possible order; by the result. */
  ends: Record<string, { events: (orderId: string) => object[]; refunds: string[]; dispute: Facts }>;
}

forEachStorage('disputes', (database, dialect) => {
  const commerce = useCommerce(database);
  let paypal: PayPalStub;
  beforeAll(async () => {
    paypal = await startPayPal();
  });
  afterAll(() => paypal.close());

  const stripeEnd = (last: (dispute: ReturnType<typeof stripeDispute>) => object[]) => (orderId: string) => {
    const paid = payment(orderId, 5000);
    const dispute = stripeDispute(paid, 4000);
    return [paid.intentSucceeded(), dispute.created(), dispute.withdrawn(), ...last(dispute)];
  };
  const paypalEnd =
    (last: (dispute: ReturnType<typeof paypalDispute>, paid: ReturnType<typeof capture>) => object[]) =>
    (orderId: string) => {
      const paid = capture(orderId, '50.00');
      const dispute = paypalDispute(paid, '40.00');
      return [paid.completed(), dispute.created(), dispute.updated(), ...last(dispute, paid)];
    };
  const squareEnd = (last: (dispute: ReturnType<typeof squareDispute>) => object) => (orderId: string) => {
    const paid = squarePayment(orderId, 5000);
    const dispute = squareDispute(paid, 4000);
    return [paid.completed(), paid.refund(500).updated(), dispute.created(), dispute.updated(), last(dispute)];
  };
  const lives: Record<string, Life> = {
    stripe: {
      set: configureStripe,
      send,
      ends: {
        open: {
          events: stripeEnd((dispute) => [dispute.updated()]),
          refunds: ['40.00 dispute'],
          dispute: { status: 'open', dueAt: null, reason: 'product_not_received' },
        },
        won: {
          events: stripeEnd((dispute) => [dispute.won(), dispute.reinstated()]),
          refunds: [],
          dispute: { status: 'won', dueAt: null, updatedAt: '2026-11-19T04:00:00.000Z' },
        },
        lost: {
          events: stripeEnd((dispute) => [dispute.updated(), dispute.lost()]),
          refunds: ['40.00 dispute'],
          dispute: { status: 'lost', dueAt: null, updatedAt: '2026-11-19T03:00:00.000Z' },
        },
        'refunded in part, then lost': {
          events: (orderId) => {
            const paid = payment(orderId, 5000);
            const dispute = stripeDispute(paid, 4000);
            const refunds = refundsOf(paid);
            return [
              paid.intentSucceeded(),
              refunds.one(500).created(),
              refunds.total(500),
              dispute.withdrawn(),
              dispute.lost(),
            ];
          },
          refunds: ['40.00 dispute', '5.00 refund'],
          dispute: { amount: '40.00', status: 'lost' },
        },
      },
    },
    paypal: {
      set: (shop) => configurePayPal(shop, paypal.url),
      send: deliver,
      ends: {
        open: {
          events: paypalEnd(() => []),
          refunds: [],
          dispute: {
            status: 'open',
            dueAt: '2026-11-29T00:00:00.000Z',
            reason: 'merchandise_or_service_not_received',
          },
        },
        won: {
          events: paypalEnd((dispute) => [dispute.won()]),
          refunds: [],
          dispute: { status: 'won', dueAt: null },
        },
        'won, after a reversal': {
          events: paypalEnd((dispute, paid) => [dispute.won(), paid.reversedAsRefund(undefined, '40.00')]),
          refunds: [],
          dispute: { status: 'won' },
        },
        'lost, with a reversal': {
          events: paypalEnd((dispute, paid) => [dispute.lost(), paid.reversedAsRefund(undefined, '40.00')]),
          refunds: ['40.00 dispute'],
          dispute: { status: 'lost' },
        },
        'lost, by a refund of the shop': {
          events: paypalEnd((dispute, paid) => [dispute.lost(), paid.refunded('40.00')]),
          refunds: ['40.00 refund'],
          dispute: { status: 'lost' },
        },
        appealed: {
          events: paypalEnd((dispute) => [dispute.lost(), dispute.appealed()]),
          refunds: ['40.00 dispute'],
          dispute: { status: 'open' },
        },
      },
    },
    square: {
      set: (shop) => configureSquare(shop),
      send: sendSquare,
      ends: {
        open: {
          events: squareEnd((dispute) => dispute.updated('EVIDENCE_REQUIRED')),
          refunds: ['5.00 refund'],
          dispute: { status: 'open', reason: 'not_received' },
        },
        won: {
          events: squareEnd((dispute) => dispute.won()),
          refunds: ['5.00 refund'],
          dispute: { amount: '40.00', status: 'won' },
        },
        lost: {
          events: squareEnd((dispute) => dispute.lost()),
          refunds: ['40.00 dispute', '5.00 refund'],
          dispute: { amount: '40.00', status: 'lost' },
        },
      },
    },
  };
  const ends = Object.entries(lives).flatMap(([provider, { set, send: sends, ends: all }]) =>
    Object.entries(all).map(([end, facts]) => ({ provider, end, set, sends, ...facts })),
  );

  it.each(ends)('have the same result in every order of the events: $provider, $end', async (life) => {
    const shop = await newShop(commerce());
    await life.set(shop);
    const product = await newProduct(shop, { price: '50', trackStock: true, stock: 1000 });
    const length = life.events('').length;
    const every = orderingsOf(Array.from({ length }, (_, i) => i));
    // The result does not depend on the database, so a sample is enough on the second one.
    const rows = dialect === 'sqlite' ? every : every.filter((_, i) => i % 7 === 0);
    for (const row of rows) {
      const order = await createOrder(shop, { items: [{ productId: product.id, quantity: 1 }] });
      const events = life.events(order.id);
      const told = row.map((i) => events[i] as object);
      for (const event of [...told, told[0] as object]) await life.sends(shop, event);
      const refunded = life.refunds.reduce((sum, refund) => sum + Number.parseInt(refund, 10), 0);
      const context = JSON.stringify(row);
      expect(await getOrder(shop, order.id), context).toMatchObject({
        status: 'paid',
        refundedAmount: `${refunded}.00`,
      });
      const { items } = await listRefunds(shop, order.id);
      expect(items.map(({ amount, kind }) => `${amount} ${kind}`).sort(), context).toEqual(life.refunds);
      const [paid] = (await listPayments(shop, { orderId: order.id })).items;
      expect(paid?.disputes, context).toEqual([expect.objectContaining(life.dispute)]);
      expect(paid?.refundedAmount, context).toBe(`${refunded}.00`);
    }
    expect((await getProduct(shop, product.id)).stock).toBe(1000 - rows.length);
    expect(await listNotifications(shop, { unmatched: true })).toEqual({ items: [], total: 0 });
    const disputed = (await eventsOf(shop)).filter(({ type }) => type === 'payment.disputed');
    expect(disputed).toHaveLength(rows.length);
    const sales = await getSales(shop, {});
    const sum = life.refunds.reduce((total, refund) => total + Number.parseInt(refund, 10), 0) * rows.length;
    expect(sales.sum.refunded).toBe(`${sum}.00`);
    const open = life.dispute.status === 'open' ? rows.length : 0;
    expect((await listPayments(shop, { disputed: true, limit: 1 })).total).toBe(open);
  });

  it.each(ends)('have the same result when all come at once, each twice: $provider, $end', async (life) => {
    const shop = await newShop(commerce());
    await life.set(shop);
    const product = await newProduct(shop, { price: '50' });
    for (let round = 0; round < 3; round++) {
      const order = await createOrder(shop, { items: [{ productId: product.id, quantity: 1 }] });
      const events = life.events(order.id);
      await Promise.all([...events, ...events].map((event) => life.sends(shop, event)));
      const { items } = await listRefunds(shop, order.id);
      expect(items.map(({ amount, kind }) => `${amount} ${kind}`).sort()).toEqual(life.refunds);
      const [paid] = (await listPayments(shop, { orderId: order.id })).items;
      expect(paid?.disputes).toEqual([expect.objectContaining(life.dispute)]);
    }
    expect((await eventsOf(shop)).filter(({ type }) => type === 'payment.disputed')).toHaveLength(3);
    expect((await listNotifications(shop, { unmatched: true })).total).toBe(0);
  });

  async function paidShop() {
    const shop = await newShop(commerce());
    await configureStripe(shop);
    const product = await newProduct(shop, { price: '50', trackStock: true, stock: 10 });
    const order = await createOrder(shop, { items: [{ productId: product.id, quantity: 1 }] });
    const paid = payment(order.id, 5000);
    await send(shop, paid.intentSucceeded());
    const [found] = (await listPayments(shop, { orderId: order.id })).items;
    return { shop, product, order, paid, id: found?.id as string };
  }

  it('send the buyer no mail about a refund', async () => {
    const { shop, order, paid } = await paidShop();
    await updateSettings(shop, { mail: { from: 'shop@shop.example', smtp: { host: 'smtp.example.com' } } });
    await runTransaction(shop.engine.storage, (db) =>
      db.updateTable('orders').set({ email: 'ada@shop.test' }).where('id', '=', order.id).execute(),
    );
    const kinds = async () => (await listMails(shop, { orderId: order.id })).items.map(({ kind }) => kind);
    await refundOrder(shop, order.id, { amount: '10.00', refundId: 'r1' });
    const before = await kinds();
    expect(before).toEqual(['order.refunded']);
    const dispute = stripeDispute(paid, 4000);
    await send(shop, dispute.created());
    await send(shop, dispute.withdrawn());
    expect((await getOrder(shop, order.id)).refundedAmount).toBe('50.00');
    expect(await kinds()).toEqual(before);
  });

  it('emit payment.disputed once, and write each change of status to the audit log', async () => {
    const { shop, order, paid, id } = await paidShop();
    const dispute = stripeDispute(paid, 5000);
    expect(await emittedBy(shop, () => send(shop, dispute.created()))).toEqual(['payment.disputed']);
    const [event] = (await eventsOf(shop)).filter(({ type }) => type === 'payment.disputed');
    expect(event?.data).toEqual(await getPayment(shop, id));
    expect(event?.data).toMatchObject({
      refundedAmount: '0.00',
      disputes: [
        {
          id: dispute.id,
          amount: '50.00',
          reason: 'product_not_received',
          status: 'open',
          dueAt: '2026-12-03T00:00:00.000Z',
          updatedAt: '2026-11-19T00:00:00.000Z',
        },
      ],
    });
    expect(await emittedBy(shop, () => send(shop, dispute.withdrawn()))).toEqual(['order.refunded', 'order.updated']);
    expect(await emittedBy(shop, () => send(shop, dispute.updated()))).toEqual([]);
    expect(await emittedBy(shop, () => send(shop, dispute.won()))).toEqual(['order.updated']);
    expect(await emittedBy(shop, () => send(shop, dispute.reinstated()))).toEqual([]);
    const { items } = await listAuditLogs(shop, { resourceId: order.id });
    const about = items
      .filter(({ action }) => action.startsWith('payment.'))
      .map(({ action, changes }) => [action, changes]);
    const facts = { payment: id, disputeId: dispute.id, amount: '50.00', currency: 'EUR' };
    expect(about).toEqual([
      ['payment.dispute_changed', { ...facts, status: { from: 'open', to: 'won' } }],
      ['payment.disputed', { ...facts, reason: 'product_not_received', status: 'open' }],
    ]);
    const kinds = (await getOrderTimeline(shop, order.id)).items.map(({ kind }) => kind);
    expect(kinds).toContain('payment');
    expect(kinds).not.toContain('refund');
  });

  it('wait for their payment, and are then announced with it', async () => {
    const shop = await newShop(commerce());
    await configureStripe(shop);
    const product = await newProduct(shop, { price: '50', trackStock: true, stock: 10 });
    const order = await createOrder(shop, { items: [{ productId: product.id, quantity: 1 }] });
    const paid = payment(order.id, 5000);
    const dispute = stripeDispute(paid, 5000);
    expect(await send(shop, dispute.created())).toMatchObject({ outcome: 'order_not_found' });
    expect(await emittedBy(shop, () => send(shop, dispute.withdrawn()))).toEqual([]);
    const emitted = await emittedBy(shop, () => send(shop, paid.intentSucceeded()));
    // All of it was taken before the payment could pay.
    expect(emitted).toEqual(['order.updated', 'payment.unmatched', 'payment.disputed']);
    expect(await getOrder(shop, order.id)).toMatchObject({ status: 'pending', paymentStatus: 'refunded' });
    expect(await emittedBy(shop, () => send(shop, dispute.won()))).toContain('order.paid');
  });

  it('take no money as inquiries, whether they are closed or not', async () => {
    const { shop, order, paid } = await paidShop();
    const inquiry = stripeDispute(paid, 5000);
    const disputes = async () => (await listPayments(shop, { orderId: order.id })).items[0]?.disputes;
    await send(shop, inquiry.created('warning_needs_response'));
    expect(await disputes()).toMatchObject([{ status: 'open', dueAt: '2026-12-03T00:00:00.000Z' }]);
    await send(shop, inquiry.updated('warning_under_review'));
    expect(await disputes()).toMatchObject([{ status: 'open', dueAt: null }]);
    await send(shop, inquiry.closed('warning_closed'));
    expect(await disputes()).toMatchObject([{ status: 'won', dueAt: null }]);
    expect(await getOrder(shop, order.id)).toMatchObject({ status: 'paid', refundedAmount: '0.00' });
  });

  it('count what was withdrawn even when only the end is reported, and only the part that stays taken', async () => {
    const one = await paidShop();
    await send(one.shop, stripeDispute(one.paid, 5000).lost());
    expect(await getOrder(one.shop, one.order.id)).toMatchObject({ refundedAmount: '50.00', status: 'refunded' });

    const old = await paidShop();
    await send(old.shop, stripeDispute(old.paid, 5000).lost({ balance_transactions: undefined }));
    expect(await getOrder(old.shop, old.order.id)).toMatchObject({ refundedAmount: '50.00' });

    // A bank took the whole payment, of which the shop had refunded 20.00; Stripe gives that part back.
    const part = await paidShop();
    const dispute = stripeDispute(part.paid, 5000);
    await send(part.shop, dispute.withdrawn());
    const left = [-5000, 2000].map((amount) => ({ object: 'balance_transaction', amount, currency: 'eur' }));
    await send(part.shop, dispute.reinstated({ status: 'lost', balance_transactions: left }));
    expect(await getOrder(part.shop, part.order.id)).toMatchObject({ refundedAmount: '30.00', status: 'paid' });

    const prevented = await paidShop();
    await send(prevented.shop, stripeDispute(prevented.paid, 5000).closed('prevented'));
    expect(await getOrder(prevented.shop, prevented.order.id)).toMatchObject({ refundedAmount: '0.00' });
  });

  it('are matched with a refund that the shop recorded for them by hand', async () => {
    const { shop, order, paid } = await paidShop();
    const dispute = stripeDispute(paid, 5000);
    await send(shop, dispute.withdrawn());
    expect(await refundOrder(shop, order.id, { amount: '50', refundId: dispute.id })).toMatchObject({
      kind: 'dispute',
    });
    expect((await listRefunds(shop, order.id)).items).toMatchObject([{ refundId: dispute.id, amount: '50.00' }]);

    const other = await paidShop();
    await refundOrder(other.shop, other.order.id, { amount: '50' });
    await send(other.shop, stripeDispute(other.paid, 5000).withdrawn());
    expect((await listRefunds(other.shop, other.order.id)).items).toMatchObject([{ amount: '50.00', kind: 'dispute' }]);
  });

  it('in another currency are told as a mismatch', async () => {
    const { shop, paid, id } = await paidShop();
    const outcome = await send(shop, stripeDispute(paid, 5000, 'usd').created());
    expect(outcome).toMatchObject({ outcome: 'amount_mismatch' });
    expect((await getPayment(shop, id)).disputes).toEqual([]);
  });

  it('of sales at the till without an order here are ignored', async () => {
    const shop = await newShop(commerce());
    await configureSquare(shop);
    const sale = squarePayment(null, 5000);
    await sendSquare(shop, sale.completed());
    expect(await sendSquare(shop, squareDispute(sale, 5000).lost())).toMatchObject({ outcome: 'ignored' });
  });

  it('stay within their store', async () => {
    const one = await paidShop();
    const other = await newShop(commerce());
    await configureStripe(other);
    await send(other, stripeDispute(one.paid, 5000).withdrawn());
    expect((await getPayment(one.shop, one.id)).disputes).toEqual([]);
    expect(await getOrder(one.shop, one.order.id)).toMatchObject({ refundedAmount: '0.00' });
  });

  describe('that are open', () => {
    it('are on the desk with the earliest date', async () => {
      const { shop, paid } = await paidShop();
      const figures = async () => {
        const { openDisputes, nextDisputeDueAt } = await getDesk(shop);
        return [openDisputes, nextDisputeDueAt];
      };
      expect(await figures()).toEqual([0, null]);
      await send(shop, stripeDispute(paid, 5000).created());
      const second = stripeDispute(paid, 100);
      await send(
        shop,
        second.created('needs_response', { evidence_details: { due_by: Date.UTC(2026, 10, 25) / 1000 } }),
      );
      expect(await figures()).toEqual([1, '2026-11-25T00:00:00.000Z']);
      await send(shop, second.lost());
      expect(await figures()).toEqual([1, '2026-12-03T00:00:00.000Z']);
    });
  });
});
