import { sql } from 'kysely';
import type { Context, TxContext } from '../context.ts';
import { perEngine } from '../per-engine.ts';
import { listCounts, pendingCounts } from '../resources/counts.ts';
import type { Db } from '../storage/storage.ts';

// The total of a list of products comes from one of three places:
// - of all products, or those of one status: `products.status` in the counts, which every change keeps (`totalOfStatuses`);
// - of one attribute or one category: `products.facets` in the counts (`readFaceted`);
// - of anything else: counted, once for each version of the store's lists, and remembered by this process (`totalOf`).

/** Total of the products that have one of the statuses, as part of a statement. */
export function totalOfStatuses(db: Db, storeId: string, statuses: readonly string[]) {
  const counted = db
    .selectFrom('list_totals')
    .select((eb) => sql<string>`coalesce(${eb.fn.sum('n')}, 0)`.as('total'))
    .where('store_id', '=', storeId)
    .where('list', '=', sql.lit('products.status'))
    .where('value', 'in', statuses);
  return sql<string>`${counted}`;
}

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
 * Invalidates the totals counted so far, in every process and when the transaction commits. For any change that can bring a product
 * into a filtered list or take it out; one of its price or stock cannot.
 */
export function invalidateTotals(tx: TxContext): void {
  pendingCounts(tx).add('products.version', '', 1);
}

/**
 * Total of a filtered list; undefined where it would have to be counted and that may not be done here. Counted only when the store's
 * lists have changed since it was counted last: counting takes as long as there are products to look at, which is a tenth of a second
 * where they are a million. Runs in the snapshot of the list: the version
 * is that of what is counted.
 * @param filters name what is counted
 * @param count left out where it would take too long
 */
export async function totalOf(
  ctx: Context,
  db: Db,
  filters: readonly unknown[],
  count: (() => Promise<number>) | undefined,
): Promise<Counted | undefined> {
  const version = (await listCounts(db, ctx.store.id, 'products.version')).get('') ?? 0;
  const name = JSON.stringify([ctx.store.id, ...filters]);
  const cache = totals(ctx.engine);
  const kept = cache.get(name, version);
  if (kept !== undefined || !count) return kept;
  const before = performance.now();
  const counted = { total: await count(), took: performance.now() - before };
  cache.set(name, version, counted);
  return counted;
}
