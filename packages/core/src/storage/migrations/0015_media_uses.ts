import { sql } from 'kysely';
import type { Migration } from './index.ts';

type Db = Parameters<Migration['up']>[0];

/** What everybody may see of a store: the media that something published names, and how many published products each facet has. */
export const mediaUses: Migration = {
  name: '0015_media_uses',
  rewritesRows: false,
  letsOlderServersRun: false,
  async up(db, storage) {
    await db.schema
      .createTable('media_uses')
      .addColumn('store_id', 'text', (c) => c.notNull())
      .addColumn('media_id', 'text', (c) => c.notNull())
      .addColumn('used_by', 'text', (c) => c.notNull())
      .addPrimaryKeyConstraint('media_uses_pkey', ['store_id', 'media_id', 'used_by'])
      .modifyEnd(storage.inKeyOrder)
      .execute();
    for (const table of ['products', 'categories', 'pages'] as const) await fillUses(db, table);
    await countPublishedFacets(db);
  },
};

const pageSize = 1000;

/** Uses inserted with one statement. */
const maxRows = 500;

interface Named {
  seoImageId?: string | null;
  primaryMediaId?: string | null;
  mediaIds?: string[];
}

/** By pages of ids: the texts of a million products do not fit into memory at once. */
async function fillUses(db: Db, table: 'products' | 'categories' | 'pages'): Promise<void> {
  let last = { store_id: '', id: '' };
  for (;;) {
    const rows = await db
      .selectFrom(table as 'products')
      .select(['store_id', 'id', 'status', 'json'])
      .where(({ eb, refTuple, tuple }) => eb(refTuple('store_id', 'id'), '>', tuple(last.store_id, last.id)))
      .orderBy('store_id')
      .orderBy('id')
      .limit(pageSize)
      .execute();
    const final = rows.at(-1);
    if (!final) return;
    last = final;
    const uses = rows.flatMap(({ store_id, id, status, json }) => {
      if (status !== 'published') return [];
      const { mediaIds = [], primaryMediaId, seoImageId } = JSON.parse(json) as Named;
      const named = new Set([...mediaIds, primaryMediaId, seoImageId].filter((media) => media != null));
      return [...named].map((media_id) => ({ store_id, media_id, used_by: id }));
    });
    for (let i = 0; i < uses.length; i += maxRows) {
      await db
        .insertInto('media_uses')
        .values(uses.slice(i, i + maxRows))
        .execute();
    }
  }
}

/** By pages of facets, in the order of their index. */
async function countPublishedFacets(db: Db): Promise<void> {
  let last = { store_id: '', facet: '', value: '' };
  for (;;) {
    const groups = await db
      .selectFrom('product_facets as listed')
      .innerJoin('products', (join) =>
        join.onRef('products.store_id', '=', 'listed.store_id').onRef('products.id', '=', 'listed.product_id'),
      )
      .select((eb) => [
        'listed.store_id',
        'listed.facet',
        'listed.value',
        sql<number>`sum(case when ${eb.ref('products.status')} = 'published' then 1 else 0 end)`.as('n'),
      ])
      .where(({ eb, refTuple, tuple }) =>
        eb(
          refTuple('listed.store_id', 'listed.facet', 'listed.value'),
          '>',
          tuple(last.store_id, last.facet, last.value),
        ),
      )
      .groupBy(['listed.store_id', 'listed.facet', 'listed.value'])
      .orderBy('listed.store_id')
      .orderBy('listed.facet')
      .orderBy('listed.value')
      .limit(pageSize)
      .execute();
    const final = groups.at(-1);
    if (!final) return;
    last = final;
    const counts = groups
      .filter(({ n }) => Number(n) > 0)
      .map(({ store_id, facet, value, n }) => ({
        store_id,
        list: 'products.publishedFacets' as const,
        value: JSON.stringify([facet, value]),
        n: Number(n),
      }));
    if (counts.length > 0) await db.insertInto('list_counts').values(counts).execute();
  }
}
