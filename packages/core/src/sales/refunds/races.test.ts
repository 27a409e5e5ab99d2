import { minute, publicUrl, useSelling } from '@commerce/test-support/fixtures/selling';
import { useTwoProcesses } from '@commerce/test-support/fixtures/shop';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { expect, it } from 'vitest';
import { askPendingRefunds, createCheckout, getOrder, refundOrder } from '../../index.ts';

forEachStorage('refunds that two processes look for', (database) => {
  const { clock, stub, openShop, pageOf, receiver } = useSelling(database);
  const twoProcesses = useTwoProcesses(database, { clock, publicUrl });

  it('are each looked for and asked for by one of them', async () => {
    const told = { on: true };
    const { shop, input } = await openShop(['stripe'], {
      stock: 100,
      receive: (of, provider) => async (sent) => (told.on ? receiver(of, provider)(sent) : 200),
    });
    const orderIds: string[] = [];
    for (let i = 0; i < 6; i++) {
      const { id, orderId } = await createCheckout(shop, input());
      await stub().act('stripe', await pageOf(shop, id), 'pay');
      orderIds.push(orderId);
    }
    await stub().settled();
    told.on = false;
    // A call can be tried twice.
    stub().fault('stripe.refund', ...Array.from({ length: 2 * orderIds.length }, () => ({ status: 503 })));
    for (const orderId of orderIds) {
      expect(await refundOrder(shop, orderId, { amount: '5', execute: true })).toMatchObject({ status: 'pending' });
    }
    stub().fault('stripe.refund');
    const either = await twoProcesses(shop);
    clock.advance(2 * minute);
    stub().calls.length = 0;
    const decided = await Promise.all([1, 2, 3, 4].map(() => askPendingRefunds(either().engine)));
    expect(decided.reduce((sum, n) => sum + n, 0)).toBe(orderIds.length);
    const calls = (operation: string) => stub().calls.filter((call) => call.operation === operation).length;
    expect([calls('stripe.refunds'), calls('stripe.refund')]).toEqual([orderIds.length, orderIds.length]);
    for (const orderId of orderIds) expect((await getOrder(shop, orderId)).refundedAmount).toBe('5.00');
  });
});
