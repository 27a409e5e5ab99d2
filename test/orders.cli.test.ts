import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Context, createOrder, getProduct, type Order, openCommerce, updateProduct } from '@commerce/core';
import { fakeClock } from '@commerce/core/testing';
import { newProduct } from '@commerce/test-support/fixtures/shop';
import { configureStripe, payment, send } from '@commerce/test-support/fixtures/stripe';
import { commerce, commerceJson, startServer } from '@commerce/test-support/harness/processes';
import { forOneStorage, openStorage } from '@commerce/test-support/harness/storages';
import { until } from '@commerce/test-support/harness/until';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

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

  it('fulfils a paid order, and says why it cannot do it twice the other way', async () => {
    const { id } = paid[0] as Order;
    const { item } = await commerceJson(['orders', 'fulfil', id, ...db]);
    expect(item).toMatchObject({ id, status: 'fulfilled', fulfilledAt: expect.any(String), total: '12.50' });
    expect(await show(id)).toEqual(item);
    // A repetition is not a move.
    expect(await commerceJson(['orders', 'fulfil', id, ...db])).toEqual({ item });
    expect(await commerce(['orders', 'cancel', id, ...db])).toEqual({
      code: 1,
      stdout: '',
      stderr: 'error: status: order ORD-1001 is fulfilled and cannot become cancelled: this status is final\n',
    });
    expect(await show(id)).toEqual(item);
  });

  it('cancels a paid order, whose stock returns, and a pending one, which took none', async () => {
    const before = await stock();
    const { id } = paid[1] as Order;
    const text = await commerce(['orders', 'cancel', id, ...db]);
    expect(text).toMatchObject({ code: 0, stderr: '' });
    expect(text.stdout).toMatch(/status +cancelled\n/);
    expect(await show(id)).toMatchObject({ status: 'cancelled', cancelledAt: expect.any(String) });
    expect(await stock()).toBe(before + 1);
    const pending = await inShop(database.address, (shop) => buy(shop, false));
    expect(await commerceJson(['orders', 'cancel', pending.id, ...db])).toMatchObject({
      item: { status: 'cancelled', paymentStatus: 'pending' },
    });
    expect(await stock()).toBe(before + 1);
    expect(await commerce(['orders', 'fulfil', pending.id, ...db])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/is cancelled and cannot become fulfilled/),
    });
  });

  it('records refunds, once under one id', async () => {
    const { id } = paid[2] as Order;
    const refund = (...flags: string[]) => ['orders', 'refund', id, ...flags, ...db];
    const first = await commerceJson(refund('--amount', '5', '--refund-id', 're_1', '--reason', 'a crack'));
    expect(first).toEqual({
      item: { refundId: 're_1', amount: '5.00', recordedAt: expect.stringMatching(/^\d{4}-.*Z$/) },
    });
    expect(await commerceJson(refund('--amount', '5.00', '--refund-id', 're_1'))).toEqual(first);
    const refused: [string[], number, RegExp][] = [
      [['--amount', '6', '--refund-id', 're_1'], 1, /^error: --refund-id "re_1" is recorded with 5\.00\n$/],
      [['--amount', '7.51'], 2, /^error: --amount: must be at most 7\.50, the rest of the total 12\.50, not "7\.51"\n/],
      [['--amount', '0'], 2, /^error: --amount: must be more than 0/],
      [['--amount', '1,50'], 2, /^error: --amount: /],
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

  /** Sets the stock like a user who has seen what orders have left of it. */
  const setStock = async (shop: Context, stock: number) => {
    const { updatedAt } = await getProduct(shop, productId);
    await updateProduct(shop, productId, { stock, updatedAt });
  };

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
    expect(await commerce(['orders', 'confirm', order.id, ...db])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/cannot be confirmed: it is paid, not pending\n$/),
    });
    const unpaid = await inShop(database.address, (shop) => buy(shop, false));
    expect(await commerce(['orders', 'confirm', unpaid.id, ...db])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/cannot be confirmed: no payment for it was received\n$/),
    });
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

describe('what is wrong with a call of commerce orders', () => {
  const folder = mkdtempSync(join(tmpdir(), 'commerce-orders-cli-'));
  const file = join(folder, 'shop.db');
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  beforeAll(() => inShop(file, async () => {}));
  const id = '0190a5c8-0000-7000-8000-00000000dead';

  const wrong: [string, string[], number, RegExp][] = [
    ['no order to fulfil', ['orders', 'fulfil'], 2, /missing required argument 'order'/],
    ['no order to cancel', ['orders', 'cancel'], 2, /missing required argument 'order'/],
    ['no order to confirm', ['orders', 'confirm'], 2, /missing required argument 'order'/],
    ['two orders to cancel', ['orders', 'cancel', id, id], 2, /too many arguments/],
    ['a refund without an amount', ['orders', 'refund', id], 2, /'--amount <decimal>' not specified/],
    ['an unknown order to fulfil', ['orders', 'fulfil', id], 1, /no order ".*dead" in this store/],
    ['an unknown order to cancel', ['orders', 'cancel', 'x'], 1, /no order "x" in this store/],
    ['an unknown order to confirm', ['orders', 'confirm', id], 1, /no order/],
    ['an unknown order to refund', ['orders', 'refund', id, '--amount', '1'], 1, /no order/],
    ['an unknown flag', ['orders', 'cancel', id, '--restock'], 2, /unknown option '--restock'/],
    ['a time without a unit', ['serve', '--expire-pending', '48'], 2, /'48' is invalid.*30m, 48h or 7d/],
    ['a time of nothing', ['serve', '--expire-pending', '0h'], 2, /'0h' is invalid/],
    ['a time in seconds', ['serve', '--expire-pending', '90s'], 2, /'90s' is invalid/],
    ['a time below zero', ['serve', '--expire-pending=-1h'], 2, /'-1h' is invalid/],
    ['no time', ['serve', '--expire-pending'], 2, /argument missing|'--db' is invalid/],
  ];
  it.each(wrong)('%s', async (_, args, code, message) => {
    const before = readFileSync(file);
    const result = await commerce([...args, '--db', file]);
    expect({ code: result.code, stdout: result.stdout }).toEqual({ code, stdout: '' });
    expect(result.stderr).toMatch(message);
    expect(result.stderr).not.toMatch(/^ {4}at /m);
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  it('a time in the environment that is none', async () => {
    const result = await commerce(['serve', '--db', file], '', { COMMERCE_EXPIRE_PENDING: 'soon' });
    expect(result).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(/'soon' from env 'COMMERCE_EXPIRE_PENDING' is invalid/),
    });
  });
});
