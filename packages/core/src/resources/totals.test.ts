import { newProduct, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { type RawBuilder, sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  type Commerce,
  CommerceError,
  type Context,
  createCategory,
  createCustomer,
  createOrder,
  createPage,
  deleteCategory,
  deleteCustomer,
  deletePage,
  deleteProduct,
  listAuditLogs,
  listCategories,
  listCustomers,
  listOrders,
  listPages,
  listProducts,
  listProductsByAttributes,
  openCommerce,
  updateCategory,
  updatePage,
  updateProduct,
} from '../index.ts';

const statuses = ['draft', 'published', 'archived'] as const;
const colours = ['red', 'blue'] as const;

forEachStorage('the totals of lists', (database) => {
  const commerce = useCommerce(database);
  let other: Commerce;
  beforeAll(async () => {
    other = await openCommerce({ storage: database.open() });
  });
  afterAll(() => other.close());

  it('equal what a scan counts, after mixed writes of two processes', async () => {
    const shop = await newShop(commerce());
    const shops = [shop, await other.store(shop.store.id)];
    const shared = await Promise.all(Array.from({ length: 6 }, (_, i) => newProduct(shop, { title: `Mug ${i}` })));
    const categories = await Promise.all(
      Array.from({ length: 4 }, (_, i) => createCategory(shop, { name: `Tea ${i}`, slug: `tea-${i}` })),
    );
    const pick = <T>(list: readonly T[], n: number) => list[n % list.length] as T;
    let made = 0;
    const work = async (ctx: Context, seed: number) => {
      for (let n = 0; n < 60; n++) {
        const k = n * 7 + seed * 3;
        const product = pick(shared, k).id;
        const status = pick(statuses, k + n);
        const steps: (() => Promise<unknown>)[] = [
          () => updateProduct(ctx, product, { status, attributes: { colour: pick(colours, n) } }),
          () => updateProduct(ctx, product, { categoryIds: [pick(categories, k + n).id] }),
          async () => deleteProduct(ctx, (await newProduct(ctx, { status })).id),
          () => newProduct(ctx, { status, attributes: { colour: pick(colours, k) }, title: 'Mug' }),
          () =>
            createOrder(ctx, { items: [{ productId: product, quantity: 1 }], customer: { email: `${k}@x.example` } }),
          async () => {
            const page = await createPage(ctx, { title: 'P', slug: `p-${++made}`, status });
            await (n % 3 ? updatePage(ctx, page.id, { status: 'archived' }) : deletePage(ctx, page.id));
          },
          async () => {
            const { id } = await createCustomer(ctx, { email: `${seed}-${n}@y.example` });
            if (n % 2) await deleteCustomer(ctx, id);
          },
          () => updateCategory(ctx, pick(categories, n).id, { status }),
          () => (n > 40 ? deleteCategory(ctx, pick(categories, k).id) : Promise.resolve()),
        ];
        await pick(steps, k)().catch((error: unknown) => {
          // Another one was faster.
          if (!(error instanceof CommerceError) || error.kind === 'internal') throw error;
        });
      }
    };
    await Promise.all(Array.from({ length: 6 }, (_, seed) => work(shops[seed % 2] as Context, seed)));

    const { db } = shop.engine.storage;
    const count = async (table: string, where: RawBuilder<unknown>) => {
      const { rows } = await sql<{ n: number }>`select count(*) as n from ${sql.table(table)}
        where store_id = ${shop.store.id} and ${where}`.execute(db);
      return Number(rows[0]?.n);
    };
    const living = sql`status <> 'deleted'`;
    for (const ctx of shops) {
      for (const [table, list] of [
        ['products', listProducts],
        ['categories', listCategories],
        ['pages', listPages],
      ] as const) {
        expect([table, (await list(ctx, {})).total]).toEqual([table, await count(table, living)]);
        for (const status of statuses) {
          const { items, total } = await list(ctx, { status, limit: 200 });
          const scanned = await count(table, sql`status = ${status}`);
          expect([table, status, total, items.length]).toEqual([table, status, scanned, Math.min(scanned, 200)]);
        }
      }
      for (const colour of colours) {
        const { items, total } = await listProductsByAttributes(ctx, { attributes: { colour }, limit: 200 });
        const scanned = await count('products', sql`${living} and json like ${`%"colour":"${colour}"%`}`);
        expect([colour, total, items.length]).toEqual([colour, scanned, scanned]);
      }
      for (const { id } of categories) {
        const { items, total } = await listProducts(ctx, { categoryId: id, limit: 200 });
        const scanned = await count('products', sql`${living} and json like ${`%"categoryIds":["${id}"]%`}`);
        expect([total, items.length]).toEqual([scanned, scanned]);
      }
      const mugs = await count('products', sql`${living} and json like '%Mug%'`);
      expect((await listProducts(ctx, { search: 'mug' })).total).toBe(mugs);
      expect((await listOrders(ctx)).total).toBe(await count('orders', sql`1 = 1`));
      expect((await listOrders(ctx, { status: 'pending' })).total).toBe(await count('orders', sql`status = 'pending'`));
      expect((await listCustomers(ctx)).total).toBe(await count('customers', sql`1 = 1`));
      expect((await listAuditLogs(ctx)).total).toBe(await count('audit_logs', sql`1 = 1`));
      expect((await listAuditLogs(ctx, { action: 'product.updated' })).total).toBe(
        await count('audit_logs', sql`action = 'product.updated'`),
      );
    }
  });
});
