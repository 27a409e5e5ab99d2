import { newProduct, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { configureStripe, payment, send } from '@commerce/test-support/fixtures/stripe';
import { expectDenied, invalid } from '@commerce/test-support/harness/denied';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { beforeAll, expect, it } from 'vitest';
import {
  type Context,
  createCategory,
  createCustomer,
  createOrder,
  type ExportedResource,
  type ExportFilters,
  type ExportOptions,
  exportText,
  listCustomers,
  listOrders,
  listProducts,
  updateOrder,
} from '../../index.ts';
import { fakeClock } from '../../testing/index.ts';

async function text(shop: Context, resource: ExportedResource, options: ExportOptions): Promise<string> {
  let all = '';
  for await (const part of exportText(shop, resource, options)) all += part.text;
  return all;
}

forEachStorage('an export with filters', (database) => {
  const clock = fakeClock('2026-11-01T10:00:00Z');
  const commerce = useCommerce(database, { clock });
  let shop: Context;
  let categoryId: string;
  let customerId: string;

  const ids = async (resource: ExportedResource, filters: ExportFilters) => {
    const lines = (await text(shop, resource, { format: 'jsonl', filters })).split('\n').filter((line) => line !== '');
    return lines.map((line) => JSON.parse(line).id as string);
  };

  beforeAll(async () => {
    shop = await newShop(commerce());
    await configureStripe(shop);
    categoryId = (await createCategory(shop, { name: 'Mugs', slug: 'mugs' })).id;
    for (let i = 0; i < 620; i++) {
      if (i % 100 === 0) clock.advance(1000);
      await newProduct(shop, {
        slug: `p-${i}`,
        title: i % 300 === 7 ? `Rare ${i}` : `Mug ${i}`,
        sku: `S-${i}`,
        price: '10',
        status: i % 3 === 0 ? 'draft' : 'published',
        categoryIds: i % 5 === 0 ? [categoryId] : [],
        variantGroupId: i % 31 === 0 ? 'group' : null,
        trackStock: i % 50 === 0,
      });
    }
    customerId = (await createCustomer(shop, { email: 'ada@example.org', name: '=Ada Lovelace' })).id;
    await createCustomer(shop, { email: 'grace@navy.mil', name: 'Grace Hopper' });
    for (let i = 0; i < 6; i++) {
      clock.advance(24 * 3_600_000);
      const order = await createOrder(shop, {
        items: [
          { sku: 'S-1', quantity: 1 },
          { sku: 'S-2', quantity: i + 1 },
        ],
        ...(i % 2 === 0 ? { customerId } : { customer: { email: `buyer-${i}@example.org` } }),
        shippingAddress: { lastName: i === 4 ? 'Turing' : 'Hopper', country: 'GB' },
      });
      if (i % 3 === 0) await send(shop, payment(order.id, 2000 + i * 1000).intentSucceeded());
    }
  });

  it.each<[ExportFilters]>([
    [{}],
    [{ status: 'draft' }],
    [{ status: 'published', search: 'rare' }],
    [{ search: 'mug' }],
    [{ search: 'S-61', status: 'draft' }],
    [{ variantGroupId: 'group' }],
    [{ variantGroupId: 'group', status: 'draft' }],
    [{ slug: 'p-7' }],
    [{ sku: 'S-8', status: 'draft' }],
    [{ lowStock: true, status: 'published' }],
    [{ lowStock: 'true' }],
  ])('has the products of the list with %j, oldest first', async (filters) => {
    const listed: string[] = [];
    for (let offset = 0; offset < 800; offset += 200) {
      const { items } = await listProducts(shop, { ...(filters as object), limit: 200, offset });
      listed.push(...items.map(({ id }) => id));
    }
    expect(await ids('products', filters)).toEqual(listed.reverse());
  });

  it('has the products of a category, with other filters too', async () => {
    expect(await ids('products', { categoryId })).toHaveLength(124);
    const { items } = await listProducts(shop, { categoryId, status: 'draft', limit: 200 });
    expect(await ids('products', { categoryId, status: 'draft' })).toEqual(items.map(({ id }) => id).reverse());
  });

  it.each<[ExportFilters]>([
    [{}],
    [{ status: 'paid' }],
    [{ status: 'pending', paymentStatus: 'pending' }],
    [{ paymentStatus: 'succeeded', from: '2026-11-03' }],
    [{ from: '2026-11-03', to: '2026-11-05' }],
    [{ from: '2026-11-03', until: '2026-11-05' }],
    [{ search: 'turing' }],
    [{ search: 'ad', status: 'paid' }],
    [{ orderNumber: 'ORD-1003' }],
    [{ orderNumber: '1003' }],
  ])('has the orders of the list with %j', async (filters) => {
    const { items } = await listOrders(shop, filters as object);
    expect(await ids('orders', filters)).toEqual(items.map(({ id }) => id).reverse());
  });

  it('has the orders of a customer, and the customers of the list', async () => {
    const { items } = await listOrders(shop, { customerId, status: 'pending' });
    expect(await ids('orders', { customerId, status: 'pending' })).toEqual(items.map(({ id }) => id).reverse());
    for (const filters of [{ search: 'hopp' }, { email: ' ADA@example.org ' }, { email: 'x@example.org' }, {}]) {
      const listed = await listCustomers(shop, filters);
      expect(await ids('customers', filters)).toEqual(listed.items.map(({ id }) => id).reverse());
    }
  });

  it('has a row for each order, or for each of its lines, with the buyer', async () => {
    const rowsOf = async (filters: ExportFilters) => {
      const [header = '', ...rows] = (await text(shop, 'orders', { filters })).trim().split('\n');
      const names = header.split(',');
      const at = (name: string) => names.indexOf(name);
      return { names, cells: (row: string, ...some: string[]) => some.map((name) => row.split(',')[at(name)]), rows };
    };
    const whole = await rowsOf({ status: 'paid' });
    expect(whole.names.filter((name) => name.startsWith('item'))).toEqual(['items']);
    expect(whole.rows).toHaveLength(2);
    const { names, rows, cells } = await rowsOf({ status: 'paid', lines: 'items' });
    expect(names).not.toContain('items');
    const some = ['orderNumber', 'total', 'customer.name', 'customer.email', 'item.skuSnapshot', 'item.quantity'];
    expect(rows.map((row) => cells(row, ...some, 'item.unitPrice'))).toEqual([
      ['ORD-1001', '20.00', "'=Ada Lovelace", 'ada@example.org', 'S-1', '1', '10.00'],
      ['ORD-1001', '20.00', "'=Ada Lovelace", 'ada@example.org', 'S-2', '1', '10.00'],
      ['ORD-1004', '50.00', '', 'buyer-3@example.org', 'S-1', '1', '10.00'],
      ['ORD-1004', '50.00', '', 'buyer-3@example.org', 'S-2', '4', '10.00'],
    ]);
    const german = await text(shop, 'orders', { filters: { status: 'paid', lines: 'items' }, excel: 'de' });
    expect(german).toContain(';"10,00";');
  });

  it('has the orders with money to give back alone', async () => {
    const order = await createOrder(shop, { items: [{ sku: 'S-1', quantity: 1 }] });
    await send(shop, payment(order.id, 1000).intentSucceeded());
    expect(await ids('orders', { toRefund: true })).toEqual([]);
    await updateOrder(shop, order.id, { status: 'cancelled' });
    expect(await ids('orders', { toRefund: true })).toEqual([order.id]);
    expect(await ids('orders', { toRefund: 'true', search: 'nobody' })).toEqual([]);
  });

  it('has the orders to ship, and those to pay without a provider', async () => {
    const paid = await ids('orders', { status: 'paid' });
    expect(paid.length).toBeGreaterThan(0);
    expect(await ids('orders', { toShip: true })).toEqual(paid);
    expect(await ids('orders', { unpaidOffline: true })).toEqual([]);
  });

  it('refuses filters like the list, before the first text', async () => {
    const refused = (resource: ExportedResource, options: ExportOptions, field: string) =>
      expectDenied(commerce(), async () => exportText(shop, resource, options), invalid(field));
    await refused('orders', { filters: { status: 'lost' as never } }, 'status');
    await refused('orders', { filters: { from: '2026-11-03', to: '2026-11-01' } }, 'to');
    await refused('orders', { format: 'jsonl', filters: { lines: 'items' } }, 'lines');
    await refused('products', { filters: { status: 'deleted' as never } }, 'status');
    await refused('customers', { filters: { search: 'x'.repeat(201) } }, 'search');
  });
});
