import { sql } from 'kysely';
import type * as z from 'zod';
import { readNewest } from '../collection/items.ts';
import type { Context } from '../engine/context.ts';
import { calendarOf, checkRange, momentOf } from '../kernel/calendar.ts';
import { type Json, type List, parsed, toJson } from '../kernel/json.ts';
import { parse } from '../kernel/parse.ts';
import { countUpTo } from '../resources/bounded.ts';
import { listCounts } from '../resources/counts.ts';
import { itemColumns, readPage } from '../resources/list-json.ts';
import { unindexedNumber, unindexedText } from '../storage/planner.ts';
import { snapshotOrScan } from '../storage/run.ts';
import type { Db } from '../storage/storage.ts';
import { type Order, orderEntity } from './fields.ts';
import { OrderQuery, type OrderQueryInput } from './inputs.ts';
import { orderSearchTerm } from './search.ts';
import { idsToRefund } from './to-refund.ts';

/**
 * A page of the store's orders, newest first, with the exact number of matching orders.
 * @throws CommerceError `validation` for a filter or a window out of range
 */
export async function listOrdersJson(ctx: Context, query: OrderQueryInput = {}): Promise<Json<List<Order>>> {
  const { from, to, search, ...given } = parse(OrderQuery, query);
  const filters: Filters = { ...given, ...timesOf(ctx, from, to), term: orderSearchTerm(search) };
  return snapshotOrScan(ctx, async (db, maxRows) => {
    if (filters.toRefund) return readToRefund(ctx, db, filters, maxRows);
    if (filters.orderNumber || filters.customerId) return readFew(ctx, db, filters, maxRows);
    const walk = await shortestWalk(ctx, db, filters, maxRows);
    if (walk === undefined) return undefined;
    return filters.term ? readSearched(ctx, db, filters, walk, maxRows) : readWalk(db, filters, walk, maxRows);
  });
}

/** Like `listOrdersJson`, for use inside an application. */
export const listOrders = parsed(listOrdersJson);

type Filters = Omit<z.output<typeof OrderQuery>, 'from' | 'to' | 'search'> & {
  /** Milliseconds. */
  from: number | undefined;
  to: number | undefined;
  /** Empty if there is no term. */
  term: string;
};

/** The times of a query; its dates are in the store's time zone. */
function timesOf(ctx: Context, from: string | undefined, to: string | undefined): Pick<Filters, 'from' | 'to'> {
  if (from === undefined && to === undefined) return { from: undefined, to: undefined };
  const calendar = calendarOf(ctx.store.settings.timeZone);
  if (!calendar) throw new Error(`the time zone of store ${ctx.store.id} is not known here`);
  const moment = (value: string | undefined) => (value === undefined ? undefined : momentOf(calendar, value));
  const [begin, end] = [moment(from), moment(to)];
  if (begin !== undefined && end !== undefined) checkRange(begin, end);
  return { from: begin, to: end };
}

type Orders = ReturnType<typeof ofStore>;

function ofStore(db: Db, storeId: string) {
  return db.selectFrom('orders').where('store_id', '=', storeId);
}

/** Orders within a range of time, which is the order of every index of a list. */
function within(orders: Orders, { from, to }: Filters): Orders {
  let some = orders;
  if (from !== undefined) some = some.where('created_at', '>=', from);
  if (to !== undefined) some = some.where('created_at', '<', to);
  return some;
}

function containing(ctx: Context, orders: Orders, { term }: Filters): Orders {
  return term ? orders.where((eb) => ctx.engine.storage.containsText(eb.ref('search'), term)) : orders;
}

/** The orders with a number or of a customer. */
function readFew(ctx: Context, db: Db, filters: Filters, maxRows: number): Promise<Json<List<Order>> | undefined> {
  const { status, paymentStatus, customerId, orderNumber, ...window } = filters;
  let among = within(ofStore(db, ctx.store.id), filters);
  if (orderNumber) among = among.where('number', '=', parseOrderNumber(orderNumber));
  if (customerId) among = among.where('customer_id', '=', customerId);
  const matches = containing(ctx, among, filters);
  // Keeps the planner from choosing another index, which would lead to every order with that status.
  const all = withStatuses(matches, { status, paymentStatus });
  return readNewest<Order>(db, { among, matches: all }, window, maxRows, orderEntity);
}

/** The orders with money to give back that the other filters match. */
async function readToRefund(
  ctx: Context,
  db: Db,
  filters: Filters,
  maxRows: number,
): Promise<Json<List<Order>> | undefined> {
  const { customerId, orderNumber, limit, offset } = filters;
  const among = ofStore(db, ctx.store.id).where('id', 'in', idsToRefund(db, ctx.store.id));
  if ((await countUpTo(db, among, maxRows)) === undefined) return undefined;
  let matches = containing(ctx, withStatuses(withTimes(among, filters), filters), filters);
  if (orderNumber) matches = matches.where(unindexedNumber(sql.ref('number')), '=', parseOrderNumber(orderNumber));
  if (customerId) matches = matches.where(unindexedText(sql.ref('customer_id')), '=', customerId);
  const total = (await countUpTo(db, matches, maxRows)) ?? 0;
  const newest = matches.orderBy(unindexedNumber(sql.ref('created_at')), 'desc').orderBy('id', 'desc');
  return (await readPage<Order>(db, newest.select(itemColumns).limit(limit).offset(offset), total, orderEntity)).list;
}

