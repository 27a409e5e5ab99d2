import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';
import { strippedCode } from '../../kernel/fold.ts';
import { type SearchIndex, type SearchRow, type SearchTable, searchColumns } from '../storage.ts';
import { StatementCache } from './statements.ts';
import type { SqliteWriter } from './writer.ts';

const rowsPerStore = 2 ** 32;

/**
 * An FTS5 trigram table. Each store has its own range of rowids, so a match is restricted to one store without a join. Words under three
 * characters have no trigram: they are looked for in what longer words find, or else in that range. Changes are written at the end of the
 * writer's batch: FTS5 flushes its index at every savepoint, which was most of the cost of a new product.
 */
export function trigramIndex(writer: SqliteWriter, table: SearchTable): SearchIndex {
  const name = sql.raw(table);
  const columns: readonly string[] = searchColumns[table];
  const names = columns.join(', ');
  const places = columns.map(() => '?').join(', ');
  const statements = new StatementCache(writer.connection);
  return {
    async create(tx) {
      const made = sql.raw(names);
      await sql`create virtual table ${name} using fts5(${made}, tokenize = 'trigram case_sensitive 1')`.execute(tx);
      // Removes deleted texts from the index at once, not at its next merge: texts of orders name people.
      if (table === 'order_search')
        await sql`insert into ${name} (${name}, rank) values ('secure-delete', 1)`.execute(tx);
    },
    async put(_tx, row, texts) {
      const put = `insert or replace into ${table} (rowid, ${names}) values (?, ${places})`;
      writer.atEndOfBatch(() => statements.get(put).run(rowid(row), ...texts));
    },
    async putNew(_tx, store, rows) {
      const put = `insert into ${table} (rowid, ${names}) values (?, ${places})`;
      writer.atEndOfBatch(() => {
        const statement = statements.get(put);
        for (const { number, texts } of rows) statement.run(rowid({ store, number }), ...texts);
      });
    },
    async remove(_tx, row) {
      writer.atEndOfBatch(() => statements.get(`delete from ${table} where rowid = ?`).run(rowid(row)));
    },
    async texts(db, store, after, limit) {
      const first = store.number * rowsPerStore;
      const { rows } = await sql<Record<string, string> & { number: number }>`
        select rowid - ${first} as number, ${sql.raw(names)} from ${name}
        where rowid > ${first + after} and rowid < ${first + rowsPerStore} order by rowid limit ${limit}`.execute(db);
      return rows.map((row) => ({ number: row.number, texts: columns.map((column) => row[column] ?? '') }));
    },
    find(store, words, where) {
      const first = store.number * rowsPerStore;
      const last = first + rowsPerStore - 1;
      const searched = words.map((word) => searchedWord(word, where ? [where] : columns));
      const expressions = searched.flatMap(({ expression }) => expression ?? []);
      const match =
        where && expressions.length > 0 ? `{${where}} : (${expressions.join(' AND ')})` : expressions.join(' AND ');
      const conditions = [
        ...(expressions.length > 0 ? [sql<SqlBool>`${name} match ${match}`] : []),
        ...searched.flatMap(({ isExact, check }) => (isExact ? [] : [check])),
        sql<SqlBool>`rowid between ${first} and ${last}`,
      ];
      return sql`(select rowid - ${first} as number from ${name} where ${sql.join(conditions, sql` and `)})`;
    },
    contains(store, number: Expression<number>, words) {
      const first = store.number * rowsPerStore;
      const checks = words.map((word) => searchedWord(word, columns).check);
      return sql`exists (select 1 from ${name} where rowid = ${first} + ${number} and ${sql.join(checks, sql` and `)})`;
    },
  };
}

/** A word as the index finds it, and as a text is checked for it. */
interface Searched {
  /** An expression of FTS5; undefined for a word without trigrams. */
  expression: string | undefined;
  /** True if the expression finds no text without the word. */
  isExact: boolean;
  check: RawBuilder<SqlBool>;
}

function searchedWord(word: string, columns: readonly string[]): Searched {
  const code = columns.includes('codes') ? strippedCode(word) : word;
  const checks = columns.map((column) => sql<SqlBool>`instr(${sql.ref(column)}, ${word}) > 0`);
  const plain = phrasesOf(word);
  if (code === '' || code === word) return { ...plain, check: anyOf(checks) };
  const stripped = phrasesOf(code);
  const isFound = plain.expression !== undefined && stripped.expression !== undefined;
  return {
    expression: isFound ? `(${plain.expression} OR {codes} : (${stripped.expression}))` : undefined,
    isExact: isFound && plain.isExact && stripped.isExact,
    check: anyOf([...checks, sql<SqlBool>`instr(codes, ${code}) > 0`]),
  };
}

function anyOf(checks: readonly RawBuilder<SqlBool>[]): RawBuilder<SqlBool> {
  return sql<SqlBool>`(${sql.join(checks, sql` or `)})`;
}

/**
 * A word as a phrase of trigrams, whose positions FTS5 compares. If no trigram repeats, that takes as many steps as the text is long. A
 * repeated trigram multiplies the steps (200 times `a` took a quarter of a second over one such text). For these words, the texts with the
 * same trigrams are checked.
 */
function phrasesOf(word: string): { expression: string | undefined; isExact: boolean } {
  // Code points, not UTF-16 units.
  const points = [...word];
  if (points.length < 3) return { expression: undefined, isExact: false };
  const trigrams = points.slice(2).map((last, i) => `${points[i]}${points[i + 1]}${last}`);
  const distinct = [...new Set(trigrams)];
  if (distinct.length === trigrams.length) return { expression: phrase(word), isExact: true };
  return { expression: `(${distinct.map(phrase).join(' AND ')})`, isExact: false };
}

function phrase(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}

function rowid(row: SearchRow): number {
  return row.store.number * rowsPerStore + row.number;
}
