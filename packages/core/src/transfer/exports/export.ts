import { sql } from 'kysely';
import type { Customer } from '../../customers/fields.ts';
import type { Context } from '../../engine/context.ts';
import { refusePublic } from '../../engine/public-actor.ts';
import { refuseInUnit } from '../../engine/transaction.ts';
import type { CellKind } from '../../fields/kinds.ts';
import { breathe } from '../../kernel/breathe.ts';
import { invalid, quote } from '../../kernel/errors.ts';
import type { Json } from '../../kernel/json.ts';
import { publishedTables } from '../../kernel/nouns.ts';
import type { Media } from '../../media/fields.ts';
import { withUrls } from '../../media/url.ts';
import { orderEntity } from '../../orders/fields.ts';
import { getProductAttributes } from '../../products/list.ts';
import { preparedPerLength } from '../../storage/prepared.ts';
import { reading } from '../../storage/run.ts';
import { type DecimalSign, defuseCell } from '../files/cells.ts';
import { openCsvWriter } from '../files/csv.ts';
import { type ExcelStyle, excelStyle, isLanguage } from '../files/excel.ts';
import { headerKey } from '../files/rows.ts';
import {
  csvCells,
  csvHeaders,
  type ExportedResource,
  exportedResources,
  type ImportedResource,
  ownColumns,
  type Printable,
  resourceOf,
  withSign,
} from '../formats/own.ts';
import { type ExportFilters, type Narrowing, narrowingOf } from './filters.ts';
import { orderColumns, orderLineColumns } from './order-columns.ts';

export interface ExportOptions {
  /** CSV by default. */
  format?: 'csv' | 'jsonl' | undefined;
  /**
   * With a byte order mark and CRLF, so that Excel opens it with a double click. A language such as `de` tells Excel's locale. If its
   * decimal sign is the comma, cells are separated by semicolons, and amounts have a comma. In `de-CH`, only the separator differs.
   */
  excel?: boolean | string | undefined;
  /** For orders, customers and products: the filters of their lists. For CSV files of orders also `lines`. */
  filters?: ExportFilters | undefined;
}

/** Rows per read, few enough not to block other callers. */
const pageRows = 100;

/** Rows per read whose texts are read only if they match. */
const checkedRows = 500;

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
 * @throws CommerceError `validation` for a filter
 */
export function exportText(
  ctx: Context,
  resource: ExportedResource,
  options: ExportOptions = {},
): AsyncGenerator<{ text: string; rows: number }> {
  // Checked here, because a generator throws only when its first text is read.
  refusePublic(ctx);
  refuseInUnit(ctx.engine, 'exportText reads for as long as its reader takes');
  const { format = 'csv', filters = {} } = options;
  const narrowing = narrowingOf(ctx, resource, filters);
  if (narrowing.lines === 'items' && format !== 'csv') {
    throw invalid('lines', 'must be orders: only CSV has a row for each line');
  }
  return texts(ctx, resource, options, narrowing);
}

async function* texts(
  ctx: Context,
  resource: ExportedResource,
  { format = 'csv', excel = false }: ExportOptions,
  { lines, ...narrowing }: ReturnType<typeof narrowingOf>,
): AsyncGenerator<{ text: string; rows: number }> {
  if (!exportedResources.includes(resource)) {
    throw invalid('resource', `must be one of ${exportedResources.join(', ')}, not ${quote(resource)}`, {
      code: 'NOT_OFFERED',
      limits: { values: exportedResources },
    });
  }
  const keys = resource === 'products' && format === 'csv' ? await keyColumns(ctx) : [];
  const { sign, separator } = typeof excel === 'string' ? excelStyle(excel) : plainStyle;
  const style = { excel: excel !== false, separator };
  const write = format === 'csv' ? await openCsvWriter(style) : undefined;
  if (write) {
    const headers = resource === 'orders' ? columnsOf[lines].map(({ name }) => name) : csvHeaders(resource, keys);
    yield { text: write([headers]), rows: 0 };
  }
  for await (const rows of pages(ctx, resource, narrowing)) {
    const printables = await printablesOf(ctx, resource, rows);
    const text = write
      ? write(printables.flatMap((one) => rowsOf(resource, one, { keys, sign, lines })))
      : printables.map((one) => jsonLine(resource, one)).join('');
    yield { text, rows: rows.length };
    await breathe();
  }
}

const plainStyle: ExcelStyle = { sign: '.', separator: ',' };

const columnsOf = { orders: orderColumns, items: orderLineColumns };