function withStatuses(orders: Orders, { status, paymentStatus }: Pick<Filters, 'status' | 'paymentStatus'>): Orders {
  let some = orders;
  if (status) some = some.where(unindexedText(sql.ref('status')), '=', status);
  if (paymentStatus) some = some.where(unindexedText(sql.ref('payment_status')), '=', paymentStatus);
  return some;
}

/** The smallest set of orders that an index has in list order and that contains the matching orders. */
interface Walk {
  among: Orders;
  /** Number of these orders. */
  count: number;
  /** The orders in the set that have both statuses. */
  matches: Orders;
  /** Number of matches, if known. */
  total: number | undefined;
}

/** Walks the orders by the index of the rarer status, if the query has one; undefined if counting them would take too long. */
async function shortestWalk(ctx: Context, db: Db, filters: Filters, maxRows: number): Promise<Walk | undefined> {
  const { status, paymentStatus } = filters;
  const counts = await listCounts(db, ctx.store.id, 'orders.status');
  const [rarer, other] = [
    ...(status ? [{ column: 'status' as const, value: status, n: sumOf(counts, status) }] : []),
    ...(paymentStatus
      ? [{ column: 'payment_status' as const, value: paymentStatus, n: sumOf(counts, undefined, paymentStatus) }]
      : []),
  ].sort((a, b) => a.n - b.n);
  let among = within(ofStore(db, ctx.store.id), filters);
  if (rarer) among = among.where(rarer.column, '=', rarer.value);
  const matches = other ? among.where(unindexedText(sql.ref(other.column)), '=', other.value) : among;
  const isOfAllTime = filters.from === undefined && filters.to === undefined;
  const total = isOfAllTime ? sumOf(counts, status, paymentStatus) : undefined;
  const count = isOfAllTime ? (rarer?.n ?? total) : await countUpTo(db, among, maxRows);
  return count === undefined ? undefined : { among, count, matches, total };
}

function readWalk(
  db: Db,
  { limit, offset }: Filters,
  walk: Walk,
  maxRows: number,
): Promise<Json<List<Order>> | undefined> {
  return readNewest<Order>(db, walk, { limit, offset }, maxRows, orderEntity);
}

/**
 * Orders whose text contains a term. Either walks and tests the newest orders until the page is full, or fetches and sorts all orders that
 * the index finds, whichever reads fewer.
 */
async function readSearched(
  ctx: Context,
  db: Db,
  filters: Filters,
  walk: Walk,
  maxRows: number,
): Promise<Json<List<Order>> | undefined> {
  const { limit, offset, term } = filters;
  const matches = containing(ctx, walk.matches, filters);
  if (walk.count <= maxWalked)
    return readNewest<Order>(db, { ...walk, matches, total: undefined }, filters, maxRows, orderEntity);
  // The time in which the index finds a few orders depends on the words of all orders.
  if (Number.isFinite(maxRows)) return undefined;
  const found = ctx.engine.storage.orderSearch.find(ctx.store, term);
  const { rows } = await sql<{ n: number }>`select count(*) as n from ${found} as found`.execute(db);
  const [{ n } = { n: 0 }] = rows;
  const ofText = withStatuses(ofStore(db, ctx.store.id), filters).where((eb) => eb('number', 'in', found));
  const fetched = withTimes(ofText, filters);
  const isFiltered = filters.status || filters.paymentStatus || filters.from !== undefined || filters.to !== undefined;
  const total = isFiltered ? ((await countUpTo(db, walk.count <= n ? matches : fetched, maxRows)) ?? 0) : n;
  if (offset >= total) return toJson<List<Order>>({ items: [], total });
  const walked = ((offset + limit) * walk.count) / total;
  const rest =
    walked < n
      ? matches.orderBy('created_at', 'desc').orderBy('id', 'desc')
      : fetched.orderBy(unindexedNumber(sql.ref('created_at')), 'desc').orderBy('id', 'desc');
  return (await readPage<Order>(db, rest.select(itemColumns).limit(limit).offset(offset), total, orderEntity)).list;
}

/** Orders that are tested one by one instead of asking the index. */
const maxWalked = 1000;

/** Like `within`, for orders that are found in another way. */
function withTimes(orders: Orders, { from, to }: Filters): Orders {
  const createdAt = unindexedNumber(sql.ref('created_at'));
  let some = orders;
  if (from !== undefined) some = some.where(createdAt, '>=', from);
  if (to !== undefined) some = some.where(createdAt, '<', to);
  return some;
}

/** Total for either filter, or both: counts are stored per pair of statuses and summed here. */
function sumOf(counts: ReadonlyMap<string, number>, status?: string, paymentStatus?: string): number {
  let total = 0;
  for (const [value, n] of counts) {
    const [counted, payment] = value.split(' ');
    if ((!status || status === counted) && (!paymentStatus || paymentStatus === payment)) total += n;
  }
  return total;
}

/** The number in `ORD-1001`; −1, which no order has, for a text in any other form. */
function parseOrderNumber(orderNumber: string): number {
  const digits = /^ORD-([1-9]\d{0,14})$/.exec(orderNumber)?.[1];
  return digits ? Number(digits) : -1;
}
