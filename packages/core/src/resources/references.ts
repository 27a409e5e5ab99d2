import type { TxContext } from '../engine/context.ts';
import { CommerceError, type ErrorDetail, quote } from '../kernel/errors.ts';
import { shareRows } from '../storage/locks.ts';
import { preparedPerLength } from '../storage/prepared.ts';

/** The ids that a resource names in one of its fields, and the ids that it named before. */
export interface Reference {
  field: string;
  to: 'category' | 'media';
  ids: readonly (string | null)[];
  before?: readonly (string | null)[] | undefined;
}

/**
 * Checks that newly named ids exist in the store. Ids named before can dangle, because media are deleted without a look at their uses.
 * Named categories cannot be deleted until the transaction ends.
 * @throws CommerceError `validation` on the field
 */
export async function checkReferences(tx: TxContext, references: readonly Reference[]): Promise<void> {
  const details: ErrorDetail[] = [];
  for (const { field, to, ids, before = [] } of references) {
    const added = ids.filter((id): id is string => id !== null && !before.includes(id));
    if (added.length === 0) continue;
    const find = to === 'category' ? livingCategories : existingMedia;
    const found = new Set((await find(tx.db, { storeId: tx.store.id }, added)).map((row) => row.id));
    for (const id of added) {
      if (!found.has(id)) details.push({ field, reason: `no ${to} ${quote(id)} in this store`, code: 'NOT_FOUND' });
    }
  }
  const [first] = details;
  if (first) throw new CommerceError('validation', `${first.field}: ${first.reason}`, { details });
}

/**
 * Reads which of many ids exist, with one statement for each kind, for a batch of resources.
 * @param named every id that the batch can name
 * @returns a function that returns the error of a resource that newly names a missing id
 */
export async function findReferences<T>(
  tx: TxContext,
  named: readonly Reference[],
  referencesOf: (item: T, before: T | undefined) => Reference[],
): Promise<(item: T, before: T | undefined) => CommerceError | undefined> {
  const wanted = { category: new Set<string>(), media: new Set<string>() };
  for (const { to, ids } of named) for (const id of ids ?? []) if (id) wanted[to].add(id);
  const found = { category: new Set<string>(), media: new Set<string>() };
  for (const to of ['category', 'media'] as const) {
    const find = to === 'category' ? livingCategories : existingMedia;
    const ids = [...wanted[to]].sort();
    for (let i = 0; i < ids.length; i += maxIds) {
      for (const { id } of await find(tx.db, { storeId: tx.store.id }, ids.slice(i, i + maxIds))) found[to].add(id);
    }
  }
  return (item, before) => {
    const details: ErrorDetail[] = [];
    for (const { field, to, ids, before: had = [] } of referencesOf(item, before)) {
      for (const id of ids) {
        if (id === null || had.includes(id) || found[to].has(id)) continue;
        details.push({ field, reason: `no ${to} ${quote(id)} in this store`, code: 'NOT_FOUND' });
      }
    }
    const [first] = details;
    return first && new CommerceError('validation', `${first.field}: ${first.reason}`, { details });
  };
}

/** Ids per statement. */
const maxIds = 500;

/** Locked, because a concurrent deletion would not see the resource that is about to name the category. */
const livingCategories = preparedPerLength<{ storeId: string }, { id: string }>((db, p, ids) =>
  shareRows(
    db,
    db
      .selectFrom('categories')
      .select('id')
      .where('store_id', '=', p('storeId'))
      .where('id', 'in', ids)
      .where('status', '<>', 'deleted')
      .orderBy('id'),
  ),
);

const existingMedia = preparedPerLength<{ storeId: string }, { id: string }>((db, p, ids) =>
  db.selectFrom('media').select('id').where('store_id', '=', p('storeId')).where('id', 'in', ids),
);
