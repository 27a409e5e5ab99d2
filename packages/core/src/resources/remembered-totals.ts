import type { Context } from '../engine/context.ts';
import { perEngine } from '../engine/per-engine.ts';
import type { Db } from '../storage/storage.ts';
import { listCounts } from './counts.ts';

const maxTotals = 500;
/** Twenty attributes can have 6,000 characters. Counting such a list again costs less than keeping hundreds of such names. */
const maxName = 1000;

/** The total of a list that had to be counted. */
export interface Counted {
  total: number;
  /** Milliseconds that it took to find the matches. */
  took: number;
}

/** Totals that this process had to count, each with the version of the store's lists. The least recently used are dropped first. */
export class TotalCache {
  readonly #totals = new Map<string, Counted & { version: number }>();

  get(name: string, version: number): Counted | undefined {
    const kept = this.#totals.get(name);
    if (kept?.version !== version) return undefined;
    this.#totals.delete(name);
    this.#totals.set(name, kept);
    return kept;
  }

  set(name: string, version: number, counted: Counted): void {
    if (name.length > maxName) return;
    this.#totals.delete(name);
    this.#totals.set(name, { ...counted, version });
    const [oldest] = this.#totals.keys();
    if (this.#totals.size > maxTotals && oldest !== undefined) this.#totals.delete(oldest);
  }
}

const totals = perEngine(() => new TotalCache());

/**
 * The total of a list that is not in the counts: counted once per version of the store's lists, and remembered by this process. Undefined
 * if it would have to be counted and counting is not allowed here. Runs in the snapshot of the list, so that the version belongs to the
 * counted rows.
 * @param versionOf the lists that the version belongs to
 * @param filters names of the counted filters
 * @param count left out if counting would take too long
 */
export async function rememberedTotal(
  ctx: Context,
  db: Db,
  versionOf: 'products.version' | 'media.version',
  filters: readonly unknown[],
  count: (() => Promise<number>) | undefined,
): Promise<Counted | undefined> {
  const version = (await listCounts(db, ctx.store.id, versionOf)).get('') ?? 0;
  const name = JSON.stringify([ctx.store.id, ...filters]);
  const cache = totals(ctx.engine);
  // In a transaction of several operations, the version is from before the transaction, but the counted rows are not.
  const kept = ctx.engine.unit ? undefined : cache.get(name, version);
  if (kept !== undefined || !count) return kept;
  const before = performance.now();
  const counted = { total: await count(), took: performance.now() - before };
  cache.set(name, version, counted);
  return counted;
}
