import { sql } from 'kysely';
import type { Context } from '../engine/context.ts';
import { refusePublic } from '../engine/public-actor.ts';
import { quarterOf } from '../kernel/calendar.ts';
import type { List } from '../kernel/json.ts';
import { parse } from '../kernel/parse.ts';
import { countUpTo } from '../resources/bounded.ts';
import { snapshotOrScan } from '../storage/run.ts';
import type { Db } from '../storage/storage.ts';
import type { SalesList } from '../storage/tables/resources.ts';
import { type CountrySales, CountrySalesQuery, type CountrySalesQueryInput } from './fields.ts';
import { checkDays, rangeOf, shopCalendar, shown } from './sales.ts';

const lists = ['sales.countryOrders', 'sales.countryGross', 'sales.countryRefunded'] as const satisfies SalesList[];

/**
 * Sales by country in some time, from sums that are kept with each payment and refund: by gross sales, then by country. The country is that
 * of the shipping address, else of the billing address. Times, and what counts, are as for `getSales`.
 * @returns with the number of countries
 * @throws CommerceError `validation`, also for more than ten years
 */
export async function getSalesByCountry(ctx: Context, query: CountrySalesQueryInput = {}): Promise<List<CountrySales>> {
  refusePublic(ctx);
  const { timeZone, ...given } = parse(CountrySalesQuery, query);
  const calendar = await shopCalendar(ctx, timeZone);
  const range = rangeOf(calendar, given, ctx.engine.clock.now());
  checkDays(calendar, range);
  const { decimals } = ctx.store;
  return snapshotOrScan(ctx, async (db, maxRows) => {
    const rows = kept(db, ctx.store.id, quarterOf(range.from), quarterOf(range.to));
    if ((await countUpTo(db, rows, maxRows)) === undefined) return undefined;
    const items = (await sumsOf(rows)).map(({ country, ...sums }) => ({
      country: country === '' ? null : country,
      ...shown(sums, decimals),
    }));
    return { items, total: items.length };
  });
}

/** Sums of quarters of an hour, one for each country and quarter. */
function kept(db: Db, storeId: string, from: string, to: string) {
  return db
    .selectFrom('list_totals')
    .where('store_id', '=', storeId)
    .where('list', 'in', lists)
    .where('value', '>=', from)
    .where('value', '<', to);
}

function sumsOf(rows: ReturnType<typeof kept>) {
  // After a time such as 2027-08-01T00:15 and a space.
  const country = sql<string>`substr(value, 18)`;
  const sum = (list: (typeof lists)[number]) => sql<number>`sum(case when list = ${sql.lit(list)} then n else 0 end)`;
  const [orders, gross, refunded] = [
    sum('sales.countryOrders'),
    sum('sales.countryGross'),
    sum('sales.countryRefunded'),
  ];
  return (
    rows
      .select([country.as('country'), orders.as('orders'), gross.as('gross'), refunded.as('refunded')])
      .groupBy(country)
      // An order that was erased leaves sums of nothing.
      .having(sql<boolean>`${orders} > 0 or ${refunded} <> 0`)
      .orderBy(gross, 'desc')
      .orderBy(country)
      .execute()
  );
}
