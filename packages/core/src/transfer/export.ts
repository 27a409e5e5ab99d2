import { sql } from 'kysely';
import type { Customer } from '../customers/fields.ts';
import type { Context } from '../engine/context.ts';
import { refusePublic } from '../engine/public-actor.ts';
import { refuseInUnit } from '../engine/transaction.ts';
import { breathe } from '../kernel/breathe.ts';
import { invalid, quote } from '../kernel/errors.ts';
import type { Json } from '../kernel/json.ts';
import type { Media } from '../media/fields.ts';
import { withUrls } from '../media/url.ts';
import { getProductAttributes } from '../products/list.ts';
import { preparedPerLength } from '../storage/prepared.ts';
import { reading } from '../storage/run.ts';
import { defuseCell } from './files/cells.ts';
import { openCsvWriter } from './files/csv.ts';
import { headerKey } from './files/rows.ts';
import { orderColumns } from './formats/orders.ts';
import {
  csvCells,
  csvHeaders,
  type DecimalSign,
  type ExportedResource,
  entities,
  exportedResources,
  type ImportedResource,
  type Printable,
  withSign,
} from './formats/own.ts';

export interface ExportOptions {
  /** CSV by default. */
  format?: 'csv' | 'jsonl' | undefined;
  /**
   * With a byte order mark and CRLF, so that Excel opens it with a double click. A language such as `de` tells Excel's locale. If its
   * decimal sign is the comma, cells are separated by semicolons, and amounts have a comma.
   */
  excel?: boolean | string | undefined;
}

/** Rows per read, few enough not to block other callers. */
const pageRows = 100;

/** Maximum number of attribute keys with their own column. */
const maxKeyColumns = 100;

interface StoredRow {
  id: string;
  created_at: number;
  json: string;
}

/**
 * The text of all items of a resource, oldest first, in chunks. An item changed during the export appears in its state when read. JSON
 * Lines are the items as the interface answers them, with the slugs of their categories and the addresses of their images added.
 */
export function exportText(
  ctx: Context,
  resource: ExportedResource,
  options: ExportOptions = {},
): AsyncGenerator<{ text: string; rows: number }> {
  // Checked here, because a generator throws only when its first text is read.
  refusePublic(ctx);
  refuseInUnit(ctx.engine, 'exportText reads for as long as its reader takes');
  return texts(ctx, resource, options);
}

async function* texts(
  ctx: Context,
  resource: ExportedResource,
  { format = 'csv', excel = false }: ExportOptions,
): AsyncGenerator<{ text: string; rows: number }> {
  if (!exportedResources.includes(resource)) {
    throw invalid('resource', `must be one of ${exportedResources.join(', ')}, not ${quote(resource)}`);
  }
  const keys = resource === 'products' && format === 'csv' ? await keyColumns(ctx) : [];
  const sign = typeof excel === 'string' ? decimalSignOf(excel) : '.';
  const style = { excel: excel !== false, separator: sign === ',' ? ';' : ',' };
  const write = format === 'csv' ? await openCsvWriter(style) : undefined;
  if (write) {
    const headers = resource === 'orders' ? orderColumns.map(({ name }) => name) : csvHeaders(resource, keys);
    yield { text: write([headers]), rows: 0 };
  }
  for await (const rows of pages(ctx, resource)) {
    const printables = await printablesOf(ctx, resource, rows);
    const text = write
      ? write(printables.map((one) => cellsOf(resource, one, keys, sign)))
      : printables.map((one) => jsonLine(resource, one)).join('');
    yield { text, rows: rows.length };
    await breathe();
  }
}

/** @throws CommerceError `validation` on `excel` if it is not a language */
function decimalSignOf(language: string): DecimalSign {
  try {
    const parts = new Intl.NumberFormat(language).formatToParts(1.5);
    return parts.some(({ type, value }) => type === 'decimal' && value === ',') ? ',' : '.';
  } catch {
    throw invalid('excel', `must be a language such as de or en-GB, not ${quote(language)}`);
  }
}

function cellsOf(
  resource: ExportedResource,
  printable: Printable,
  keys: readonly string[],
  sign: DecimalSign,
): string[] {
  if (resource !== 'orders') return csvCells(resource, printable, keys, sign);
  const order = { ...printable.item, customer: printable.customer };
  return orderColumns.map(({ of, isText }) => (isText ? defuseCell(of(order)) : withSign(of(order), sign)));
}

function jsonLine(resource: ExportedResource, { item, ...beside }: Printable): string {
  return `${JSON.stringify(resource === 'orders' ? item : { ...item, ...beside })}\n`;
}

/** Attribute keys with their own column: keys that a header can state unambiguously. The others share one column. */
async function keyColumns(ctx: Context): Promise<string[]> {
  const { keys } = await getProductAttributes(ctx);
  const spelt = new Map<string, number>();
  for (const key of keys) spelt.set(headerKey(key), (spelt.get(headerKey(key)) ?? 0) + 1);
  const plain = keys.filter((key) => /^[\p{L}\p{N}][\p{L}\p{N} _.:-]*$/u.test(key) && key === key.trim());
  return plain.filter((key) => spelt.get(headerKey(key)) === 1).slice(0, maxKeyColumns);
}

/** The rows of a resource, oldest first. Root categories come before their children, so that an import finds the parents. */
async function* pages(ctx: Context, resource: ExportedResource): AsyncGenerator<StoredRow[]> {
  if (resource !== 'categories') {
    yield* pagesOf(ctx, resource, undefined);
    return;
  }
  yield* pagesOf(ctx, resource, 'is');
  yield* pagesOf(ctx, resource, 'is not');
}

