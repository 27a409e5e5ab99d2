import { itemsOf, readNewest } from '../collection/items.ts';
import type { Context, TxContext } from '../engine/context.ts';
import { refusePublic } from '../engine/public-actor.ts';
import type { SellingSettings } from '../engine/settings/settings.ts';
import { calendarOf, checkRange, momentOf } from '../kernel/calendar.ts';
import { toTimestamp } from '../kernel/clock.ts';
import { type Json, type List, parsed, toJson } from '../kernel/json.ts';
import { minorColumn } from '../kernel/money.ts';
import { parse } from '../kernel/parse.ts';
import { prepared, preparedColumn, preparedInsert } from '../storage/prepared.ts';
import { reading, snapshotOrScan } from '../storage/run.ts';
import type { Db } from '../storage/storage.ts';
import type { InvoiceTable } from '../storage/tables/orders.ts';
import { withCurrentStore } from '../stores/current.ts';
import { type Invoice, InvoiceQuery, type InvoiceQueryInput, invoiceEntity, type Kept } from './fields.ts';

const invoices = itemsOf<Invoice>('invoices', 'invoice', false, { entity: invoiceEntity });

/** @throws CommerceError `notFound`, also for a malformed id and for the id of another store's invoice */
export const getInvoiceJson = invoices.read;

/** Like `getInvoiceJson`, for use inside an application. */
export const getInvoice = parsed(getInvoiceJson);

/** The filters of a list, with the times that its dates mean. */
interface Range {
  from: number | undefined;
  /** The first moment after it. */
  end: number | undefined;
}

/** @throws CommerceError `validation` if the range ends before it begins */
async function rangeOf(given: Context, { from, to }: { from?: string | undefined; to?: string | undefined }) {
  const { settings } = (await withCurrentStore(given)).store;
  const calendar = calendarOf(settings.timeZone);
  if (!calendar) throw new Error(`the store's time zone ${settings.timeZone} is not known here`);
  const range: Range = {
    from: from === undefined ? undefined : momentOf(calendar, from),
    end: to === undefined ? undefined : momentOf(calendar, to),
  };
  if (range.from !== undefined && range.end !== undefined) checkRange(range.from, range.end);
  return range;
}

function within(db: Db, storeId: string, { from, end }: Range) {
  let rows = db.selectFrom('invoices').where('store_id', '=', storeId);
  if (from !== undefined) rows = rows.where('created_at', '>=', from);
  if (end !== undefined) rows = rows.where('created_at', '<', end);
  return rows;
}

/**
 * A page of the store's invoices and credit notes, newest first, with the exact number of matches.
 * @throws CommerceError `validation` for a filter or a window out of range; `forbidden` for a storefront key
 */
export async function listInvoicesJson(ctx: Context, query: InvoiceQueryInput = {}): Promise<Json<List<Invoice>>> {
  refusePublic(ctx);
  const { orderId, number, kind, from, to, ...window } = parse(InvoiceQuery, query);
  const range = await rangeOf(ctx, { from, to });
  return snapshotOrScan(ctx, async (db, maxRows) => {
    let matches = within(db, ctx.store.id, range);
    if (kind) matches = matches.where('kind', '=', kind);
    if (orderId !== undefined) matches = matches.where('order_id', '=', orderId);
    if (number !== undefined) matches = matches.where('number', '=', number);
    return readNewest<Invoice>(db, { among: matches, matches }, window, maxRows, invoiceEntity);
  });
}

/** Like `listInvoicesJson`, for use inside an application. */
export const listInvoices = parsed(listInvoicesJson);

/** Invoices that are read at once for an export. */
const batchSize = 100;

/**
 * All invoices and credit notes of a time, oldest first, however many there are: they are read in batches.
 * @throws CommerceError `validation` for a filter out of range; `forbidden` for a storefront key
 */
