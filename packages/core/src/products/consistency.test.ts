import { eventsOf, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { configureStripe, payment, send } from '@commerce/test-support/fixtures/stripe';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import {
  type Commerce,
  CommerceError,
  type Context,
  createOrder,
  createProduct,
  deleteProduct,
  listOrders,
  listProducts,
  type Product,
  updateProduct,
} from '../index.ts';
import { foldText } from '../kernel/fold.ts';
import { productEntity } from './fields.ts';

/** A few values each, so that products conflict on slugs, SKUs and stock. */
const fields = fc.record(
  {
    title: fc.constantFrom('Mug', 'Cup', 'ΟΔΟΣ'),
    slug: fc.constantFrom('a', 'b', 'c', 'd'),
    price: fc.constantFrom('1', '2.50', 'bad'),
    sku: fc.constantFrom('A', 'B', null),
    status: fc.constantFrom('draft', 'published', 'archived'),
    description: fc.constantFrom('blue', null),
    variantGroupId: fc.constantFrom('g', null),
    trackStock: fc.boolean(),
    lowStockThreshold: fc.constantFrom(null, 3, 1000),
    stock: fc.integer({ min: -1, max: 5 }),
    allowBackorder: fc.boolean(),
  },
  { requiredKeys: [] },
);
const action = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('create' as const), fields }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('update' as const), which: fc.nat(), fields }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('delete' as const), which: fc.nat() }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('sell' as const),
      which: fc.nat(),
      quantity: fc.integer({ min: 1, max: 3 }),
    }),
  },
);

forEachStorage('rows and what is counted of them', (database) => {
  const commerce = useCommerce(database);

  async function perform(shop: Context, ids: string[], step: typeof action extends fc.Arbitrary<infer T> ? T : never) {
    if (step.do === 'create') {
      const made = await createProduct(shop, { title: 'Mug', slug: 'a', price: '1', ...(step.fields as object) });
      ids.push(made.id);
      return;
    }
    const id = ids[step.which % Math.max(ids.length, 1)] ?? '';
    if (step.do === 'update') await updateProduct(shop, id, step.fields as object);
    else if (step.do === 'delete') await deleteProduct(shop, id);
    else {
      const order = await createOrder(shop, { items: [{ productId: id, quantity: step.quantity }] });
      const minor = Number(order.total.replace('.', ''));
      await send(shop, payment(order.id, minor).intentSucceeded());
    }
  }

  function isLow({ status, trackStock, stock, lowStockThreshold }: Product): boolean {
    if (!trackStock || !['draft', 'published'].includes(status)) return false;
    return lowStockThreshold === null ? stock <= 0 : stock <= lowStockThreshold;
  }

  const isOnSale = ({ status, price, compareAtPrice }: Product) =>
    status !== 'deleted' && compareAtPrice !== null && Number(compareAtPrice) > Number(price);

  const canBuy = ({ status, trackStock, allowBackorder, stock }: Product) =>
    status !== 'deleted' && (!trackStock || allowBackorder || stock > 0);

  async function expectConsistent({ engine }: Commerce, shop: Context) {
    const { db } = engine.storage;
    const rows = await db.selectFrom('products').selectAll().where('store_id', '=', shop.store.id).execute();
    const living = new Map<string, number>();
    for (const row of rows) {
      const product = JSON.parse(row.json) as Product;
      expect({
        store_id: product.storeId,
        id: product.id,
        number: row.number,
        status: product.status,
        slug: product.slug,
        sku: product.sku,
        variant_group_id: product.variantGroupId,
        track_stock: product.trackStock ? 1 : 0,
        stock: product.stock,
        // Matters only to the next client that sets the stock.
        stock_moved: row.stock_moved,
        allow_backorder: product.allowBackorder ? 1 : 0,
        low_stock: isLow(product) ? 1 : 0,
        barcode: product.barcode,
        price: Math.round(Number(product.price) * 100),
        on_sale: isOnSale(product) ? 1 : 0,
        can_buy: canBuy(product) ? 1 : 0,
        title_key: foldText(product.title).slice(0, 64),
        sku_key: product.sku?.toLowerCase().replace(/[ -]/g, '') ?? null,
        barcode_key: product.barcode?.toLowerCase().replace(/[ -]/g, '') ?? null,
        // What it notes is tested with its own rules.
        prices: row.prices,
        manufacturer_id: product.manufacturerId,
        responsible_person_id: product.responsiblePersonId,
        created_at: Date.parse(product.createdAt),
        json: row.json,
        shape: productEntity.shapeNumber,
      }).toEqual(row);
      if (product.status === 'deleted') continue;
      living.set(product.status, (living.get(product.status) ?? 0) + 1);
      for (const search of [product.title, product.description, product.sku]) {
        if (search === null) continue;
        const { items } = await listProducts(shop, { search, limit: 200 });
        expect(items.map(({ id }) => id)).toContain(product.id);
      }
    }
    for (const status of ['draft', 'published', 'archived'] as const) {
      const { items, total } = await listProducts(shop, { status, limit: 200 });
      expect([items.length, total]).toEqual([living.get(status) ?? 0, living.get(status) ?? 0]);
    }
    const { items, total } = await listProducts(shop, { limit: 200 });
    expect([items.length, total]).toEqual([rows.filter((row) => row.status !== 'deleted').length, items.length]);

    // The search index has exactly one row for each living product.
    const { rows: indexed } = await sql<{ n: number }>`select count(*) as n from product_search`.execute(db);
    const all = await db.selectFrom('products').select('id').where('status', '<>', 'deleted').execute();
    expect(Number(indexed[0]?.n)).toBe(all.length);

    const orders = await listOrders(shop, { limit: 200 });
    expect(orders.total).toBe(orders.items.length);
    for (const status of ['pending', 'paid'] as const) {
      const { items: some, total: counted } = await listOrders(shop, { status, limit: 200 });
      expect([some.length, counted]).toEqual([counted, orders.items.filter((order) => order.status === status).length]);
    }

    // The last event of each product equals the product.
    const last = new Map(
      (await eventsOf(shop)).filter(({ type }) => type.startsWith('product.')).map((e) => [e.resourceId, e.data]),
    );
    expect(last).toEqual(new Map(rows.map((row) => [row.id, JSON.parse(row.json)])));
  }

  it('never disagree, whatever was done in whatever order, and whatever was refused', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(action, { minLength: 1, maxLength: 25 }), async (steps) => {
        const shop = await newShop(commerce());
        await configureStripe(shop);
        const ids: string[] = [];
        for (const step of steps) {
          await perform(shop, ids, step).catch((error: unknown) => {
            if (!(error instanceof CommerceError)) throw error;
          });
        }
        await expectConsistent(commerce(), shop);
      }),
      { numRuns: 40 },
    );
  });

  it('never disagree when it is all done at once', async () => {
    const steps = fc.sample(action, 150);
    const shop = await newShop(commerce());
    await configureStripe(shop);
    const ids: string[] = [];
    for (const slug of ['w', 'x', 'y', 'z']) {
      ids.push((await createProduct(shop, { title: 'Mug', slug, price: '1', trackStock: true, stock: 20 })).id);
    }
    const fixed = [...ids];
    const results = await Promise.allSettled(steps.map((step) => perform(shop, fixed, step)));
    for (const result of results) {
      if (result.status === 'rejected') expect(result.reason).toBeInstanceOf(CommerceError);
    }
    await expectConsistent(commerce(), shop);
  });
});
