import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';
import { strippedCode } from '../../kernel/fold.ts';
import { runLater } from '../prepared.ts';
import { type Db, type SearchIndex, type SearchTable, searchColumns, shortcutsOf } from '../storage.ts';

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
  const columns: readonly string[] = searchColumns[table];
  const names = sql.raw(columns.join(', '));
  return {
    async create(tx) {
      await reachTrigrams(tx);
      const made = sql.raw(columns.map((column) => `${column} text not null`).join(', '));
      await sql`create table ${name} (
      store_id text not null, number bigint not null, ${made}, primary key (store_id, number))`.execute(tx);
      const indexed = sql.raw(columns.map((column) => `${column} gin_trgm_ops`).join(', '));
      await sql`create index ${sql.raw(`${table}__text`)} on ${name} using gin (${indexed})`.execute(tx);
    },
    async put(tx, { store, number }, texts) {
      const changed = sql.raw(columns.map((column) => `${column} = excluded.${column}`).join(', '));
      const put =
        sql`insert into ${name} (store_id, number, ${names}) values (${store.id}, ${number}, ${sql.join(texts)})
      on conflict (store_id, number) do update set ${changed}`.compile(tx);
      shortcutsOf(tx).prepare?.(put.sql);
      await runLater(tx, put);
    },
    async putNew(tx, store, rows) {
      for (let i = 0; i < rows.length; i += 200) {
        const some = rows.slice(i, i + 200);
        const [only] = some;
        // Lists, so that the statement is the same for any number of rows. A single row uses VALUES, which Citus can route to its shard.
        const lists = columns.map((_, at) => sql`${some.map(({ texts }) => texts[at])}::text[]`);
        const put =
          only && some.length === 1
            ? sql`insert into ${name} (store_id, number, ${names})
        values (${store.id}, ${only.number}, ${sql.join(only.texts)})`.compile(tx)
            : sql`insert into ${name} (store_id, number, ${names})
        select ${store.id}::text, * from unnest(${some.map(({ number }) => number)}::bigint[], ${sql.join(lists)})`.compile(
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
      const { rows } = await sql<Record<string, string> & { number: number }>`select number, ${names} from ${name}
        where store_id = ${store.id} and number > ${after} order by number limit ${limit}`.execute(db);
      return rows.map((row) => ({ number: row.number, texts: columns.map((column) => row[column] ?? '') }));
    },
    find(store, words, where) {
      const conditions = words.map((word) => hasWord(word, where ? [where] : columns, isLike));
      return sql`(select number from ${name} where store_id = ${store.id} and ${sql.join(conditions, sql` and `)})`;
    },
    contains(store, number: Expression<number>, words) {
      const conditions = words.map((word) => hasWord(word, columns, isIn));
      // By the primary key: the planner would otherwise read the whole table to join it.
      return sql`coalesce((select ${sql.join(conditions, sql` and `)} from ${name}
        where store_id = ${store.id} and number = ${number}), false)`;
    },
  };
}

/** The index finds patterns; one row is checked without them. */
const isLike = (column: string, word: string) =>
  sql<SqlBool>`${sql.ref(column)} like ${`%${word.replace(/[\\%_]/g, '\\$&')}%`}`;
const isIn = (column: string, word: string) => sql<SqlBool>`strpos(${sql.ref(column)}, ${word}) > 0`;

/** The condition that one of the columns contains a word, or the codes contain it without blanks and dashes. */
function hasWord(
  word: string,
  columns: readonly string[],
  contains: (column: string, word: string) => RawBuilder<SqlBool>,
): RawBuilder<SqlBool> {
  const code = columns.includes('codes') ? strippedCode(word) : '';
  const each = columns.map((column) => contains(column, word));
  if (code !== '' && code !== word) each.push(contains('codes', code));
  return sql<SqlBool>`(${sql.join(each, sql` or `)})`;
}
