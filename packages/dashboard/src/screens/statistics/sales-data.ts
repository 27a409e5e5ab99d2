import { api, at, had } from '../../api/client.ts';
import { deskChanges } from '../../api/desk.ts';
import type { Schemas } from '../../api/types.ts';
import { query } from '../../browser/router.ts';
import { type Loaded, timeZone, useLoad } from '../../kit/index.ts';
import { dateIn } from '../../kit/time.ts';
import { type Interval, type Period, periodOf, rangeOf } from './period.ts';

export type Sales = Schemas['SalesStatistics'];

/** The sales of a period with those of the period before. */
export interface Compared {
  period: Period;
  interval: Interval;
  now: Sales;
  before: Sales['sum'];
}

/** The period of the address, in days of the shop. */
export function currentPeriod(): Period {
  return periodOf(query.value, dateIn(timeZone(), Date.now()));
}

/** Loads the sales of a period, and again after a change in the shop. */
export function useSales(period: Period, interval: Interval): Loaded<Compared> {
  const { from, to, before } = period;
  const within = `${from} ${to} ${before.from} ${interval} ${deskChanges.value}`;
  return useLoad(
    'sales',
    async (signal) => {
      const ask = (query: { from: string; to: string; interval: Interval }) =>
        had(api.GET('/stores/{storeId}/statistics/sales', { params: { path: at(), query }, signal }));
      const [now, earlier] = await Promise.all([
        ask({ ...rangeOf(period), interval }),
        ask({ ...rangeOf(before), interval: 'year' }),
      ]);
      return { period, interval, now, before: earlier.sum };
    },
    within,
  );
}
