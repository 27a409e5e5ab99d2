import { type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import type * as z from 'zod';
import { readSorted } from '../collection/items.ts';
import type { Context } from '../engine/context.ts';
import { calendarOf, checkRange, endOf, momentOf } from '../kernel/calendar.ts';
import { invalid } from '../kernel/errors.ts';
import { type Json, type List, parsed, toJson } from '../kernel/json.ts';
import { parse } from '../kernel/parse.ts';
import type { Label } from '../labels/labels.ts';
import { having, labelsAsked, rarest, readLabelled } from '../labels/list.ts';
import { withMetadata } from '../labels/query.ts';
import { countUpTo, newestFirst, type Sorting, sorted } from '../resources/bounded.ts';
import { listCounts } from '../resources/counts.ts';
import { itemColumns, readPage } from '../resources/list-json.ts';
import { unindexedNumber, unindexedText } from '../storage/planner.ts';
import { snapshotOrScan } from '../storage/run.ts';
import type { Schema } from '../storage/schema.ts';
import type { Db } from '../storage/storage.ts';
import { withCurrentStore } from '../stores/current.ts';
import { sumOrders } from './counted.ts';
import { type Order, orderEntity } from './fields.ts';
import { OrderQuery, type OrderQueryInput, type OrderSort } from './inputs.ts';
import { orderSearchWords } from './search.ts';
import { idsToRefund } from './to-refund.ts';
import { countUnpaidToShip, isShipped, isToShip, isUnpaidOffline } from './waiting.ts';

/**
 * A page of the store's orders, with the exact number of matching orders.
 * @throws CommerceError `validation` for a filter or a window out of range
 */
export async function listOrdersJson(ctx: Context, query: OrderQueryInput = {}): Promise<Json<List<Order>>> {
  const { search, metadata, tag, ...given } = parse(OrderQuery, withMetadata(query));
  const labels = labelsAsked({ metadata, tag });
  const words = orderSearchWords(search);
  const isDated = [given.from, given.to, given.until].some((one) => one !== undefined);
  // An application can hold a context for days, and the days are those of the settings.
  const times = orderTimes(isDated ? await withCurrentStore(ctx) : ctx, given);
  const filters: Filters = { ...given, ...times, words, labels, storeId: ctx.store.id };
  return snapshotOrScan(ctx, async (db, maxRows) => {
    if (filters.toRefund) return readToRefund(ctx, db, filters, maxRows);
    const { orderNumber, customerId, unpaidOffline } = filters;
    if (orderNumber || customerId || unpaidOffline) return readFew(ctx, db, filters, maxRows);
    // Without an unpaid order to ship, which is usual, the index of statuses has the orders in the order of the list.
    const status = filters.toShip ? (filters.status ?? 'paid') : filters.status;
    const isWalkable = !filters.toShip || (status === 'paid' && (await countUnpaidToShip(db, ctx.store.id, 1)) === 0);
    const walkable = { ...filters, status };
    if (labels.length > 0) {
      const walk = isWalkable ? await shortestWalk(ctx, db, walkable, maxRows) : undefined;
      const rare = await rarest(db, ctx.store.id, 'orders', labels, filters, maxRows);
      const isRarer = rare && rare.n <= mostLabelled(filters, isWalkable ? walk?.count : maxWalked);
      if (isRarer) return readByLabel(ctx, db, isWalkable ? walkable : filters, rare, maxRows);
    }
    return isWalkable ? readWalked(ctx, db, walkable, maxRows) : readFew(ctx, db, filters, maxRows);
  });
}

/** Like `listOrdersJson`, for use inside an application. */
export const listOrders = parsed(listOrdersJson);

type Query = z.output<typeof OrderQuery>;

type Filters = Omit<Query, 'from' | 'to' | 'until' | 'search' | 'metadata' | 'tag'> & {
  /** Milliseconds. */
  from: number | undefined;
  to: number | undefined;
  /** Empty without a search. */
  words: readonly string[];
  /** Keys of metadata and a tag, all of which an order has. */
  labels: readonly Label[];
  storeId: string;
};

const by = (column: 'created_at' | 'total', isAscending: boolean): Sorting => ({
  columns: [column, 'id'],
  isAscending,
});

const sortings: Readonly<Record<OrderSort, Sorting>> = {
  newest: newestFirst,
  oldest: by('created_at', true),
  total: by('total', true),
  '-total': by('total', false),
};

/** True for the order of time, which every index of a filter has. */
const isByTime = ({ sort }: Pick<Filters, 'sort'>) => sortings[sort].columns[0] === 'created_at';

/** The times of a query; its dates are in the store's time zone. */
export function orderTimes(
  ctx: Context,
  { from, to, until }: Pick<Query, 'from' | 'to' | 'until'>,
): Pick<Filters, 'from' | 'to'> {
  if (from === undefined && to === undefined && until === undefined) return { from: undefined, to: undefined };
  if (to !== undefined && until !== undefined) throw invalid('until', 'must be omitted if to is given');
  const calendar = calendarOf(ctx.store.settings.timeZone);
  if (!calendar) throw new Error(`the time zone of store ${ctx.store.id} is not known here`);
  const moment = (value: string | undefined) => (value === undefined ? undefined : momentOf(calendar, value));
  const [begin, end] = [moment(from), until === undefined ? moment(to) : endOf(calendar, until)];
  if (begin !== undefined && end !== undefined) checkRange(begin, end, until === undefined ? 'to' : 'until');
  return { from: begin, to: end };
}

type Orders = SelectQueryBuilder<Schema, 'orders', object>;

function ofStore(db: Db, storeId: string) {
  return db.selectFrom('orders').where('store_id', '=', storeId);
}

/** Orders within a range of time, which is the order of every index of a filter. */
function within(orders: Orders, { from, to }: Filters): Orders {
  let some = orders;
  if (from !== undefined) some = some.where('created_at', '>=', from);
  if (to !== undefined) some = some.where('created_at', '<', to);
  return some;
}

function containing(ctx: Context, orders: Orders, { words }: Filters): Orders {
  return words.length > 0 ? orders.where((eb) => ctx.engine.storage.containsText(eb.ref('search'), words)) : orders;
}

/** Orders with a label that are searched one by one instead of asking the index of words. */
const maxSearched = 20_000;

/** Up to this number of orders, a label leads to them. @param others the number of orders that another index leads to, if known */
function mostLabelled({ words }: Filters, others = Number.POSITIVE_INFINITY): number {
  return words.length > 0 ? Math.min(maxSearched, others) : others;
}

/** A page of the orders with a label, which is rarer than any status. */
async function readByLabel(
  ctx: Context,
  db: Db,
  filters: Filters,
  rare: { label: Label; n: number },
  maxRows: number,
): Promise<Json<List<Order>> | undefined> {
  const { labels, from, to, limit, offset, sort } = filters;
  const storeId = ctx.store.id;
  const narrowed = (orders: Orders, isLed: boolean) => {
    const waiting = filters.toShip ? orders.where(isShipped).where(isToShip) : orders;
    const some = isLed
      ? withIndexedStatuses(waiting, filters)
      : withTimes(withStatuses(waiting, { ...filters, labels: [] }), filters);
    return containing(ctx, some, filters);
  };
  const listed = sumOrders(await listCounts(db, storeId, 'orders.status'));
  const list = { storeId, resource: 'orders', labels, rare, times: { from, to }, listed, narrowed } as const;
  const order = { sorting: sortings[sort] };
  return readLabelled<Order, 'orders'>(db, list, { limit, offset }, order, maxRows, orderEntity);
}

/** A page of orders that an index has in the order of the list. */
async function readWalked(
  ctx: Context,
  db: Db,
  filters: Filters,
  maxRows: number,
): Promise<Json<List<Order>> | undefined> {
  const walk = await shortestWalk(ctx, db, filters, maxRows);
  if (walk === undefined) return undefined;
  return filters.words.length > 0
    ? readSearched(ctx, db, filters, walk, maxRows)
    : readWalk(ctx, db, filters, walk, maxRows);
}

/** Narrows the orders: to a number, to a customer, and to those that wait for shipping or for money. */
function readFew(ctx: Context, db: Db, filters: Filters, maxRows: number): Promise<Json<List<Order>> | undefined> {
  const { status, paymentStatus, customerId, orderNumber, toShip, unpaidOffline, labels, storeId, ...window } = filters;
  const sorting = sortings[filters.sort];
  const isWaiting = toShip || unpaidOffline;
  let among = isWaiting ? withTimes(ofStore(db, ctx.store.id), filters) : within(ofStore(db, ctx.store.id), filters);
  if (orderNumber) among = among.where('number', '=', orderNumberOf(orderNumber));
  if (customerId) among = among.where('customer_id', '=', customerId);
  if (toShip) among = among.where(isToShip);
  if (unpaidOffline) among = among.where(isUnpaidOffline);
  const matches = containing(ctx, among, filters);
  // Keeps the planner from choosing another index, which would lead to every order with that status.
  const all = withStatuses(matches, { status, paymentStatus, labels, storeId });
  const order: Sorting = isByTime(filters) && !isWaiting ? sorting : { ...sorting, isUnindexed: true };
  return readSorted<Order>(db, { among, matches: all }, window, { sorting: order }, maxRows, orderEntity);
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
  if (orderNumber) matches = matches.where(unindexedNumber(sql.ref('number')), '=', orderNumberOf(orderNumber));
  if (customerId) matches = matches.where(unindexedText(sql.ref('customer_id')), '=', customerId);
  const total = (await countUpTo(db, matches, maxRows)) ?? 0;
  const newest = matches.orderBy(unindexedNumber(sql.ref('created_at')), 'desc').orderBy('id', 'desc');
  return (await readPage<Order>(db, newest.select(itemColumns).limit(limit).offset(offset), total, orderEntity)).list;
}

/** Orders with the statuses and the labels of a list, which lead to no index. */
function withStatuses(
  orders: Orders,
  { status, paymentStatus, toShip, labels, storeId }: Pick<Filters, 'labels' | 'storeId'> & Partial<Filters>,
): Orders {
  let some = toShip ? orders.where(isShipped) : orders;
  if (status) some = some.where(unindexedText(sql.ref('status')), '=', status);
  if (paymentStatus) some = some.where(unindexedText(sql.ref('payment_status')), '=', paymentStatus);
  return having(some, storeId, 'orders', labels);
}

/**
 * Orders that a label leads to, with the statuses of a list. Each is looked up in the index of its column, which is small. To read many
 * orders themselves would take seconds.
 */
function withIndexedStatuses(orders: Orders, { status, paymentStatus, storeId }: Filters): Orders {
  const looked = (column: 'status' | 'payment_status', value: string) =>
    // Not by the key, which leads to the whole row. Hardly any two orders are of the same millisecond.
    sql<SqlBool>`exists (select 1 from orders as one where one.store_id = ${storeId} and one.${sql.ref(column)} = ${value}
      and one.created_at = labels.made_at and ${unindexedText(sql.ref('one.id'))} = labels.item_id)`;
  let some = orders;
  if (status) some = some.where(looked('status', status));
  if (paymentStatus) some = some.where(looked('payment_status', paymentStatus));
  return some;
}

/** The smallest set of orders that an index has in list order and that contains the matching orders. */
interface Walk {
  among: Orders;
  /** Number of these orders. */
  count: number;
  /** The orders in the set that have both statuses, and all labels. */
  matches: Orders;
  /** Number of matches, if known. */
  total: number | undefined;
  /** Number of all orders of the store. */
  listed: number;
}

/** Walks the orders by the index of the rarer status, if the query has one; undefined if counting them would take too long. */
async function shortestWalk(ctx: Context, db: Db, filters: Filters, maxRows: number): Promise<Walk | undefined> {
  const { status, paymentStatus, toShip } = filters;
  const counts = await listCounts(db, ctx.store.id, 'orders.status');
  const [rarer, other] = [
    ...(status ? [{ column: 'status' as const, value: status, n: sumOrders(counts, { status }) }] : []),
    ...(paymentStatus
      ? [{ column: 'payment_status' as const, value: paymentStatus, n: sumOrders(counts, { paymentStatus }) }]
      : []),
  ].sort((a, b) => a.n - b.n);
  let among = within(ofStore(db, ctx.store.id), filters);
  if (rarer) among = among.where(rarer.column, '=', rarer.value);
  const shipped = toShip ? among.where(isShipped) : among;
  const both = other ? shipped.where(unindexedText(sql.ref(other.column)), '=', other.value) : shipped;
  const matches = having(both, filters.storeId, 'orders', filters.labels);
  const isOfAllTime = filters.from === undefined && filters.to === undefined;
  const ofStatuses = isOfAllTime ? sumOrders(counts, filters) : undefined;
  const count = isOfAllTime ? (rarer?.n ?? ofStatuses) : await countUpTo(db, among, maxRows);
  const total = filters.labels.length > 0 ? undefined : ofStatuses;
  return count === undefined ? undefined : { among, count, matches, total, listed: sumOrders(counts) };
}

async function readWalk(
  ctx: Context,
  db: Db,
  filters: Filters,
  walk: Walk,
  maxRows: number,
): Promise<Json<List<Order>> | undefined> {
  const { limit, offset, sort } = filters;
  const window = { limit, offset };
  const sorting = sortings[sort];
  if (isByTime(filters)) return readSorted<Order>(db, walk, window, { sorting }, maxRows, orderEntity);
  const total = walk.total ?? (await countUpTo(db, walk.matches, maxRows));
  if (total === undefined) return undefined;
  // The number of orders to read in order of their totals until the page is full, if the matches are evenly spread.
  const walked = ((offset + limit) * walk.listed) / Math.max(total, 1);
  if (walk.count <= Math.min(maxRows, Math.max(maxWalked, walked))) {
    const order: Sorting = { ...sorting, isUnindexed: true };
    return readSorted<Order>(db, { ...walk, total }, window, { sorting: order }, maxRows, orderEntity);
  }
  const among = ofStore(db, ctx.store.id);
  const matches = isFiltered(filters) ? withTimes(withStatuses(among, filters), filters) : among;
  const listed = { among, count: walk.listed, matches, total };
  return readSorted<Order>(db, listed, window, { sorting }, maxRows, orderEntity);
}

/** True for a list of not all orders, apart from words. */
function isFiltered({ status, paymentStatus, from, to, labels }: Filters): boolean {
  return Boolean(status || paymentStatus) || labels.length > 0 || from !== undefined || to !== undefined;
}

/**
 * Orders whose text contains all words. Either walks and tests the newest orders until the page is full, or fetches and sorts all orders that
 * the index finds, whichever reads fewer.
 */
async function readSearched(
  ctx: Context,
  db: Db,
  filters: Filters,
  walk: Walk,
  maxRows: number,
): Promise<Json<List<Order>> | undefined> {
  const { limit, offset, words } = filters;
  const sorting = sortings[filters.sort];
  const unindexed: Sorting = { ...sorting, isUnindexed: true };
  const matches = containing(ctx, walk.matches, filters);
  if (walk.count <= maxWalked) {
    const order = isByTime(filters) ? sorting : unindexed;
    const few = { ...walk, matches, total: undefined };
    return readSorted<Order>(db, few, filters, { sorting: order }, maxRows, orderEntity);
  }
  // The time in which the index finds a few orders depends on the words of all orders.
  if (Number.isFinite(maxRows)) return undefined;
  const found = ctx.engine.storage.orderSearch.find(ctx.store, words);
  const { rows } = await sql<{ n: number }>`select count(*) as n from ${found} as found`.execute(db);
  const [{ n } = { n: 0 }] = rows;
  const ofText = withStatuses(ofStore(db, ctx.store.id), filters).where((eb) => eb('number', 'in', found));
  const fetched = withTimes(ofText, filters);
  const fewer = walk.count <= n ? matches : fetched;
  const total = isFiltered(filters) ? ((await countUpTo(db, fewer, maxRows)) ?? 0) : n;
  if (offset >= total) return toJson<List<Order>>({ items: [], total });
  const [walkable, count] = isByTime(filters)
    ? [matches, walk.count]
    : [containing(ctx, withTimes(withStatuses(ofStore(db, ctx.store.id), filters), filters), filters), walk.listed];
  const walked = ((offset + limit) * count) / total;
  const rest = walked < n ? sorted(walkable, sorting) : sorted(fetched, unindexed);
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

/** The number in `ORD-1001`; −1, which no order has, for a text in any other form. */
export function orderNumberOf(orderNumber: string): number {
  const digits = /^ORD-([1-9]\d{0,14})$/.exec(orderNumber)?.[1];
  return digits ? Number(digits) : -1;
}
