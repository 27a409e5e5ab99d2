import { sql } from 'kysely';
import type { Context } from '../engine/context.ts';
import { refusePublic } from '../engine/public-actor.ts';
import { addDays, type Calendar, calendarOf, checkRange, momentOf, quarter, quarterOf } from '../kernel/calendar.ts';
import { invalid, quote } from '../kernel/errors.ts';
import { formatMoney } from '../kernel/money.ts';
import { parse } from '../kernel/parse.ts';
import { countUpTo } from '../resources/bounded.ts';
import { snapshotOrScan } from '../storage/run.ts';
import type { Db } from '../storage/storage.ts';
import { withCurrentStore } from '../stores/current.ts';
import {
  maxDays,
  maxIntervals,
  SalesQuery,
  type SalesQueryInput,
  type SalesStatistics,
  type SalesSums,
  usualDays,
} from './fields.ts';
import { type Span, spansOf } from './intervals.ts';

const lists = ['sales.orders', 'sales.gross', 'sales.refunded'] as const;

/** Orders, or minor units. */
interface Sums {
  orders: number;
  gross: number;
  refunded: number;
}

/**
 * Sales per interval of a time range, from sums stored with each payment and refund. Sums cover a quarter of an hour, so the range is
 * widened to full quarters. An order counts when it is paid and a refund when it is recorded, until either is erased. `from` defaults to
 * thirty days before `to`, `to` to the end of today.
 * @throws CommerceError `validation`, also for more than 400 intervals
 */
export async function getSales(ctx: Context, query: SalesQueryInput = {}): Promise<SalesStatistics> {
  refusePublic(ctx);
  const { interval, timeZone, ...given } = parse(SalesQuery, query);
  const calendar = await shopCalendar(ctx, timeZone);
  const range = rangeOf(calendar, given, ctx.engine.clock.now());
  const spans = spansOf(calendar, range, interval, maxIntervals);
  if (!spans) {
    throw invalid(
      'from',
      `must be at most ${maxIntervals} intervals before to, not ${quote(calendar.dateOf(range.from))}`,
      { code: 'TOO_MANY', limits: { max: maxIntervals } },
    );
  }
  const { decimals } = ctx.store;
  const sums = await snapshotOrScan(ctx, (db, maxRows) => readSums(db, ctx.store.id, spans, maxRows));
  const items = spans.map(({ date }, i) => ({ from: date, ...shown(sums[i] ?? nothing, decimals) }));
  const sum = sums.reduce(
    (all, one) => ({
      orders: all.orders + one.orders,
      gross: all.gross + one.gross,
      refunded: all.refunded + one.refunded,
    }),
    nothing,
  );
  return { items, total: items.length, sum: shown(sum, decimals) };
}

const nothing: Sums = { orders: 0, gross: 0, refunded: 0 };

/** The calendar of a zone, by default the one in which the shop counts its days. */
export async function shopCalendar(ctx: Context, given?: string): Promise<Calendar> {
  // An application can hold a context for days.
  const timeZone = given ?? (await withCurrentStore(ctx)).store.settings.timeZone;
  const calendar = calendarOf(timeZone);
  if (!calendar) throw new Error(`the time zone ${timeZone} of store ${ctx.store.id} is not known here`);
  return calendar;
}

/** @throws CommerceError `validation` for a range of more than ten years */
export function checkDays(calendar: Calendar, { from, to }: { from: number; to: number }): void {
  if (to - from <= maxDays * 24 * 3_600_000) return;
  throw invalid('from', `must be at most ${maxDays} days before to, not ${quote(calendar.dateOf(from))}`, {
    code: 'TOO_MANY',
    limits: { max: maxDays },
  });
}

/** The range of a query, in whole quarters of an hour. */
export function rangeOf(
  calendar: Calendar,
  given: { from?: string | undefined; to?: string | undefined },
  now: number,
): { from: number; to: number } {
  const end =
    given.to === undefined ? calendar.startOf(addDays(calendar.dateOf(now), 1)) : momentOf(calendar, given.to);
  const from =
    given.from === undefined
      ? calendar.startOf(addDays(calendar.dateOf(end), -usualDays))
      : momentOf(calendar, given.from);
  checkRange(from, end);
  return { from: Math.floor(from / quarter) * quarter, to: Math.ceil(end / quarter) * quarter };
}

/** Sums as decimal strings, with the net sales. */
export function shown({ orders, gross, refunded }: Sums, decimals: number): SalesSums {
  const format = (minor: number) => formatMoney(BigInt(minor), decimals);
  return { orders, gross: format(gross), refunded: format(refunded), net: format(gross - refunded) };
}

/** The sums of each span; undefined if more than `maxRows` quarters of an hour would have to be added. */
async function readSums(db: Db, storeId: string, spans: readonly Span[], maxRows: number): Promise<Sums[] | undefined> {
  const [first, last] = [spans[0], spans.at(-1)];
  if (!first || !last) return [];
  let left = maxRows;
  for (const list of lists) {
    const rows = db
      .selectFrom('list_totals')
      .where('store_id', '=', storeId)
      .where('list', '=', list)
      .where('value', '>=', quarterOf(first.from))
      .where('value', '<', quarterOf(last.to));
    const count = await countUpTo(db, rows, left);
    if (count === undefined) return undefined;
    left -= count;
  }
  const bounds = spans.map(
    ({ from, to }, i) => sql`(${sql.lit(i)}, cast(${quarterOf(from)} as text), cast(${quarterOf(to)} as text))`,
  );
  const sumOf = (list: (typeof lists)[number]) => sql`coalesce((select sum(n) from list_totals
    where store_id = ${storeId} and list = ${sql.lit(list)} and value >= spans.start and value < spans.finish), 0)`;
  const { rows } = await sql<Sums>`
    with spans (place, start, finish) as (values ${sql.join(bounds)})
    select ${sumOf('sales.orders')} as orders, ${sumOf('sales.gross')} as gross, ${sumOf('sales.refunded')} as refunded
    from spans order by place`.execute(db);
  return rows;
}
