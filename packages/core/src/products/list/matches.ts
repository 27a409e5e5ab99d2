import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Context } from '../../engine/context.ts';
import { metadataLabels } from '../../labels/labels.ts';
import type { PublishingStatus } from '../../resources/publishing.ts';
import { categoryFacet, type Facet } from '../facets.ts';
import { isHeld } from './held.ts';
import { placesOf } from './places.ts';
import { attributePrefix } from './query.ts';

/** Filters of a list of products, checked and resolved. */
export interface Filters {
  status?: PublishingStatus | undefined;
  slug?: string | undefined;
  sku?: string | undefined;
  barcode?: string | undefined;
  variantGroupId?: string | undefined;
  /** With their subcategories; undefined for products of any or no category. */
  categoryIds?: readonly string[] | undefined;
  /** Folded words that each occur in a product's text. */
  words: readonly string[];
  attributes: Readonly<Record<string, readonly string[]>>;
  /** Values of keys of metadata. */
  metadata?: Readonly<Record<string, string>> | undefined;
  /** In minor units. */
  minPrice?: number | undefined;
  maxPrice?: number | undefined;
  inStock?: boolean | undefined;
  onSale?: boolean | undefined;
  lowStock?: boolean | undefined;
}

/** Names of the filters that can lead to their products by an index. */
export type Lead =
  | 'slug'
  | 'sku'
  | 'barcode'
  | 'variantGroupId'
  | 'lowStock'
  | 'onSale'
  | 'inStock'
  | 'price'
  | 'words'
  | 'category'
  | `attr.${string}`
  | `meta.${string}`;

type Condition = Expression<SqlBool>;

/** A filter as two conditions on a product. */
export interface Match {
  lead: Lead;
  /** An index leads to the products that match. */
  indexed: Condition;
  /** Is checked on each product. */
  checked: Condition;
  /** Values of which a product has any, for a filter by facets or by metadata, which `places.ts` lists. */
  facets?: readonly Facet[];
  /** The numbers of all products that match, as a table that needs no look at the products; it has no deleted ones. */
  numbers?: RawBuilder<unknown>;
}

/** The earliest time of ECMAScript: an import keeps also times before 1970. */
const earliest = sql.lit(-8_640_000_000_000_000);

/**
 * The conditions of the filters, apart from the status.
 * @param alias the products' name in the statement
 */
export function matchesOf(ctx: Context, filters: Filters, alias: string): Match[] {
  const { store, engine } = ctx;
  const column = <T = unknown>(name: string) => sql.ref<T>(`${alias}.${name}`);
  const text = (lead: Lead & ('slug' | 'sku' | 'barcode' | 'variantGroupId'), name: string): Match[] => {
    const value = filters[lead];
    if (!value) return [];
    return [
      {
        lead,
        // The status is repeated as a literal, because the index has only undeleted products. The time, which every product has, is in no
        // index of groups alone: SQLite would count by that index, because it has all other columns, and read all products of the store.
        indexed: sql<SqlBool>`(${column(name)} = ${value} and ${column('status')} <> 'deleted' and ${column('created_at')} >= ${earliest})`,
        checked: sql<SqlBool>`${column(name)} || '' = ${value}`,
      },
    ];
  };
  const flag = (lead: Lead, name: string, isGiven: boolean | undefined): Match[] =>
    isGiven
      ? [
          {
            lead,
            indexed: sql<SqlBool>`${column(name)} = 1`,
            checked: sql<SqlBool>`+${column(name)} = 1`,
          },
        ]
      : [];
  const facet = (lead: Lead, facets: readonly Facet[]): Match => ({
    lead,
    facets,
    indexed: sql<SqlBool>`${column('id')} in (${productsWith(ctx, facets)})`,
    checked: hasAnyFacet(ctx, facets, alias),
  });
  const matches: Match[] = [
    ...text('slug', 'slug'),
    ...text('sku', 'sku'),
    ...text('barcode', 'barcode'),
    ...text('variantGroupId', 'variant_group_id'),
    ...flag('lowStock', 'low_stock', filters.lowStock),
    ...flag('onSale', 'on_sale', filters.onSale),
    ...flag('inStock', 'can_buy', filters.inStock),
    ...priceMatch(filters, column),
    ...Object.entries(filters.attributes).map(([name, values]) =>
      facet(
        `attr.${name}`,
        values.map((value) => [attributePrefix + name, value] as const),
      ),
    ),
    ...metadataLabels(filters.metadata ?? {}).map((label) => facet(label[0] as Lead, [label])),
    ...(filters.categoryIds ? [facet('category', filters.categoryIds.map(categoryFacet))] : []),
  ];
  if (filters.words.length > 0) {
    const number = column<number>('number');
    const numbers = engine.storage.search.find(store, filters.words);
    matches.push({
      lead: 'words',
      numbers,
      indexed: sql<SqlBool>`${number} in ${numbers}`,
      checked: engine.storage.search.contains(store, number, filters.words),
    });
  }
  if (!filters.inStock) return matches;
  const now = engine.clock.now();
  return matches.map((match) =>
    match.lead === 'inStock'
      ? {
          ...match,
          indexed: sql<SqlBool>`(${match.indexed} and not ${isHeld(store.id, now, alias)})`,
          checked: sql<SqlBool>`(${match.checked} and not ${isHeld(store.id, now, alias)})`,
        }
      : match,
  );
}

