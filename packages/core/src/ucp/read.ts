import { sql } from 'kysely';
import type { Context } from '../engine/context.ts';
import { breathe } from '../kernel/breathe.ts';
import type { Json } from '../kernel/json.ts';
import { minorColumn } from '../kernel/money.ts';
import { type Product, productEntity } from '../products/fields.ts';
import { seenProducts } from '../products/public.ts';
import { unindexedText } from '../storage/planner.ts';
import { prepared, preparedPerLength } from '../storage/prepared.ts';
import { readingOf } from '../storage/run.ts';

/** Products whose texts are read at once, few enough not to block other callers: a description has up to 100,000 characters. */
const readAtOnce = 10;

/** Members of a variant group that are looked at: the oldest ones. */
const maxLooked = 250;

/** Variants of a product in an answer, and those of all products of an answer. */
export const maxUcpVariants = 100;
const maxOfAll = 250;

/** What the protocol calls a product: a variant group with its members, or a product of its own. */
export interface Family {
  /** Members that are shown; the first one represents the others. */
  members: Product[];
  /** The prices of all members that were looked at, in minor units. */
  min: number;
  max: number;
}

const textsOf = preparedPerLength<{ storeId: string }, { id: string; json: string; shape: number }>((db, p, ids) =>
  db
    .selectFrom('products')
    .select(['id', 'json', 'shape'])
    .where('store_id', '=', p('storeId'))
    .where('id', 'in', ids)
    // Keeps the engine from using an index of the status, which has every published product.
    .where(unindexedText(sql.ref('status')), '=', sql.lit('published')),
);

/** The published products with these ids, as an agent sees them. Yields to other work between a few of them. */
export async function readPublished(ctx: Context, ids: readonly string[]): Promise<Map<string, Product>> {
  const found = new Map<string, Product>();
  for (let i = 0; i < ids.length; i += readAtOnce) {
    const some = ids.slice(i, i + readAtOnce);
    const rows = await readingOf(ctx, (db) => textsOf(db, { storeId: ctx.store.id }, some));
    const texts = rows.map(({ json, shape }) => productEntity.upToDate(json as Json<Product>, shape));
    for (const product of await seenProducts(ctx, texts)) found.set(product.id, product);
    await breathe();
  }
  return found;
}

interface Looked {
  id: string;
  price: number;
}

// Walks the index of groups, so that drafts of a group count among the members that are looked at.
const membersOf = prepared<{ storeId: string; group: string }, Looked & { status: string }>((db, p) =>
  db
    .selectFrom('products')
    .select(['id', 'price', 'status'])
    .where('store_id', '=', p('storeId'))
    .where('variant_group_id', '=', p('group'))
    .where('variant_group_id', 'is not', null)
    // A literal, as in the condition of the index.
    .where('status', '<>', sql.lit('deleted'))
    .orderBy('created_at')
    .orderBy('id')
    .limit(maxLooked),
);

/** The published members of a variant group, oldest first. */
export async function membersOfGroup(ctx: Context, group: string): Promise<Looked[]> {
  const rows = await readingOf(ctx, (db) => membersOf(db, { storeId: ctx.store.id, group }));
  return rows.filter(({ status }) => status === 'published');
}

/**
 * The families of products that were found. Each begins with these products, and has other members while there is room for them.
 * @param found products by the group that they are in, or alone
 * @param passes whether a member is shown, by its price in minor units
 */
export async function readFamilies(
  ctx: Context,
  found: readonly (readonly [Product, ...Product[]])[],
  passes: (price: number) => boolean,
): Promise<Family[]> {
  const room = Math.min(maxUcpVariants, Math.max(1, Math.floor(maxOfAll / Math.max(1, found.length))));
  const looked: Looked[][] = [];
  for (const own of found) {
    const [{ variantGroupId }] = own;
    const all = variantGroupId === null ? [] : await membersOfGroup(ctx, variantGroupId);
    const known = new Set(own.map(({ id }) => id));
    looked.push(all.filter(({ id, price }) => !known.has(id) && passes(price)));
    await breathe();
  }
  const shown = looked.map((members, i) => members.slice(0, Math.max(0, room - (found[i]?.length ?? 0))));
  const read = await readPublished(
    ctx,
    shown.flat().map(({ id }) => id),
  );
  return found.map((own, i) => {
    const others = (shown[i] ?? []).flatMap(({ id }) => read.get(id) ?? []);
    const members = [...own, ...others.filter(({ price }) => passes(minorColumn(price)))];
    const prices = [...members.map(({ price }) => minorColumn(price)), ...(looked[i] ?? []).map(({ price }) => price)];
    return { members, min: Math.min(...prices), max: Math.max(...prices) };
  });
}

/** A category in an answer, and the one above it. */
interface Shelf {
  slug: string;
  parentId: string | null;
}

const categoriesNamed = preparedPerLength<{ storeId: string }, { id: string; slug: string; parentId: string | null }>(
  (db, p, ids) =>
    db
      .selectFrom('categories')
      .select(['id', 'slug', 'parent_id as parentId'])
      .where('store_id', '=', p('storeId'))
      .where('id', 'in', ids)
      .where('status', '=', sql.lit('published')),
);

const categoriesOfSlugs = preparedPerLength<{ storeId: string }, { id: string }>((db, p, slugs) =>
  db
    .selectFrom('categories')
    .select('id')
    .where('store_id', '=', p('storeId'))
    .where('slug', 'in', slugs)
    // A literal, as in the condition of the index.
    .where('status', '<>', sql.lit('deleted'))
    .where('status', '=', sql.lit('published')),
);

const maxIds = 500;

/** The published categories, by their ids, of products and above them. */
export class Shelves {
  readonly #shelves = new Map<string, Shelf>();

  async read(ctx: Context, products: readonly Product[]): Promise<void> {
    await this.#add(
      ctx,
      products.flatMap(({ categoryIds }) => categoryIds),
    );
    await this.#add(
      ctx,
      [...this.#shelves.values()].flatMap(({ parentId }) => parentId ?? []),
    );
  }

  async #add(ctx: Context, given: readonly string[]): Promise<void> {
    const ids = [...new Set(given)].filter((id) => !this.#shelves.has(id));
    for (let i = 0; i < ids.length; i += maxIds) {
      const some = ids.slice(i, i + maxIds);
      const rows = await readingOf(ctx, (db) => categoriesNamed(db, { storeId: ctx.store.id }, some));
      for (const { id, slug, parentId } of rows) this.#shelves.set(id, { slug, parentId });
    }
  }

  /** The slugs of a product's categories, each after the one above it. */
  slugsOf(product: Pick<Product, 'categoryIds'>): string[] {
    return this.idsOf(product).map((id) => this.#shelves.get(id)?.slug ?? id);
  }

  /** The ids of a product's categories, each after the one above it. */
  idsOf({ categoryIds }: Pick<Product, 'categoryIds'>): string[] {
    const ids = categoryIds.flatMap((id) => [this.#shelves.get(id)?.parentId ?? id, id]);
    return [...new Set(ids)].filter((id) => this.#shelves.has(id));
  }
}

/** The ids of the published categories with these slugs. */
export async function idsOfSlugs(ctx: Context, slugs: readonly string[]): Promise<string[]> {
  if (slugs.length === 0) return [];
  const rows = await readingOf(ctx, (db) => categoriesOfSlugs(db, { storeId: ctx.store.id }, slugs));
  return rows.map(({ id }) => id);
}
