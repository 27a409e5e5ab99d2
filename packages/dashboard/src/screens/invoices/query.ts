import type { paths } from '@commerce/server/api';
import { addDays } from '../statistics/period.ts';

export type Query = NonNullable<paths['/stores/{storeId}/invoices']['get']['parameters']['query']>;

/** The values of the address as the interface names them: its range ends before `to`, and that of people with this day. */
export function queryOf({ search, to, ...others }: Record<string, string>): Query {
  return {
    ...(others as Query),
    ...(search ? { number: search } : {}),
    ...(to ? { to: Number.isNaN(Date.parse(to)) ? to : addDays(to, 1) } : {}),
  };
}
