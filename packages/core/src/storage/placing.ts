import { firstPlaced, type PlacedTable, type Placement, placedBy, placements } from './placement.ts';
import type { Db, Distribution, FoundPlacement, Storage } from './storage.ts';

/** A table and where its rows lie. */
export interface TablePlacement {
  table: string;
  placement: Placement;
  /** Parts that it is divided into; 1 where it is not. */
  shards: number;
  /** What is wrong, such as `is on the coordinator alone`; null where the table lies as it should. */
  fault: string | null;
}

/** How a database lies on its servers. */
export interface PlacementReport {
  /** Extension that can distribute tables, with its version; null where the database has none. */
  extension: string | null;
  isDistributed: boolean;
  /** Servers that hold rows of stores; 1 where the database is not distributed. */
  servers: number;
  /** Every table, where the database is distributed. */
  tables: TablePlacement[];
}

/** Names of the tables in the order in which they are distributed, those first that others lie beside. */
export const placedTables: readonly PlacedTable[] = [
  firstPlaced,
  ...(Object.keys(placements) as PlacedTable[]).filter((name) => name !== firstPlaced),
];

/** What is asked of the database before and after changes of its tables. */
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
  if (wanted === 'coordinator') return here === undefined ? null : 'should be on the coordinator alone';
  if (here === undefined || here.kind === 'otherwise') return 'is on the coordinator alone';
  if (wanted === 'everywhere') return here.kind === 'everywhere' ? null : `is distributed by ${here.column}`;
  if (!isByStore(here)) {
    return here.kind === 'everywhere'
      ? 'has all its rows on every server'
      : `is distributed by ${here.column}, not by ${placedBy}`;
  }
  return here.place === beside?.place ? null : `lies apart from ${firstPlaced}`;
}

/**
 * Says how the database lies on its servers.
 * @throws as the database does
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
 * @returns distributes the tables that they have made, where the database is distributed
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

/** Has a table lie as it should. @returns whether it did not yet */
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
