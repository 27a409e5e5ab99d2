import type { Context } from '../engine/context.ts';
import type { Entity, EntityOf, Printer, Shape } from '../fields/entity.ts';
import { foldTexts } from '../kernel/fold.ts';
import type { Json, List } from '../kernel/json.ts';
import type { Noun, PublishedTable } from '../kernel/nouns.ts';
import { readShown } from '../resources/public-view.ts';
import { livingStatus, type Published } from '../resources/publishing.ts';
import { collectionOf } from './collection.ts';
import { publishedAlone } from './items.ts';
import type { Item, Kind } from './kind.ts';
import { listPublished, type PublishedQuery } from './list.ts';

/** What a resource with a slug and a status says of itself. */
interface PublishedKind<T> extends Pick<Kind<Shape, T>, 'list'> {
  table: PublishedTable;
  noun: Noun;
  /** The texts that a search looks in. */
  searched(item: T): readonly (string | null)[];
}

/**
 * A collection whose items have a slug and a status, and nothing in their rows besides. Public actors see published items, and only the
 * public fields of these.
 */
export function publishedOf<S extends Shape>(
  entity: EntityOf<S>,
  { table, noun, searched, list }: NoInfer<PublishedKind<Entity<S>>>,
) {
  type T = Entity<S> & Item & Published;
  const asSeen = (json: Json<T> | Json<List<T>>) => readShown(entity, json as Json<Entity<S>>).print();
  const kind: Omit<Kind<S, T>, 'entity'> = {
    table,
    noun,
    softDeleted: true,
    publicView: { ...publishedAlone, text: (_, json) => asSeen(json) as Json<T> },
    keys: [{ column: 'slug', field: 'slug', of: ({ slug }) => slug }],
    counted: { list: `${table}.status`, under: livingStatus },
    columns: (item) => ({ status: item.status, slug: item.slug, search: foldTexts(...searched(item)) }),
    ...(list && { list }),
  };
  return {
    ...collectionOf(entity, kind as unknown as Omit<Kind<S, Entity<S>>, 'entity'>),
    /** A list, newest first, with the exact total of matching items. @param query valid filters */
    async list(ctx: Context, query: PublishedQuery): Promise<Json<List<Entity<S>>>> {
      const found = await listPublished<T>(ctx, table, entity as unknown as Printer<T>, query);
      return (ctx.actor.isPublic ? asSeen(found) : found) as Json<List<Entity<S>>>;
    },
  };
}
