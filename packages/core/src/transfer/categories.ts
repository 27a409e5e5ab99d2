import { sql } from 'kysely';
import { addCategory } from '../categories/categories.ts';
import { lockTree } from '../categories/tree.ts';
import type { BulkRow } from '../collection/kind.ts';
import type { TxContext } from '../engine/context.ts';
import { CommerceError, invalid, quote } from '../kernel/errors.ts';
import { preparedPerLength } from '../storage/prepared.ts';
import { slugByHash, slugOf } from './files/cells.ts';
import type { Row } from './files/rows.ts';
import { Stopped } from './rights.ts';

interface Found {
  id: string;
  slug: string;
  parent_id: string | null;
}

const bySlugs = preparedPerLength<{ storeId: string }, Found>((db, p, slugs) =>
  db
    .selectFrom('categories')
    .select(['id', 'slug', 'parent_id'])
    .where('store_id', '=', p('storeId'))
    .where('slug', 'in', slugs)
    .where('status', '<>', sql.lit('deleted')),
);

const slugPattern = /^[a-z0-9]+(-[a-z0-9]+)*$/;

function wordOf(name: string): string {
  return slugPattern.test(name) ? name : (slugOf(name) ?? slugByHash('category', name));
}

/**
 * The ids of categories that are named by their slug, or by their names from the root down. A missing category is created and found again
 * by its slug, which follows from the name.
 * @param paths the categories of each row; one or two names each
 * @param make creates one, and returns its id
 */
async function findOrMake(
  tx: Pick<TxContext, 'db' | 'store'>,
  paths: readonly (readonly string[])[][],
  make: (name: string, slug: string, parentId: string | null) => Promise<string>,
): Promise<string[][]> {
  const wanted = new Set<string>();
  for (const path of paths.flat()) for (const slug of slugsOf(path)) if (slug !== '') wanted.add(slug);
  const known = new Map<string, Found>();
  const slugs = [...wanted].sort();
  for (let i = 0; i < slugs.length; i += 500) {
    const found = await bySlugs(tx.db, { storeId: tx.store.id }, slugs.slice(i, i + 500));
    for (const category of found) known.set(category.slug, category);
  }
  const add = async (name: string, slug: string, parentId: string | null): Promise<Found> => {
    const id = await make(name, slug, parentId);
    const category = { id, slug, parent_id: parentId };
    known.set(slug, category);
    return category;
  };
  const find = async (path: readonly string[]): Promise<string> => {
    const [root = '', child] = path.slice(-2);
    const [slug = '', alone = '', below = ''] = slugsOf(path);
    // A slug by itself names any category, including a child.
    const named = child === undefined && slugPattern.test(root) ? known.get(slug) : undefined;
    if (named) return named.id;
    const top = await rootOf(root, slug);
    if (child === undefined) return top.id;
    for (const one of [alone, below]) {
      const there = known.get(one);
      if (there?.parent_id === top.id) return there.id;
      if (!there) return (await add(child, one, top.id)).id;
    }
    return (await add(child, slugByHash('category', `${slug} ${alone}`), top.id)).id;
  };
  const rootOf = async (name: string, slug: string): Promise<Found> => {
    const there = known.get(slug);
    if (there?.parent_id === null) return there;
    // A child category already has the slug.
    const other = `${slug}-root`;
    return there ? (known.get(other) ?? add(name, other, null)) : add(name, slug, null);
  };
  const ids: string[][] = [];
  for (const row of paths) {
    const ofRow: string[] = [];
    for (const path of row) if (path.length > 0) ofRow.push(await find(path));
    ids.push([...new Set(ofRow)]);
  }
  return ids;
}

/** Slugs that the categories of a path can have. */
function slugsOf(path: readonly string[]): string[] {
  const [root, child] = path.slice(-2).map(wordOf);
  if (root === undefined) return [];
  return child === undefined ? [root, '', '', `${root}-root`] : [root, child, `${root}-${child}`, `${root}-root`];
}

/** Maximum number of slugs that a dry run remembers. */
const maxDryRoots = 200_000;

/** Notes the roots that a batch of a dry run has created or changed, before they are undone. */
export function noteRoots(rows: readonly Row[], isDone: (row: number) => boolean, roots: Set<string>): void {
  for (const [i, { fields, parentSlug }] of rows.entries()) {
    const { slug } = fields;
    if (typeof slug === 'string' && !parentSlug && isDone(i) && roots.size < maxDryRoots) roots.add(slug);
  }
}

