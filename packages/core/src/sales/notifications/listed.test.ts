import { newProduct, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { configureSquare, sendSquare, squarePayment } from '@commerce/test-support/fixtures/square';
import { configureStripe, payment, send } from '@commerce/test-support/fixtures/stripe';
import { refundsOf } from '@commerce/test-support/fixtures/stripe-refunds';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { expect, it } from 'vitest';
import {
  adjustStock,
  applyPayment,
  createOrder,
  dismissPayment,
  listPayments,
  type Payment,
  type PaymentQueryInput,
  recordPayment,
  updateOrder,
  updateStore,
} from '../../index.ts';
import { uuidV7Source } from '../../kernel/ids.ts';
import { paymentSources, unmatchedValues } from '../../payments/fields.ts';
import { matchedValues, paymentStates } from '../../storage/tables/payments.ts';

const ids = uuidV7Source();
const newId = () => ids.next(Date.now());

forEachStorage('the list of payments', (database) => {
  const commerce = useCommerce(database);

  /** A shop with payments of every kind, some of which changed later. */
  async function mixedRun() {
    const opened = await newShop(commerce());
    await updateStore(opened, { manualPayments: true });
    const shop = await commerce().store(opened.store.id);
    await configureStripe(shop);
    await configureSquare(shop);
    const product = await newProduct(shop, { price: '10', trackStock: true, stock: 100 });
    const newOrder = () => createOrder(shop, { items: [{ productId: product.id, quantity: 1 }] });
    const short = { kind: 'insufficientStock' };
    for (let round = 0; round < 3; round++) {
      const [one, two, three, four, five, six] = await Promise.all(Array.from({ length: 6 }, newOrder));
      if (!one || !two || !three || !four || !five || !six) throw new Error('there are six');
      await send(shop, payment(one.id, 1000).intentSucceeded());
      await send(shop, payment(one.id, 1000).intentSucceeded());
      await send(shop, payment(two.id, 999).intentSucceeded());
      await updateOrder(shop, three.id, { status: 'cancelled' });
      await send(shop, payment(three.id, 1000).intentSucceeded());
      const tried = payment(four.id, 1000);
      await send(shop, tried.intentProcessing());
      await send(shop, payment(four.id, 1000).intentFailed());
      await send(shop, payment(four.id, 1000).intentCanceled());
      if (round === 1) await send(shop, tried.intentSucceeded());
      const back = payment(five.id, 1000);
      await send(shop, refundsOf(back).one(1000).created());
      await send(shop, back.intentSucceeded());
      await recordPayment(shop, six.id, { method: 'cash', amount: '10' });
      await sendSquare(shop, squarePayment(newId(), 1000).completed());
      await send(shop, payment(newId(), 1000).intentSucceeded());
      await send(shop, payment(null, 500).chargeSucceeded());
    }
    const last = await newOrder();
    const later = await newOrder();
    await adjustStock(shop, product.id, { adjustment: -90 });
    const rest = (await listPayments(shop, { matched: 'paid' })).total;
    await adjustStock(shop, product.id, { adjustment: -(10 - rest) });
    await expect(send(shop, payment(last.id, 1000).intentSucceeded())).rejects.toMatchObject(short);
    await adjustStock(shop, product.id, { adjustment: 50 });
    const waiting = (await listPayments(shop, { matched: 'none' })).items;
    for (const { id, amount } of waiting.slice(0, 4)) {
      if (amount === '5.00') await dismissPayment(shop, id);
    }
    const fitting = waiting.find(({ amount }) => amount === '10.00');
    await applyPayment(shop, fitting?.id ?? '', { orderId: later.id });
    return shop;
  }

  it('counts and shows the same as a scan, by every filter and any two of them', async () => {
    const shop = await mixedRun();
    const all: Payment[] = [];
    for (let offset = 0; ; offset += 20) {
      const { items, total } = await listPayments(shop, { limit: 20, offset });
      all.push(...items);
      if (all.length === total) break;
      expect(items.length).toBe(20);
    }
    const rows = await shop.engine.storage.db
      .selectFrom('payments')
      .select('id')
      .where('store_id', '=', shop.store.id)
      .execute();
    expect(all.map(({ id }) => id).sort()).toEqual(rows.map(({ id }) => id).sort());
    expect(all.map(({ id }) => id)).toEqual(
      all
        .map(({ id }) => id)
        .sort()
        .reverse(),
    );
    expect(new Set(all.map(({ matched }) => matched))).toEqual(
      new Set([
        null,
        'paid',
        'second',
        'mismatch',
        'cancelledOrder',
        'insufficientStock',
        'refunded',
        'none',
        'dismissed',
      ]),
    );
    const waiting = new Set<string | null>(unmatchedValues);
    const matched = [undefined, ...matchedValues];
    const status = [undefined, ...paymentStates];
    const provider = [undefined, ...paymentSources];
    const orderIds = [undefined, ...new Set(all.flatMap(({ orderId }) => orderId ?? []))].slice(0, 4);
    const given = (query: PaymentQueryInput) =>
      Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined));
    const queries = [
      ...matched.flatMap((m) =>
        status.flatMap((s) => provider.map((p) => given({ matched: m, status: s, provider: p }))),
      ),
      ...orderIds.flatMap((orderId) => matched.map((m) => given({ orderId, matched: m }))),
      ...status.flatMap((s) => provider.map((p) => given({ unmatched: true, status: s, provider: p }))),
    ] as PaymentQueryInput[];
    for (const query of queries) {
      const expected = all.filter(
        (one) =>
          (query.matched === undefined || one.matched === query.matched) &&
          (query.status === undefined || one.status === query.status) &&
          (query.provider === undefined || one.provider === query.provider) &&
          (query.orderId === undefined || one.orderId === query.orderId) &&
          (!query.unmatched || waiting.has(one.matched)),
      );
      const found = await listPayments(shop, { ...query, limit: 200 });
      expect([query, found.total, found.items]).toEqual([query, expected.length, expected]);
    }
  }, 60_000);

  it('shows none of another store, and refuses an unknown filter', async () => {
    const [ours, theirs] = [await newShop(commerce()), await newShop(commerce())];
    await configureStripe(theirs);
    await send(theirs, payment(null, 1000).intentSucceeded());
    expect(await listPayments(ours)).toEqual({ items: [], total: 0 });
    expect((await listPayments(theirs)).total).toBe(1);
    for (const query of [{ matched: 'PAID' }, { status: 'open' }, { provider: 'none' }, { limit: 0 }, { offset: -1 }]) {
      await expect(listPayments(ours, query as PaymentQueryInput)).rejects.toMatchObject({ kind: 'validation' });
    }
  });
});
