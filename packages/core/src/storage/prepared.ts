import type { Compilable, CompiledQuery, InsertQueryBuilder, InsertResult, QueryResult } from 'kysely';
import { breathe } from '../kernel/breathe.ts';
import type { Schema } from './schema.ts';
import { type Db, type Shortcuts, shortcutsOf } from './storage.ts';

/** Placeholder of an argument in a compiled query. Kysely treats it as an ordinary parameter. */
class Slot {
  constructor(readonly name: string) {}
}

type Slots<Args> = <Name extends keyof Args & string>(name: Name) => Args[Name];

/** Shortcuts available to a query. Kysely's own transactions get none: only its executor knows their connection. */
function shortcutsFor(db: Db): Shortcuts {
  return db.isTransaction ? none : shortcutsOf(db);
}

const none: Shortcuts = {};

async function execute(db: Db, query: CompiledQuery): Promise<QueryResult<unknown>> {
  const { run } = shortcutsFor(db);
  return run ? run(query) : db.executeQuery(query);
}

/** Runs a statement whose answer is not needed; does not wait for it if the engine can avoid that. */
export async function runLater(db: Db, query: CompiledQuery): Promise<void> {
  const { statement, later } = shortcutsFor(db);
  if (statement) statement(query.sql).run(query.parameters);
  else if (later) later(query);
  else await execute(db, query);
}

/**
 * A query that is built and compiled once per dialect and then run with other arguments. Building and compiling one through Kysely costs
 * more than running it. For the hot paths; write anything dynamic as an ordinary query.
 */
export function prepared<Args extends object, Row = never>(
  build: (db: Db, slot: Slots<Args>) => Compilable<Row>,
): (db: Db, args: Args) => Promise<Row[]> {
  const compile = compiledOnce(build);
  return async (db, args) => {
    const query = compile(db, args);
    const statement = shortcutsFor(db).statement?.(query.sql);
    if (statement?.reader) return statement.pluck(false).all(query.parameters) as Row[];
    return (await execute(db, query)).rows as Row[];
  };
}

/** Like `prepared`, but returns the values of a query's only column. */
export function preparedColumn<Args extends object, Value>(
  build: (db: Db, slot: Slots<Args>) => Compilable<Record<string, Value>>,
): (db: Db, args: Args) => Promise<Value[]> {
  const compile = compiledOnce(build);
  return async (db, args) => {
    const query = compile(db, args);
    const statement = shortcutsFor(db).statement?.(query.sql);
    if (statement) return statement.pluck(true).all(query.parameters) as Value[];
    const { rows } = await execute(db, query);
    return rows.map((row) => Object.values(row as Record<string, Value>)[0] as Value);
  };
}

/** Lengths of lists for which a query is kept. A list of another length is padded to the next one by repeating its last item. */
const keptLengths = [64, 128, 256, 512] as const;

/**
 * A prepared query for each length of a list, for `in (…)`. A very long list is compiled every time: keeping it would only fill the cache.
 */
export function preparedPerLength<Args extends object, Row>(
  build: (db: Db, slot: Slots<Args>, items: string[]) => Compilable<Row>,
): (db: Db, args: Args, items: readonly string[]) => Promise<Row[]> {
  const byLength = new Map<number, (db: Db, args: Args & Record<string, string>) => Promise<Row[]>>();
  return (db, args, items) => {
    const length =
      items.length <= 32 ? items.length : (keptLengths.find((kept) => kept >= items.length) ?? items.length);
    let run = byLength.get(length);
    if (!run) {
      run = prepared<Args & Record<string, string>, Row>((on, slot) =>
        build(
          on,
          slot as Slots<Args>,
          Array.from({ length }, (_, i) => slot(`item ${i}`)),
        ),
      );
      if (length <= 512) byLength.set(length, run);
    }
    const named = { ...args } as Record<string, unknown>;
    for (let i = 0; i < length; i++) named[`item ${i}`] = items[Math.min(i, items.length - 1)];
    return run(db, named as Args & Record<string, string>);
  };
}

/** Like `prepared`, but takes an update or delete, and returns the number of changed rows. */
export function preparedChange<Args extends object>(
  build: (db: Db, slot: Slots<Args>) => Compilable<unknown>,
): (db: Db, args: Args) => Promise<number> {
  const compile = compiledOnce(build);
  return async (db, args) => {
    const query = compile(db, args);
    const statement = shortcutsFor(db).statement?.(query.sql);
    if (statement) return statement.run(query.parameters).changes;
    return Number((await execute(db, query)).numAffectedRows ?? 0n);
  };
}

/** Maximum number of column sets whose update is kept compiled; each table has a handful that recur. */
const maxChoices = 200;

/**
 * An update of one row that names only the changed columns: SQLite writes every index with a named column, even if its value does not
 * change.
 * @returns a function that updates the row with these key values, and returns false if it does not exist
 */
export function preparedUpdate<Row extends object>(
  table: keyof Schema,
): (db: Db, at: Partial<Row>, changes: Partial<Row>) => Promise<boolean> {
  const byColumns = new Map<string, (db: Db, args: Record<string, unknown>) => Promise<number>>();
  return async (db, at, changes) => {
    const columns = Object.keys(changes);
    if (columns.length === 0) throw new Error(`an update of ${table} changes nothing`);
    const keys = Object.keys(at);
    const choice = `${keys} ${columns}`;
    let update = byColumns.get(choice);
    if (!update) {
      update = preparedChange<Record<string, unknown>>((on, p) => {
        const set = Object.fromEntries(columns.map((column) => [column, p(column)]));
        let query = on.updateTable(table as 'products').set(set);
        for (const key of keys) query = query.where(key as 'id', '=', p(`at ${key}`) as string);
        return query;
      });
      if (byColumns.size < maxChoices) byColumns.set(choice, update);
    }
    const place = Object.fromEntries(Object.entries(at).map(([key, value]) => [`at ${key}`, value]));
    return (await update(db, { ...changes, ...place })) === 1;
  };
}

