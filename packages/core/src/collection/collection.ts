import type { Entity, EntityOf, Shape } from '../fields/entity.ts';
import { bulkOf } from './bulk.ts';
import { itemsOf } from './items.ts';
import type { Item, Kind } from './kind.ts';
import { singleOf, writingOf } from './write.ts';

/** Reads and writes the items of one resource. */
export function collectionOf<S extends Shape>(
  entity: EntityOf<S>,
  described: NoInfer<Omit<Kind<S, Entity<S>>, 'entity'>>,
) {
  // Every shape of a collection has these fields.
  type T = Entity<S> & Item;
  const kind = { ...described, entity } as unknown as Kind<S, T>;
  const { table, noun, softDeleted, publicView, isNumbered } = kind;
  const items = itemsOf<T>(table, noun, softDeleted, {
    entity: kind.entity,
    isNumbered,
    ...(publicView && { publicView }),
  });
  const writing = writingOf(kind);
  return {
    entity,
    keys: kind.keys,
    ...items,
    ...singleOf(kind, items, writing),
    // For items that other statements write.
    record: writing.record,
    updateLists: writing.list,
    columnsOf: writing.columnsOf,
    /** Creates and changes many items in one transaction, by the rules of `create` and `update`. */
    importRows: bulkOf(kind, writing),
  };
}
