import * as z from 'zod';
import type { Context } from '../engine/context.ts';
import { refusePublic } from '../engine/public-actor.ts';
import { exampleIds } from '../fields/example-ids.ts';
import { noted } from '../fields/notes.ts';
import { CommerceError, type ErrorDetail, invalid, quote } from '../kernel/errors.ts';
import type { List } from '../kernel/json.ts';
import { maxAttributes, maxProductReferences, maxProductsAtOnce } from '../kernel/limits.ts';
import { formatMoney, maxMinor, parseMoney } from '../kernel/money.ts';
import { definedOnly, fields, flag, parse, ruled, text } from '../kernel/parse.ts';
import { lockRows } from '../storage/locks.ts';
import { preparedPerLength } from '../storage/prepared.ts';
import { reading } from '../storage/run.ts';
import type { Db } from '../storage/storage.ts';
import { type Product, type ProductChanges, productEntity } from './fields.ts';
import { importProducts } from './products.ts';

const percentPattern = /^-?\d{1,4}(\.\d{1,2})?$/;

const categoryIds = z
  .array(text(64, 1), 'must be a list of ids')
  .max(maxProductReferences, `must have at most ${maxProductReferences} ids`);

function schemaFor(decimals: number) {
  const { attributes } = productEntity.inputs(decimals).create.shape;
  const changes = productEntity.inputs(decimals).update.pick({
    status: true,
    price: true,
    compareAtPrice: true,
    variantGroupId: true,
    trackStock: true,
    allowBackorder: true,
    lowStockThreshold: true,
    categoryIds: true,
  });
  return noted(
    fields({
      /** The products. */
      ids: z
        .array(text(64, 1), 'must be a list of ids')
        .min(1, 'must name at least one product')
        .max(maxProductsAtOnce, `must name at most ${maxProductsAtOnce} products`)
        .transform((ids) => [...new Set(ids)])
        .describe('The products.'),
      /** Changes of each product: absent fields keep their values. */
      changes: changes
        .extend({
          /** Changes each price by this percentage, rounded half up. */
          pricePercent: text(8, 1)
            .refine(
              (value) => percentPattern.test(value),
              ruled('must be a percentage such as "-10" or "2.5"', 'NOT_A_NUMBER'),
            )
            .refine((value) => Number(value) >= -100, ruled('must not be below "-100"', 'TOO_SMALL'))
            .meta({ pattern: percentPattern.source })
            .optional()
            .meta({ description: 'Changes each price by this percentage, rounded half up.', examples: ['-10'] }),
          /** With `true`, sets `compareAtPrice` of each product whose price falls to the price before. Not together with `compareAtPrice`. */
          comparePreviousPrice: flag
            .optional()
            .describe(
              'With `true`, sets `compareAtPrice` of each product whose price falls to the price before. Not together with `compareAtPrice`.',
            ),
          /** Attributes to add to each product or to replace there; the others stay. */
          setAttributes: attributes
            .optional()
            .describe('Attributes to add to each product or to replace there; the others stay.'),
          /** Names of attributes to remove from each product. */
          removeAttributes: z
            .array(text(64, 1), 'must be a list of names')
            .max(maxAttributes, `must have at most ${maxAttributes} names`)
            .optional()
            .describe('Names of attributes to remove from each product.'),
          /** Categories to add each product to. */
          addCategoryIds: categoryIds.optional().describe('Categories to add each product to.'),
          /** Categories to remove each product from. */
          removeCategoryIds: categoryIds.optional().describe('Categories to remove each product from.'),
        })
        .describe('Changes of each product: absent fields keep their values.'),
    }),
    {
      description: 'Changes of many products at once.',
      fields: {
        // Zod leaves examples out of an input that it transforms.
        ids: { examples: [[exampleIds.product]] },
        'changes.status': { description: 'The status.' },
        'changes.price': { description: "A decimal string with at most the currency's decimals.", examples: ['12.50'] },
        'changes.compareAtPrice': {
          description: "The price before a reduction. A decimal string with at most the currency's decimals.",
        },
        'changes.variantGroupId': { description: 'The group of variants.' },
        'changes.trackStock': { description: 'Whether orders take from the stock.' },
        'changes.allowBackorder': { description: 'Whether more can be sold than there is.' },
        'changes.lowStockThreshold': { description: 'Pieces in stock up to which it is listed as low.' },
        'changes.categoryIds': { description: 'Their categories, replaced as a whole.' },
      },
      example: { ids: [exampleIds.product], changes: { pricePercent: '-10' } },
    },
  );
}

const schemas = new Map<number, ReturnType<typeof schemaFor>>();

/** The input that changes many products, in a currency with that many decimals. */
export function changeManyFields(decimals: number): ReturnType<typeof schemaFor> {
  const schema = schemas.get(decimals) ?? schemaFor(decimals);
  schemas.set(decimals, schema);
  return schema;
}

export type ProductsChanges = z.input<ReturnType<typeof schemaFor>>;
type Changes = z.output<ReturnType<typeof schemaFor>>['changes'];

type Texts = { id: string; json: string };

const living = (db: Db, storeId: string) =>
  db
    .selectFrom('products')
    .select(['id', 'json'])
    .where('store_id', '=', storeId)
    .where('status', '<>', 'deleted')
    .orderBy('id');

const productTexts = preparedPerLength<{ storeId: string }, Texts>((db, p, ids) =>
  living(db, p('storeId')).where('id', 'in', ids),
);

const lockedTexts = preparedPerLength<{ storeId: string }, Texts>((db, p, ids) =>
  lockRows(db, living(db, p('storeId')).where('id', 'in', ids)),
);

