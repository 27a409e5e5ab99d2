import { sql } from 'kysely';
import type { Migration } from './index.ts';

/** Half of a block's maximum, as after a split. */
const size = 2048;

/** Runs of products in the order of lists, with their number of each status. */
export const productBlocks: Migration = {
  name: '0003_product_blocks',
  rewritesRows: false,
  letsOlderServersRun: false,
  async up(db, storage) {
    await db.schema
      .createTable('product_blocks')
      .addColumn('store_id', 'text', (c) => c.notNull())
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addColumn('id', 'text', (c) => c.notNull())
      .addColumn('draft', 'bigint', (c) => c.notNull())
      .addColumn('published', 'bigint', (c) => c.notNull())
      .addColumn('archived', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('product_blocks_pkey', ['store_id', 'created_at', 'id'])
      .modifyEnd(storage.inKeyOrder)
      .execute();
    for (const { id } of await db.selectFrom('stores').select('id').execute()) await fillBlocks(db, id);
  },
};

interface Place {
  created_at: number;
  id: string;
}

/** Fills block by block: numbering a million products in one statement takes 150 MB in SQLite. */
async function fillBlocks(db: Parameters<Migration['up']>[0], storeId: string): Promise<void> {
  // The first block begins before every product, each other one at its own first product.
  let first: Place | undefined = { created_at: 0, id: '' };
  while (first) {
    const { created_at, id }: Place = first;
    const living = db
      .selectFrom('products')
      .where('store_id', '=', storeId)
      .where('status', '<>', sql.lit('deleted'))
      .where(({ eb, refTuple, tuple }) => eb(refTuple('created_at', 'id'), '>=', tuple(created_at, id)))
      .orderBy('created_at')
      .orderBy('id');
    const counted = await db
      .selectFrom(living.select('status').limit(size).as('block'))
      .select(['status', (eb) => eb.fn.countAll<number>().as('n')])
      .groupBy('status')
      .execute();
    if (counted.length === 0) break;
    const n = new Map(counted.map((row) => [row.status, row.n]));
    const [draft, published, archived] = ['draft', 'published', 'archived'].map((status) => n.get(status) ?? 0);
    await sql`insert into product_blocks (store_id, created_at, id, draft, published, archived)
      values (${storeId}, ${created_at}, ${id}, ${draft}, ${published}, ${archived})`.execute(db);
    first = await living.select(['created_at', 'id']).limit(1).offset(size).executeTakeFirst();
  }
}