export async function* eachInvoice(
  ctx: Context,
  query: Pick<InvoiceQueryInput, 'from' | 'to' | 'kind'> = {},
): AsyncGenerator<Invoice> {
  refusePublic(ctx);
  const { kind, from, to } = parse(InvoiceQuery, query);
  const range = await rangeOf(ctx, { from, to });
  for (let after: { at: number; id: string } | undefined; ; ) {
    const last = after;
    const rows = await reading(ctx.engine.storage, (db) => {
      let some = within(db, ctx.store.id, range).select(['id', 'created_at', 'json']);
      if (kind) some = some.where('kind', '=', kind);
      if (last) {
        some = some
          .where('created_at', '>=', last.at)
          .where((eb) => eb.or([eb('created_at', '>', last.at), eb('id', '>', last.id)]));
      }
      return some.orderBy('created_at').orderBy('id').limit(batchSize).execute();
    });
    for (const { json } of rows) yield invoiceEntity.read(json);
    const end = rows.at(-1);
    if (!end || rows.length < batchSize) return;
    after = { at: end.created_at, id: end.id };
  }
}

const ofOrder = preparedColumn<{ storeId: string; orderId: string }, string>((db, p) =>
  db
    .selectFrom('invoices')
    .select('json')
    .where('store_id', '=', p('storeId'))
    .where('order_id', '=', p('orderId'))
    .orderBy('id'),
);

/** The invoices and credit notes of an order, oldest first. */
export async function invoicesOfOrder(db: Db, storeId: string, orderId: string): Promise<Invoice[]> {
  return (await ofOrder(db, { storeId, orderId })).map((json) => invoiceEntity.read(json));
}

const byNumber = preparedColumn<{ storeId: string; number: string }, string>((db, p) =>
  db.selectFrom('invoices').select('id').where('store_id', '=', p('storeId')).where('number', '=', p('number')),
);

/** True if the store has an invoice with that number. Two series can end in the same text, such as "A1" and "A". */
export async function isNumberUsed(db: Db, storeId: string, number: string): Promise<boolean> {
  return (await byNumber(db, { storeId, number })).length > 0;
}

const insertRow = preparedInsert<InvoiceTable>('invoices');

/** @returns its text, for events */
export async function insertInvoice(
  tx: TxContext,
  invoice: Invoice,
  place: Pick<InvoiceTable, 'series' | 'n'>,
): Promise<Json<Invoice>> {
  const json = toJson(invoice);
  await insertRow(tx.db, [
    {
      store_id: tx.store.id,
      id: invoice.id,
      kind: invoice.kind,
      number: invoice.number,
      ...place,
      order_id: invoice.orderId,
      total: minorColumn(invoice.total),
      created_at: tx.now,
      json,
      shape: invoiceEntity.shapeNumber,
    },
  ]);
  return json;
}

/** The years for which a store keeps invoices, and the zone of its years. */
type Keeping = Pick<SellingSettings, 'timeZone'> & { invoices: Pick<SellingSettings['invoices'], 'keepYears'> };

/** The beginning of the year that comes so many years after that of a time, in the zone of the shop; in milliseconds. */
export function yearFrom(ms: number, years: number, timeZone: string): number {
  const calendar = calendarOf(timeZone);
  if (!calendar) throw new Error(`the time zone ${timeZone} is not known here`);
  return calendar.startOf(`${Number(calendar.dateOf(ms).slice(0, 4)) + years}-01-01`);
}

/** The time until which an invoice of that time is kept: the end of the last of its years, because years of tax law are whole ones. */
export function keptUntil(createdAt: number, { timeZone, invoices }: Keeping): number {
  return yearFrom(createdAt, invoices.keepYears + 1, timeZone);
}

const countOfOrder = prepared<{ storeId: string; orderId: string }, { n: number; last: number | null }>((db, p) =>
  db
    .selectFrom('invoices')
    .select((eb) => [eb.fn.countAll<number>().as('n'), eb.fn.max('created_at').as('last')])
    .where('store_id', '=', p('storeId'))
    .where('order_id', '=', p('orderId')),
);

/** Invoices of orders that are kept although the orders, or their buyers, are erased. */
export async function keptOf(tx: TxContext, orderIds: readonly string[], before?: Kept): Promise<Kept> {
  let kept = before ?? { invoices: 0, until: null };
  for (const orderId of orderIds) {
    const [row] = await countOfOrder(tx.db, { storeId: tx.store.id, orderId });
    if (!row || row.n === 0 || row.last === null) continue;
    const until = toTimestamp(keptUntil(row.last, tx.store.settings));
    kept = { invoices: kept.invoices + row.n, until: kept.until !== null && kept.until > until ? kept.until : until };
  }
  return kept;
}