function priceMatch({ minPrice, maxPrice, status }: Filters, column: (name: string) => RawBuilder<unknown>): Match[] {
  if (minPrice === undefined && maxPrice === undefined) return [];
  const range = (price: RawBuilder<unknown>) => {
    const from = minPrice === undefined ? sql`` : sql`${price} >= ${minPrice}`;
    const to = maxPrice === undefined ? sql`` : sql`${price} <= ${maxPrice}`;
    return sql`${from}${minPrice === undefined || maxPrice === undefined ? sql`` : sql` and `}${to}`;
  };
  // The index of prices begins with the status.
  const statuses = status
    ? sql`${column('status')} = ${status}`
    : sql`${column('status')} in ('draft', 'published', 'archived')`;
  return [
    {
      lead: 'price',
      indexed: sql<SqlBool>`(${statuses} and ${range(column('price'))})`,
      checked: sql<SqlBool>`(${range(sql`(+${column('price')})`)})`,
    },
  ];
}

/** The ids of products with any of the facets; all facets have one name. */
function productsWith(ctx: Context, facets: readonly Facet[]): RawBuilder<unknown> {
  const { table, id, isNamed } = placesOf(facets[0]?.[0] ?? '');
  return sql`select ${sql.ref(id)} from ${sql.table(table)} where store_id = ${ctx.store.id} and ${isNamed}
    and value in (${valuesOf(ctx, facets)})`;
}

function hasAnyFacet(ctx: Context, facets: readonly Facet[], alias: string): Condition {
  const { table, at, id, isNamed } = placesOf(facets[0]?.[0] ?? '');
  return sql<SqlBool>`exists (select 1 from ${sql.table(table)} as also where also.store_id = ${ctx.store.id}
    and ${isNamed} and also.value in (${valuesOf(ctx, facets)})
    and also.${sql.ref(at)} = ${sql.ref(`${alias}.created_at`)} and also.${sql.ref(id)} = ${sql.ref(`${alias}.id`)})`;
}

/** Values that a statement has as parameters; more are one parameter. */
const maxParameters = 50;

/** The values of facets. An empty list matches nothing. */
function valuesOf(ctx: Context, facets: readonly Facet[]): RawBuilder<unknown> {
  const values = facets.map(([, value]) => value);
  if (values.length > 0 && values.length <= maxParameters) return sql.join(values);
  const text = sql<string>`cast(${JSON.stringify({ values })} as text)`;
  return sql`select entry.value from ${ctx.engine.storage.entriesOf(text, 'values', 'array')}`;
}

/** Condition of the status as an index has it. */
export function ofStatus(status: PublishingStatus | undefined, alias: string): Condition {
  const column = sql.ref(`${alias}.status`);
  return status ? sql<SqlBool>`${column} = ${status}` : sql<SqlBool>`${column} <> 'deleted'`;
}

/** The same, which leads to no index. */
export function checkedStatus(status: PublishingStatus | undefined, alias: string): Condition {
  const column = sql.ref(`${alias}.status`);
  return status ? sql<SqlBool>`${column} || '' = ${status}` : sql<SqlBool>`${column} || '' <> 'deleted'`;
}

export function all(conditions: readonly Condition[]): RawBuilder<SqlBool> {
  return conditions.length === 0 ? sql<SqlBool>`1 = 1` : sql<SqlBool>`${sql.join(conditions, sql` and `)}`;
}
