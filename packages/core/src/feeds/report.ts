import type { Context } from '../engine/context.ts';
import { refusePublic } from '../engine/public-actor.ts';
import { refuseInUnit } from '../engine/transaction.ts';
import { breathe } from '../kernel/breathe.ts';
import { invalid, quote } from '../kernel/errors.ts';
import { isId } from '../kernel/ids.ts';
import { parse } from '../kernel/parse.ts';
import { listCounts } from '../resources/counts.ts';
import { reading } from '../storage/run.ts';
import { withCurrentStore } from '../stores/current.ts';
import { leavesOut } from './problems.ts';
import { type FeedPlace, feedPages } from './read.ts';
import {
  type FeedReport,
  FeedReportQuery,
  type FeedReportQueryInput,
  type FeedTotals,
  maxChecked,
  type ReportedProduct,
} from './report-fields.ts';
import { type FeedEntry, type FeedProduct, feedEntry } from './row.ts';
import { marketsOf } from './shipping.ts';

/**
 * A page of the published products that the feeds leave out, oldest first, with the reasons. The first page has totals. A call checks at most
 * 5,000 products, so a page can have fewer items than `limit`, or none, and a next page. Works without feeds, too.
 * @throws CommerceError `validation`
 */
export async function getFeedReport(given: Context, query: FeedReportQueryInput = {}): Promise<FeedReport> {
  refusePublic(given);
  refuseInUnit(given.engine, 'getFeedReport checks many products');
  const { limit, after, warnings = false } = parse(FeedReportQuery, query);
  const ctx = await withCurrentStore(given);
  const start = after === undefined ? undefined : await placeOf(ctx, after);
  const items: ReportedProduct[] = [];
  const totals = start ? null : await noTotals(ctx);
  let checked = 0;
  let next: string | null = null;
  const markets = marketsOf(ctx.store);
  for await (const { products } of feedPages(ctx, start)) {
    for (const one of products) {
      if (next !== null && totals === null) break;
      const entry = feedEntry(one, ctx.store, markets);
      if (totals) add(totals, entry);
      if (next === null && isReported(entry, warnings)) {
        // One more than the page has: only then there is a next page.
        if (items.length === limit) next = items.at(-1)?.id ?? null;
        else items.push(reported(one, entry));
      }
      checked++;
    }
    const last = products.at(-1)?.product.id ?? null;
    if (checked >= maxChecked) next ??= (await isLast(ctx, last)) ? null : last;
    if (checked >= maxChecked || (next !== null && totals === null)) break;
    await breathe();
  }
  return { items, after: next, totals };
}

/** Every product that the feeds leave out, or that something is wrong with, and the totals at the end. However many products there are. */
export async function* checkFeeds(given: Context): AsyncGenerator<ReportedProduct, FeedTotals> {
  refusePublic(given);
  refuseInUnit(given.engine, 'checkFeeds reads for as long as its reader takes');
  const ctx = await withCurrentStore(given);
  const totals = await noTotals(ctx);
  const markets = marketsOf(ctx.store);
  for await (const { products } of feedPages(ctx)) {
    for (const one of products) {
      const entry = feedEntry(one, ctx.store, markets);
      add(totals, entry);
      if (isReported(entry, true)) yield reported(one, entry);
    }
    await breathe();
  }
  return totals;
}

async function noTotals({ engine, store }: Context): Promise<FeedTotals> {
  const counts = await reading(engine.storage, (db) => listCounts(db, store.id, 'products.status', ['published']));
  const published = Number(counts.get('published') ?? 0);
  return { published, checked: 0, listed: 0, leftOut: 0, warned: 0, codes: {} };
}

function add(totals: FeedTotals, { row, problems }: FeedEntry): void {
  totals.checked++;
  if (row) totals.listed++;
  else totals.leftOut++;
  if (row && problems.length > 0) totals.warned++;
  for (const code of new Set(problems.map((problem) => problem.code))) {
    totals.codes[code] = (totals.codes[code] ?? 0) + 1;
  }
}

const isReported = ({ row, problems }: FeedEntry, warnings: boolean) => !row || (warnings && problems.length > 0);

function reported({ product }: FeedProduct, { row, problems }: FeedEntry): ReportedProduct {
  const { id, title, slug, sku } = product;
  const said = problems.map((problem) => ({ ...problem, leavesOut: leavesOut(problem) }));
  return { id, title, slug, sku, isLeftOut: !row, problems: said };
}

/** The place of a product, which can have been deleted since. @throws CommerceError `validation` if there never was one */
async function placeOf({ engine, store }: Context, id: string): Promise<FeedPlace> {
  const rows = !isId(id)
    ? []
    : await reading(engine.storage, (db) =>
        db
          .selectFrom('products')
          .select(['id', 'created_at'])
          .where('store_id', '=', store.id)
          .where('id', '=', id)
          .execute(),
      );
  if (!rows[0]) throw invalid('after', `must be the after of a page, not ${quote(id)}`, { code: 'NOT_FOUND' });
  return rows[0];
}

/** True if no published product follows. */
async function isLast(ctx: Context, id: string | null): Promise<boolean> {
  if (id === null) return true;
  const { done } = await feedPages(ctx, await placeOf(ctx, id)).next();
  return done === true;
}
