import type {
  Compilable,
  CompiledQuery,
  DatabaseConnection,
  InsertQueryBuilder,
  InsertResult,
  QueryResult,
} from 'kysely';
import { breathe } from '../breathe.ts';
import type { Schema } from './schema.ts';
import type { Db } from './storage.ts';

/** Stands in a compiled query where an argument goes. Kysely carries it through as an ordinary parameter. */
class Slot {
  constructor(readonly name: string) {}
}

type Slots<Args> = <Name extends keyof Args & string>(name: Name) => Args[Name];

/**
 * What a dialect may offer beside Kysely's own way through executor, driver and connection, whose chain of promises costs
 * as much as a statement on a local file: a compiled query run at once, outside any transaction.
 */
export interface DirectReads {
  /** @param column answers the values of the only column instead of rows */
  readDirect(query: CompiledQuery, column: boolean): unknown[];
}

/** A connection that runs a compiled query at once; the transaction that holds it is the one it runs in. */
export interface DirectConnection extends DatabaseConnection {
  runDirect(query: CompiledQuery): QueryResult<unknown>;
}

const connections = new WeakMap<object, DirectConnection>();

/** Lets the prepared queries of a transaction go straight to its connection, where the connection can do that. */
export async function useDirectConnection(tx: Db): Promise<void> {
  const connection = await tx.getExecutor().provideConnection(async (held) => held);
  if ('runDirect' in connection) connections.set(tx.getExecutor(), connection as DirectConnection);
}

async function execute(db: Db, query: CompiledQuery): Promise<QueryResult<unknown>> {
  const direct = connections.get(db.getExecutor());
  return direct ? direct.runDirect(query) : db.executeQuery(query);
}

/**
 * A query that is built and compiled once per dialect and then run with other arguments: building and compiling one
 * through Kysely costs more than running it. For the hot paths; anything dynamic is written as an ordinary query.
 */
export function prepared<Args extends object, Row = never>(
  build: (db: Db, slot: Slots<Args>) => Compilable<Row>,
): (db: Db, args: Args) => Promise<Row[]> {
  const compile = compiledOnce(build);
  return async (db, args) => {
    const query = compile(db, args);
    const { adapter } = db.getExecutor();
    if (!db.isTransaction && offersDirectReads(adapter)) return adapter.readDirect(query, false) as Row[];
    return (await execute(db, query)).rows as Row[];
  };
}

/** As `prepared`, for a query of one column: its values. */
export function preparedColumn<Args extends object, Value>(
  build: (db: Db, slot: Slots<Args>) => Compilable<Record<string, Value>>,
): (db: Db, args: Args) => Promise<Value[]> {
  const compile = compiledOnce(build);
  return async (db, args) => {
    const query = compile(db, args);
    const { adapter } = db.getExecutor();
    if (!db.isTransaction && offersDirectReads(adapter)) return adapter.readDirect(query, true) as Value[];
    const { rows } = await execute(db, query);
    return rows.map((row) => Object.values(row as Record<string, Value>)[0] as Value);
  };
}

function offersDirectReads(adapter: object): adapter is DirectReads {
  return 'readDirect' in adapter;
}

/**
 * A prepared query for each length of a list, for `in (…)`. A long list is compiled anew each time: keeping it would only
 * fill the cache.
 */
export function preparedPerLength<Args extends object, Row>(
  build: (db: Db, slot: Slots<Args>, items: string[]) => Compilable<Row>,
): (db: Db, args: Args, items: readonly string[]) => Promise<Row[]> {
  const byLength = new Map<number, (db: Db, args: Args & Record<string, string>) => Promise<Row[]>>();
  return (db, args, items) => {
    let run = byLength.get(items.length);
    if (!run) {
      run = prepared<Args & Record<string, string>, Row>((on, slot) =>
        build(
          on,
          slot as Slots<Args>,
          items.map((_, i) => slot(`item ${i}`)),
        ),
      );
      if (items.length <= 32) byLength.set(items.length, run);
    }
    const named = Object.fromEntries(items.map((item, i) => [`item ${i}`, item]));
    return run(db, { ...args, ...named } as Args & Record<string, string>);
  };
}

/** As `prepared`, for an update or delete whose answer is the number of rows it changed. */
export function preparedChange<Args extends object>(
  build: (db: Db, slot: Slots<Args>) => Compilable<unknown>,
): (db: Db, args: Args) => Promise<number> {
  const compile = compiledOnce(build);
  return async (db, args) => Number((await execute(db, compile(db, args))).numAffectedRows ?? 0n);
}

/** Builds and compiles on first use; answers the query with the arguments in place. */
function compiledOnce<Args extends object>(build: (db: Db, slot: Slots<Args>) => Compilable<unknown>) {
  // Transactions and the open database share their dialect's adapter, different databases do not.
  const compiled = new WeakMap<object, CompiledQuery>();
  return (db: Db, args: Args): CompiledQuery => {
    const { adapter } = db.getExecutor();
    let query = compiled.get(adapter);
    if (!query) {
      query = build(db, ((name: string) => new Slot(name)) as never).compile();
      compiled.set(adapter, query);
    }
    const values = args as Record<string, unknown>;
    const parameters = query.parameters.map((value) => (value instanceof Slot ? values[value.name] : value));
    return { query: query.query, queryId: query.queryId, sql: query.sql, parameters };
  };
}

type Insert = InsertQueryBuilder<Schema, keyof Schema, InsertResult>;

/**
 * Rows of one statement. SQLite takes 32,766 values in one and PostgreSQL 65,535, of which our widest rows have a dozen each;
 * and a longer statement takes longer to compile than others should wait.
 */
const maxRows = 200;

/**
 * Inserts rows of one shape, however many, in as few statements as that takes; each is compiled once per shape and number of
 * rows.
 * @param refine adds to the statement, such as what to do on a conflict
 */
export function preparedInsert<Row extends object>(
  table: keyof Schema,
  refine: (insert: Insert) => Insert = (insert) => insert,
): (db: Db, rows: readonly Row[]) => Promise<void> {
  const byShape = new Map<string, ReturnType<typeof compiledOnce<Record<string, unknown>>>>();
  const insert = async (db: Db, rows: readonly Row[]) => {
    const columns = Object.keys(rows[0] ?? {});
    const shape = `${rows.length} ${columns}`;
    let compile = byShape.get(shape);
    if (!compile) {
      compile = compiledOnce((on, slot) => {
        const values = rows.map((_, i) =>
          Object.fromEntries(columns.map((column) => [column, slot(`${i}.${column}`)])),
        );
        return refine(on.insertInto(table).values(values as never));
      });
      // A shape is kept for the counts that recur; the others would only fill the cache.
      if (rows.length <= 32 || rows.length === maxRows) byShape.set(shape, compile);
    }
    const args: Record<string, unknown> = {};
    rows.forEach((row, i) => {
      for (const column of columns) args[`${i}.${column}`] = (row as Record<string, unknown>)[column];
    });
    await execute(db, compile(db, args));
  };
  return async (db, rows) => {
    for (let i = 0; i < rows.length; i += maxRows) {
      if (i > 0) await breathe();
      await insert(db, rows.length <= maxRows ? rows : rows.slice(i, i + maxRows));
    }
  };
}
