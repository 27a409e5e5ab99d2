import { sql } from 'kysely';
import { foldTexts } from './0002_catalogue-fold.ts';
import type { Migration } from './index.ts';

const living = sql<boolean>`status <> 'deleted'`;

/** Categories, pages and media; search of customers; facets of products; filters of the audit log. */
export const catalogue: Migration = {
  name: '0002_catalogue',
  rewritesRows: true,
  letsOlderServersRun: false,
  async up(db, storage) {
    const { schema } = db;

    await schema
      .alterTable('stores')
      .addColumn('strict_category_depth', 'integer', (c) => c.notNull().defaultTo(0))
      .execute();

    // Both tables are empty, because no earlier version could create categories or media.
    await schema.dropTable('categories').execute();
    await schema.dropTable('media').execute();
    await schema
      .createTable('categories')
      .addColumn('store_id', 'text', (c) => c.notNull())
      .addColumn('id', 'text', (c) => c.notNull())
      .addColumn('status', 'text', (c) => c.notNull())
      .addColumn('slug', 'text', (c) => c.notNull())
      .addColumn('parent_id', 'text')
      .addColumn('search', 'text', (c) => c.notNull())
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addColumn('json', 'text', (c) => c.notNull())
      .addPrimaryKeyConstraint('categories_pkey', ['store_id', 'id'])
      .execute();
    await schema
      .createIndex('categories_parent_newest')
      .on('categories')
      .columns(['store_id', 'parent_id', 'created_at desc', 'id desc'])
      .where(living)
      .execute();
    await schema
      .createTable('pages')
      .addColumn('store_id', 'text', (c) => c.notNull())
      .addColumn('id', 'text', (c) => c.notNull())
      .addColumn('status', 'text', (c) => c.notNull())
      .addColumn('slug', 'text', (c) => c.notNull())
      .addColumn('search', 'text', (c) => c.notNull())
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addColumn('json', 'text', (c) => c.notNull())
      .addPrimaryKeyConstraint('pages_pkey', ['store_id', 'id'])
      .execute();
    for (const table of ['categories', 'pages']) {
      await schema
        .createIndex(`${table}__slug`)
        .on(table)
        .columns(['store_id', 'slug'])
        .unique()
        .where(living)
        .execute();
      await schema
        .createIndex(`${table}_newest`)
        .on(table)
        .columns(['store_id', 'created_at desc', 'id desc'])
        .where(living)
        .execute();
    }

    await schema
      .createTable('media')
      .addColumn('store_id', 'text', (c) => c.notNull())
      .addColumn('id', 'text', (c) => c.notNull())
      .addColumn('mime_type', 'text', (c) => c.notNull())
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addColumn('json', 'text', (c) => c.notNull())
      .addPrimaryKeyConstraint('media_pkey', ['store_id', 'id'])
      .execute();
    await schema.createIndex('media_newest').on('media').columns(['store_id', 'created_at desc', 'id desc']).execute();

    await schema
      .alterTable('customers')
      .addColumn('search', 'text', (c) => c.notNull().defaultTo(''))
      .execute();
    await schema
      .createIndex('customers_newest')
      .on('customers')
      .columns(['store_id', 'created_at desc', 'id desc'])
      .execute();

    // A product has one row for each of its attributes and categories, in the order of the lists within a value.
    await schema
      .createTable('product_facets')
      .addColumn('store_id', 'text', (c) => c.notNull())
      .addColumn('facet', 'text', (c) => c.notNull())
      .addColumn('value', 'text', (c) => c.notNull())
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addColumn('product_id', 'text', (c) => c.notNull())
      .addPrimaryKeyConstraint('product_facets_pkey', ['store_id', 'facet', 'value', 'created_at', 'product_id'])
      .modifyEnd(storage.inKeyOrder)
      .execute();

    await schema
      .createIndex('audit_logs_resource')
      .on('audit_logs')
      .columns(['store_id', 'resource_id', 'id'])
      .execute();

    await fillCustomerSearch(db);
    await fillFacets(db);
    await sql`insert into list_counts (store_id, list, value, n)
      select store_id, 'customers', '', count(*) from customers group by store_id`.execute(db);
    await countAuditLogs(db);
  },
};

async function fillCustomerSearch(db: Parameters<Migration['up']>[0]): Promise<void> {
  const rows = await db.selectFrom('customers').select(['store_id', 'id', 'json']).execute();
  for (const { store_id, id, json } of rows) {
    const { email, name, phone } = JSON.parse(json) as { email: string; name: string | null; phone: string | null };
    await db
      .updateTable('customers')
      .set({ search: foldTexts(email, name, phone) })
      .where('store_id', '=', store_id)
      .where('id', '=', id)
      .execute();
  }
}

const pageSize = 1000;

/** By pages of ids: the texts of a million products do not fit into memory at once. */
async function fillFacets(db: Parameters<Migration['up']>[0]): Promise<void> {
  const counts = new Map<string, { store_id: string; value: string; n: number }>();
  let last = { store_id: '', id: '' };
  for (;;) {
    const rows = await db
      .selectFrom('products')
      .select(['store_id', 'id', 'status', 'created_at', 'json'])
      .where(({ eb, refTuple, tuple }) => eb(refTuple('store_id', 'id'), '>', tuple(last.store_id, last.id)))
      .orderBy('store_id')
      .orderBy('id')
      .limit(pageSize)
      .execute();
    const final = rows.at(-1);
    if (!final) break;
    last = final;
    for (const { store_id, id, status, created_at, json } of rows) {
      if (status === 'deleted') continue;
      // Attributes alone: no earlier version had categories that a product could name.
      for (const [key, value] of Object.entries(
        (JSON.parse(json) as { attributes: Record<string, string> }).attributes,
      )) {
        const facet = `attr.${key}`;
        await db.insertInto('product_facets').values({ store_id, facet, value, created_at, product_id: id }).execute();
        const counted = JSON.stringify([facet, value]);
        const count = counts.get(store_id + counted) ?? { store_id, value: counted, n: 0 };
        count.n++;
        counts.set(store_id + counted, count);
      }
    }
  }
  for (const count of counts.values()) {
    await db
      .insertInto('list_counts')
      .values({ ...count, list: 'products.facets' })
      .execute();
  }
}

async function countAuditLogs(db: Parameters<Migration['up']>[0]): Promise<void> {
  const groups = await db
    .selectFrom('audit_logs')
    .select((eb) => ['store_id', 'actor_id', 'resource_type', 'action', eb.fn.countAll<number>().as('n')])
    .groupBy(['store_id', 'actor_id', 'resource_type', 'action'])
    .execute();
  for (const { store_id, actor_id, resource_type, action, n } of groups) {
    const value = JSON.stringify([actor_id, resource_type, action]);
    await db.insertInto('list_counts').values({ store_id, list: 'auditLogs', value, n }).execute();
  }
}
