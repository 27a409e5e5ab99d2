import { randomInt } from 'node:crypto';
import type { TxContext } from '../engine/context.ts';
import { type PublishedTable, publishedTables } from '../kernel/nouns.ts';
import type { Db } from '../storage/storage.ts';
import { listCounts, pendingCounts } from './counts.ts';

/** A random step to the next version, so that a restored backup with other changes since does not come to one that a client has seen. */
export function versionStep(): number {
  return randomInt(1, 2 ** 20);
}

/** Notes that something that feeds and sitemaps show can have changed. */
export function feedChanged(tx: TxContext, table: PublishedTable): void {
  pendingCounts(tx).add('feeds.version', table, versionStep());
}

/** Notes written items of a table, if any of them is or was published. */
export function noteForFeeds(
  tx: TxContext,
  table: string,
  written: readonly { before: object | undefined; after: object | undefined }[],
): void {
  const known = publishedTables.find((one) => one === table);
  if (known && written.some(({ before, after }) => isPublished(before) || isPublished(after))) feedChanged(tx, known);
}

function isPublished(item: object | undefined): boolean {
  return (item as { status?: string } | undefined)?.status === 'published';
}

/** The version of what is published in these tables: another one after each change. */
export async function feedVersion(db: Db, storeId: string, tables: readonly PublishedTable[]): Promise<number[]> {
  const counts = await listCounts(db, storeId, 'feeds.version');
  return tables.map((table) => Number(counts.get(table) ?? 0));
}
