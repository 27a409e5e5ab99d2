import { createHash } from 'node:crypto';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { TxContext } from '../engine/context.ts';
import { preparedChange, preparedInsert } from '../storage/prepared.ts';
import type { LabelledTable, LabelTable } from '../storage/tables/resources.ts';

/** A key of metadata (`meta.<key>`) or a tag (`tag`) of an item, with its value as `storedValue` stores it. */
export type Label = readonly [label: string, value: string];

/** The part of an item that its labels are made of. */
export interface Labelled {
  id: string;
  createdAt: string;
  metadata: Readonly<Record<string, string>>;
  tags?: readonly string[];
}

/** Every table whose items have labels. */
export const labelledTables = Object.keys({
  products: true,
  customers: true,
  orders: true,
} satisfies Record<LabelledTable, true>) as LabelledTable[];

export const metadataLabel = 'meta.';
const tagLabel = 'tag';

/** Characters of a value that a row stores as they are. An index cannot hold much longer values. */
const maxPlain = 100;

/** A value as the table stores it: a long one as a digest, which has more characters than any plain value. */
export function storedValue(value: string): string {
  return value.length <= maxPlain ? value : createHash('sha512').update(value).digest('hex');
}

/** The labels of metadata, of which a list can ask for some. */
export function metadataLabels(metadata: Readonly<Record<string, string>>): Label[] {
  return Object.entries(metadata).map(([key, value]) => [metadataLabel + key, storedValue(value)]);
}

export function tagLabels(tags: readonly string[]): Label[] {
  return tags.map((tag) => [tagLabel, tag]);
}

/** Every label of an item. */
export function labelsOf({ metadata, tags = [] }: Pick<Labelled, 'metadata' | 'tags'>): Label[] {
  return [...metadataLabels(metadata), ...tagLabels(tags)];
}

const insertLabels = preparedInsert<LabelTable>('labels');

const deleteLabel = preparedChange<LabelTable>((db, p) =>
  db
    .deleteFrom('labels')
    .where('store_id', '=', p('store_id'))
    .where('resource', '=', p('resource'))
    .where('label', '=', p('label'))
    .where('value', '=', p('value'))
    .where('made_at', '=', p('made_at'))
    .where('item_id', '=', p('item_id')),
);

function rowsOf(tx: TxContext, resource: LabelledTable, item: Labelled | undefined): Map<string, LabelTable> {
  const rows = new Map<string, LabelTable>();
  if (!item) return rows;
  const made_at = Date.parse(item.createdAt);
  for (const [label, value] of labelsOf(item)) {
    rows.set(`${label}=${value}`, { store_id: tx.store.id, resource, label, value, made_at, item_id: item.id });
  }
  return rows;
}

/**
 * Writes the labels that changes of items of one resource add and remove. Call it once for each change, together with the write of the
 * items' rows. Items without metadata and tags cost nothing.
 * @param changes `before` is absent for a new item, `after` for a deleted one
 * @returns whether any label has changed
 */
export async function writeLabels(
  tx: TxContext,
  resource: LabelledTable,
  changes: readonly { before?: Labelled | undefined; after?: Labelled | undefined }[],
): Promise<boolean> {
  const added: LabelTable[] = [];
  let isChanged = false;
  for (const { before, after } of changes) {
    if (before && after && before.metadata === after.metadata && before.tags === after.tags) continue;
    const [had, has] = [rowsOf(tx, resource, before), rowsOf(tx, resource, after)];
    for (const [name, row] of had) {
      if (has.has(name)) continue;
      await deleteLabel(tx.db, row);
      isChanged = true;
    }
    for (const [name, row] of has) if (!had.has(name)) added.push(row);
  }
  if (added.length === 0) return isChanged;
  // Adjacent rows of the table share pages, which are then in the cache.
  if (changes.length > 1) added.sort((a, b) => compare(a.label, b.label) || compare(a.value, b.value));
  await insertLabels(tx.db, added);
  return true;
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

/**
 * The condition that an item has a label. An index leads to the one row; it leads to no item.
 * @param of the columns of the item's creation time and of its id
 */
export function hasLabel(
  storeId: string,
  resource: LabelledTable,
  [label, value]: Label,
  of: readonly [createdAt: string, id: string] = [`${resource}.created_at`, `${resource}.id`],
): RawBuilder<SqlBool> {
  const [createdAt, id] = of.map((column) => sql.ref(column));
  // The offset keeps PostgreSQL from joining all items with all rows of the label, of which it expects that they have few items in common.
  return sql<SqlBool>`exists (select 1 from labels as also where also.store_id = ${storeId}
    and also.resource = ${sql.lit(resource)} and also.label = ${label} and also.value = ${value}
    and also.made_at = ${createdAt} and also.item_id = ${id} limit 1 offset 0)`;
}
