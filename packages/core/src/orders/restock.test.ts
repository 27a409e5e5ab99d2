import { emittedBy, newProduct, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { configureStripe, payment, send } from '@commerce/test-support/fixtures/stripe';
import { expectDenied, invalid } from '@commerce/test-support/harness/denied';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { expect, it } from 'vitest';
import { createOrder, getOrder, getProduct, type RefundInput, refundOrder, updateOrder } from '../index.ts';

forEachStorage('refunds that put products back', (database) => {
  const commerce = useCommerce(database);

  /** A paid order of three mugs and two cups, 50.00 in total; the stock of each was ten. */
  async function paid() {
    const shop = await newShop(commerce());
    await configureStripe(shop);
    const mug = await newProduct(shop, { price: '10', trackStock: true, stock: 10 });
    const cup = await newProduct(shop, { price: '10', trackStock: true, stock: 10 });
    const order = await createOrder(shop, {
      items: [
        { productId: mug.id, quantity: 3 },
        { productId: cup.id, quantity: 2 },
      ],
    });
    await send(shop, payment(order.id, 5000).intentSucceeded());
    const stock = async () => [(await getProduct(shop, mug.id)).stock, (await getProduct(shop, cup.id)).stock];
    expect(await stock()).toEqual([7, 8]);
    const refund = (input: RefundInput) => refundOrder(shop, order.id, input);
    const cancel = () => updateOrder(shop, order.id, { status: 'cancelled' });
    const now = () => getOrder(shop, order.id);
    return { shop, order, mug, cup, stock, refund, cancel, now };
  }

  it('without restock leave the stock to a later cancellation', async () => {
    const { stock, refund, cancel, now } = await paid();
    await refund({ amount: '50' });
    expect(await stock()).toEqual([7, 8]);
    await cancel();
    expect(await stock()).toEqual([10, 10]);
    expect(await now()).toMatchObject({
      status: 'cancelled',
      cancelReason: 'requested',
      paymentStatus: 'refunded',
      refundedAmount: '50.00',
    });
  });

  it('return nothing twice after the order was cancelled', async () => {
    const { stock, refund, cancel, now, mug } = await paid();
    await cancel();
    expect(await stock()).toEqual([10, 10]);
    await expectDenied(
      commerce(),
      () => refund({ amount: '5', restock: [{ productId: mug.id, quantity: 1 }] }),
      invalid('restock.0.productId'),
    );
    await refund({ amount: '50', restock: true });
    expect(await stock()).toEqual([10, 10]);
    expect(await now()).toMatchObject({ status: 'cancelled', paymentStatus: 'refunded' });
  });

  it('return everything with restock true, and a cancellation returns nothing more', async () => {
    const { shop, stock, refund, cancel } = await paid();
    const types = await emittedBy(shop, () => refund({ amount: '50', restock: true }));
    expect(types.sort()).toEqual(['order.refunded', 'order.updated', 'product.updated', 'product.updated']);
    expect(await stock()).toEqual([10, 10]);
    await cancel();
    expect(await stock()).toEqual([10, 10]);
  });

  it('return the quantities of a list, then the rest, never more than was taken', async () => {
    const { stock, refund, cancel, mug, cup } = await paid();
    await refund({ amount: '20', restock: [{ productId: mug.id, quantity: 2 }] });
    expect(await stock()).toEqual([9, 8]);
    for (const [restock, fields] of [
      [[{ productId: mug.id, quantity: 2 }], ['restock.0.quantity']],
      [
        [
          { productId: mug.id, quantity: 1 },
          { productId: mug.id, quantity: 1 },
        ],
        ['restock.1.productId'],
      ],
      [
        [
          { productId: cup.id, quantity: 3 },
          { productId: '0190a5c8-0000-7000-8000-00000000dead', quantity: 1 },
        ],
        ['restock.0.quantity', 'restock.1.productId'],
      ],
      [[{ productId: mug.id, quantity: 0 }], ['restock.0.quantity']],
      ['yes', ['restock']],
    ] as [RefundInput['restock'], string[]][]) {
      await expectDenied(commerce(), () => refund({ amount: '10', restock }), invalid(...fields));
    }
    await refund({ amount: '10', restock: [{ productId: cup.id, quantity: 2 }] });
    expect(await stock()).toEqual([9, 10]);
    await refund({ amount: '20', restock: true });
    expect(await stock()).toEqual([10, 10]);
    await cancel();
    expect(await stock()).toEqual([10, 10]);
  });

  it('after a list leave the rest to a cancellation', async () => {
    const { stock, refund, cancel, mug } = await paid();
    await refund({ amount: '10', restock: [{ productId: mug.id, quantity: 1 }] });
    await cancel();
    expect(await stock()).toEqual([10, 10]);
  });

  it('are refused with restock true while the total is not wholly refunded', async () => {
    const { refund } = await paid();
    await expectDenied(commerce(), () => refund({ amount: '49.99', restock: true }), invalid('restock'));
  });

  it('return stock once when they are recorded again under their id', async () => {
    const { shop, stock, refund, mug } = await paid();
    const input: RefundInput = { amount: '10', refundId: 're_1', restock: [{ productId: mug.id, quantity: 1 }] };
    const first = await refund(input);
    expect(await stock()).toEqual([8, 8]);
    expect(await emittedBy(shop, async () => expect(await refund(input)).toEqual(first))).toEqual([]);
    expect(await stock()).toEqual([8, 8]);
    const whole: RefundInput = { amount: '40', refundId: 're_2', restock: true };
    await refund(whole);
    await refund(whole);
    expect(await stock()).toEqual([10, 10]);
  });

  it('do nothing to the stock with restock false, null or an empty list', async () => {
    const { stock, refund } = await paid();
    for (const restock of [false, null, []]) await refund({ amount: '1', restock });
    expect(await stock()).toEqual([7, 8]);
  });

  it('of a fulfilled order can return stock too, and the order cannot be cancelled', async () => {
    const { shop, order, stock, refund, cancel, now } = await paid();
    await updateOrder(shop, order.id, { status: 'fulfilled' });
    await refund({ amount: '50', restock: true });
    expect(await stock()).toEqual([10, 10]);
    await expectDenied(commerce(), cancel, { kind: 'conflict', fields: ['status'] });
    expect((await now()).status).toBe('refunded');
  });

  it('and a cancellation at the same instant return everything once', async () => {
    for (let round = 0; round < 8; round++) {
      const { stock, refund, cancel } = await paid();
      const work = [() => refund({ amount: '50', restock: true }), cancel];
      await Promise.all(round % 2 === 0 ? work.map((one) => one()) : work.reverse().map((one) => one()));
      expect(await stock()).toEqual([10, 10]);
    }
  });
});
