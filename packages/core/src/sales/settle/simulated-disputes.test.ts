import { useSelling } from '@commerce/test-support/fixtures/selling';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { expect, it } from 'vitest';
import {
  type Context,
  createCheckout,
  getOrder,
  listPayments,
  listRefunds,
  type ProviderName,
  providerNames,
} from '../../index.ts';

forEachStorage('disputes played by the stand-in', (database) => {
  const { clock, stub, openShop, pageOf } = useSelling(database);

  async function paid(provider: ProviderName) {
    const { shop, input } = await openShop([provider]);
    const checkout = await createCheckout(shop, input());
    const page = await pageOf(shop, checkout.id);
    await stub().act(provider, page, 'pay');
    await stub().settled();
    expect((await getOrder(shop, checkout.orderId)).status).toBe('paid');
    return { shop, page, orderId: checkout.orderId };
  }
  const disputes = async (shop: Context) => (await listPayments(shop)).items.flatMap((payment) => payment.disputes);

  it.each(providerNames)('are opened, and lost, at %s', async (provider) => {
    const { shop, page, orderId } = await paid(provider);
    clock.advance(60_000);
    await stub().dispute(provider, page, 'open');
    expect(await disputes(shop)).toMatchObject([
      {
        amount: '25.00',
        status: 'open',
        dueAt: new Date(clock.now() + 14 * 86_400_000).toISOString().replace(/\d{3}Z/, '000Z'),
      },
    ]);
    expect((await getOrder(shop, orderId)).refundedAmount).toBe('0.00');
    clock.advance(60_000);
    await stub().dispute(provider, page, 'withdraw');
    expect((await getOrder(shop, orderId)).refundedAmount).toBe(provider === 'stripe' ? '25.00' : '0.00');
    clock.advance(60_000);
    await stub().dispute(provider, page, 'lose');
    expect(await disputes(shop)).toMatchObject([{ status: 'lost', dueAt: null }]);
    expect(await getOrder(shop, orderId)).toMatchObject({ status: 'refunded', refundedAmount: '25.00' });
    expect((await listRefunds(shop, orderId)).items).toMatchObject([{ amount: '25.00', kind: 'dispute' }]);
  });

  it.each(providerNames)('are won at %s, also when a notification comes twice', async (provider) => {
    const { shop, page, orderId } = await paid(provider);
    await stub().dispute(provider, page, 'open');
    clock.advance(60_000);
    stub().faultNotifications('twice');
    await stub().dispute(provider, page, 'withdraw');
    clock.advance(60_000);
    await stub().dispute(provider, page, 'win');
    expect(await disputes(shop)).toMatchObject([{ status: 'won' }]);
    expect(await getOrder(shop, orderId)).toMatchObject({ status: 'paid', refundedAmount: '0.00' });
  });

  it('need a paid page', async () => {
    const { shop, input } = await openShop(['stripe']);
    const checkout = await createCheckout(shop, input());
    await stub().dispute('stripe', await pageOf(shop, checkout.id), 'open');
    expect(stub().notifications).toEqual([]);
  });
});
