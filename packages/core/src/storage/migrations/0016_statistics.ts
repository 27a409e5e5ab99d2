import { sql } from 'kysely';
import { fillSales } from './0016_statistics-sales.ts';
import { fillOrderSearch } from './0016_statistics-search.ts';
import type { Migration } from './index.ts';

/** Sums of sales; orders found by a part of their texts; products that run low. */
export const statistics: Migration = {
  name: '0016_statistics',
  rewritesRows: true,
  letsOlderServersRun: false,
  async up(db, storage) {
    const { schema } = db;
    // Sums are found by ranges of time.
    await storage.counts.sortByBytes?.(db);
    await fillSales(db);

    await schema
      .alterTable('orders')
      .addColumn('search', 'text', (c) => c.notNull().defaultTo(''))
      .execute();
    await storage.orderSearch.create(db);
    await fillOrderSearch(db, storage);

    await schema
      .alterTable('products')
      .addColumn('low_stock', 'integer', (c) => c.notNull().defaultTo(0))
      .execute();
    await fillLowStock(db);
    await schema
      .createIndex('products_low_newest')
      .on('products')
      .columns(['store_id', 'created_at desc', 'id desc'])
      .where(sql<boolean>`low_stock = 1`)
      .execute();
  },
};

const pageSize = 1000;

/** By pages of ids: the texts of a million products do not fit into memory at once. */
async function fillLowStock(db: Parameters<Migration['up']>[0]): Promise<void> {
  let last = { store_id: '', id: '' };
  for (;;) {
    const rows = await db
      .selectFrom('products')
      .select(['store_id', 'id', 'stock', 'json'])
      .where(({ eb, refTuple, tuple }) => eb(refTuple('store_id', 'id'), '>', tuple(last.store_id, last.id)))
      .where('track_stock', '=', 1)
      .where('status', 'in', ['draft', 'published'])
      .orderBy('store_id')
      .orderBy('id')
      .limit(pageSize)
      .execute();
    const final = rows.at(-1);
    if (!final) return;
    last = final;
    for (const { store_id, id, stock, json } of rows) {
      const { lowStockThreshold } = JSON.parse(json) as { lowStockThreshold?: number | null };
      if (stock > (lowStockThreshold ?? 0)) continue;
      await db
        .updateTable('products')
        .set({ low_stock: 1 })
        .where('store_id', '=', store_id)
        .where('id', '=', id)
        .execute();
    }
  }
}
