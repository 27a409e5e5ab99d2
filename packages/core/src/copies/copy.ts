import { breathe } from '../kernel/breathe.ts';
import { type Clock, systemClock } from '../kernel/clock.ts';
import { CommerceError } from '../kernel/errors.ts';
import type { Product } from '../products/fields.ts';
import { searchTexts } from '../products/listing.ts';
import { migrate, requireMigrated } from '../storage/migrations/index.ts';
import { preparedInsert } from '../storage/prepared.ts';
import { runTransaction, storageError } from '../storage/run.ts';
import type { Db, Storage } from '../storage/storage.ts';
import { sumOf, type TableSum } from './checksum.ts';
import { keyOf, pagesOf, type Row } from './rows.ts';
import { beginCopy, endCopy, noteCopied } from './state.ts';
import { type CopiedTable, copiedTables } from './tables.ts';

export interface CopyOptions {
  clock?: Clock;
  /** Identifies the source, so an unfinished copy continues only from the same source; its location by default. */
  sourceName?: string;
  /** Leaves waiting mails to be sent by the copy; by default it cancels them. */
  keepMail?: boolean;
  /** Called after each page; `rows` counts the rows of the table that this run has written. */
  onProgress?: (progress: { phase: 'copying' | 'verifying'; table: string; rows: number }) => void;
  /** Stops the copy after the current page; the same copy can continue from there. */
  signal?: AbortSignal;
}

export interface CopyReport {
  /** Rows and checksum of each table, the same in both databases. */
  tables: ({ table: string } & TableSum)[];
  /** True if an earlier run began the copy. */
  isResumed: boolean;
}

/**
 * Copies all stores of a database, as of one moment, into an empty database of either engine. Then compares rows and checksum of every
 * table. If it ends early, the written rows are kept and the same copy continues from there. Media files are not copied.
 * @throws CommerceError `conflict` if the target has stores, or differs in the end because the source was changed between two runs;
 * `unavailable` if either does not answer or is of another version
 */
export async function copyDatabase(from: Storage, to: Storage, options: CopyOptions = {}): Promise<CopyReport> {
  const { clock = systemClock, onProgress = () => {}, signal, sourceName = from.location, keepMail = false } = options;
  try {
    await requireMigrated(from);
    await migrate(to, clock, { isCopied: true });
    const state = await beginCopy(to, sourceName, clock.now());
    const tables = await from.oneMoment(async (source) => {
      const numbers = await storeNumbers(source);
      for (const table of tableNames) {
        let rows = 0;
        for await (const page of pagesOf(source, table, state.last.get(table))) {
          await runTransaction(to, async (db) => {
            await insertPage(db, to, table, page, numbers);
            await noteCopied(db, sourceName, table, keyOf(table, page.at(-1) as Row));
          });
          rows += page.length;
          onProgress({ phase: 'copying', table, rows });
          await breathe();
          signal?.throwIfAborted();
        }
      }
      return verify(source, to, onProgress);
    });
    await endCopy(to, clock.now(), { keepMail });
    return { tables, isResumed: state.isResumed };
  } catch (error) {
    throw storageError(to, storageError(from, error));
  }
}

const tableNames = Object.keys(copiedTables) as CopiedTable[];
const inserts = Object.fromEntries(tableNames.map((table) => [table, preparedInsert<Row>(table)])) as Record<
  CopiedTable,
  (db: Db, rows: readonly Row[]) => Promise<void>
>;

async function storeNumbers(db: Db): Promise<Map<string, number>> {
  const rows = await db.selectFrom('stores').select(['id', 'number']).execute();
  return new Map(rows.map(({ id, number }) => [id, number]));
}

async function insertPage(
  db: Db,
  to: Storage,
  table: CopiedTable,
  page: readonly Row[],
  numbers: ReadonlyMap<string, number>,
): Promise<void> {
  await inserts[table](db, page);
  if (table !== 'products' && table !== 'orders') return;
  for (const { store_id, number, status, json, search } of page) {
    const id = String(store_id);
    const storeNumber = numbers.get(id);
    if (storeNumber === undefined) continue;
    const row = { store: { id, number: storeNumber }, number: Number(number) };
    if (table === 'orders') await to.orderSearch.put(db, row, [String(search)]);
    else if (status !== 'deleted') await to.search.put(db, row, searchTexts(JSON.parse(String(json)) as Product));
  }
}

async function verify(
  source: Db,
  to: Storage,
  onProgress: NonNullable<CopyOptions['onProgress']>,
): Promise<CopyReport['tables']> {
  const tables: CopyReport['tables'] = [];
  const different: string[] = [];
  for (const table of tableNames) {
    const wanted = await sumOf(source, table);
    const found = await to.oneMoment((db) => sumOf(db, table));
    if (wanted.rows !== found.rows || wanted.checksum !== found.checksum) {
      different.push(`${table} (${wanted.rows} rows against ${found.rows})`);
    }
    tables.push({ table, ...wanted });
    onProgress({ phase: 'verifying', table, rows: wanted.rows });
  }
  if (different.length === 0) return tables;
  throw new CommerceError(
    'conflict',
    `the copy in ${to.location} differs in ${different.join(', ')}: the source changed between two runs; copy into an empty database`,
  );
}