async function* pagesOf(
  ctx: Context,
  resource: ExportedResource,
  parent: 'is' | 'is not' | undefined,
): AsyncGenerator<StoredRow[]> {
  const isSoftDeleted = resource === 'products' || resource === 'categories' || resource === 'pages';
  let last: StoredRow | undefined;
  for (;;) {
    const rows = await reading(ctx.engine.storage, (db) => {
      // Every table has these columns; the type checker knows one of them.
      let query = db
        .selectFrom(resource as 'products')
        .select(['id', 'created_at', 'json'])
        .where('store_id', '=', ctx.store.id);
      if (isSoftDeleted) query = query.where('status', '<>', sql.lit('deleted'));
      if (parent) query = query.where('parent_id' as 'sku', parent, null);
      const from = last;
      if (from) {
        query = query.where(({ eb, refTuple, tuple }) =>
          eb(refTuple('created_at', 'id'), '>', tuple(from.created_at, from.id)),
        );
      }
      return query.orderBy('created_at').orderBy('id').limit(pageRows).execute();
    });
    if (rows.length > 0) yield rows;
    if (rows.length < pageRows) return;
    last = rows.at(-1);
  }
}

const categorySlugs = preparedPerLength<{ storeId: string }, { id: string; slug: string }>((db, p, ids) =>
  db.selectFrom('categories').select(['id', 'slug']).where('store_id', '=', p('storeId')).where('id', 'in', ids),
);

const mediaOf = preparedPerLength<{ storeId: string }, { id: string; json: string }>((db, p, ids) =>
  db.selectFrom('media').select(['id', 'json']).where('store_id', '=', p('storeId')).where('id', 'in', ids),
);

const customersOf = preparedPerLength<{ storeId: string }, { id: string; json: string }>((db, p, ids) =>
  db.selectFrom('customers').select(['id', 'json']).where('store_id', '=', p('storeId')).where('id', 'in', ids),
);

interface Referring {
  categoryIds?: string[];
  mediaIds?: string[];
  primaryMediaId?: string | null;
  seoImageId?: string | null;
  parentId?: string | null;
}

/** The items with slugs and addresses of related items, because ids differ in another store. */
async function printablesOf(
  ctx: Context,
  resource: ExportedResource,
  rows: readonly StoredRow[],
): Promise<Printable[]> {
  const read = resource === 'orders' ? JSON.parse : entities[resource].read;
  const items = rows.map(({ json }): Record<string, unknown> & Referring => read(json));
  if (resource === 'customers') return items.map((item) => ({ item }));
  if (resource === 'orders') return withCustomers(ctx, items);
  const categories = new Set(
    items.flatMap(({ categoryIds, parentId }) => [...(categoryIds ?? []), ...(parentId ? [parentId] : [])]),
  );
  const media = new Set(
    items.flatMap(({ mediaIds, primaryMediaId, seoImageId }) =>
      [...(mediaIds ?? []), primaryMediaId, seoImageId].filter((id) => id != null),
    ),
  );
  const storeId = ctx.store.id;
  const { storage } = ctx.engine;
  const slugs = new Map<string, string>();
  for (const ids of inParts(categories)) {
    for (const { id, slug } of await reading(storage, (db) => categorySlugs(db, { storeId }, ids))) slugs.set(id, slug);
  }
  const images = new Map<string, Media>();
  for (const ids of inParts(media)) {
    for (const { id, json } of await reading(storage, (db) => mediaOf(db, { storeId }, ids))) {
      images.set(id, JSON.parse(withUrls(ctx.engine, json as Json<Media>)));
    }
  }
  const addressOf = (id: string | null | undefined) => (id ? (images.get(id)?.url ?? null) : null);
  return items.map((item) => {
    const seoImage = addressOf(item.seoImageId);
    if (resource === 'pages') return { item, seoImage };
    if (resource === 'categories') {
      return { item, seoImage, parent: item.parentId ? (slugs.get(item.parentId) ?? null) : null };
    }
    return {
      item,
      seoImage,
      categories: (item.categoryIds ?? []).flatMap((id) => slugs.get(id) ?? []),
      image: addressOf(item.primaryMediaId),
      images: (item.mediaIds ?? []).flatMap((id) => {
        const image = images.get(id);
        return image ? [{ url: image.url, altText: image.altText }] : [];
      }),
    };
  });
}

/** Orders with their customers. */
async function withCustomers(ctx: Context, orders: readonly Record<string, unknown>[]): Promise<Printable[]> {
  const ids = new Set(orders.flatMap(({ customerId }) => (typeof customerId === 'string' ? [customerId] : [])));
  const customers = new Map<unknown, Pick<Customer, 'name' | 'email'>>();
  for (const part of inParts(ids)) {
    const rows = await reading(ctx.engine.storage, (db) => customersOf(db, { storeId: ctx.store.id }, part));
    for (const { id, json } of rows) customers.set(id, JSON.parse(json));
  }
  return orders.map((item) => ({ item, customer: customers.get(item.customerId) ?? null }));
}

function* inParts(all: ReadonlySet<string>): Generator<string[]> {
  const list = [...all].sort();
  for (let i = 0; i < list.length; i += 500) yield list.slice(i, i + 500);
}

export type { ExportedResource, ImportedResource };
