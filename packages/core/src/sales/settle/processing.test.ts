import { newProduct, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { configureStripe, payment, send, toldAt } from '@commerce/test-support/fixtures/stripe';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { expect, it } from 'vitest';
import { createOrder, expirePendingOrders, getOrder, listPayments } from '../../index.ts';
import { fakeClock } from '../../testing/index.ts';

const hour = 3_600_000;
const day = 24 * hour;

forEachStorage('payments that the provider has not decided', (database) => {
  const clock = fakeClock();
  const commerce = useCommerce(database, { clock });

  /** A pending order of 10.00 with an undecided attempt by debit, reported at second 1000. */
  async function pending() {
    const shop = await newShop(commerce());
    await configureStripe(shop);
    const product = await newProduct(shop, { price: '10', trackStock: true, stock: 5 });
    const order = await createOrder(shop, { items: [{ productId: product.id, quantity: 1 }] });
    const now = () => getOrder(shop, order.id);
    return { shop, now, debit: payment(order.id, 1000), other: payment(order.id, 1000) };
  }
  const expire = () => expirePendingOrders(commerce().engine, 48 * hour);

  it('keep their order from expiring, also when another attempt fails and an older report comes late', async () => {
    const { shop, now, debit, other } = await pending();
    await send(shop, toldAt(debit.sessionCompleted({ payment_status: 'unpaid' }), 1000));
    await send(shop, toldAt(debit.intentProcessing(), 1000));
    await send(shop, toldAt(other.intentFailed(), 1100));
    expect((await now()).paymentStatus).toBe('processing');
    await send(shop, toldAt(debit.chargeFailed(), 900));
    expect((await now()).paymentStatus).toBe('processing');
    clock.advance(3 * day);
    await expire();
    expect(await now()).toMatchObject({ status: 'pending', paymentStatus: 'processing' });
    expect(await send(shop, toldAt(debit.intentSucceeded(), 5000))).toMatchObject({ outcome: 'paid' });
    expect(await now()).toMatchObject({ status: 'paid', paymentId: debit.id });
  });

  it('keep it for 14 days at most, however often they are reported again', async () => {
    const { shop, now, debit } = await pending();
    await send(shop, toldAt(debit.intentProcessing(), 1000));
    for (let days = 0; days < 13; days++) {
      clock.advance(day);
      await send(shop, toldAt(debit.intentProcessing(), 1001 + days));
    }
    clock.advance(day - 1);
    await expire();
    expect((await now()).status).toBe('pending');
    clock.advance(1);
    await expire();
    expect(await now()).toMatchObject({ status: 'cancelled', cancelReason: 'expired' });
    expect(await send(shop, toldAt(debit.intentSucceeded(), 9000))).toMatchObject({ outcome: 'paid' });
    expect((await now()).status).toBe('paid');
  });

  it('let the order expire once they failed, with their status', async () => {
    const { shop, now, debit, other } = await pending();
    await send(shop, toldAt(debit.intentProcessing(), 1000));
    await send(shop, toldAt(other.intentCanceled(), 1100));
    await send(shop, toldAt(debit.intentFailed(), 1200));
    expect((await now()).paymentStatus).toBe('failed');
    clock.advance(3 * day);
    await expire();
    expect((await now()).status).toBe('cancelled');
  });

  it.each<[string, number | null, string]>([
    ['does not count when it is older', 999, 'failed'],
    ['counts when it is of the same second', 1000, 'processing'],
    ['counts when it is later', 1001, 'processing'],
    ['counts when it has no time', null, 'processing'],
  ])('and were reported as failed before: a late report %s', async (_, created, paymentStatus) => {
    const { shop, now, debit } = await pending();
    await send(shop, toldAt(debit.intentFailed(), 1000));
    await send(shop, toldAt(debit.intentProcessing(), created));
    expect((await now()).paymentStatus).toBe(paymentStatus);
    expect((await listPayments(shop)).items).toMatchObject([{ status: paymentStatus, matched: null }]);
    clock.advance(13 * day);
    await expire();
    expect((await now()).status).toBe(paymentStatus === 'failed' ? 'cancelled' : 'pending');
    clock.advance(day);
    await expire();
    expect((await now()).status).toBe('cancelled');
  });

  it('are not undone by an earlier failure, and are settled by success at any time', async () => {
    const { shop, now, debit } = await pending();
    await send(shop, toldAt(debit.intentProcessing(), 1000));
    await send(shop, toldAt(debit.intentFailed(), 999));
    await send(shop, toldAt(debit.intentCanceled(), 998));
    expect((await now()).paymentStatus).toBe('processing');
    expect(await send(shop, toldAt(debit.intentSucceeded(), 1))).toMatchObject({ outcome: 'paid' });
    for (const late of [debit.intentProcessing(), debit.intentFailed(), debit.intentCanceled()]) {
      await send(shop, toldAt(late, 9000));
    }
    expect(await now()).toMatchObject({ status: 'paid', paymentStatus: 'succeeded' });
    expect((await listPayments(shop)).items).toMatchObject([{ status: 'succeeded', matched: 'paid' }]);
  });
});
