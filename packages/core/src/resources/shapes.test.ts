import { eventsOf, newProduct, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { countNewUse, lockDiscountByCode } from '../discounts/uses.ts';
import { transact } from '../engine/transaction.ts';
import {
  type Context,
  changeProducts,
  createCategory,
  createCustomer,
  createDiscount,
  createOrder,
  createPage,
  type Discount,
  deleteCategory,
  exportText,
  getCategory,
  getCustomer,
  getDiscount,
  getOrder,
  getPage,
  getProduct,
  listCategories,
  listCustomers,
  listDiscounts,
  listOrders,
  listPages,
  listProducts,
  listProductsByAttributes,
  recordPayment,
  updateOrder,
  updateProduct,
  updateSettings,
} from '../index.ts';

// Rewrites texts as a version without the field would have printed them.
forEachStorage('items that a version without a field has stored', (database) => {
  const commerce = useCommerce(database);

  /** Removes a field from the stored text of an item, and gives the item another shape number. */
  async function without(shop: Context, table: string, id: string, field: string): Promise<void> {
    const { db } = shop.engine.storage;
    const at = sql`from ${sql.table(table)} where store_id = ${shop.store.id} and id = ${id}`;
    const { rows } = await sql<{ json: string }>`select json ${at}`.execute(db);
    const item = JSON.parse(rows[0]?.json ?? '');
    expect(item).toHaveProperty(field);
    delete item[field];
    await db.transaction().execute((tx) =>
      sql`update ${sql.table(table)} set json = ${JSON.stringify(item)}, shape = 1
          where store_id = ${shop.store.id} and id = ${id}`.execute(tx),
    );
  }

  it('have its initial value in every answer, and are printed whole by their next change', async () => {
    const shop = await newShop(commerce());
    const product = await newProduct(shop, { title: 'Mug', status: 'published', attributes: { color: 'blue' } });
    const other = await newProduct(shop, { title: 'Cup', status: 'published', description: '<b>x</b>' });
    await without(shop, 'products', product.id, 'descriptionFormat');
    expect(await getProduct(shop, product.id)).toEqual(product);
    const lists = [
      listProducts(shop),
      listProducts(shop, { status: 'published' }),
      listProducts(shop, { slug: product.slug }),
      listProducts(shop, { search: 'mug' }),
      listProducts(shop, { after: other.id }),
      listProductsByAttributes(shop, { attributes: { color: 'blue' } }),
    ];
    for (const list of await Promise.all(lists)) {
      expect(list.items.find(({ id }) => id === product.id)).toEqual(product);
      expect(list.items.map((item) => Object.keys(item))).toEqual(list.items.map(() => Object.keys(product)));
    }
    const anyone: Context = { ...shop, actor: { type: 'apiKey', id: null, isPublic: true } };
    expect(await getProduct(anyone, product.id)).toMatchObject({ descriptionFormat: 'text' });
    expect((await listProducts(anyone)).items.at(-1)).toMatchObject({ descriptionFormat: 'text' });
    expect(await updateProduct(shop, product.id, { title: 'Mug' })).toEqual(product);
    const changed = await updateProduct(shop, product.id, { title: 'Jug' });
    expect(changed).toEqual({ ...product, title: 'Jug', updatedAt: changed.updatedAt });
    expect((await listProducts(shop)).items.find(({ id }) => id === product.id)).toEqual(changed);
  });

  it('are whole when they are orders, with their lines', async () => {
    const shop = await newShop(commerce());
    await newProduct(shop, { slug: 'mug', sku: 'MUG', price: '5.00', stock: 9 });
    const order = await createOrder(shop, { items: [{ sku: 'MUG', quantity: 1 }] });
    const at = sql`where store_id = ${shop.store.id} and id = ${order.id}`;
    const { tracking: _, ...rest } = order;
    const items = order.items.map(({ variantTitle: _title, ...line }) => line);
    await shop.engine.storage.db
      .transaction()
      .execute((tx) =>
        sql`update orders set json = ${JSON.stringify({ ...rest, items })}, shape = 1 ${at}`.execute(tx),
      );
    expect(await getOrder(shop, order.id)).toEqual(order);
    for (const query of [
      {},
      { status: 'pending' as const },
      { orderNumber: order.orderNumber },
      { search: order.orderNumber },
    ]) {
      expect((await listOrders(shop, query)).items).toEqual([order]);
    }
    const changed = await updateOrder(shop, order.id, { merchantNote: 'Gift' });
    expect(Object.keys(changed)).toEqual(Object.keys(order));
    expect(changed).toEqual({ ...order, merchantNote: 'Gift', updatedAt: changed.updatedAt });
  });

  it('are whole in events and rows that other changes write', async () => {
    const shop = await newShop(commerce());
    const root = await createCategory(shop, { name: 'Tea', slug: 'tea' });
    const child = await createCategory(shop, { name: 'Green', slug: 'green', parentId: root.id });
    const product = await newProduct(shop, { categoryIds: [root.id], price: '10', trackStock: true, stock: 5 });
    const discount = await createDiscount(shop, { code: 'A', type: 'percent', value: '10' });
    const forget = () => without(shop, 'products', product.id, 'descriptionFormat');
    const last = async (type: string) => (await eventsOf(shop)).filter((event) => event.type === type).at(-1)?.data;

    await forget();
    expect((await changeProducts(shop, { ids: [product.id], changes: { price: '10' } })).items).toEqual([product]);
    await without(shop, 'discounts', discount.id, 'usageLimit');
    const items = [{ productId: product.id, quantity: 2 }];
    const order = await createOrder(shop, { items, customer: { email: 'a@x.example' } });
    await transact(shop, async (tx) => countNewUse(tx, (await lockDiscountByCode(tx, 'A')) as Discount));
    expect(await getDiscount(shop, discount.id)).toMatchObject({ usageLimit: null, used: 1 });
    await updateSettings(shop, { manualPayments: true });
    await recordPayment(await commerce().store(shop.store.id), order.id, { method: 'cash', amount: order.total });
    expect(await last('product.updated')).toMatchObject({ stock: 3, descriptionFormat: 'text' });

    await forget();
    await without(shop, 'categories', child.id, 'description');
    await deleteCategory(shop, root.id);
    expect(await last('product.updated')).toMatchObject({ categoryIds: [], descriptionFormat: 'text' });
    expect(await last('category.updated')).toMatchObject({ parentId: null, description: null });
    expect(await getCategory(shop, child.id)).toMatchObject({ parentId: null, description: null });

    await forget();
    let text = '';
    for await (const part of exportText(shop, 'products', { format: 'jsonl' })) text += part.text;
    expect(JSON.parse(text)).toMatchObject({ id: product.id, descriptionFormat: 'text' });
  });

  it('are so for each resource', async () => {
    const shop = await newShop(commerce());
    const page = await createPage(shop, { title: 'Imprint', slug: 'imprint' });
    const category = await createCategory(shop, { name: 'Tea', slug: 'tea' });
    const customer = await createCustomer(shop, { email: 'a@x.example' });
    const discount = await createDiscount(shop, { code: 'A', type: 'percent', value: '10' });
    await without(shop, 'pages', page.id, 'content');
    await without(shop, 'categories', category.id, 'description');
    await without(shop, 'customers', customer.id, 'marketingOptIn');
    await without(shop, 'discounts', discount.id, 'usageLimit');
    expect([await getPage(shop, page.id), (await listPages(shop)).items]).toEqual([page, [page]]);
    expect([await getCategory(shop, category.id), (await listCategories(shop)).items]).toEqual([category, [category]]);
    expect([await getCustomer(shop, customer.id), (await listCustomers(shop)).items]).toEqual([customer, [customer]]);
    expect([await getDiscount(shop, discount.id), (await listDiscounts(shop)).items]).toEqual([discount, [discount]]);
  });
});
