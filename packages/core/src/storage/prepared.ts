import type { Compilable, CompiledQuery } from 'kysely';
import type { Db } from './storage.ts';

/** Stands in a compiled query where an argument goes. Kysely carries it through as an ordinary parameter. */
class Slot {
  constructor(readonly name: string) {}
}

type Slots<Args> = <Name extends keyof Args & string>(name: Name) => Args[Name];

/**
 * A query that is built and compiled once per dialect and then run with other arguments: building and compiling one
 * through Kysely costs more than running it. For the hot paths; anything dynamic is written as an ordinary query.
 */
export function prepared<Args extends object, Row = never>(
  build: (db: Db, slot: Slots<Args>) => Compilable<Row>,
): (db: Db, args: Args) => Promise<Row[]> {
  const run = preparedRun(build);
  return async (db, args) => (await run(db, args)).rows as Row[];
}

/** As `prepared`, for an update or delete whose answer is the number of rows it changed. */
export function preparedChange<Args extends object>(
  build: (db: Db, slot: Slots<Args>) => Compilable<unknown>,
): (db: Db, args: Args) => Promise<number> {
  const run = preparedRun(build);
  return async (db, args) => Number((await run(db, args)).numAffectedRows ?? 0n);
}

function preparedRun<Args extends object>(build: (db: Db, slot: Slots<Args>) => Compilable<unknown>) {
  // Transactions and the open database share their dialect's adapter, different databases do not.
  const compiled = new WeakMap<object, CompiledQuery>();
  return (db: Db, args: Args) => {
    const adapter = db.getExecutor().adapter;
    let query = compiled.get(adapter);
    if (!query) {
      query = build(db, ((name: string) => new Slot(name)) as never).compile();
      compiled.set(adapter, query);
    }
    const values = args as Record<string, unknown>;
    const parameters = query.parameters.map((value) => (value instanceof Slot ? values[value.name] : value));
    return db.executeQuery({ ...query, parameters });
  };
}

/** Inserts rows of one shape in one statement, compiled once per shape and number of rows. */
export function preparedInsert<Row extends object>(
  table: Parameters<Db['insertInto']>[0],
): (db: Db, rows: readonly Row[]) => Promise<void> {
  const byShape = new Map<string, ReturnType<typeof preparedRun<Record<string, unknown>>>>();
  return async (db, rows) => {
    const first = rows[0];
    if (!first) return;
    const columns = Object.keys(first);
    const shape = `${rows.length} ${columns}`;
    let run = byShape.get(shape);
    if (!run) {
      run = preparedRun((on, slot) =>
        on
          .insertInto(table)
          .values(
            rows.map((_, i) => Object.fromEntries(columns.map((column) => [column, slot(`${i}.${column}`)]))) as never,
          ),
      );
      // A shape is kept for the small counts that recur; a bulk of thousands of rows would only fill the cache.
      if (rows.length <= 32) byShape.set(shape, run);
    }
    const args: Record<string, unknown> = {};
    rows.forEach((row, i) => {
      for (const column of columns) args[`${i}.${column}`] = (row as Record<string, unknown>)[column];
    });
    await run(db, args);
  };
}