const byId = (rows: readonly Texts[]) => new Map(rows.map(({ id, json }) => [id, productEntity.read(json)]));

/**
 * Makes the same changes to many products: to all of them or to none. `pricePercent` moves each price by a percentage, rounded half up to
 * the minor unit. `addCategoryIds` and `removeCategoryIds` keep the other categories of a product, `setAttributes` and `removeAttributes` its
 * other attributes. Emits `product.updated` for each product that changes.
 * @returns the products, in the order of `ids`
 * @throws CommerceError `validation`, whose details name the rejected ids (`ids.<position>`)
 */
export async function changeProducts(ctx: Context, input: ProductsChanges): Promise<List<Product>> {
  refusePublic(ctx);
  const { decimals } = ctx.store;
  const { ids, changes } = parse(changeManyFields(decimals), input);
  checkChanges(changes, input.changes);
  const rows = ids.map((id) => ({ input: {} as Record<string, unknown>, kept: { id } }));
  await importProducts(ctx, rows, {
    match: 'id',
    events: true,
    dryRun: false,
    stopAtRefusal: false,
    onlyExisting: true,
    async before(tx) {
      const products = byId(await lockedTexts(tx.db, { storeId: tx.store.id }, ids));
      for (const row of rows) {
        const product = products.get(row.kept.id);
        if (product) row.input = inputOf(product, changes, decimals) as Record<string, unknown>;
      }
    },
    async inTransaction(_, outcomes) {
      const details: ErrorDetail[] = outcomes.flatMap((outcome, i) =>
        outcome.kind === 'refused' ? [{ field: `ids.${i}`, reason: naming(ids[i] ?? '', outcome.error.message) }] : [],
      );
      if (details.length === 0) return;
      const reasons = details.slice(0, 3).map(({ field, reason }) => `${field}: ${reason}`);
      throw new CommerceError(
        'validation',
        `nothing was changed, because of ${details.length} of ${ids.length} products: ${reasons.join('; ')}`,
        { details },
      );
    },
  });
  const products = byId(await reading(ctx.engine.storage, (db) => productTexts(db, { storeId: ctx.store.id }, ids)));
  const items = ids.flatMap((id) => products.get(id) ?? []);
  return { items, total: items.length };
}

/** A reason that names its product. */
function naming(id: string, reason: string): string {
  return reason.includes(id) ? reason : `product ${quote(id)}: ${reason}`;
}

/** Refuses empty changes, changes that contradict each other, and fields that two products cannot share. */
function checkChanges(changes: Changes, given: ProductsChanges['changes']): void {
  const others = Object.keys(given).filter((field) => !Object.hasOwn(changeManyFields(2).shape.changes.shape, field));
  if (others[0] !== undefined)
    throw invalid(`changes.${others[0]}`, 'cannot be changed for many products at once', { code: 'UNKNOWN_FIELD' });
  if (Object.keys(definedOnly(changes)).length === 0)
    throw invalid('changes', 'must name at least one field', { code: 'REQUIRED' });
  if (changes.price !== undefined && changes.pricePercent !== undefined) {
    throw invalid('changes.pricePercent', 'must be omitted if price is given', { code: 'CONFLICTING' });
  }
  if (changes.categoryIds && (changes.addCategoryIds || changes.removeCategoryIds)) {
    throw invalid('changes.categoryIds', 'must be omitted if addCategoryIds or removeCategoryIds is given', {
      code: 'CONFLICTING',
    });
  }
  if (!changes.comparePreviousPrice) return;
  if (changes.compareAtPrice !== undefined) {
    throw invalid('changes.comparePreviousPrice', 'must be omitted if compareAtPrice is given');
  }
  if (changes.price === undefined && changes.pricePercent === undefined) {
    throw invalid('changes.comparePreviousPrice', 'must come with price or pricePercent');
  }
}

/** The changes as an input for one product. */
function inputOf(product: Product, changes: Changes, decimals: number): ProductChanges {
  const { pricePercent, comparePreviousPrice, setAttributes, removeAttributes = [], ...others } = changes;
  const { addCategoryIds = [], removeCategoryIds = [], ...rest } = others;
  const given: ProductChanges = definedOnly(rest);
  if (pricePercent !== undefined) given.price = movedPrice(product.price, pricePercent, decimals);
  if (comparePreviousPrice && given.price !== undefined) {
    const isLower = (parseMoney(given.price, decimals) ?? 0n) < (parseMoney(product.price, decimals) ?? 0n);
    if (isLower) given.compareAtPrice = product.price;
  }
  if (setAttributes || removeAttributes.length > 0) {
    const kept = Object.entries(product.attributes).filter(([name]) => !removeAttributes.includes(name));
    given.attributes = { ...Object.fromEntries(kept), ...setAttributes };
  }
  if (addCategoryIds.length > 0 || removeCategoryIds.length > 0) {
    const kept = product.categoryIds.filter((id) => !removeCategoryIds.includes(id));
    given.categoryIds = [...new Set([...kept, ...addCategoryIds])];
  }
  return given;
}

/** A price moved by a percentage with up to two decimals, rounded half up to the minor unit. */
function movedPrice(price: string, percent: string, decimals: number): string {
  const minor = parseMoney(price, decimals) ?? 0n;
  const [, sign = '', whole = '0', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(percent) ?? [];
  const hundredths = BigInt(`${sign}${whole}${fraction.padEnd(2, '0')}`);
  const moved = (minor * (10_000n + hundredths) * 2n + 10_000n) / 20_000n;
  return formatMoney(moved > maxMinor ? maxMinor : moved, decimals);
}
