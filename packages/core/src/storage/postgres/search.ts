import { type Expression, sql } from 'kysely';
import { runLater } from '../prepared.ts';
import { type Db, type SearchIndex, type SearchTable, shortcutsOf } from '../storage.ts';

/**
 * Creates the extension and puts its operators on the search path of this transaction: managed services often have it in its own schema.
 */
export async function reachTrigrams(tx: Db): Promise<void> {
  await sql`create extension if not exists pg_trgm`.execute(tx);
  await sql`
    select set_config('search_path', current_setting('search_path') || ', ' || quote_ident(nspname), true)
    from pg_extension join pg_namespace on pg_namespace.oid = extnamespace where extname = 'pg_trgm'`.execute(tx);
}

/** A separate table with a trigram index, so that the index is written only when words change. */
export function trigramIndex(table: SearchTable): SearchIndex {
  const name = sql.raw(table);
  return {
    async create(tx) {
      await reachTrigrams(tx);
      await sql`create table ${name} (
      store_id text not null, number bigint not null, text text not null, primary key (store_id, number))`.execute(tx);
      await sql`create index ${sql.raw(`${table}__text`)} on ${name} using gin (text gin_trgm_ops)`.execute(tx);
    },
    async put(tx, { store, number }, folded) {
      const put = sql`insert into ${name} (store_id, number, text) values (${store.id}, ${number}, ${folded})
      on conflict (store_id, number) do update set text = excluded.text`.compile(tx);
      shortcutsOf(tx).prepare?.(put.sql);
      await runLater(tx, put);
    },
    async putNew(tx, store, texts) {
      for (let i = 0; i < texts.length; i += 200) {
        const some = texts.slice(i, i + 200);
        const [only] = some;
        // Two lists, so that the statement is the same for any number of rows. A single row uses VALUES, which Citus can route to its
        // shard.
        const put =
          only && some.length === 1
            ? sql`insert into ${name} (store_id, number, text)
        values (${store.id}, ${only.number}, ${only.folded})`.compile(tx)
            : sql`insert into ${name} (store_id, number, text)
        select ${store.id}::text, * from unnest(${some.map(({ number }) => number)}::bigint[], ${some.map(({ folded }) => folded)}::text[])`.compile(
                tx,
              );
        shortcutsOf(tx).prepare?.(put.sql);
        await runLater(tx, put);
      }
    },
    async remove(tx, { store, number }) {
      await sql`delete from ${name} where store_id = ${store.id} and number = ${number}`.execute(tx);
    },
    async texts(db, store, after, limit) {
      const { rows } = await sql<{ number: number; text: string }>`select number, text from ${name}
        where store_id = ${store.id} and number > ${after} order by number limit ${limit}`.execute(db);
      return rows;
    },
    find(store, folded) {
      const each = [folded].flat().map((one) => sql`text like ${`%${one.replace(/[\\%_]/g, '\\$&')}%`}`);
      return sql`(select number from ${name} where store_id = ${store.id} and ${sql.join(each, sql` and `)})`;
    },
    // A scalar subquery instead of a join: the planner would read the whole table to join it.
    contains(store, number: Expression<number>, folded: string | readonly string[]) {
      return sql`(${sql.join([folded].flat().map((one) => sql`strpos((select text from ${name} where store_id = ${store.id} and number = ${number}), ${one}) > 0`), sql` and `)})`;
    },
  };
}
