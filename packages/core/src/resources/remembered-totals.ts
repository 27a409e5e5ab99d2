import type { Context } from '../context.ts';
import { perEngine } from '../per-engine.ts';
import type { Db } from '../storage/storage.ts';
import { listCounts } from './counts.ts';

const maxTotals = 500;
/** Twenty attributes may have 6,000 characters; counting such a list again costs less than keeping hundreds of its names. */
const maxName = 1000;

/** Total of a list that had to be counted. */
export interface Counted {
  total: number;
  /** Milliseconds that it took to find the matches. */
  took: number;
}

/** Totals that this process had to count, each with the version of the store's lists. Those unused for longest make room. */
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
 * Total of a list that no count tells, counted once for each version of the store's lists and remembered by this process; undefined where
 * it would have to be counted and that may not be done here. Runs in the snapshot of the list: the version is that of what is counted.
 * @param versionOf what the version is of
 * @param filters name what is counted
 * @param count left out where it would take too long
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
  // In a transaction of several operations, the version is that of before, and what is counted is not.
  const kept = ctx.engine.unit ? undefined : cache.get(name, version);
  if (kept !== undefined || !count) return kept;
  const before = performance.now();
  const counted = { total: await count(), took: performance.now() - before };
  cache.set(name, version, counted);
  return counted;
}
