import { type RawBuilder, sql } from 'kysely';
import { type PublishingStatus, publishingStatuses } from '../../resources/publishing.ts';
import type { ProductTable } from '../../storage/tables/products.ts';
import type { Facet } from '../facets.ts';
import { placesOf } from './places.ts';
import type { ProductSort } from './query.ts';

/** Sorts whose order an index has. */
export type IndexedSort = Exclude<ProductSort, 'relevance' | 'bestselling'>;

/** The value that a sort compares first; the id decides between equal ones. */
export const sortColumns = {
  newest: ['created_at', 'desc', 'desc'],
  oldest: ['created_at', 'asc', 'asc'],
  price: ['price', 'asc', 'desc'],
  '-price': ['price', 'desc', 'desc'],
  title: ['title_key', 'asc', 'desc'],
  '-title': ['title_key', 'desc', 'desc'],
} as const satisfies Record<IndexedSort, readonly [column: string, first: Direction, id: Direction]>;

type Direction = 'asc' | 'desc';

/** The values by which a product is sorted. */
export interface Place {
  id: string;
  created_at: number;
  price: number;
  title_key: string;
}

const direction = (one: Direction) => sql.raw(one);

/** The order of a sort, as an index has it. */
export function inOrder(sort: IndexedSort, alias: string): RawBuilder<unknown> {
  const [column, first, id] = sortColumns[sort];
  return sql`${sql.ref(`${alias}.${column}`)} ${direction(first)}, ${sql.ref(`${alias}.id`)} ${direction(id)}`;
}

/** The order of a sort for rows that are fetched otherwise: no index has this expression. */
export function inOrderOfFetched(sort: IndexedSort, alias: string): RawBuilder<unknown> {
  const [column, first, id] = sortColumns[sort];
  const value = sql.ref(`${alias}.${column}`);
  const plain = column === 'title_key' ? sql`${value} || ''` : sql`+${value}`;
  return sql`${plain} ${direction(first)}, ${sql.ref(`${alias}.id`)} || '' ${direction(id)}`;
}

/** The condition that a product comes after a place. */
export function isBehind(sort: IndexedSort, place: Place, alias: string): RawBuilder<boolean> {
  const [column, first, id] = sortColumns[sort];
  const [value, ids] = [sql.ref(`${alias}.${column}`), sql.ref(`${alias}.id`)];
  const beyond = (one: Direction) => sql.raw(one === 'asc' ? '>' : '<');
  if (first === id) return sql<boolean>`(${value}, ${ids}) ${beyond(first)} (${place[column]}, ${place.id})`;
  // The first condition leads the index to the place; the second one skips the products of the same value before it.
  return sql<boolean>`(${value} ${beyond(first)}= ${place[column]}
    and (${value} ${beyond(first)} ${place[column]} or ${ids} ${beyond(id)} ${place.id}))`;
}

/** The condition that one product comes before another. */
export function precedes(sort: IndexedSort, one: string, other: string): RawBuilder<boolean> {
  const [column, first, id] = sortColumns[sort];
  const before = (direct: Direction) => sql.raw(direct === 'asc' ? '<' : '>');
  const [value, than] = [sql.ref(`${one}.${column}`), sql.ref(`${other}.${column}`)];
  const [own, theirs] = [sql.ref(`${one}.id`), sql.ref(`${other}.id`)];
  return sql<boolean>`(${value} ${before(first)} ${than}
    or (${value} = ${than} and ${own} ${before(id)} ${theirs}))`;
}

/** Columns of a product that conditions and orders use. */
const columns = [
  'id',
  'number',
  'status',
  'slug',
  'sku',
  'barcode',
  'variant_group_id',
  'created_at',
  'price',
  'title_key',
  'track_stock',
  'allow_backorder',
  'stock',
  'on_sale',
  'can_buy',
  'low_stock',
] as const satisfies readonly (keyof ProductTable)[];

const selected = sql.join(columns.map((column) => sql.ref(`products.${column}`)));

/** Where a walk through a list begins and what it walks through. */
export interface Walk {
  storeId: string;
  sort: IndexedSort;
  status: PublishingStatus | undefined;
  start: Place | undefined;
  /** Walks through the products of these facets, which have one name; only by time. */
  facets?: readonly Facet[] | undefined;
}

/** The first products of a list in its order, as a table. Reads an index only as far as needed. */
export function firstProducts({ storeId, sort, status, start, facets }: Walk, n: number): RawBuilder<unknown> {
  if (facets) return firstOfFacets({ storeId, sort, start, facets }, n);
  const [column] = sortColumns[sort];
  const behind = start ? sql`and ${isBehind(sort, start, 'products')}` : sql``;
  const some = (condition: RawBuilder<unknown>) =>
    sql`select ${selected} from products where store_id = ${storeId} and ${condition} ${behind}
      order by ${inOrder(sort, 'products')} limit ${n}`;
  if (status) return some(sql`status = ${status}`);
  if (column === 'created_at') return some(sql`status <> 'deleted'`);
  // The indexes of prices and titles begin with the status.
  const ofEach = publishingStatuses.map(
    (one) => sql`select * from (${some(sql`status = ${sql.lit(one)}`)}) as ${sql.raw(one)}`,
  );
  return sql`select * from (${sql.join(ofEach, sql` union all `)}) as listed
    order by ${inOrder(sort, 'listed')} limit ${n}`;
}

function firstOfFacets({ storeId, sort, start, facets = [] }: Omit<Walk, 'status'>, n: number): RawBuilder<unknown> {
  const direct = direction(sort === 'oldest' ? 'asc' : 'desc');
  const beyond = sql.raw(sort === 'oldest' ? '>' : '<');
  const { table, isNamed, ...columns } = placesOf(facets[0]?.[0] ?? '');
  const [at, id] = [sql.ref(columns.at), sql.ref(columns.id)];
  const behind = start ? sql`and (${at}, ${id}) ${beyond} (${start.created_at}, ${start.id})` : sql``;
  const ofEach = facets.map(
    ([, value], i) => sql`select * from (
      select ${at} as created_at, ${id} as product_id from ${sql.table(table)}
      where store_id = ${storeId} and ${isNamed} and value = ${value} ${behind}
      order by ${at} ${direct}, ${id} ${direct} limit ${n}) as ${sql.raw(`value_${i}`)}`,
  );
  // A product can be in a category and in its subcategory.
  const places = sql`select * from (${sql.join(ofEach, sql` union `)}) as places
    order by created_at ${direct}, product_id ${direct} limit ${n}`;
  return sql`select ${selected} from (${places}) as places
    join products on products.store_id = ${storeId} and products.id = places.product_id
    order by places.created_at ${direct}, places.product_id ${direct}`;
}
