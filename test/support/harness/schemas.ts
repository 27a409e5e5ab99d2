import { createHash } from 'node:crypto';
import { migrations, type Storage } from '@commerce/core';
import { sql } from 'kysely';

/** Each table with all that belongs to it, its columns, indexes and rules, as the engine tells of them. */
export type SchemaText = Record<string, string[]>;

const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ').trim();

/** Text of the schema of a database, the same for two that have the same tables. */
export async function schemaOf(storage: Storage, dialect: 'sqlite' | 'postgres'): Promise<SchemaText> {
  const { rows } = await (dialect === 'sqlite' ? sqliteSchema : postgresSchema).execute(storage.reads);
  const schema: SchemaText = {};
  for (const { owner, definition } of rows) schema[owner] = [...(schema[owner] ?? []), oneLine(definition)];
  return schema;
}

const sqliteSchema = sql<{ owner: string; definition: string }>`
  select tbl_name as owner, coalesce(sql, type || ' ' || name) as definition from sqlite_master order by tbl_name, type, name`;

const postgresSchema = sql<{ owner: string; definition: string }>`
  select owner, definition from (
    select table_name as owner, 1 as kind, lpad(ordinal_position::text, 4, '0') as place,
      concat_ws(' ', column_name, data_type, collation_name, 'null:', is_nullable, 'default', column_default) as definition
      from information_schema.columns where table_schema = current_schema()
    union all select tablename, 2, indexname, indexdef from pg_indexes where schemaname = current_schema()
    union all select conrelid::regclass::text, 3, conname, concat(conname, ' ', pg_get_constraintdef(oid))
      from pg_constraint where connamespace = current_schema()::regnamespace and contype <> 'n'
    union all select viewname, 4, viewname, definition from pg_views where schemaname = current_schema()
    union all select sequencename, 5, sequencename, concat('sequence ', data_type, ' ', start_value, ' ', increment_by)
      from pg_sequences where schemaname = current_schema()
    union all select event_object_table, 6, trigger_name, action_statement from information_schema.triggers
      where trigger_schema = current_schema()
  ) as parts
  where owner not like 'pg\\_stat\\_%' order by owner, kind, place`;

/** Short sums of a schema by table, which tell where two differ. */
export function sumsOf(schema: SchemaText): Record<string, string> {
  return Object.fromEntries(
    Object.entries(schema).map(([table, parts]) => [
      table,
      createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, 8),
    ]),
  );
}

type Row = Record<string, string | number | null>;

/** All rows of a database of some version, in a form that both engines can load. */
export interface Rows {
  tables: Record<string, Row[]>;
  /** Texts of the search indexes, by index. */
  search: Partial<Record<'products' | 'orders', { store: number; number: number; folded: string }[]>>;
}

const searchTables = { products: 'product_search', orders: 'order_search' } as const;

/** What an engine keeps beside the tables that both have. */
const engineTables = new Set<string>([
  'schema_migrations',
  'list_count_changes',
  'list_totals',
  ...Object.values(searchTables),
]);

/** Row of a search index, named by its store's id, or by its number before `0018_by_store`. */
type IndexedRow = { number: number; text: string } & (
  | { store_id: string; store_number?: undefined }
  | { store_id?: undefined; store_number: number }
);

/** Reads all rows of a PostgreSQL database. */
export async function readRows(storage: Storage): Promise<Rows> {
  const names = (await storage.tables()).sort();
  const tables: Rows['tables'] = {};
  for (const name of names.filter((one) => !engineTables.has(one))) {
    // Where changes of counts lie beside them, the sums have both.
    const from = name === 'list_counts' && names.includes('list_count_changes') ? 'list_totals' : name;
    const { rows } = await sql<Row>`select * from ${sql.table(from)}`.execute(storage.reads);
    const texts = rows.map((row) => JSON.stringify(row)).sort();
    if (rows.length > 0) tables[name] = texts.map((text) => JSON.parse(text));
  }
  const search: Rows['search'] = {};
  const stores = await storage.reads.selectFrom('stores').select(['id', 'number']).execute();
  const numbers = new Map(stores.map(({ id, number }) => [id, number]));
  for (const [index, table] of Object.entries(searchTables)) {
    if (!names.includes(table)) continue;
    const { rows } = await sql<IndexedRow>`select * from ${sql.table(table)}`.execute(storage.reads);
    const found = rows.map(({ store_id, store_number, number, text }) => ({
      store: store_number ?? numbers.get(store_id) ?? 0,
      number,
      folded: text,
    }));
    found.sort((one, other) => one.store - other.store || one.number - other.number);
    search[index as 'products' | 'orders'] = found;
  }
  return { tables, search };
}

/** Gives the search indexes of PostgreSQL, which are empty, the form that `create` gave them before `0018_by_store`. */
async function nameByNumber(db: Storage['db']): Promise<void> {
  const { rows } = await sql<{ table: string }>`
    select relname as "table" from pg_class where oid in (to_regclass('product_search'), to_regclass('order_search'))`.execute(
    db,
  );
  for (const { table } of rows) {
    const name = sql.table(table);
    await sql`drop table ${name}`.execute(db);
    await sql`create table ${name} (
      store_number integer not null, number bigint not null, text text not null, primary key (store_number, number))`.execute(
      db,
    );
    await sql`create index ${sql.raw(`${table}__text`)} on ${name} using gin (text gin_trgm_ops)`.execute(db);
  }
}

/** Fills an empty database with the tables of some migrations and with rows. @param then a migration to run after that */
export async function loadRows(
  storage: Storage,
  upTo: string,
  { tables, search }: Rows,
  at: number,
  then?: string,
): Promise<void> {
  const some = migrations.filter(({ name }) => name <= upTo);
  await storage.db.transaction().execute(async (db) => {
    await sql`create table schema_migrations (name text primary key, applied_at bigint not null)`.execute(db);
    for (const migration of some) {
      await migration.up(db, storage);
      await db.insertInto('schema_migrations').values({ name: migration.name, applied_at: at }).execute();
    }
    for (const [table, rows] of Object.entries(tables)) {
      for (const row of rows) {
        await db
          .insertInto(table as never)
          .values(row as never)
          .execute();
      }
    }
    const isNumbered = storage.search.keyByStore !== undefined && upTo < '0018_by_store';
    if (isNumbered) await nameByNumber(db);
    const stores = await db.selectFrom('stores').select(['id', 'number']).execute();
    for (const [index, texts] of Object.entries(search)) {
      const put = index === 'products' ? storage.search : storage.orderSearch;
      const table = sql.table(searchTables[index as keyof typeof searchTables]);
      for (const { store, number, folded } of texts) {
        const owner = stores.find((one) => one.number === store);
        if (!owner) throw new Error(`the rows name a store ${store} that is not among them`);
        if (isNumbered) await sql`insert into ${table} values (${store}, ${number}, ${folded})`.execute(db);
        else await put.put(db, { store: owner, number }, folded);
      }
    }
    await migrations.find(({ name }) => name === then)?.up(db, storage);
  });
}
