import { newProduct, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { configureStripe, payment, send } from '@commerce/test-support/fixtures/stripe';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { beforeAll, expect, it } from 'vitest';
import { type Context, createOrder, getOrder, listOrders, type Order, type OrderQueryInput } from '../index.ts';
import { fakeClock } from '../testing/index.ts';
import { orderEntity } from './fields.ts';
import { isToRefund } from './to-refund.ts';

forEachStorage('listOrders', (database) => {
  const clock = fakeClock();
  const commerce = useCommerce(database, { clock });
  let shop: Context;
  let other: Context;
  /** Oldest first; 1001 pending, 1002 paid, 1003 failed, 1004 paid, 1005 processing, 1006 pending. */
  let orders: Order[];
  let ada: string;

  beforeAll(async () => {
    [shop, other] = [await newShop(commerce()), await newShop(commerce())];
    await configureStripe(shop);
    const product = await newProduct(shop, { price: '10', sku: 'X' });
    await newProduct(other, { sku: 'X' });
    await createOrder(other, { items: [{ sku: 'X', quantity: 1 }] });
    const created = [];
    for (let i = 0; i < 6; i++) {
      // Two orders in one millisecond, which are ordered by id.
      if (i !== 3) clock.advance(1000);
      const customer = i < 4 ? { email: i % 2 ? 'bob@example.org' : 'ada@example.org' } : null;
      created.push(await createOrder(shop, { items: [{ productId: product.id, quantity: 1 }], customer }));
    }
    const [, paid, failed, alsoPaid, processing] = created;
    await send(shop, payment(paid?.id ?? '', 1000).intentSucceeded());
    await send(shop, payment(failed?.id ?? '', 1000).intentFailed());
    await send(shop, payment(alsoPaid?.id ?? '', 1000).intentSucceeded());
    await send(shop, payment(processing?.id ?? '', 1000).intentProcessing());
    orders = await Promise.all(created.map((order) => getOrder(shop, order.id)));
    ada = orders[0]?.customerId ?? '';
  });

  const numbers = async (query: OrderQueryInput) => {
    const { items, total } = await listOrders(shop, query);
    return [total, ...items.map((order) => Number(order.orderNumber.slice(4)))];
  };

  it('answers whole orders, newest first', async () => {
    expect(await listOrders(shop)).toEqual({ items: [...orders].reverse(), total: 6 });
  });

  it.each<[OrderQueryInput, number[]]>([
    [{ status: 'pending' }, [4, 1006, 1005, 1003, 1001]],
    [{ status: 'paid' }, [2, 1004, 1002]],
    [{ status: 'fulfilled' }, [0]],
    [{ paymentStatus: 'pending' }, [2, 1006, 1001]],
    [{ paymentStatus: 'succeeded' }, [2, 1004, 1002]],
    [{ paymentStatus: 'failed' }, [1, 1003]],
    [{ paymentStatus: 'processing' }, [1, 1005]],
    [{ status: 'pending', paymentStatus: 'failed' }, [1, 1003]],
    [{ status: 'paid', paymentStatus: 'failed' }, [0]],
    [{ orderNumber: 'ORD-1002' }, [1, 1002]],
    [{ orderNumber: 'ORD-1002', status: 'pending' }, [0]],
    [{ orderNumber: 'ORD-9999' }, [0]],
    [{ orderNumber: '1002' }, [0]],
    [{ orderNumber: 'ord-1002' }, [0]],
    [{ orderNumber: 'ORD-01002' }, [0]],
    [{ orderNumber: 'ORD-1e3' }, [0]],
    [{ orderNumber: 'ORD-99999999999999999999' }, [0]],
    [{ customerId: 'nobody' }, [0]],
    [{ limit: 2 }, [6, 1006, 1005]],
    [{ limit: 2, offset: 2 }, [6, 1004, 1003]],
    [{ limit: 2, offset: 5 }, [6, 1001]],
    [{ offset: 6 }, [6]],
    [{ limit: '1' as never, offset: '3' as never }, [6, 1003]],
    [{ status: 'pending', limit: 1, offset: 1 }, [4, 1005]],
  ])('%j finds %j (the total first)', async (query, expected) => {
    expect(await numbers(query)).toEqual(expected);
  });

  it('filters by customer, alone and with a status', async () => {
    expect(await numbers({ customerId: ada })).toEqual([2, 1003, 1001]);
    expect(await numbers({ customerId: ada, status: 'paid' })).toEqual([0]);
    expect(await numbers({ customerId: ada, paymentStatus: 'failed' })).toEqual([1, 1003]);
    expect(await numbers({ customerId: ada, limit: 1, offset: 1 })).toEqual([2, 1001]);
  });

  it.each<[unknown, string]>([
    [{ limit: 201 }, 'limit'],
    [{ status: 'deleted' }, 'status'],
    [{ status: '' }, 'status'],
    [{ paymentStatus: 'paid' }, 'paymentStatus'],
  ])('refuses %j, naming the field', async (query, field) => {
    await expect(listOrders(shop, query as OrderQueryInput)).rejects.toMatchObject({
      kind: 'validation',
      details: [{ field }],
    });
  });

  it("never shows another store's orders", async () => {
    const [theirs] = (await listOrders(other)).items;
    expect((await listOrders(other)).total).toBe(1);
    await expect(getOrder(shop, theirs?.id ?? '')).rejects.toMatchObject({ kind: 'notFound' });
    expect(await numbers({ customerId: theirs?.customerId ?? 'x' })).toEqual([0]);
  });

  it.each(['', 'x', 'ORD-1001', '0190a5c8-0000-7000-8000-000000000000', "' or 1=1 --", '\0', 'null'])(
    'does not find an order by %j',
    async (id) => {
      await expect(getOrder(shop, id)).rejects.toMatchObject({ kind: 'notFound' });
    },
  );

  it('keeps columns, text and counts of the orders consistent', async () => {
    const { db } = commerce().engine.storage;
    const rows = await db.selectFrom('orders').selectAll().execute();
    const counted = new Map<string, number>();
    for (const row of rows) {
      const order = JSON.parse(row.json) as Order;
      expect({
        store_id: order.storeId,
        id: order.id,
        number: Number(order.orderNumber.slice(4)),
        customer_id: order.customerId,
        status: order.status,
        payment_status: order.paymentStatus,
        payment_provider: order.paymentProvider,
        payment_id: order.paymentId,
        created_at: Date.parse(order.createdAt),
        // The buyer's data are as they were at the order: see search.test.ts.
        search: row.search,
        json: row.json,
        shape: orderEntity.shapeNumber,
        // Only a cancellation reads it.
        stock_taken: row.stock_taken,
        stock_returned: row.stock_returned,
        discount_id: row.discount_id,
        email: row.email,
        to_refund: isToRefund(order),
        unpaid_offline: 0,
        no_shipping: 0,
        total: 1000,
        placed_at: order.placedAt === null ? null : Date.parse(order.placedAt),
        reserved_until: order.reservedUntil === null ? null : Date.parse(order.reservedUntil),
      }).toEqual(row);
      const key = `${row.store_id} ${row.status} ${row.payment_status}`;
      counted.set(key, (counted.get(key) ?? 0) + 1);
    }
    const counts = await db.selectFrom('list_totals').selectAll().where('list', '=', 'orders.status').execute();
    expect(new Map(counts.filter((row) => row.n !== 0).map((row) => [`${row.store_id} ${row.value}`, row.n]))).toEqual(
      counted,
    );
  });
});
