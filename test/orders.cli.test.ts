import {
  type Context,
  configureProvider,
  createOrder,
  getProduct,
  listPayments,
  type Order,
  openCommerce,
  updateProduct,
} from '@commerce/core';
import { fakeClock, startProviderStub } from '@commerce/core/testing';
import { newProduct } from '@commerce/test-support/fixtures/shop';
import { configureStripe, payment, send, webhookSecret } from '@commerce/test-support/fixtures/stripe';
import { commerce, commerceJson, startServer } from '@commerce/test-support/harness/processes';
import { forOneStorage, openStorage } from '@commerce/test-support/harness/storages';
import { until } from '@commerce/test-support/harness/until';
import { beforeAll, expect, it } from 'vitest';

/** Works on the database at a given time, like an application that has it open, and closes it again. */
async function inShop<T>(address: string, work: (shop: Context) => Promise<T>, time?: string): Promise<T> {
  const clock = time === undefined ? {} : { clock: fakeClock(time) };
  const opened = await openCommerce({ storage: openStorage(address), ...clock });
  try {
    const [known] = await opened.engine.storage.db.selectFrom('stores').select('id').execute();
    const { id } = known ?? (await opened.createStore({ name: 'Shop', currency: 'EUR' }));
    return await work(await opened.store(id));
  } finally {
    await opened.close();
  }
}

