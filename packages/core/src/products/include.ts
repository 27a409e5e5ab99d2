import { sql } from 'kysely';
import * as z from 'zod';
import type { Context } from '../engine/context.ts';
import type { RefusalCode } from '../kernel/errors.ts';
import { maxListBytes } from '../kernel/limits.ts';
import { fields, text } from '../kernel/parse.ts';
import { type Media, mediaEntity } from '../media/fields.ts';
import { mediaById } from '../media/media.ts';
import { countUpTo } from '../resources/bounded.ts';
import { unindexedText } from '../storage/planner.ts';
import { preparedPerLength } from '../storage/prepared.ts';
import { readingOf, snapshotOrScan } from '../storage/run.ts';
import { type Product, productEntity } from './fields.ts';
import { maxSeenStock, readHeldAndPublished } from './public.ts';

/** What an answer about products can have in addition. */
export const includeWords = ['variants', 'media'] as const;
export type IncludeWord = (typeof includeWords)[number];

/** The words that were asked for. */
export type Includes = Readonly<Record<IncludeWord, boolean>>;

const expectedWords = `must be one or more of ${includeWords.join(', ')}, separated by commas`;
const maxWordsLength = 100;

const notOffered: { code: RefusalCode } = { code: 'NOT_OFFERED' };

/** Words in a query string, separated by commas, or a list of words, as from a repeated parameter or from code. */
export const includeQuery = z
  .union([text(maxWordsLength), z.array(text(maxWordsLength)).max(10, expectedWords)], expectedWords)
  .transform((given) => [given].flat().flatMap((words) => words.split(',').map((word) => word.trim())))
  .superRefine((words, context) => {
    const unknown = words.find((word) => !includeWords.some((known) => known === word));
    if (unknown === undefined) return;
    context.addIssue({
      code: 'custom',
      params: notOffered,
      message: expectedWords,
      // The word, and not all of them, is what the message quotes.
      input: unknown,
    });
  })
  .transform(
    (words): Includes => Object.fromEntries(includeWords.map((word) => [word, words.includes(word)])) as Includes,
  )
  .meta({ type: 'string', examples: ['variants,media'] });

export const ProductDetailsQuery = fields({
  /** What the answer has in addition: `variants`, `media` or both, separated by commas. */
  include: includeQuery
    .optional()
    .describe('What the answer has in addition: `variants`, `media` or both, separated by commas.'),
});
export type ProductDetailsQueryInput = z.input<typeof ProductDetailsQuery>;

const describedVariant = () =>
  productEntity
    .answer()
    .pick({
      id: true,
      slug: true,
      attributes: true,
      price: true,
      compareAtPrice: true,
      priorPrice: true,
      primaryMediaId: true,
    })
    .extend({
      primaryMediaId: z
        .string()
        .nullable()
        .meta({ format: 'uuid', description: 'Its main image, or else its first one.' }),
      available: z
        .int()
        .nullable()
        .meta({
          description: `Pieces that can be bought now; null if its stock does not limit that. Storefront keys see at most ${maxSeenStock}.`,
          examples: [3],
        }),
    })
    .meta({ description: 'Another variant of a product.' });

/** Another member of a product's group. */
export type Variant = z.output<ReturnType<typeof describedVariant>>;

/** A product with what was asked for in addition. */
export type ProductDetails = Product & { variants?: Variant[]; media?: Media[] };

/** The schema of an answer. */
export function productDetailsAnswer() {
  return productEntity
    .answer()
    .extend({
      variants: z
        .array(describedVariant())
        .optional()
        .meta({
          description: `Only with \`include=variants\`: the other published products of its \`variantGroupId\`, oldest first, at most ${maxVariants}.`,
        }),
      media: z
        .array(mediaEntity.answer())
        .optional()
        .meta({ description: 'Only with `include=media`: its images in order, without deleted ones.' }),
    })
    .meta({ description: 'A product, with what `include` asks for.' });
}

/** Variants of one product in an answer. */
const maxVariants = 250;

/** Variants and images that are read together, about. */
const batch = 500;

/**
 * Products with what was asked for in addition: the other published members of their groups, and their images. They are read together
 * for all products of a page.
 * @returns all products, or fewer if they are larger than `maxListBytes`, as in every list; at least one
 */