/** The rows of an item: one, or one for each line of an order. */
function rowsOf(
  resource: ExportedResource,
  printable: Printable,
  { keys, sign, lines }: { keys: readonly string[]; sign: DecimalSign; lines: keyof typeof columnsOf },
): string[][] {
  if (resource !== 'orders') return [csvCells(resource, printable, keys, sign)];
  const order = { ...printable.item, customer: printable.customer };
  const items = lines === 'items' ? (printable.item.items as readonly object[]) : [{}];
  return items.map((line) =>
    columnsOf[lines].map(({ of, isText }) =>
      isText ? defuseCell(of({ ...order, line })) : withSign(of({ ...order, line }), sign),
    ),
  );
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
async function* pages(ctx: Context, resource: ExportedResource, narrowing: Narrowing): AsyncGenerator<StoredRow[]> {
  if (!hasParents(resource)) {
    yield* pagesOf(ctx, resource, narrowing, undefined);
    return;
  }
  yield* pagesOf(ctx, resource, narrowing, 'is');
  yield* pagesOf(ctx, resource, narrowing, 'is not');
}

/** True for a resource whose items name one of their own kind. */
function hasParents(resource: ExportedResource): boolean {
  return resource !== 'orders' && ownColumns[resource].some(({ kind }) => kind === 'parent');
}

async function* pagesOf(
  ctx: Context,
  resource: ExportedResource,
  { walk, conditions }: Narrowing,
  parent: 'is' | 'is not' | undefined,
): AsyncGenerator<StoredRow[]> {
  const limit = conditions.length > 0 ? checkedRows : pageRows;
  const matching = sql<string | null>`case when ${sql.join(conditions, sql` and `)} then json end`;
  const isSoftDeleted = (publishedTables as readonly string[]).includes(resource);
  let last: Pick<StoredRow, 'id' | 'created_at'> | undefined;
  for (;;) {
    const rows = await reading(ctx.engine.storage, (db) => {
      // Every table has these columns; the type checker knows one of them.
      let query = db
        .selectFrom(resource as 'products')
        .select(['id', 'created_at', conditions.length > 0 ? matching.as('json') : 'json'])
        .where('store_id', '=', ctx.store.id);
      for (const condition of walk) query = query.where(condition);
      if (isSoftDeleted) query = query.where('status', '<>', sql.lit('deleted'));
      if (parent) query = query.where('parent_id' as 'sku', parent, null);
      const from = last;
      if (from) {
        query = query.where(({ eb, refTuple, tuple }) =>
          eb(refTuple('created_at', 'id'), '>', tuple(from.created_at, from.id)),
        );
      }
      return query.orderBy('created_at').orderBy('id').limit(limit).execute();
    });
    const matches = rows.filter((row): row is StoredRow => row.json !== null);
    for (let i = 0; i < matches.length; i += pageRows) yield matches.slice(i, i + pageRows);
    if (rows.length < limit) return;
    last = rows.at(-1);
    await breathe();
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

/** The items with slugs and addresses of related items, because ids differ in another store. */
async function printablesOf(
  ctx: Context,
  resource: ExportedResource,
  rows: readonly StoredRow[],
): Promise<Printable[]> {
  if (resource === 'orders') {
    return withCustomers(
      ctx,
      rows.map(({ json }) => orderEntity.read(json)),
    );
  }
  const { entity } = resourceOf(resource);
  const items = rows.map(({ json }) => entity.read(json) as Record<string, unknown>);
  const named = (kinds: readonly CellKind[]) => {
    const fields = ownColumns[resource].filter(({ kind }) => kinds.includes(kind)).map(({ field }) => field);
    return new Set(items.flatMap((item) => fields.flatMap((field) => idsIn(item[field]))));
  };
  const storeId = ctx.store.id;
  const { storage } = ctx.engine;
  const slugs = new Map<string, string>();
  for (const ids of inParts(named(['categories', 'parent']))) {
    for (const { id, slug } of await reading(storage, (db) => categorySlugs(db, { storeId }, ids))) slugs.set(id, slug);
  }
  const images = new Map<string, Media>();
  for (const ids of inParts(named(['images', 'image']))) {
    for (const { id, json } of await reading(storage, (db) => mediaOf(db, { storeId }, ids))) {
      images.set(id, JSON.parse(withUrls(ctx.engine, json as Json<Media>)));
    }
  }
  const beside = (kind: CellKind, ids: readonly string[]): unknown => {
    if (kind === 'categories') return ids.flatMap((id) => slugs.get(id) ?? []);
    if (kind === 'parent') return ids.map((id) => slugs.get(id) ?? null)[0] ?? null;
    if (kind === 'image') return ids.map((id) => images.get(id)?.url ?? null)[0] ?? null;
    const shown = ids.flatMap((id) => images.get(id) ?? []);
    return shown.map(({ url, altText }) => ({ url, altText }));
  };
  const columns = ownColumns[resource].filter(({ kind }) => /^(?:categories|parent|images?)$/.test(kind));
  return items.map((item) => ({
    item,
    ...Object.fromEntries(columns.map(({ name, field, kind }) => [name, beside(kind, idsIn(item[field]))])),
  }));
}

/** The ids in a field that names others. */
function idsIn(value: unknown): string[] {
  return [value].flat().filter((id) => typeof id === 'string');
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

export { type ExportedResource, type ImportedResource, isLanguage };