forOneStorage('commerce orders', 'sqlite', (database) => {
  const db = ['--db', database.address];
  let productId: string;
  let paid: Order[];

  /** Orders of one mug, paid in Stripe's name. */
  const buy = async (shop: Context, pay: boolean) => {
    const order = await createOrder(shop, { items: [{ productId, quantity: 1 }] });
    if (pay) await send(shop, payment(order.id, 1250).chargeSucceeded());
    return order;
  };
  const show = async (id: string) => (await commerceJson(['orders', 'show', id, ...db])).item as Order;
  const stock = () =>
    inShop(database.address, async (shop) => {
      const rows = shop.engine.storage.db.selectFrom('products').select('stock').where('id', '=', productId);
      return (await rows.executeTakeFirstOrThrow()).stock;
    });

  beforeAll(() =>
    inShop(database.address, async (shop) => {
      await configureStripe(shop);
      productId = (await newProduct(shop, { price: '12.50', sku: 'MUG', trackStock: true, stock: 10 })).id;
      paid = [await buy(shop, true), await buy(shop, true), await buy(shop, true)];
    }),
  );

  it('records refunds, once under one id', async () => {
    const { id } = paid[2] as Order;
    const refund = (...flags: string[]) => ['orders', 'refund', id, ...flags, ...db];
    const first = await commerceJson(refund('--amount', '5', '--refund-id', 're_1', '--reason', 'a crack'));
    expect(first).toEqual({
      item: {
        ...{
          refundId: 're_1',
          amount: '5.00',
          status: 'succeeded',
          kind: 'refund',
          providerRefundId: 're_1',
          error: null,
        },
        ...{
          reason: 'a crack',
          lines: null,
          shipping: false,
          restocked: false,
          recordedAt: expect.stringMatching(/^\d{4}-.*Z$/),
        },
      },
    });
    expect(await commerceJson(refund('--amount', '5.00', '--refund-id', 're_1'))).toEqual(first);
    const refused: [string[], number, RegExp][] = [
      [['--amount', '6', '--refund-id', 're_1'], 1, /^error: --refund-id "re_1" is recorded with 5\.00\n$/],
      [['--amount', '7.51'], 2, /^error: --amount: must be at most 7\.50, the rest of the total 12\.50, not "7\.51"\n/],
    ];
    for (const [flags, code, message] of refused) {
      expect(await commerce(refund(...flags))).toMatchObject({
        code,
        stdout: '',
        stderr: expect.stringMatching(message),
      });
    }
    expect(await show(id)).toMatchObject({ refundedAmount: '5.00', paymentStatus: 'partially_refunded' });
    const text = await commerce(refund('--amount', '7.50'));
    expect(text).toMatchObject({ code: 0, stdout: expect.stringMatching(/amount +7\.50\n/) });
    expect(await show(id)).toMatchObject({ refundedAmount: '12.50', status: 'refunded' });
  });

  it('asks the provider for refunds, and prints what became of them', async () => {
    const stub = await startProviderStub({ ticks: false });
    try {
      const [order, stray] = await inShop(database.address, async (shop) => {
        const made = await buy(shop, true);
        await send(shop, payment(null, 700).chargeSucceeded());
        const [lost] = (await listPayments(shop, { matched: 'none' })).items;
        return [made, lost?.id ?? ''] as const;
      });
      const execute = (...flags: string[]) => ['orders', 'refund', order.id, '--execute', ...flags, ...db];
      expect(await commerce(execute('--lines', 'MUG:1'))).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(/^error: stripe cannot be asked for refunds/),
      });
      const setKey = (apiBase: string) =>
        inShop(database.address, (shop) =>
          configureProvider(shop, 'stripe', {
            webhookSecret,
            secretKey: stub.account('stripe', async () => 200).secretKey ?? '',
            apiBase,
          }),
        );
      await setKey(stub.url);
      // The stand-in does not know the payment.
      const refused = await commerce(execute('--lines', 'MUG:1', '--restock', '--reason', 'chipped'));
      expect(refused).toMatchObject({
        ...{ code: 2, stdout: '' },
        stderr: expect.stringMatching(
          /^error: --execute: Stripe refused the refund \(404, resource_missing\): No such payment_intent/,
        ),
      });
      expect(await commerce(execute('--lines', 'CUP:1'))).toMatchObject({
        code: 2,
        stderr: expect.stringMatching(/order ORD-\d+ has no line with the SKU or id "CUP"; its lines are MUG/),
      });
      // Nobody answers there.
      await setKey('http://127.0.0.1:9');
      const { item } = await commerceJson(execute('--lines', 'MUG:1'));
      expect(item).toMatchObject({
        amount: '12.50',
        status: 'pending',
        lines: [{ quantity: 1 }],
        providerRefundId: null,
      });
      expect((await commerce(['orders', 'show', order.id, ...db])).stdout).toMatch(/Refunds\n12\.50 EUR .* pending/);
      const text = await commerce(['payments', 'refund', stray, '--amount', '2', '--reason', 'lost', ...db]);
      expect(text).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(/amount +2\.00\n[\s\S]*status +pending\n[\s\S]*reason +lost\n/),
      });
      expect(await commerce(['payments', 'refund', stray, ...db])).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(/still pending/),
      });
    } finally {
      await stub.close();
    }
  });

  /** Sets the stock like a user who has seen what orders have left of it. */
  const setStock = async (shop: Context, stock: number) => {
    const { updatedAt } = await getProduct(shop, productId);
    await updateProduct(shop, productId, { stock, updatedAt });
  };

  it('ships an order in parcels, and records their delivery', async () => {
    const { id } = await inShop(database.address, async (shop) => {
      await newProduct(shop, { price: '5', sku: 'CUP' });
      const items = [
        { productId, quantity: 1 },
        { sku: 'CUP', quantity: 2 },
        { sku: 'CUP', quantity: 1 },
      ];
      const order = await createOrder(shop, { items });
      await send(shop, payment(order.id, 2750).chargeSucceeded());
      return order;
    });
    const [mug, cups, cup] = (await show(id)).items.map((item) => item.id);
    const ship = (...flags: string[]) => ['orders', 'ship', id, ...flags, ...db];
    const first = await commerceJson(ship('--items', 'CUP:1', '--carrier', 'DHL', '--tracking-number', 'JD01'));
    expect(first.item.fulfilments).toMatchObject([{ lines: [{ itemId: cups, quantity: 1 }] }]);
    const refused = await commerce(ship('--items', 'CUP:3'));
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringMatching(/--items: must be at most 1/)]);
    expect((await commerce(ship('--items', 'POT:1'))).stderr).toMatch(/has no line with the SKU or id "POT"/);
    expect((await commerceJson(ship('--items', `CUP:2,${mug}:1`))).item).toMatchObject({
      status: 'fulfilled',
      fulfilments: [
        { tracking: { carrier: 'DHL', number: 'JD01' } },
        {
          lines: [
            { itemId: cups, quantity: 1 },
            { itemId: cup, quantity: 1 },
            { itemId: mug, quantity: 1 },
          ],
        },
      ],
    });
    const shown = await commerce(['orders', 'show', id, ...db]);
    expect(shown.stdout).toMatch(/Parcels[\s\S]*1 × CUP\s+DHL JD01/);
    const one = (await show(id)).fulfilments[0]?.id ?? '';
    const deliver = (...flags: string[]) => ['orders', 'deliver', id, ...flags, ...db];
    expect((await commerceJson(deliver('--parcel', one))).item.deliveredAt).toBeNull();
    const { item } = await commerceJson(deliver());
    expect(item.fulfilments.map(({ deliveredAt }: Order) => deliveredAt)).not.toContain(null);
    expect(item.deliveredAt).toBe(item.fulfilments[1].deliveredAt);
  });

  it('confirms an order from the payments that wait, once there is stock', async () => {
    const order = await inShop(database.address, async (shop) => {
      const made = await buy(shop, false);
      await setStock(shop, 0);
      await send(shop, payment(made.id, 1250).intentSucceeded()).catch(() => {});
      return made;
    });
    expect(await commerce(['orders', 'confirm', order.id, ...db])).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^error: not enough in stock: product .* has 0 in stock, 1 wanted\n$/),
    });
    expect(await show(order.id)).toEqual(order);
    await inShop(database.address, (shop) => setStock(shop, 3));
    const { item } = await commerceJson(['orders', 'confirm', order.id, ...db]);
    expect(item).toMatchObject({ id: order.id, status: 'paid', paymentProvider: 'stripe' });
    expect(await stock()).toBe(2);
  });

  it('cancels what waited too long as soon as `serve --expire-pending` starts, and nothing without it', async () => {
    const old = await inShop(database.address, (shop) => buy(shop, false), '2020-01-01T00:00:00.000Z');
    const young = await inShop(database.address, (shop) => buy(shop, false));
    const idle = await startServer(database.address);
    await fetch(`${idle.url}/readyz`);
    expect(await idle.stop()).toBe(0);
    expect(await show(old.id)).toEqual(old);
    const server = await startServer(database.address, ['--expire-pending', '48h']);
    await until('the order is cancelled', async () => (await show(old.id)).status === 'cancelled');
    expect(await server.stop()).toBe(0);
    expect(server.stderr()).toBe('');
    expect(await show(young.id)).toEqual(young);
  });
});
