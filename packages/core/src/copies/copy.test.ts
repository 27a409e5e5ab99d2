import { newProduct, newShop } from '@commerce/test-support/fixtures/shop';
import { forEachStorage, type TestDatabase, withDatabase } from '@commerce/test-support/harness/storages';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  anonymiseCustomer,
  type Commerce,
  configureProvider,
  copyDatabase,
  createCategory,
  createOrder,
  createPage,
  createWebhook,
  deleteProduct,
  getImport,
  getProductAttributes,
  listAuditLogs,
  listCategories,
  listCustomers,
  listOrders,
  listPages,
  listPayments,
  listProducts,
  listWebhooks,
  openCommerce,
  recordPayment,
  type Storage,
  startImport,
  updateProduct,
  updateSettings,
  updateStore,
} from '../index.ts';
import { writing } from '../storage/run.ts';
import { fakeClock } from '../testing/index.ts';
import { copiedTables } from './tables.ts';

/** All answers of the operations about every store. */
async function dump(commerce: Commerce, storeIds: readonly string[]) {
  const stores = [];
  for (const storeId of storeIds) {
    const shop = await commerce.store(storeId);
    stores.push({
      store: shop.store,
      products: await listProducts(shop, { limit: 200 }),
      drafts: await listProducts(shop, { status: 'draft' }),
      found: await listProducts(shop, { search: 'mug' }),
      twoLetters: await listProducts(shop, { search: 'é' }),
      attributes: await getProductAttributes(shop),
      categories: await listCategories(shop),
      customers: await listCustomers(shop),
      orders: await listOrders(shop, { limit: 200 }),
      paid: await listOrders(shop, { status: 'paid' }),
      foundOrders: await listOrders(shop, { search: 'ord-10' }),
      payments: await listPayments(shop),
      pages: await listPages(shop),
      webhooks: await listWebhooks(shop),
      audit: await listAuditLogs(shop, { limit: 200 }),
      created: await listAuditLogs(shop, { action: 'product.created', limit: 200 }),
    });
  }
  return stores;
}

/** Two stores with rows in nearly every table. */
async function fill(commerce: Commerce): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < 2; n++) {
    const shop = await newShop(commerce, n === 0 ? 'EUR' : 'JPY');
    const category = await createCategory(shop, { name: 'Mugs', slug: 'mugs', status: 'published' });
    await createPage(shop, { title: 'About', slug: 'about', content: 'Ünïcode \u{1F600}' });
    const products = [];
    for (let i = 0; i < 70; i++) {
      products.push(
        await newProduct(shop, {
          title: `Mug Café ${i}`,
          attributes: { color: i % 2 === 0 ? 'red' : 'blue' },
          categoryIds: [category.id],
          trackStock: true,
          stock: 5,
          status: i % 3 === 0 ? 'draft' : 'published',
        }),
      );
    }
    const [first, second, third] = products;
    if (!first || !second || !third) throw new Error('no products');
    await deleteProduct(shop, first.id);
    const maker = { id: 'maker', name: 'Cups', address: 'Bath', url: 'https://cups.example' };
    await updateSettings(shop, { parties: [maker] });
    await updateProduct(shop, second.id, { title: 'Renamed', manufacturerId: 'maker' });
    await configureProvider(shop, 'stripe', { webhookSecret: 'whsec_0123456789abcdef0123456789abcdef' });
    await createWebhook(shop, { url: 'https://hooks.example/x', events: ['order.*'] });
    await updateStore(shop, { manualPayments: true });
    const withManual = await commerce.store(shop.store.id);
    const order = await createOrder(withManual, {
      items: [{ productId: third.id, quantity: 2 }],
      customer: { email: 'ada@example.org', name: 'Ada' },
    });
    await recordPayment(withManual, order.id, {
      amount: order.total,
      method: 'transfer',
      reference: 'r1',
    });
    await createOrder(shop, { items: [{ productId: third.id, quantity: 1 }], customer: { email: 'b@example.org' } });
    const { items } = await listCustomers(shop, { email: 'b@example.org' });
    if (items[0]) await anonymiseCustomer(shop, items[0].id);
    ids.push(shop.store.id);
  }
  return ids;
}

