import { auditOf, newProduct, newShop, orderingsOf, useCommerce } from '@commerce/test-support/fixtures/shop';
import { configureStripe, payment, send, sendBare } from '@commerce/test-support/fixtures/stripe';
import { refundsOf } from '@commerce/test-support/fixtures/stripe-refunds';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { expect, it } from 'vitest';
import { createOrder, getOrder, getProduct, listNotifications, listPayments, listRefunds } from '../../index.ts';
import { openSecretBox } from '../../kernel/secrets.ts';

forEachStorage('the address that names no store', (database) => {
  const commerce = useCommerce(database);
  let secrets = 0;

  async function openShop(secret: string) {
    const shop = await newShop(commerce());
    await configureStripe(shop, secret);
    const product = await newProduct(shop, { price: '10', trackStock: true, stock: 5 });
    const order = await createOrder(shop, { items: [{ productId: product.id, quantity: 1 }] });
    return { shop, product, order };
  }

  /** Two stores with one secret; the order is paid in the first or the second of them. */
  async function twoStores(at: 0 | 1) {
    const secret = `whsec_two_stores_${++secrets}`;
    const both = [await openShop(secret), await openShop(secret)] as const;
    const [ours, theirs] = [both[at], both[1 - at] as (typeof both)[0]];
    return { ours, theirs, deliver: (event: object) => sendBare(commerce(), event, secret) };
  }

  /** Expects that the other store knows nothing of the payment. */
  async function expectUntouched({ shop, order, product }: Awaited<ReturnType<typeof openShop>>) {
    expect(await getOrder(shop, order.id)).toEqual(order);
    expect(await getProduct(shop, product.id)).toEqual(product);
    expect(await listPayments(shop)).toEqual({ items: [], total: 0 });
    expect(await listNotifications(shop)).toEqual({ items: [], total: 0 });
    for (const table of ['payment_refs', 'payment_refunds'] as const) {
      const rows = shop.engine.storage.db.selectFrom(table).selectAll().where('store_id', '=', shop.store.id);
      expect(await rows.execute()).toEqual([]);
    }
  }

  it.each([0, 1] as const)(
    'brings refunds, which name no order, to the store of their payment: the one at %d',
    async (at) => {
      for (const sequence of orderingsOf(['payment', 'refund', 'other', 'failed'] as const)) {
        const { ours, theirs, deliver } = await twoStores(at);
        const paid = payment(ours.order.id, 1000);
        const refunds = refundsOf(paid);
        const other = refunds.one(300);
        const events = {
          payment: paid.chargeSucceeded(),
          refund: refunds.one(500).created(),
          other: other.created(),
          failed: other.failed(),
        };
        for (const name of sequence) await deliver(events[name]);
        expect([sequence, await getOrder(ours.shop, ours.order.id)]).toMatchObject([
          sequence,
          { status: 'paid', paymentStatus: 'partially_refunded', refundedAmount: '5.00' },
        ]);
        expect((await listRefunds(ours.shop, ours.order.id)).total).toBe(1);
        expect((await listNotifications(ours.shop)).total).toBe(4);
        expect((await listNotifications(ours.shop, { unmatched: true })).items).toEqual([]);
        await expectUntouched(theirs);
      }
    },
    60_000,
  );

  it.each([0, 1] as const)(
    'pays an order named by the session alone, in any order of arrival: in the store at %d',
    async (at) => {
      for (const sequence of orderingsOf(['session', 'charge', 'intent'] as const)) {
        const { ours, theirs, deliver } = await twoStores(at);
        const paid = payment(ours.order.id, 1000);
        const events = {
          session: paid.sessionCompleted(),
          charge: paid.chargeSucceeded({ metadata: {} }),
          intent: paid.intentSucceeded({ metadata: {} }),
        };
        for (const name of sequence) await deliver(events[name]);
        expect([sequence, await getOrder(ours.shop, ours.order.id)]).toMatchObject([
          sequence,
          { status: 'paid', paymentId: paid.id, paymentDetails: { last4: '4242' } },
        ]);
        expect((await getProduct(ours.shop, ours.product.id)).stock).toBe(4);
        expect((await listNotifications(ours.shop, { unmatched: true })).items).toEqual([]);
        await expectUntouched(theirs);
      }
    },
    60_000,
  );

  it.each([
    ['a part, told before the other store knows the order', 500, 'partially_refunded'],
    ['all of it', 1000, 'pending'],
  ] as const)(
    'brings the refunds of a payment that waited in another store, in any order: of %s',
    async (_, amount, paymentStatus) => {
      for (const sequence of orderingsOf(['session', 'charge', 'refund', 'failed'] as const)) {
        const { ours, theirs, deliver } = await twoStores(1);
        const paid = payment(ours.order.id, 1000);
        const refunds = refundsOf(paid);
        const other = refunds.one(300);
        const refund = refunds.one(amount);
        const events = {
          session: paid.sessionCompleted(),
          charge: paid.chargeSucceeded({ metadata: {} }),
          // By its charge, which the session does not name.
          refund: refund.created('succeeded', { payment_intent: null }),
          failed: other.failed(),
        };
        for (const name of sequence) await deliver(events[name]);
        const [only, ...more] = (await listPayments(ours.shop)).items;
        const refundedAmount = amount === 500 ? '5.00' : '10.00';
        expect([sequence, only, more]).toMatchObject([sequence, { orderId: ours.order.id, refundedAmount }, []]);
        const order = await getOrder(ours.shop, ours.order.id);
        expect([sequence, order.refundedAmount]).toEqual([sequence, refundedAmount]);
        // A full refund comes either before the order is paid, or after.
        if (amount === 500) expect(order).toMatchObject({ status: 'paid', paymentStatus });
        else expect(order.paymentStatus).toBe('refunded');
        expect((await listNotifications(ours.shop)).total).toBe(4);
        expect([sequence, (await listNotifications(ours.shop, { unmatched: true })).items]).toEqual([sequence, []]);
        await expectUntouched(theirs);
      }
    },
    60_000,
  );

  it('brings refunds whose notification was pruned, as they were first told', async () => {
    const { ours, theirs, deliver } = await twoStores(1);
    const paid = payment(ours.order.id, 1000);
    await deliver(paid.chargeSucceeded({ metadata: {} }));
    await deliver(refundsOf(paid).one(500).created());
    const { db } = theirs.shop.engine.storage;
    const told = await db
      .selectFrom('payment_refunds')
      .selectAll()
      .where('store_id', '=', theirs.shop.store.id)
      .execute();
    await db
      .transaction()
      .execute((tx) =>
        tx
          .updateTable('payment_notifications')
          .set({ payload: '{}' })
          .where('store_id', '=', theirs.shop.store.id)
          .where('event_type', '=', 'refund.created')
          .execute(),
      );
    expect(await deliver(paid.sessionCompleted())).toMatchObject({ outcome: 'paid' });
    const { items } = await listRefunds(ours.shop, ours.order.id);
    expect(items).toMatchObject([
      { refundId: told[0]?.refund_id, amount: '5.00', recordedAt: new Date(told[0]?.recorded_at ?? 0).toISOString() },
    ]);
    await expectUntouched(theirs);
  });

  it('loses no refund that is told while its payment moves', async () => {
    for (let round = 0; round < 5; round++) {
      const { ours, deliver } = await twoStores(1);
      const paid = payment(ours.order.id, 1000);
      await deliver(paid.chargeSucceeded({ metadata: {} }));
      const refunds = [100, 200, 300].map((amount) => refundsOf(paid).one(amount).created());
      await Promise.all([deliver(paid.sessionCompleted()), ...refunds.map((refund) => deliver(refund))]);
      // The next notification about the payment brings what was left behind, if anything.
      await deliver(paid.intentSucceeded());
      expect(await getOrder(ours.shop, ours.order.id)).toMatchObject({ refundedAmount: '6.00' });
    }
  });

  it('records in the audit log from which store a notification was moved', async () => {
    const { ours, theirs, deliver } = await twoStores(1);
    const paid = payment(ours.order.id, 1000);
    expect(await deliver(refundsOf(paid).one(500).created())).toMatchObject({ outcome: 'order_not_found' });
    expect((await listNotifications(theirs.shop)).total).toBe(1);
    await deliver(paid.intentSucceeded());
    const moved = (await auditOf(theirs.shop)).filter(({ action }) => action === 'payment.moved');
    expect(moved).toMatchObject([{ changes: expect.stringContaining(ours.shop.store.id) }]);
  });

  it('recognises a copy of a moved notification as settled', async () => {
    const { ours, theirs, deliver } = await twoStores(1);
    const paid = payment(ours.order.id, 1000);
    const refund = refundsOf(paid).one(500).created();
    await deliver(refund);
    await deliver(paid.intentSucceeded());
    expect(await deliver(refund)).toEqual({ received: true, outcome: 'unchanged' });
    expect((await getOrder(ours.shop, ours.order.id)).refundedAmount).toBe('5.00');
    await expectUntouched(theirs);
  });

  it("works on for the others when one store's settings were encrypted with another key", async () => {
    const broken = await openShop('whsec_of_the_broken_store');
    const whole = await openShop('whsec_of_the_whole_store');
    const { db } = broken.shop.engine.storage;
    const settings = openSecretBox('a key that nobody here knows').seal('{}', 'elsewhere');
    const storeId = broken.shop.store.id;
    await db
      .transaction()
      .execute((tx) => tx.updateTable('payment_providers').set({ settings }).where('store_id', '=', storeId).execute());
    const paid = payment(whole.order.id, 1000);
    expect(await sendBare(commerce(), paid.intentSucceeded(), 'whsec_of_the_whole_store')).toEqual({
      received: true,
      outcome: 'paid',
    });
    // It can belong to the unreadable store, so the provider must send it again.
    const unknown = sendBare(commerce(), payment(broken.order.id, 1000).intentSucceeded(), 'whsec_of_the_broken_store');
    await expect(unknown).rejects.toMatchObject({ kind: 'unavailable' });
    await expect(send(broken.shop, paid.intentSucceeded())).rejects.toMatchObject({ kind: 'unavailable' });
    expect((await getOrder(broken.shop, broken.order.id)).status).toBe('pending');
    await configureStripe(broken.shop, 'whsec_set_anew');
  });
});