/** Creates the parent categories that earlier batches of a dry run had created; they are undone with this one. */
export async function restoreRoots(tx: TxContext, rows: readonly Row[], roots: ReadonlySet<string>): Promise<void> {
  const slugs = [...new Set(rows.flatMap(({ parentSlug }) => (parentSlug && roots.has(parentSlug) ? parentSlug : [])))];
  if (slugs.length === 0) return;
  const found = new Set((await bySlugs(tx.db, { storeId: tx.store.id }, slugs)).map(({ slug }) => slug));
  for (const slug of slugs) {
    if (!found.has(slug))
      await addCategory(tx, { name: slug, slug, parentId: null, status: 'draft' }, { events: false });
  }
}

/** Puts the ids of parent categories into the input of the rows that name them by slug. */
export async function resolveParents(tx: TxContext, rows: readonly Row[], inputs: readonly BulkRow[]): Promise<void> {
  const slugs = [...new Set(rows.flatMap(({ parentSlug }) => parentSlug ?? []))];
  const found = slugs.length === 0 ? [] : await bySlugs(tx.db, { storeId: tx.store.id }, slugs);
  const ids = new Map(found.map(({ slug, id }) => [slug, id]));
  for (const [i, { parentSlug }] of rows.entries()) {
    const input = inputs[i]?.input;
    if (parentSlug === undefined || !input) continue;
    // An unknown slug is refused like an unknown id.
    input.parentId = parentSlug === null ? null : (ids.get(parentSlug) ?? parentSlug);
  }
}

/**
 * Puts the ids of their categories into the input of the rows that name any, and creates the missing ones. Refuses a row with a name that
 * no category can have.
 * @returns the names of the created categories, by id
 * @throws Stopped when one has to be created and `mayMake` is false
 */
export async function resolveCategories(
  tx: TxContext,
  rows: readonly Row[],
  inputs: readonly BulkRow[],
  events: boolean,
  mayMake: boolean,
): Promise<Map<string, string>> {
  const made = new Map<string, string>();
  if (rows.every(({ categories }) => categories === undefined)) return made;
  for (const [i, { categories }] of rows.entries()) {
    const wrong = categories?.flat().find((name) => name.includes('\0') || !name.isWellFormed());
    const input = inputs[i];
    if (wrong !== undefined && input) {
      input.refused ??= invalid('categoryIds', `must not contain NUL or half a surrogate pair, not ${quote(wrong)}`, {
        code: 'WRONG_TYPE',
      });
    }
  }
  // A category that only a refused row names is not created.
  const paths = rows.map(({ categories }, i) => (inputs[i]?.refused ? [] : (categories ?? [])));
  let isLocked = false;
  const ids = await findOrMake(tx, paths, async (name, slug, parentId) => {
    if (!mayMake) throw new Stopped(mayNotMake(name).message);
    if (!isLocked && parentId !== null) await lockTree(tx);
    isLocked ||= parentId !== null;
    const cut = [...name].slice(0, 255).join('');
    const { id } = await addCategory(tx, { name: cut, slug, parentId, status: 'published' }, { events });
    made.set(id, name);
    return id;
  });
  for (const [i, { categories }] of rows.entries()) {
    const input = inputs[i]?.input;
    if (categories !== undefined && input) input.categoryIds = ids[i] ?? [];
  }
  return made;
}

class Missing extends Error {
  override readonly name = 'Missing';
  constructor(readonly category: string) {
    super(category);
  }
}

/** The name of a missing category that the rows name; undefined if all of them exist. */
export async function findMissingCategory(
  at: Pick<TxContext, 'db' | 'store'>,
  rows: readonly Row[],
): Promise<string | undefined> {
  const paths = rows.map(({ categories }) => categories ?? []);
  try {
    await findOrMake(at, paths, async (name) => {
      throw new Missing(name);
    });
    return undefined;
  } catch (error) {
    if (error instanceof Missing) return error.category;
    throw error;
  }
}

/** The error that ends an import whose key cannot create the categories that its file names. */
export function mayNotMake(category: string): CommerceError {
  const why = `the category ${quote(category)} does not exist and would be created`;
  return new CommerceError('forbidden', `the API key does not have the scope category.write: ${why}`);
}
