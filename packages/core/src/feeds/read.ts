import { sql } from 'kysely';
import type { Category } from '../categories/fields.ts';
import type { Context } from '../engine/context.ts';
import { fromJson, type Json } from '../kernel/json.ts';
import type { Media } from '../media/fields.ts';
import { withUrls } from '../media/url.ts';
import { type Product, productEntity } from '../products/fields.ts';
import { readHeldAndPublished } from '../products/public.ts';
import { preparedPerLength } from '../storage/prepared.ts';
import { reading } from '../storage/run.ts';
import type { FeedImage, FeedProduct } from './row.ts';

/** Products per read, few enough not to block other callers. */
const pageRows = 100;

/** Images of a product that are looked at: feeds show 11, and some might have been deleted. */
const maxImages = 30;

/** Members of groups that are read at once, and groups whose differences are remembered. */
const maxMembers = 2000;
const maxGroups = 2000;

/** Ids per statement. */
const maxIds = 500;

/** Place of a product in the order of the feeds. */
export interface FeedPlace {
  created_at: number;
  id: string;
}

export interface FeedPage {
  products: FeedProduct[];
  /** The place of the last one. */
  last: FeedPlace;
}

/** The published products, oldest first, in pages. No transaction is open between two of them. */
export async function* feedPages(ctx: Context, after?: FeedPlace): AsyncGenerator<FeedPage> {
  const groups = new Groups(ctx);
  let last = after;
  for (;;) {
    const rows = await publishedAfter(ctx, last);
    const end = rows.at(-1);
    if (!end) return;
    const products = rows.map(({ json }) => productEntity.read(json));
    yield { products: await withFacts(ctx, products, groups), last: { created_at: end.created_at, id: end.id } };
    if (rows.length < pageRows) return;
    last = end;
  }
}

function publishedAfter({ engine, store }: Context, last: FeedPlace | undefined) {
  return reading(engine.storage, (db) => {
    let query = db
      .selectFrom('products')
      .select(['id', 'created_at', 'json'])
      .where('store_id', '=', store.id)
      // A literal, as in the index.
      .where('status', '=', sql.lit('published'));
    if (last) {
      query = query.where(({ eb, refTuple, tuple }) =>
        eb(refTuple('created_at', 'id'), '>', tuple(last.created_at, last.id)),
      );
    }
    return query.orderBy('created_at').orderBy('id').limit(pageRows).execute();
  });
}

async function withFacts(ctx: Context, products: readonly Product[], groups: Groups): Promise<FeedProduct[]> {
  const imageIds = products.map(({ primaryMediaId, mediaIds }) =>
    [...new Set([...(primaryMediaId === null ? [] : [primaryMediaId]), ...mediaIds])].slice(0, maxImages),
  );
  const tracked = products.filter(({ trackStock }) => trackStock).map(({ id }) => id);
  const [images, held, categories] = await Promise.all([
    imagesOf(ctx, imageIds.flat()),
    readHeldAndPublished(ctx, tracked),
    categoriesOf(
      ctx,
      products.flatMap(({ categoryIds }) => categoryIds),
    ),
  ]);
  await groups.read(products);
  return products.map((product, i) => ({
    product,
    held: held.get(product.id) ?? 0,
    images: (imageIds[i] ?? []).flatMap((id) => images.get(id) ?? []),
    categories: product.categoryIds.map((id) => pathOf(id, categories)).find((path) => path.length > 0) ?? [],
    differing: groups.differing(product),
  }));
}

const mediaNamed = preparedPerLength<{ storeId: string }, { id: string; json: string }>((db, p, ids) =>
  db.selectFrom('media').select(['id', 'json']).where('store_id', '=', p('storeId')).where('id', 'in', ids),
);

async function imagesOf({ engine, store }: Context, ids: readonly string[]): Promise<Map<string, FeedImage>> {
  const images = new Map<string, FeedImage>();
  // Without an address of their own, files are below that of the service.
  const base = engine.publicUrl?.();
  for (const some of inParts(ids)) {
    const rows = await reading(engine.storage, (db) => mediaNamed(db, { storeId: store.id }, some));
    for (const { id, json } of rows) {
      const { url, width, height } = fromJson(withUrls(engine, json as Json<Media>));
      images.set(id, { url: base !== undefined && url.startsWith('/') ? `${base}${url}` : url, width, height });
    }
  }
  return images;
}

