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

/** A statement of a database in this process, to be run at once. */
export interface DirectStatement {
  /** Whether it returns rows. */
  readonly reader: boolean;
  /** With true, `all` returns the values of the only column instead of rows. */
  pluck(on: boolean): this;
  all(parameters: readonly unknown[]): unknown[];
  run(parameters: readonly unknown[]): { changes: number };
}

/**
 * Way around Kysely's executor, driver and connection, whose chain of promises costs as much as a statement on a local file:
 * a dialect that has it prepares statements of reads outside any transaction.
 */
export interface DirectReads {
  readStatement(text: string): DirectStatement;
}

/** Connection whose statements can be run at once, in the transaction that holds it. */
export interface DirectConnection extends DatabaseConnection {
  prepare(text: string): DirectStatement;
}

const connections = new WeakMap<object, DirectConnection>();

/** Lets the prepared queries of a transaction go straight to its connection, where the connection can do that. */
export async function useDirectConnection(tx: Db): Promise<void> {
  const connection = await tx.getExecutor().provideConnection(async (held) => held);
  if ('prepare' in connection) connections.set(tx.getExecutor(), connection as DirectConnection);
}

/** The statement of a query; undefined where the query has to go through Kysely. */
function statementOf(db: Db, { sql }: CompiledQuery): DirectStatement | undefined {
  const executor = db.getExecutor();
  if (db.isTransaction) return connections.get(executor)?.prepare(sql);
  return offersDirectReads(executor.adapter) ? executor.adapter.readStatement(sql) : undefined;
}

function offersDirectReads(adapter: object): adapter is DirectReads {
  return 'readStatement' in adapter;
}

/** Runs a query whose rows nobody asks for. @returns how many rows it changed */
async function execute(db: Db, query: CompiledQuery): Promise<number> {
  const statement = db.isTransaction ? statementOf(db, query) : undefined;
  if (statement && !statement.reader) return statement.run(query.parameters).changes;
  return Number((await db.executeQuery(query)).numAffectedRows ?? 0n);
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
    const statement = statementOf(db, query);
    if (statement?.reader) return statement.pluck(false).all(query.parameters) as Row[];
    return (await db.executeQuery(query)).rows as Row[];
  };
}

/** As `prepared`, for a query of one column: its values. */
export function preparedColumn<Args extends object, Value>(
  build: (db: Db, slot: Slots<Args>) => Compilable<Record<string, Value>>,
): (db: Db, args: Args) => Promise<Value[]> {
  const compile = compiledOnce(build);
  return async (db, args) => {
    const query = compile(db, args);
    const statement = statementOf(db, query);
    if (statement) return statement.pluck(true).all(query.parameters) as Value[];
    return valuesOf<Value>(await db.executeQuery(query));
  };
}

/** As `preparedColumn`, for a query that always answers one row: its value. */
export function preparedValue<Args extends object, Value>(
  build: (db: Db, slot: Slots<Args>) => Compilable<Record<string, Value>>,
): (db: Db, args: Args) => Promise<Value> {
  const compile = compiledOnce(build);
  return async (db, args) => {
    const query = compile(db, args);
    const statement = statementOf(db, query);
    const values = statement ? statement.pluck(true).all(query.parameters) : valuesOf(await db.executeQuery(query));
    return values[0] as Value;
  };
}

function valuesOf<Value>({ rows }: QueryResult<unknown>): Value[] {
  return rows.map((row) => Object.values(row as Record<string, Value>)[0] as Value);
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
  return (db, args) => execute(db, compile(db, args));
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
