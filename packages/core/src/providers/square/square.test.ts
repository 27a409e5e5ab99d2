import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { emittedBy, newProduct, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { configureSquare, sendSquare, squareEvent, squarePayment } from '@commerce/test-support/fixtures/square';
import { expectDenied } from '@commerce/test-support/harness/denied';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import {
  type Context,
  createOrder,
  getOrder,
  getProduct,
  listNotifications,
  listOrders,
  listPayments,
  listRefunds,
} from '../../index.ts';
import { uuidV7Source } from '../../kernel/ids.ts';

const ids = uuidV7Source();
const newId = () => ids.next(Date.now());
type Paid = ReturnType<typeof squarePayment>;

forEachStorage('payments through Square', (database) => {
  const commerce = useCommerce(database);
  /** Answers of Square's API by path, and the requests it received. */
  const answers = new Map<string, { status?: number; body: unknown }[]>();
  const asked: { path: string; authorization: string | undefined }[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    asked.push({ path, authorization: request.headers.authorization });
    const planned = answers.get(path) ?? [];
    const { status = 200, body } = (planned.length > 1 ? planned.shift() : planned[0]) ?? {
      status: 404,
      body: { errors: [{ code: 'NOT_FOUND' }] },
    };
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
  });
  let apiBase: string;
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    apiBase = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.close();
    server.closeAllConnections();
  });
  beforeEach(() => {
    answers.clear();
    asked.length = 0;
  });

  async function openShop(currency = 'EUR', price = '20', settings: Record<string, string> = {}) {
    const shop = await newShop(commerce(), currency);
    await configureSquare(shop, { apiBase, ...settings });
    const product = await newProduct(shop, { price, sku: 'MUG', trackStock: true, stock: 5 });
    return { shop, product };
  }

  async function pending(currency?: string, price?: string, minor = 2000) {
    const { shop, product } = await openShop(currency, price);
    const order = await createOrder(shop, { items: [{ productId: product.id, quantity: 1 }] });
    return { shop, product, order, paid: squarePayment(order.id, minor, currency) };
  }

  const unmatched = async (shop: Context) => (await listNotifications(shop, { unmatched: true })).items;

  it('pay an order by their status, without their tip', async () => {
    const { shop, order, product, paid } = await pending();
    await sendSquare(shop, paid.created());
    expect(await getOrder(shop, order.id)).toMatchObject({ status: 'pending', paymentStatus: 'processing' });
    const types = await emittedBy(shop, async () => {
      expect(await sendSquare(shop, paid.completed())).toEqual({ received: true, outcome: 'paid' });
    });
    expect(types.sort()).toEqual(['order.created', 'order.paid', 'order.updated', 'product.updated']);
    expect(await getOrder(shop, order.id)).toMatchObject({
      status: 'paid',
      paymentStatus: 'succeeded',
      paymentProvider: 'square',
      paymentId: paid.id,
      paymentMethod: 'card',
      paymentDetails: { last4: '9029', brand: 'mastercard' },
    });
    expect((await getProduct(shop, product.id)).stock).toBe(4);
    const later = await emittedBy(shop, async () => {
      for (const event of [paid.feeAdded(), paid.created(), paid.canceled(), paid.failed(5)]) {
        expect(await sendSquare(shop, event)).not.toHaveProperty('warning');
      }
    });
    expect(later).toEqual([]);
    expect((await getProduct(shop, product.id)).stock).toBe(4);
  });

  it.each<[string, string, string]>([
    ['APPROVED', 'recorded', 'processing'],
    ['PENDING', 'recorded', 'processing'],
    ['CANCELED', 'recorded', 'cancelled'],
    ['FAILED', 'recorded', 'failed'],
    ['SOMETHING_NEW', 'ignored', 'pending'],
  ])(
    'leave the order pending while their status is %s, reported at creation or later',
    async (status, outcome, paymentStatus) => {
      for (const tell of [(paid: Paid) => paid.created(status), (paid: Paid) => paid.updated(status, 2)]) {
        const { shop, order, product, paid } = await pending();
        expect(await sendSquare(shop, tell(paid))).toEqual({ received: true, outcome });
        expect(await getOrder(shop, order.id)).toMatchObject({ status: 'pending', paymentStatus, paymentId: null });
        expect((await getProduct(shop, product.id)).stock).toBe(5);
      }
    },
  );

  it('are completed at once by cash, which has no card', async () => {
    const { shop, order, paid } = await pending();
    const cash = { source_type: 'CASH', card_details: undefined };
    expect(await sendSquare(shop, paid.created('COMPLETED', cash))).toMatchObject({ outcome: 'paid' });
    expect(await getOrder(shop, order.id)).toMatchObject({ paymentMethod: 'cash', paymentDetails: null });
  });

  it.each<[string, ((paid: Paid) => object)[], string]>([
    ['approved after failed', [(p) => p.failed(2), (p) => p.created('APPROVED')], 'failed'],
    [
      'approved after cancelled',
      [(p) => p.canceled(), (p) => p.created('APPROVED'), (p) => p.updated('PENDING', 2)],
      'cancelled',
    ],
    ['the same version again', [(p) => p.updated('PENDING', 2), (p) => p.updated('FAILED', 2)], 'processing'],
    [
      'in order',
      [(p) => p.created('APPROVED'), (p) => p.updated('PENDING', 2), (p) => p.updated('FAILED', 3)],
      'failed',
    ],
    [
      'by the time of their change, without a version',
      [
        (p) => p.updated('FAILED', 2, { version: undefined, updated_at: '2026-11-18T12:00:05Z' }),
        (p) => p.created('APPROVED', { version: undefined, updated_at: '2026-11-18T12:00:04.999Z' }),
      ],
      'failed',
    ],
  ])('are not taken back by an older version: %s', async (_, events, paymentStatus) => {
    const { shop, order, paid } = await pending();
    for (const event of events) await sendSquare(shop, event(paid));
    expect((await getOrder(shop, order.id)).paymentStatus).toBe(paymentStatus);
    // Another payment of the same order counts its own versions.
    await sendSquare(shop, squarePayment(order.id, 2000).created('APPROVED'));
    expect((await getOrder(shop, order.id)).paymentStatus).toBe('processing');
    expect(await sendSquare(shop, paid.completed())).toMatchObject({ outcome: 'paid' });
  });

  it.each<[string, number, string]>([
    ['too little', 1999, 'EUR'],
    ['too much', 2001, 'EUR'],
    ['the order’s total with the tip', 2300, 'EUR'],
    ['another currency', 2000, 'USD'],
  ])('do not make an order paid with %s', async (_, amount, currency) => {
    const { shop, order } = await pending();
    expect(await sendSquare(shop, squarePayment(order.id, amount, currency).completed())).toMatchObject({
      outcome: 'amount_mismatch',
    });
    expect(await getOrder(shop, order.id)).toEqual(order);
    expect(await unmatched(shop)).toMatchObject([{ orderId: order.id }]);
  });

  it('without an amount are stored, and the order stays pending', async () => {
    for (const amount_money of [
      undefined,
      null,
      { amount: 20.5, currency: 'EUR' },
      { amount: '2000', currency: 'EUR' },
      { amount: 2000, currency: 'EURO' },
    ]) {
      const { shop, order, paid } = await pending();
      expect(await sendSquare(shop, paid.completed({ amount_money }))).toMatchObject({ outcome: 'amount_mismatch' });
      expect((await getOrder(shop, order.id)).status).toBe('pending');
    }
  });

  it.each([
    ['JPY', '2000', 2000],
    ['KWD', '2.000', 2000],
    ['ISK', '2000', 2000],
    ['HUF', '20.00', 2000],
  ])('read %s by ISO 4217: %s is %d', async (currency, price, minor) => {
    const { shop, paid } = await pending(currency, price, minor);
    expect(await sendSquare(shop, paid.completed())).toMatchObject({ outcome: 'paid' });
  });

  it.each<[string, string | null]>([
    ['without a reference', null],
    ['with a reference of another system', 'TABLE-7'],
    ['with a reference that looks like an order number', 'ORD-1001'],
  ])('of sales that are no order here are ignored and make no payment: %s', async (_, reference) => {
    const { shop, order } = await pending();
    const { shop: withToken } = await openShop('EUR', '20', { accessToken: 'token' });
    for (const one of [shop, withToken]) {
      const foreign = squarePayment(reference, 2000);
      const types = await emittedBy(one, async () => {
        for (const event of [foreign.created(), foreign.completed(), foreign.feeAdded()]) {
          expect(await sendSquare(one, event)).toEqual({ received: true, outcome: 'ignored' });
        }
        expect(await sendSquare(one, foreign.refund(500).created('COMPLETED'))).toEqual({
          received: true,
          outcome: 'ignored',
        });
      });
      expect(types).toEqual([]);
      expect(await listPayments(one)).toEqual({ items: [], total: 0 });
    }
    expect(await getOrder(shop, order.id)).toEqual(order);
    expect(asked).toEqual([]);
  });

  const line = (fields: Record<string, unknown>) => ({ name: 'A mug', quantity: '1', ...fields });
  const shows = (squareOrder: string, lines: unknown[]) =>
    answers.set(`/v2/orders/${squareOrder}`, [{ body: { order: { id: squareOrder, line_items: lines } } }]);

  it('create an order that does not exist, with the lines of Square’s own order', async () => {
    const { shop, product } = await openShop('EUR', '20', { accessToken: 'access-token' });
    const cup = await newProduct(shop, { price: '5', sku: 'CUP' });
    const tea = await newProduct(shop, { price: '1', sku: 'TEA' });
    const id = newId();
    const paid = squarePayment(id, 4700);
    shows(paid.squareOrder, [
      line({ metadata: { product_id: product.id, sku: 'NONE' }, catalog_object_id: 'NONE', quantity: '2' }),
      line({ metadata: { sku: 'CUP' }, catalog_object_id: 'NONE' }),
      line({ catalog_object_id: 'VARIATION/1', quantity: '2' }),
    ]);
    answers.set('/v2/catalog/object/VARIATION%2F1', [
      { body: { object: { type: 'ITEM_VARIATION', item_variation_data: { sku: 'TEA' } } } },
    ]);
    expect(await sendSquare(shop, paid.completed())).toEqual({ received: true, outcome: 'paid' });
    expect(await getOrder(shop, id)).toMatchObject({
      status: 'paid',
      total: '47.00',
      customerId: null,
      items: [
        { productId: product.id, quantity: 2 },
        { productId: cup.id, quantity: 1 },
        { productId: tea.id, quantity: 2 },
      ],
    });
    expect(asked.map(({ authorization }) => authorization)).toEqual(['Bearer access-token', 'Bearer access-token']);
    expect((await getProduct(shop, product.id)).stock).toBe(3);
  });

  it('create no order without an access token, and make no call', async () => {
    const { shop } = await openShop();
    const paid = squarePayment(newId(), 2000);
    shows(paid.squareOrder, [line({ metadata: { sku: 'MUG' } })]);
    expect(await sendSquare(shop, paid.completed())).toMatchObject({ outcome: 'order_not_found' });
    expect(asked).toEqual([]);
    expect(await listOrders(shop)).toMatchObject({ total: 0 });
  });

  it.each<[string, unknown[]]>([
    ['no lines', []],
    ['a line that names nothing', [line({})]],
    ['a SKU of nothing', [line({ metadata: { sku: 'NONE' } })]],
    ['an id of nothing', [line({ metadata: { product_id: 'NONE' } })]],
    ['a catalogue object that is not shown', [line({ catalog_object_id: 'GONE' })]],
    ['half a quantity', [line({ metadata: { sku: 'MUG' }, quantity: '0.5' })]],
    ['a quantity of nothing', [line({ metadata: { sku: 'MUG' }, quantity: '0' })]],
    ['no quantity', [{ metadata: { sku: 'MUG' } }]],
    ['one line of two', [line({ metadata: { sku: 'MUG' } }), line({})]],
  ])('create no order from unreadable lines: %s', async (_, lines) => {
    const { shop } = await openShop('EUR', '20', { accessToken: 't' });
    const id = newId();
    const paid = squarePayment(id, 2000);
    shows(paid.squareOrder, lines);
    expect(await sendSquare(shop, paid.completed())).toMatchObject({ outcome: 'unreadable_items' });
    expect(await listOrders(shop)).toEqual({ items: [], total: 0 });
    expect(await unmatched(shop)).toMatchObject([{ outcome: 'unreadable_items', orderId: id }]);
  });

  it('are sent again while Square cannot be asked for the items', async () => {
    const { shop } = await openShop('EUR', '20', { accessToken: 't' });
    const id = newId();
    const paid = squarePayment(id, 2000);
    const event = paid.completed();
    shows(paid.squareOrder, [line({ metadata: { sku: 'MUG' } })]);
    const [found] = answers.get(`/v2/orders/${paid.squareOrder}`) ?? [];
    if (!found) throw new Error('nothing is shown');
    const down = { status: 503, body: {} };
    answers.set(`/v2/orders/${paid.squareOrder}`, [down, down, down, found]);
    await expectDenied(commerce(), () => sendSquare(shop, event), { kind: 'unavailable' });
    expect(await sendSquare(shop, event)).toMatchObject({ outcome: 'paid' });
  });

  it.each<[string, ((r: ReturnType<Paid['refund']>) => object)[], string]>([
    ['PENDING alone', [(r) => r.created()], '0.00'],
    ['PENDING, then COMPLETED', [(r) => r.created(), (r) => r.updated()], '5.00'],
    ['COMPLETED, then PENDING', [(r) => r.updated(), (r) => r.created()], '5.00'],
    ['COMPLETED at once', [(r) => r.created('COMPLETED')], '5.00'],
    ['COMPLETED told by every event', [(r) => r.created('COMPLETED'), (r) => r.updated(), (r) => r.updated()], '5.00'],
    ['REJECTED', [(r) => r.created(), (r) => r.updated('REJECTED')], '0.00'],
    ['FAILED', [(r) => r.created(), (r) => r.updated('FAILED')], '0.00'],
    ['COMPLETED, then FAILED', [(r) => r.updated(), (r) => r.updated('FAILED')], '0.00'],
    ['FAILED, then COMPLETED', [(r) => r.updated('FAILED'), (r) => r.updated()], '0.00'],
  ])('count one refund by its status: %s', async (_, events, refundedAmount) => {
    const { shop, order, paid } = await pending();
    await sendSquare(shop, paid.completed());
    const refund = paid.refund(500);
    for (const event of events) expect(await sendSquare(shop, event(refund))).not.toHaveProperty('warning');
    expect(await getOrder(shop, order.id)).toMatchObject({
      status: 'paid',
      refundedAmount,
      paymentStatus: refundedAmount === '0.00' ? 'succeeded' : 'partially_refunded',
    });
    const { items } = await listRefunds(shop, order.id, { status: 'succeeded' });
    expect({ items, total: items.length }).toMatchObject(
      refundedAmount === '0.00' ? { items: [], total: 0 } : { items: [{ refundId: refund.id, amount: '5.00' }] },
    );
  });

  it('report a refund’s creation and completion under one event id, as published examples do', async () => {
    const { shop, order, paid } = await pending();
    await sendSquare(shop, paid.completed());
    const refund = paid.refund(500);
    const shared = 'one-event-id-for-both';
    expect(await sendSquare(shop, refund.created('PENDING', shared))).toMatchObject({ outcome: 'recorded' });
    expect(await sendSquare(shop, refund.updated('COMPLETED', {}, shared))).toMatchObject({ outcome: 'recorded' });
    expect(await sendSquare(shop, refund.updated('COMPLETED', {}, shared))).toMatchObject({ outcome: 'unchanged' });
    expect((await getOrder(shop, order.id)).refundedAmount).toBe('5.00');
  });

  it('do not count the refunded amount on the payment beside its refunds', async () => {
    const { shop, order, paid } = await pending();
    await sendSquare(shop, paid.completed());
    await sendSquare(shop, paid.afterRefund(500));
    expect((await getOrder(shop, order.id)).refundedAmount).toBe('0.00');
    await sendSquare(shop, paid.refund(500).updated());
    await sendSquare(shop, paid.afterRefund(500, 10));
    expect(await getOrder(shop, order.id)).toMatchObject({ status: 'paid', refundedAmount: '5.00' });
  });

  it('are refunded wholly by two refunds, each of half', async () => {
    const { shop, order, paid } = await pending();
    await sendSquare(shop, paid.completed());
    await sendSquare(shop, paid.refund(1000).updated());
    await sendSquare(shop, paid.refund(1000).updated());
    expect(await getOrder(shop, order.id)).toMatchObject({ status: 'refunded', paymentStatus: 'refunded' });
  });

  it('refunded without a payment are ignored', async () => {
    const { shop } = await openShop();
    const unlinked = squareEvent('refund.updated', {
      refund: { id: 'r', status: 'COMPLETED', unlinked: true, amount_money: { amount: 1, currency: 'EUR' } },
    });
    expect(await sendSquare(shop, unlinked)).toEqual({ received: true, outcome: 'ignored' });
  });

  it('refunded before they are known: the refund waits for the payment', async () => {
    const { shop, order, paid } = await pending();
    await sendSquare(shop, paid.refund(500).created('COMPLETED'));
    expect(await sendSquare(shop, paid.completed())).toMatchObject({ outcome: 'paid' });
    expect(await getOrder(shop, order.id)).toMatchObject({ status: 'paid', refundedAmount: '5.00' });
    expect(await unmatched(shop)).toEqual([]);
  });
});