/** The columns of a row whose values changed. */
export function changedColumns<Row extends object>(before: Row, after: Row): Partial<Row> {
  const changes: Partial<Row> = {};
  for (const column of Object.keys(after) as (keyof Row)[]) {
    if (after[column] !== before[column]) changes[column] = after[column];
  }
  return changes;
}

/** A compiled query. Each parameter is the name of an argument or a constant value. */
interface Compiled {
  query: CompiledQuery;
  slots: readonly unknown[];
}

/** Compiled queries of one database by its adapter, which its transactions share. */
class CompiledOnce {
  readonly #build: (db: Db) => Compilable<unknown>;
  readonly #compiled = new WeakMap<object, Compiled>();

  constructor(build: (db: Db) => Compilable<unknown>) {
    this.#build = build;
  }

  of(db: Db): Compiled {
    const { adapter } = db.getExecutor();
    let compiled = this.#compiled.get(adapter);
    if (!compiled) {
      const query = this.#build(db).compile();
      shortcutsOf(db).prepare?.(query.sql);
      compiled = { query, slots: query.parameters };
      this.#compiled.set(adapter, compiled);
    }
    return compiled;
  }
}

function withParameters({ query, queryId, sql }: CompiledQuery, parameters: readonly unknown[]): CompiledQuery {
  return { query, queryId, sql, parameters };
}

/** Builds and compiles on first use; returns the query with the arguments filled in. */
function compiledOnce<Args extends object>(build: (db: Db, slot: Slots<Args>) => Compilable<unknown>) {
  const compiled = new CompiledOnce((db) => build(db, ((name: string) => new Slot(name)) as never));
  return (db: Db, args: Args): CompiledQuery => {
    const { query, slots } = compiled.of(db);
    const parameters = new Array<unknown>(slots.length);
    for (let i = 0; i < slots.length; i++) {
      const slot = slots[i];
      parameters[i] = slot instanceof Slot ? (args as Record<string, unknown>)[slot.name] : slot;
    }
    return withParameters(query, parameters);
  };
}

type Insert = InsertQueryBuilder<Schema, keyof Schema, InsertResult>;

/**
 * Maximum rows per statement. SQLite takes 32,766 values in one and PostgreSQL 65,535; our widest rows have a dozen. A longer statement
 * would also block others too long while it compiles.
 */
const maxRows = 200;

/** Insert statements of a table, each compiled once per shape and number of rows. */
function insertsOf(table: keyof Schema, refine: (insert: Insert) => Insert) {
  const byShape = new Map<string, CompiledOnce>();
  return (db: Db, rows: readonly object[]): CompiledQuery => {
    const columns = Object.keys(rows[0] ?? {});
    const shape = `${rows.length} ${columns}`;
    let compiled = byShape.get(shape);
    if (!compiled) {
      const blank = Object.fromEntries(columns.map((column) => [column, 0]));
      compiled = new CompiledOnce((on) => refine(on.insertInto(table).values(rows.map(() => blank) as never)));
      // Only recurring numbers of rows are kept; others would only fill the cache.
      if (rows.length <= 32 || rows.length === maxRows) byShape.set(shape, compiled);
    }
    const { query, slots } = compiled.of(db);
    // The values come first and row by row; what `refine` adds follows.
    const parameters: unknown[] = [];
    for (const row of rows) for (const column of columns) parameters.push((row as Record<string, unknown>)[column]);
    for (let i = parameters.length; i < slots.length; i++) parameters.push(slots[i]);
    return withParameters(query, parameters);
  };
}

/**
 * Inserts any number of rows of one shape in as few statements as possible. Each statement is compiled once per shape and number of rows.
 * @param refine adds to the statement, such as a conflict clause
 * @param hasManyIndexes true to give each row a statement of its own on SQLite. A statement of several rows keeps a copy of every page
 * that it changes, to undo the first rows if a later one fails. That costs more than it saves if each row changes many pages.
 */
export function preparedInsert<Row extends object>(
  table: keyof Schema,
  refine: (insert: Insert) => Insert = (insert) => insert,
  hasManyIndexes = false,
): (db: Db, rows: readonly Row[]) => Promise<void> {
  const queryFor = insertsOf(table, refine);
  return async (db, rows) => {
    const { statement, later } = shortcutsFor(db);
    if (statement && hasManyIndexes) {
      for (const row of rows) {
        const query = queryFor(db, [row]);
        statement(query.sql).run(query.parameters);
      }
      return;
    }
    for (let i = 0; i < rows.length; i += maxRows) {
      if (i > 0) await breathe();
      const query = queryFor(db, rows.length <= maxRows ? rows : rows.slice(i, i + maxRows));
      if (statement) statement(query.sql).run(query.parameters);
      else if (later) later(query);
      else await db.executeQuery(query);
    }
  };
}

/**
 * Inserts a row, unless the table has one with the same values in some columns that must be unique.
 * @returns a function that returns true if the row was inserted
 */
export function preparedInsertNew<Row extends object>(
  table: keyof Schema,
  unique: readonly (keyof Row & string)[],
): (db: Db, row: Row) => Promise<boolean> {
  const queryFor = insertsOf(table, (insert) =>
    insert.onConflict((conflict) => conflict.columns(unique as never[]).doNothing()),
  );
  return async (db, row) => {
    const query = queryFor(db, [row]);
    const statement = shortcutsFor(db).statement?.(query.sql);
    if (statement) return statement.run(query.parameters).changes === 1;
    return (await execute(db, query)).numAffectedRows === 1n;
  };
}