export async function included(ctx: Context, items: readonly Product[], includes: Includes): Promise<ProductDetails[]> {
  const members = includes.variants ? await readMembers(ctx, items) : new Map<string, string[]>();
  const wanted = items.map((item) => ({
    item,
    variants: (members.get(item.variantGroupId ?? '') ?? []).filter((id) => id !== item.id).slice(0, maxVariants),
    media: includes.media ? mediaOf(item) : [],
  }));
  const details: ProductDetails[] = [];
  let bytes = 0;
  for (let next = 0; next < wanted.length; ) {
    const part = beginning(wanted.slice(next));
    next += part.length;
    const variants = await readVariants(ctx, [...new Set(part.flatMap((one) => one.variants))]);
    const media = await mediaById(ctx, [...new Set(part.flatMap((one) => one.media))]);
    for (const one of part) {
      if (bytes >= maxListBytes) return details;
      const detailed: ProductDetails = {
        ...one.item,
        ...(includes.variants && { variants: present(one.variants, variants) }),
        ...(includes.media && { media: present(one.media, media) }),
      };
      bytes += Buffer.byteLength(JSON.stringify(detailed));
      details.push(detailed);
    }
  }
  return details;
}

/** The first products, as many as want about a batch; at least one. */
function beginning<T extends { variants: readonly string[]; media: readonly string[] }>(wanted: readonly T[]): T[] {
  let ids = 0;
  const end = wanted.findIndex(({ variants, media }) => {
    ids += variants.length + media.length;
    return ids > batch;
  });
  return wanted.slice(0, end === -1 ? wanted.length : Math.max(1, end));
}

/** The images in display order. A main image that is not among them is first. */
function mediaOf({ primaryMediaId, mediaIds }: Product): string[] {
  return [...new Set(primaryMediaId && !mediaIds.includes(primaryMediaId) ? [primaryMediaId, ...mediaIds] : mediaIds)];
}

function present<T>(ids: readonly string[], found: ReadonlyMap<string, T>): T[] {
  return ids.map((id) => found.get(id)).filter((one) => one !== undefined);
}

/** The ids of the published members of the products' groups, oldest first: one more than are shown, because a product is not its own. */
async function readMembers(ctx: Context, items: readonly Product[]): Promise<Map<string, string[]>> {
  const groups = [...new Set(items.map(({ variantGroupId }) => variantGroupId))].filter((group) => group !== null);
  const members = new Map<string, string[]>();
  if (groups.length === 0) return members;
  const rows = await snapshotOrScan(ctx, async (db, maxRows) => {
    const all = db
      .selectFrom('products')
      .where('store_id', '=', ctx.store.id)
      .where('status', '<>', sql.lit('deleted'))
      .where('variant_group_id', 'is not', null)
      .where('variant_group_id', 'in', groups)
      // True of all, and keeps the engine from counting in the index of statuses and groups, which has every product.
      .where('created_at', '>=', 0);
    if ((await countUpTo(db, all, maxRows)) === undefined) return undefined;
    const placed = all
      // Keeps the engine from using the index of the status, which has every published product.
      .where(unindexedText(sql.ref('status')), '=', 'published')
      .select(['id', 'variant_group_id', 'created_at'])
      .select(sql<number>`row_number() over (partition by variant_group_id order by created_at, id)`.as('place'));
    return db
      .selectFrom(placed.as('placed'))
      .select(['id', 'variant_group_id as group'])
      .where('place', '<=', maxVariants + 1)
      .orderBy('created_at')
      .orderBy('id')
      .execute();
  });
  for (const { id, group } of rows) {
    const ids = members.get(group ?? '') ?? [];
    ids.push(id);
    members.set(group ?? '', ids);
  }
  return members;
}

const publishedById = preparedPerLength<{ storeId: string }, { json: string }>((db, p, ids) =>
  db
    .selectFrom('products')
    .select('json')
    .where('store_id', '=', p('storeId'))
    .where('id', 'in', ids)
    .where(unindexedText(sql.ref('status')), '=', sql.lit('published')),
);

async function readVariants(ctx: Context, ids: readonly string[]): Promise<Map<string, Variant>> {
  if (ids.length === 0) return new Map();
  const rows = await readingOf(ctx, (db) => publishedById(db, { storeId: ctx.store.id }, ids));
  const found = rows.map(({ json }) => productEntity.read(json));
  const limited = found.filter(({ trackStock, allowBackorder }) => trackStock && !allowBackorder);
  const held = await readHeldAndPublished(
    ctx,
    limited.map(({ id }) => id),
  );
  const isLimited = new Set(limited);
  return new Map(
    found.map((product) => {
      const { id, slug, attributes, price, compareAtPrice, priorPrice, primaryMediaId, mediaIds, stock } = product;
      const left = Math.max(0, stock - (held.get(id) ?? 0));
      const seen = ctx.actor.isPublic ? Math.min(maxSeenStock, left) : left;
      return [
        id,
        {
          id,
          slug,
          attributes,
          price,
          compareAtPrice,
          priorPrice,
          available: isLimited.has(product) ? seen : null,
          // Without a chosen main image, the first one is the main one.
          primaryMediaId: primaryMediaId ?? mediaIds[0] ?? null,
        },
      ];
    }),
  );
}
