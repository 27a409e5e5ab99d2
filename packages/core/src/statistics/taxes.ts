import { sql } from 'kysely';
import type { Context } from '../engine/context.ts';
import { refusePublic } from '../engine/public-actor.ts';
import { quarterOf } from '../kernel/calendar.ts';
import type { List } from '../kernel/json.ts';
import { formatMoney } from '../kernel/money.ts';
import { parse } from '../kernel/parse.ts';
import { countUpTo } from '../resources/bounded.ts';
import { snapshotOrScan } from '../storage/run.ts';
import type { Db } from '../storage/storage.ts';
import type { SalesList } from '../storage/tables/resources.ts';
import { type TaxStatistics, TaxStatisticsQuery, type TaxStatisticsQueryInput } from './fields.ts';
import { checkDays, rangeOf, shopCalendar } from './sales.ts';

const lists = {
  orders: 'taxes.orders',
  base: 'taxes.base',
  tax: 'taxes.tax',
  refundedBase: 'taxes.refundedBase',
  refundedTax: 'taxes.refundedTax',
} as const satisfies Record<string, SalesList>;

type Sums = Record<keyof typeof lists, number>;

/**
 * Taxes by country and rate in some time, for a return such as that of the one-stop shop, from sums that are kept with each change. An order
 * counts when it is paid or fulfilled, whichever is first, and a refund when it is recorded. Times are as for `getSales`.
 * @returns with the number of countries and rates, by country, then by rate from the highest
 * @throws CommerceError `validation`, also for more than ten years
 */
export async function getTaxes(ctx: Context, query: TaxStatisticsQueryInput = {}): Promise<List<TaxStatistics>> {
  refusePublic(ctx);
  const { timeZone, ...given } = parse(TaxStatisticsQuery, query);
  const calendar = await shopCalendar(ctx, timeZone);
  const range = rangeOf(calendar, given, ctx.engine.clock.now());
  checkDays(calendar, range);
  const format = (minor: number) => formatMoney(BigInt(minor), ctx.store.decimals);
  return snapshotOrScan(ctx, async (db, maxRows) => {
    const rows = kept(db, ctx.store.id, quarterOf(range.from), quarterOf(range.to));
    if ((await countUpTo(db, rows, maxRows)) === undefined) return undefined;
    const items = (await sumsOf(rows)).map(({ place, orders, base, tax, refundedBase, refundedTax }): TaxStatistics => {
      const [country = '', rate = '0'] = place.split(' ');
      return {
        country: country || null,
        ...{ rate, orders, base: format(base), tax: format(tax) },
        ...{ refundedBase: format(refundedBase), refundedTax: format(refundedTax) },
      };
    });
    items.sort((a, b) => byText(a.country ?? '', b.country ?? '') || Number(b.rate) - Number(a.rate));
    return { items, total: items.length };
  });
}

function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Sums of quarters of an hour, one for each country, rate and quarter. */
function kept(db: Db, storeId: string, from: string, to: string) {
  return db
    .selectFrom('list_totals')
    .where('store_id', '=', storeId)
    .where('list', 'in', Object.values(lists))
    .where('value', '>=', from)
    .where('value', '<', to);
}

async function sumsOf(rows: ReturnType<typeof kept>): Promise<(Sums & { place: string })[]> {
  // After a time such as 2027-08-01T00:15 and a space.
  const place = sql<string>`substr(value, 18)`;
  const sum = (name: keyof typeof lists) =>
    sql<number>`sum(case when list = ${sql.lit(lists[name])} then n else 0 end)`.as(name);
  const all = await rows
    .select([place.as('place'), sum('orders'), sum('base'), sum('tax'), sum('refundedBase'), sum('refundedTax')])
    .groupBy(place)
    .execute();
  // An order that was erased leaves sums of nothing.
  return all.filter(({ orders, refundedBase, refundedTax }) => orders > 0 || refundedBase !== 0 || refundedTax !== 0);
}
