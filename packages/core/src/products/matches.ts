import { type SelectQueryBuilder, sql } from 'kysely';
import type { Context, TxContext } from '../context.ts';
import { type Json, type List, toJson } from '../json.ts';
import { listCounts } from '../storage/counts.ts';
import { listJson } from '../storage/list-json.ts';
import type { Schema } from '../storage/schema.ts';
import type { Db } from '../storage/storage.ts';
import type { Product } from './fields.ts';

/** How many products some filters match, and the ids of the newest of them, in the order of lists. */
export interface Matches {
  total: number;
  newest: readonly string[];
}

/** As many ids as the longest page has. */
const mostIds = 200;
const mostKept = 500;
/** Twenty attributes may have 6,000 characters; to count for such a list again costs less than to keep hundreds of them. */
const longestName = 1000;

/**
 * What this process had to count, each with the version of the store's lists at which it did. What was not asked for the
 * longest makes room.
 */
export class KnownMatches {
  readonly #known = new Map<string, { version: number; matches: Matches }>();

  get(name: string, version: number): Matches | undefined {
    const known = this.#known.get(name);
    if (known?.version !== version) return undefined;
    this.#known.delete(name);
    this.#known.set(name, known);
    return known.matches;
  }

  set(name: string, version: number, matches: Matches): void {
    if (name.length > longestName) return;
    this.#known.delete(name);
    this.#known.set(name, { version, matches });
    const [oldest] = this.#known.keys();
    if (this.#known.size > mostKept && oldest !== undefined) this.#known.delete(oldest);
  }
}

/**
 * Ends the validity of the matches known so far, in every process and when the transaction commits. For any change that can
 * bring a product into a filtered list or take it out; one of its price or stock cannot.
 */
export function outdateMatches(tx: TxContext): void {
  tx.pending.counts.add('products.version', '', 1);
}

/**
 * What filters match, counted only when the store's lists have changed since it was counted last: to count takes as long
 * as there are products to look at, which is a tenth of a second where they are a million. In a snapshot: the version is
 * that of what is counted.
 * @param filters says what is counted
 * @param find counts, and gives the ids of the newest
 */
export async function findMatches(
  ctx: Context,
  db: Db,
  filters: readonly unknown[],
  find: { count(): Promise<number>; newest(total: number, most: number): Promise<string[]> },
): Promise<Matches> {
  const version = (await listCounts(db, ctx.store.id, 'products.version')).get('') ?? 0;
  const name = JSON.stringify([ctx.store.id, ...filters]);
  const { knownMatches } = ctx.engine;
  const known = knownMatches.get(name, version);
  if (known) return known;
  const total = await find.count();
  const matches = { total, newest: total > 0 ? await find.newest(total, mostIds) : [] };
  knownMatches.set(name, version, matches);
  return matches;
}

type Products = SelectQueryBuilder<Schema, 'products', object>;

/**
 * A page of matches.
 * @param filtered adds the filters to a query of living products: an id that is remembered is never enough to show a product
 * @param walk selects the `json` of a page that lies further down than the ids that are known
 */
export async function readMatches(
  ctx: Context,
  db: Db,
  { total, newest }: Matches,
  { limit, offset }: { limit: number; offset: number },
  filtered: (products: Products) => Products,
  walk: () => SelectQueryBuilder<Schema, 'products', { json: string }>,
): Promise<Json<List<Product>>> {
  if (offset >= total) return toJson<List<Product>>({ items: [], total });
  const isKnown = newest.length === total || offset + limit <= newest.length;
  const page = isKnown
    ? filtered(
        db
          .selectFrom('products')
          .where('store_id', '=', ctx.store.id)
          .where('id', 'in', newest.slice(offset, offset + limit))
          .where('status', '<>', sql.lit('deleted')),
      )
        .select('json')
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
    : walk();
  return (await listJson<Product>(db, page, String(total)).executeTakeFirstOrThrow()).list;
}
