import { firstPlaced, type PlacedTable, type Placement, placedBy, placements } from './placement.ts';
import type { Db, Distribution, FoundPlacement, Storage } from './storage.ts';

/** A table and the placement of its rows. */
export interface TablePlacement {
  table: string;
  placement: Placement;
  /** Number of parts; 1 if it is not divided. */
  shards: number;
  /** The fault, such as `is only on the coordinator`; null if the table is placed correctly. */
  fault: string | null;
}

/** Placement of a database on its servers. */
export interface PlacementReport {
  /** Extension that can distribute tables, with its version; null if the database has none. */
  extension: string | null;
  isDistributed: boolean;
  /** Servers that hold rows of stores; 1 if the database is not distributed. */
  servers: number;
  /** Every table, if the database is distributed. */
  tables: TablePlacement[];
}

/** Names of the tables in the order of distribution, starting with the one that the others are placed with. */
export const placedTables: readonly PlacedTable[] = [
  firstPlaced,
  ...(Object.keys(placements) as PlacedTable[]).filter((name) => name !== firstPlaced),
];

/** State of the database's placement, read before and after changes of its tables. */
interface Placing {
  distribution: Distribution;
  found: ReadonlyMap<string, FoundPlacement>;
  beside: FoundPlacement | undefined;
}

async function placingOf(db: Db, distribution: Distribution): Promise<Placing> {
  const found = await distribution.found(db);
  const first = found.get(firstPlaced);
  return { distribution, found, beside: first && isByStore(first) ? first : undefined };
}

function isByStore({ kind, column }: FoundPlacement): boolean {
  return kind === 'distributed' && column === placedBy;
}

function faultOf(table: PlacedTable, { found, beside }: Placing): string | null {
  const here = found.get(table);
  const wanted = placements[table];
  if (wanted === 'coordinator') return here === undefined ? null : 'should be only on the coordinator';
  if (here === undefined || here.kind === 'otherwise') return 'is only on the coordinator';
  if (wanted === 'everywhere') return here.kind === 'everywhere' ? null : `is distributed by ${here.column}`;
  if (!isByStore(here)) {
    return here.kind === 'everywhere'
      ? 'has all its rows on every server'
      : `is distributed by ${here.column}, not by ${placedBy}`;
  }
  return here.place === beside?.place ? null : `is not placed with ${firstPlaced}`;
}

/**
 * Reports how the database is placed on its servers.
 * @throws the errors of the database
 */
export async function placementReport({ distribution, reads, tables }: Storage): Promise<PlacementReport> {
  const extension = await distribution?.extension(reads);
  if (!distribution || extension === undefined) {
    return { extension: null, isDistributed: false, servers: 1, tables: [] };
  }
  const placing = await placingOf(reads, distribution);
  const present = new Set(await tables());
  const ours = placedTables.filter((name) => present.has(name));
  if (!ours.some((name) => placing.found.has(name))) return { extension, isDistributed: false, servers: 1, tables: [] };
  const { withRows } = await distribution.servers(reads);
  return {
    extension,
    isDistributed: true,
    servers: withRows,
    tables: ours
      .map((table) => ({
        table,
        placement: placements[table],
        shards: placing.found.get(table)?.shards ?? 1,
        fault: faultOf(table, placing),
      }))
      .sort((a, b) => (a.table < b.table ? -1 : 1)),
  };
}

/**
 * Called in the transaction of migrations, before them.
 * @returns a function that distributes the tables they create, if the database is distributed
 */
export async function distributionOfNew(db: Db, { distribution, tables }: Storage): Promise<() => Promise<void>> {
  if (!distribution || (await distribution.extension(db)) === undefined) return async () => {};
  const found = await distribution.found(db);
  if (!placedTables.some((name) => found.has(name))) return async () => {};
  await distribution.prepare(db);
  return async () => {
    const present = new Set(await tables(db));
    for (const table of placedTables) if (present.has(table)) await place(db, distribution, table);
  };
}

/** Moves a table to its placement. @returns false if it was already there */
export async function place(db: Db, distribution: Distribution, table: PlacedTable): Promise<boolean> {
  const placing = await placingOf(db, distribution);
  if (faultOf(table, placing) === null) return false;
  if (placing.found.has(table)) await distribution.bringTogether(db, table);
  const wanted = placements[table];
  if (wanted === 'everywhere') await distribution.placeEverywhere(db, table);
  if (wanted === 'store') {
    await distribution.placeBy(db, table, placedBy, table === firstPlaced ? undefined : firstPlaced);
  }
  return true;
}