async function copyInto(from: TestDatabase, to: TestDatabase, options?: Parameters<typeof copyDatabase>[2]) {
  const storages: Storage[] = [from.open(), to.open()];
  const [source, target] = storages as [Storage, Storage];
  try {
    return await copyDatabase(source, target, options);
  } finally {
    await Promise.all(storages.map((storage) => storage.close()));
  }
}

forEachStorage('a copy of a database', (database) => {
  let storeIds: string[] = [];
  let before: Awaited<ReturnType<typeof dump>>;

  beforeAll(async () => {
    const commerce = await openCommerce({ storage: database.open() });
    storeIds = await fill(commerce);
    before = await dump(commerce, storeIds);
    await commerce.close();
  });

  async function dumpOf(target: TestDatabase) {
    const commerce = await openCommerce({ storage: target.open() });
    try {
      return await dump(commerce, storeIds);
    } finally {
      await commerce.close();
    }
  }

  describe.each(['sqlite', 'postgres'] as const)('into %s', (dialect) => {
    it('answers everything as the original does, and goes on from there', () =>
      withDatabase(dialect, async (target) => {
        const { tables, isResumed } = await copyInto(database, target);
        expect(isResumed).toBe(false);
        expect(tables.map(({ table }) => table)).toEqual(Object.keys(copiedTables));
        expect(tables.find(({ table }) => table === 'products')).toMatchObject({ rows: 140 });
        expect(before[0]?.found.total).toBeGreaterThan(60);
        expect(await dumpOf(target)).toEqual(before);
        const commerce = await openCommerce({ storage: target.open() });
        const shop = await commerce.store(storeIds[0] as string);
        const product = await newProduct(shop, { slug: 'after-the-copy', title: 'Mug' });
        const order = await createOrder(shop, { items: [{ productId: product.id, quantity: 1 }] });
        const numbers = before[0]?.orders.items.map(({ orderNumber }) => orderNumber);
        expect(numbers).not.toContain(order.orderNumber);
        expect((await listProducts(shop, { search: 'mug' })).total).toBe((before[0]?.found.total ?? 0) + 1);
        await commerce.close();
      }));

    it('has the price history, from which the prior price of a later reduction follows', () =>
      withDatabase(dialect, async (target) => {
        await copyInto(database, target);
        const clock = fakeClock(new Date(Date.now() + 31 * 24 * 3_600_000).toISOString());
        const commerce = await openCommerce({ storage: target.open(), clock });
        const shop = await commerce.store(storeIds[0] as string);
        const { items } = await listProducts(shop, { status: 'published' });
        const { id } = items.find(({ manufacturerId }) => manufacturerId === 'maker') ?? {};
        const changes = { price: '8', compareAtPrice: '10' };
        expect(await updateProduct(shop, id ?? '', changes)).toMatchObject({ priorPrice: '10.00' });
        const fresh = await newProduct(shop);
        expect((await updateProduct(shop, fresh.id, changes)).priorPrice).toBeNull();
        await commerce.close();
      }));

    it('that was ended at any page goes on there, and doubles nothing', () =>
      withDatabase(dialect, async (target) => {
        let runs = 0;
        for (;;) {
          const controller = new AbortController();
          let pages = 0;
          const onProgress = ({ phase }: { phase: string }) => {
            if (phase === 'copying' && ++pages === 3) controller.abort();
          };
          const report = await copyInto(database, target, { onProgress, signal: controller.signal }).catch((error) => {
            if (!controller.signal.aborted) throw error;
          });
          runs++;
          if (report) {
            expect(report.isResumed).toBe(true);
            break;
          }
          await expect(dumpOf(target)).rejects.toMatchObject({
            kind: 'unavailable',
            message: expect.stringContaining('was not finished'),
          });
        }
        expect(runs).toBeGreaterThan(5);
        expect(await dumpOf(target)).toEqual(before);
      }));
  });

  it('is refused where there are stores, and nothing there changes', () =>
    withDatabase('sqlite', async (target) => {
      const commerce = await openCommerce({ storage: target.open() });
      const shop = await newShop(commerce);
      await commerce.close();
      await expect(copyInto(database, target)).rejects.toMatchObject({
        kind: 'conflict',
        message: expect.stringContaining('has stores already'),
      });
      const again = await openCommerce({ storage: target.open() });
      expect((await again.store(shop.store.id)).store.id).toBe(shop.store.id);
      await again.close();
    }));

  it('is refused over the unfinished copy of another database', () =>
    withDatabase('sqlite', (target) =>
      withDatabase('sqlite', async (other) => {
        const commerce = await openCommerce({ storage: other.open() });
        await newShop(commerce);
        await commerce.close();
        const controller = new AbortController();
        const ended = copyInto(other, target, { signal: controller.signal, onProgress: () => controller.abort() });
        await expect(ended).rejects.toThrow();
        await expect(copyInto(database, target)).rejects.toMatchObject({
          kind: 'conflict',
          message: expect.stringContaining('unfinished copy of'),
        });
      }),
    ));

  it('says which tables differ where the original was changed between two runs', () =>
    withDatabase('sqlite', async (target) => {
      const controller = new AbortController();
      const onProgress = ({ table }: { table: string }) => {
        if (table === 'orders') controller.abort();
      };
      await expect(copyInto(database, target, { onProgress, signal: controller.signal })).rejects.toThrow();
      const storage = database.open();
      const { rows } = await sql<{ json: string }>`select json from categories where store_id = ${storeIds[0]}`.execute(
        storage.db,
      );
      const change = (json: string | undefined) =>
        writing(storage, (db) => sql`update categories set json = ${json} where store_id = ${storeIds[0]}`.execute(db));
      await change('{}');
      await expect(copyInto(database, target)).rejects.toMatchObject({
        kind: 'conflict',
        message: expect.stringMatching(/differs in categories \(2 rows against 2\)/),
      });
      await change(rows[0]?.json);
      await storage.close();
    }));

  it('ends imports whose files did not come along', () =>
    withDatabase('sqlite', async (other) => {
      const commerce = await openCommerce({ storage: database.open() });
      const shop = await newShop(commerce);
      const csv = async function* () {
        yield Buffer.from('slug,title,price\nx,X,1\n');
      };
      const { id } = await startImport(shop, {}, csv());
      await commerce.importsIdle();
      await writing(shop.engine.storage, (db) =>
        db.updateTable('imports').set({ status: 'waiting', file: '/etc/hostname' }).where('id', '=', id).execute(),
      );
      await copyInto(database, other);
      const copied = await openCommerce({ storage: other.open() });
      const there = await copied.store(shop.store.id);
      expect(await getImport(there, id)).toMatchObject({
        status: 'failed',
        error: expect.stringContaining('was not copied'),
      });
      await writing(shop.engine.storage, (db) => db.deleteFrom('imports').where('id', '=', id).execute());
      await Promise.all([commerce.close(), copied.close()]);
    }));

  it('names every table there is, by its key', async () => {
    const commerce = await openCommerce({ storage: database.open() });
    const tables = await commerce.engine.storage.db.introspection.getTables();
    const made = /^(?:schema_migrations|list_totals|list_count_changes|(?:product|order)_search.*)$/;
    expect(
      tables
        .map(({ name }) => name)
        .filter((name) => !made.test(name))
        .sort(),
    ).toEqual(Object.keys(copiedTables).sort());
    await commerce.close();
  });
});
