import type { Schemas } from '../../api/types.ts';

export type Category = Schemas['Category'];

export interface Categories {
  /** In the order of the tree: each root, followed by its children. */
  items: { category: Category; depth: 0 | 1 }[];
  total: number;
  byId: ReadonlyMap<string, Category>;
}

/** Categories as a sorted tree: roots by name, each with its children by name. */
export function inOrder(items: readonly Category[]): Categories['items'] {
  const byName = [...items].sort((a, b) => a.name.localeCompare(b.name));
  const ids = new Set(items.map(({ id }) => id));
  const below = new Map<string, Category[]>();
  for (const one of byName) {
    if (one.parentId !== null) below.set(one.parentId, [...(below.get(one.parentId) ?? []), one]);
  }
  return byName
    .filter(({ parentId }) => parentId === null || !ids.has(parentId))
    .flatMap((category) => [
      { category, depth: 0 as const },
      ...(below.get(category.id) ?? []).map((child) => ({ category: child, depth: 1 as const })),
    ]);
}

/** Options for a choice of categories. */
export function categoryOptions({ items }: Categories): (readonly [string, string])[] {
  return items.map(({ category, depth }) => [category.id, `${depth === 1 ? '— ' : ''}${category.name}`] as const);
}

/** Text as it is searched: in any case and without accents. */
const plain = (text: string) =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\u0300-\u036f]/g, '');

/** The categories whose name or slug has all words, each below its root. */
export function matching({ items }: Categories, search: string, status: string): Categories['items'] {
  const words = plain(search).split(/\s+/);
  const hits = new Set(
    items
      .filter(({ category: { name, slug } }) =>
        words.every((word) => plain(name).includes(word) || slug.includes(word)),
      )
      .filter(({ category }) => status === '' || category.status === status)
      .map(({ category }) => category.id),
  );
  const parents = new Set(
    items.flatMap(({ category: { id, parentId } }) => (parentId && hits.has(id) ? [parentId] : [])),
  );
  return items.filter(({ category: { id } }) => hits.has(id) || parents.has(id));
}