type NamedCategory = Pick<Category, 'name' | 'parentId'>;

const categoriesNamed = preparedPerLength<{ storeId: string }, { id: string; json: string }>((db, p, ids) =>
  db
    .selectFrom('categories')
    .select(['id', 'json'])
    .where('store_id', '=', p('storeId'))
    .where('id', 'in', ids)
    .where('status', '=', sql.lit('published')),
);

/** The published categories with these ids, and their published parents. */
async function categoriesOf({ engine, store }: Context, ids: readonly string[]) {
  const found = new Map<string, NamedCategory>();
  const add = async (wanted: readonly string[]) => {
    for (const some of inParts(wanted)) {
      const rows = await reading(engine.storage, (db) => categoriesNamed(db, { storeId: store.id }, some));
      for (const { id, json } of rows) found.set(id, JSON.parse(json));
    }
  };
  await add(ids);
  await add(
    [...found.values()].flatMap(({ parentId }) => (parentId === null || found.has(parentId) ? [] : [parentId])),
  );
  return found;
}

function pathOf(id: string, categories: ReadonlyMap<string, NamedCategory>): string[] {
  const category = categories.get(id);
  if (!category) return [];
  const parent = category.parentId === null ? undefined : categories.get(category.parentId);
  return parent ? [parent.name, category.name] : [category.name];
}

function* inParts(ids: readonly string[]): Generator<string[]> {
  const list = [...new Set(ids)];
  for (let i = 0; i < list.length; i += maxIds) yield list.slice(i, i + maxIds);
}

const membersOf = preparedPerLength<{ storeId: string; limit: number }, { group: string; json: string }>(
  (db, p, groups) =>
    db
      .selectFrom('products')
      .select(['variant_group_id as group', 'json'])
      .where('store_id', '=', p('storeId'))
      .where('status', '=', sql.lit('published'))
      .where('variant_group_id', 'in', groups)
      .orderBy('variant_group_id')
      .limit(p('limit'))
      .$narrowType<{ group: string }>(),
);

/** The attributes in which the published members of groups differ, read for a page of products at once. */
class Groups {
  readonly #ctx: Context;
  readonly #differing = new Map<string, readonly string[]>();

  constructor(ctx: Context) {
    this.#ctx = ctx;
  }

  /** The attributes of a product whose group has been read, in the order in which it has them. */
  differing({ variantGroupId, attributes }: Product): string[] {
    const names = variantGroupId === null ? [] : (this.#differing.get(variantGroupId) ?? []);
    return Object.keys(attributes).filter((name) => names.includes(name));
  }

  async read(products: readonly Product[]): Promise<void> {
    const named = [...new Set(products.flatMap(({ variantGroupId }) => variantGroupId ?? []))];
    if (this.#differing.size > maxGroups) this.#differing.clear();
    let unread = named.filter((group) => !this.#differing.has(group));
    while (unread.length > 0) {
      const rows = await this.#rowsOf(unread);
      const members = Map.groupBy(rows, ({ group }) => group);
      const isWhole = rows.length < maxMembers;
      // The rest of the last group would come with the next rows, unless it alone has more than are read.
      if (!isWhole && members.size > 1) members.delete(rows.at(-1)?.group ?? '');
      for (const [group, own] of members) this.#differing.set(group, differences(own));
      unread = isWhole ? [] : unread.filter((group) => !members.has(group));
    }
  }

  #rowsOf(groups: readonly string[]) {
    const { engine, store } = this.#ctx;
    return reading(engine.storage, (db) => membersOf(db, { storeId: store.id, limit: maxMembers }, groups));
  }
}

function differences(members: readonly { json: string }[]): string[] {
  const all = members.map(({ json }) => (JSON.parse(json) as Pick<Product, 'attributes'>).attributes);
  const names = new Set(all.flatMap((attributes) => Object.keys(attributes)));
  return [...names].filter((name) => new Set(all.map((attributes) => attributes[name])).size > 1);
}
