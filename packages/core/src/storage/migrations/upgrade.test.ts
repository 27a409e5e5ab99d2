import { forEachStorage } from '@commerce/test-support/harness/storages';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import {
  type Customer,
  createCategory,
  getProductAttributes,
  listAuditLogs,
  listCustomers,
  listProducts,
  listProductsByAttributes,
  migrations,
  openCommerce,
  type Product,
} from '../../index.ts';

const id = (n: number) => `0190a5c8-0000-7000-8000-${String(n).padStart(12, '0')}`;
const storeId = id(0);
const at = 1_760_000_000_000;
const time = new Date(at).toISOString();

forEachStorage('a database of the first version', (database) => {
  /** Creates the tables and rows of that version, and no others. */
  async function makeFirstVersion(): Promise<void> {
    const storage = database.open();
    await storage.db.transaction().execute(async (db) => {
      await sql`create table schema_migrations (name text primary key, applied_at bigint not null)`.execute(db);
      await migrations[0]?.up(db, storage);
      const insert = (table: string, row: Record<string, unknown>) =>
        db
          .insertInto(table as never)
          .values(row as never)
          .execute();
      await insert('schema_migrations', { name: '0001_initial', applied_at: at });
      await insert('stores', { id: storeId, number: 1, name: 'Old', currency: 'EUR', created_at: at, updated_at: at });
      for (const [n, status, attributes] of [
        [1, 'published', { color: 'red', size: 'M' }],
        [2, 'draft', { color: 'red' }],
        [3, 'deleted', { color: 'blue', size: 'S' }],
      ] as const) {
        const product = {
          id: id(n),
          storeId,
          title: `Mug ${n}`,
          slug: `mug-${n}`,
          status,
          attributes,
          createdAt: time,
        };
        await insert('products', {
          store_id: storeId,
          id: id(n),
          number: n,
          status,
          slug: `mug-${n}`,
          track_stock: 0,
          stock: 0,
          allow_backorder: 0,
          created_at: at,
          json: JSON.stringify(product satisfies Partial<Product>),
        });
        if (status !== 'deleted')
          await insert('list_counts', { store_id: storeId, list: 'products.status', value: status, n: 1 });
      }
      for (const [n, email, name] of [
        [4, 'Ann@x.example', 'Ann Ödi'],
        [5, 'bob@x.example', 'Οδός \u001f'],
      ] as const) {
        const customer = { id: id(n), storeId, email, name, phone: null, createdAt: time };
        const json = JSON.stringify(customer satisfies Partial<Customer>);
        await insert('customers', { store_id: storeId, id: id(n), email: email.toLowerCase(), created_at: at, json });
      }
      for (const [n, actor_id, action] of [
        [6, 'k 1', 'product.created'],
        [7, 'k 1', 'product.created'],
        [8, null, 'product.updated'],
      ] as const) {
        await insert('audit_logs', {
          store_id: storeId,
          id: id(n),
          actor_type: 'apiKey',
          actor_id,
          action,
          resource_type: 'product',
          resource_id: id(1),
          changes: '{}',
          created_at: at,
        });
      }
    });
    await storage.close();
  }

  it('is listed, filtered and searched after the upgrade', async () => {
    await makeFirstVersion();
    const commerce = await openCommerce({ storage: database.open() });
    const shop = await commerce.store(storeId);
    expect(shop.store.strictCategoryDepth).toBe(false);
    expect(await getProductAttributes(shop)).toEqual({
      keys: ['color', 'size'],
      values: { color: ['red'], size: ['M'] },
    });
    const red = await listProductsByAttributes(shop, { attributes: { color: 'red' } });
    expect(red).toMatchObject({ total: 2, items: [{ id: id(2) }, { id: id(1) }] });
    expect(await listProducts(shop, { offset: 1 })).toMatchObject({ total: 2, items: [{ id: id(1) }] });
    expect(await listCustomers(shop)).toMatchObject({ total: 2, items: [{ id: id(5) }, { id: id(4) }] });
    expect(await listCustomers(shop, { search: 'ÖDI' })).toMatchObject({ total: 1, items: [{ id: id(4) }] });
    // Folded as the migration's own copy did when it was written, whatever the program does now.
    const folded = await commerce.engine.storage.db.selectFrom('customers').select('search').orderBy('id').execute();
    expect(folded.map(({ search }) => search)).toEqual([
      'ann@x.example\u001fann ödi\u001f',
      'bob@x.example\u001fοδόσ \ufdd0\u001f',
    ]);
    expect((await listAuditLogs(shop)).total).toBe(3);
    expect((await listAuditLogs(shop, { actorId: 'k 1', action: 'product.created' })).total).toBe(2);
    expect(await createCategory(shop, { name: 'Mugs', slug: 'mugs' })).toMatchObject({ slug: 'mugs' });
    await commerce.close();
  });
});
