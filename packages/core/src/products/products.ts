import { collectionOf } from '../collection/collection.ts';
import { publishedAlone } from '../collection/items.ts';
import type { Context, TxContext } from '../engine/context.ts';
import { addToSet, perTransaction } from '../engine/per-transaction.ts';
import { standardClass } from '../engine/settings/taxes.ts';
import { CommerceError, invalid, quote } from '../kernel/errors.ts';
import { type Json, parsed, toJson } from '../kernel/json.ts';
import { formatMoney, minorColumn, minorOf } from '../kernel/money.ts';
import { parse } from '../kernel/parse.ts';
import { keepSettings, withCurrentStore } from '../stores/current.ts';
import { listColumns } from './columns.ts';
import { maxStock, type Product, type ProductChanges, type ProductInput, productEntity } from './fields.ts';
import { gtinOf } from './gtin.ts';
import { included, type ProductDetails, ProductDetailsQuery, type ProductDetailsQueryInput } from './include.ts';
import { ProductQuery } from './list/query.ts';
import { listProductsJson } from './list.ts';
import { listNew, updateListing } from './listing.ts';
import { noted, printHistory, readHistory } from './price-history.ts';
import { asSeen } from './public.ts';
import { pricedPerUnit } from './unit-pricing.ts';

const partyFields = ['manufacturerId', 'responsiblePersonId'] as const;

/** The parties that products can name, which the settings keep until the transaction ends. */
const keptParties = perTransaction(() => new Set<string>(), addToSet);

export const products = collectionOf(productEntity, {
  table: 'products',
  noun: 'product',
  softDeleted: true,
  isNumbered: true,
  publicView: { ...publishedAlone, text: asSeen },
  keys: [
    { column: 'slug', field: 'slug', of: ({ slug }) => slug },
    { column: 'sku', field: 'sku', of: ({ sku }) => sku },
  ],
  complete(tx, product, { before, given, input, kept, isImport, overwriteStock, isMoved, warn }) {
    if (product.stock < 0 && product.stock !== before?.stock && !kept) throw negativeStock(product.stock);
    if (before && product.stock !== before.stock && !overwriteStock) {
      checkSeen(tx, isMoved, before, { stock: given.stock, updatedAt: seenIn(input) });
    }
    // The order of columns in a file has no meaning.
    const isSame = isImport && before && isSameRecord(before.attributes, product.attributes);
    const completed = isSame ? { ...product, attributes: before.attributes } : product;
    const named = withParties(tx, completed, before, warn);
    const { decimals } = tx.store;
    const derived = {
      gtin: gtinOf(named.barcode),
      unitPricing: pricedPerUnit(named.unitPricing, minorOf(named.price), decimals),
    };
    return withTaxClass(tx, { ...named, ...derived }, before, warn);
  },
  notes: {
    column: 'prices',
    next({ store, now }, product, before) {
      const priced = {
        price: minorColumn(product.price),
        compareAt: product.compareAtPrice === null ? null : minorColumn(product.compareAtPrice),
        offered: product.status === 'published',
      };
      const history = noted(readHistory(before), priced, now);
      const prior = history.reduction?.prior ?? null;
      const priorPrice = prior === null ? null : formatMoney(BigInt(prior), store.decimals);
      return { item: { ...product, priorPrice }, notes: printHistory(history) };
    },
  },
  staysMoved: (before, { given, input, overwriteStock, isMoved }) =>
    staysMoved(isMoved, before, { stock: given.stock, updatedAt: overwriteStock ? undefined : seenIn(input) }),
  columns: (product, isMoved) => ({
    ...listColumns(product),
    track_stock: product.trackStock ? 1 : 0,
    stock: product.stock,
    stock_moved: isMoved ? 1 : 0,
    manufacturer_id: product.manufacturerId,
    responsible_person_id: product.responsiblePersonId,
    allow_backorder: product.allowBackorder ? 1 : 0,
  }),
  async lock(tx, rows) {
    if (!rows.some(({ input }) => partyFields.some((field) => typeof input[field] === 'string'))) return;
    const { parties } = await keepSettings(tx);
    for (const { id } of parties) keptParties(tx).add(id);
  },
  async list(tx, written) {
    const created: { product: Product; number: number }[] = [];
    for (const { before, after, number } of written) {
      if (after && !before) created.push({ product: after, number });
      else await updateListing(tx, { ...(before && { before }), ...(after && { after }), number });
    }
    await listNew(tx, created);
  },
});

/** An operation with the present settings of the store, which say what classes of tax it has. */
function current<A extends unknown[], R>(
  operation: (ctx: Context, ...rest: A) => Promise<R>,
): (ctx: Context, ...rest: A) => Promise<R> {
  return async (ctx, ...rest) => operation(await withCurrentStore(ctx), ...rest);
}

/**
 * Creates and changes many products in one transaction, by the rules of `createProduct` and `updateProduct`. Emits `product.created` and
 * `product.updated`, unless the options turn events off.
 */
export const importProducts = current(products.importRows);

/** How `upsertProduct` finds the product. */
export interface UpsertOptions {
  /** The field by which it is found; `slug` by default. */
  match?: 'slug' | 'sku';
  /** Sets the stock even if orders have moved it since it was last set; otherwise such a change is refused. */
  overwriteStock?: boolean;
}

/**
 * Changes the product with this slug or SKU, or creates it: one row of an import. Fields that are absent stay as they are. Emits
 * `product.created` or `product.updated`, or nothing if nothing changes.
 * @throws CommerceError `validation`, `conflict` like `createProduct` and `updateProduct`; `validation` without the field that finds it
 */
export async function upsertProduct(
  ctx: Context,
  input: Partial<ProductInput>,
  { match = 'slug', overwriteStock = false }: UpsertOptions = {},
): Promise<Product> {
  if (typeof input?.[match] !== 'string') {
    throw invalid(match, 'is required: the product is found by it', { code: 'REQUIRED' });
  }
  const options = { match, overwriteStock, events: true, dryRun: false, stopAtRefusal: true };
  const [outcome] = await importProducts(ctx, [{ input: { ...input } }], options);
  if (outcome?.kind === 'refused') throw outcome.error;
  if (!outcome || outcome.kind === 'left') throw new CommerceError('internal', 'the product was not decided');
  return getProduct(ctx, outcome.id);
}

/**
 * Creates a product; `title`, `slug` and `price` are required, `status` defaults to `draft`. Emits `product.created`.
 * @throws CommerceError `validation`, also for a tax class without a rate in the store's country; `conflict` when the slug or the SKU belongs
 * to another product.
 */
export const createProduct: (ctx: Context, input: ProductInput) => Promise<Product> = current(products.create);

/**
 * Changes the given fields: an absent one keeps its value, null clears an optional one, `attributes` are replaced whole. If orders have
 * moved the stock since the last change, a caller that sets `stock` must have seen the present one. `Context.expected` or the product's
 * `updatedAt` proves that. Emits `product.updated`, unless nothing changes.
 * @throws CommerceError `validation`, `notFound`; `conflict` when the slug or the SKU belongs to another product, or when orders have moved
 * the stock since.
 */
export const updateProduct: (ctx: Context, id: string, input: ProductChanges) => Promise<Product> = current(
  products.update,
);

/**
 * Deletes a product: answers no longer contain it, and its slug and SKU are free again. Orders keep their snapshots of it. Emits
 * `product.deleted` with its last state.
 * @throws CommerceError `notFound`
 */
export const deleteProduct = (ctx: Context, id: string): Promise<void> => products.remove(ctx, id);

/**
 * A product, with the other published members of its group and its images if the query asks for them. `If-Match` takes the version of the
 * product without them.
 * @throws CommerceError `notFound`, also for the id of another store's product and for a malformed one; `validation` for an unknown word
 */
export async function getProductJson(
  ctx: Context,
  id: string,
  query: ProductDetailsQueryInput = {},
): Promise<Json<ProductDetails>> {
  const { include } = parse(ProductDetailsQuery, query);
  const json = await products.read(ctx, id);
  if (!include) return json;
  return toJson((await included(ctx, [productEntity.read(json)], include))[0] as ProductDetails);
}

/** Like `getProductJson`, for use inside an application. */
export const getProduct = parsed(getProductJson);

/** Fields of a change that name the new stock and the state of the product that the caller has read. */
interface StockChange {
  stock?: number | undefined;
  updatedAt?: string | undefined;
}

/** Refuses a stock that would bring back pieces that were sold after the caller had read the product. */
function checkSeen(tx: TxContext, isMoved: boolean, before: Product, input: StockChange): void {
  const hasSeen = input.updatedAt === undefined ? tx.expected?.id === before.id : input.updatedAt === before.updatedAt;
  if (!isMoved || hasSeen) return;
  const reason =
    `orders have moved it to ${before.stock} since it was last set, so it cannot be set to ${quote(input.stock)} directly: ` +
    'send the current updatedAt or If-Match of the product, or adjust the stock by a difference';
  throw new CommerceError('conflict', `stock: ${reason}`, {
    details: [{ field: 'stock', reason, code: 'CONFLICTING' }],
    reason: 'stockMoved',
  });
}

/**
 * The product with a class of tax that has a rate in the country of the store. One that it had before stays, whatever rates there are. An
 * import writes the standard class instead.
 * @throws CommerceError `validation`
 */
function withTaxClass(
  { store: { settings } }: TxContext,
  product: Product,
  before: Product | undefined,
  warn: ((field: string, reason: string) => void) | undefined,
): Product {
  const { taxes, country } = settings;
  const { taxClass } = product;
  if (taxes === null || taxClass === standardClass || taxClass === before?.taxClass) return product;
  const rates = taxes.rates.filter((rate) => rate.country === country);
  if (rates.some((rate) => rate.class === taxClass)) return product;
  const values = [...new Set([standardClass, ...rates.map((rate) => rate.class)])];
  const problem = `has no rate in ${country}, the country of the store; classes that have one: ${values.join(', ')}`;
  if (!warn) throw invalid('taxClass', `${quote(taxClass)} ${problem}`, { code: 'NOT_OFFERED', limits: { values } });
  warn('taxClass', `${problem}; it is imported as "${standardClass}"`);
  return { ...product, taxClass: standardClass };
}

/**
 * The product with parties that the settings have. One that it named before stays. An import names no one instead.
 * @throws CommerceError `validation`
 */
function withParties(
  tx: TxContext,
  product: Product,
  before: Product | undefined,
  warn: ((field: string, reason: string) => void) | undefined,
): Product {
  let named = product;
  for (const field of partyFields) {
    const id = product[field];
    if (id === null || id === before?.[field] || keptParties(tx).has(id)) continue;
    const problem = `no party ${quote(id)} among the parties of the settings`;
    if (!warn) throw invalid(field, problem, { code: 'NOT_FOUND' });
    warn(field, `${problem}; it is imported without one`);
    named = { ...named, [field]: null };
  }
  return named;
}

function negativeStock(stock: number): CommerceError {
  return invalid('stock', `must be a whole number from 0 to ${maxStock}, not ${stock}`, {
    code: 'TOO_SMALL',
    limits: { min: 0, max: maxStock },
  });
}

/**
 * Whether a product's stock still counts as moved by orders after an allowed change. Only a change that names the stock resets this, and
 * only if it was made from the current state of the product.
 */
function staysMoved(wasMoved: boolean, before: Product, { stock, updatedAt }: StockChange): boolean {
  return wasMoved && (stock === undefined || (updatedAt !== undefined && updatedAt !== before.updatedAt));
}

/** The `updatedAt` of an input, which proves the state that its sender has seen; it is not written. */
function seenIn({ updatedAt }: Readonly<Record<string, unknown>>): string | undefined {
  return updatedAt as string | undefined;
}

function isSameRecord(one: Readonly<Record<string, string>>, other: Readonly<Record<string, string>>): boolean {
  const keys = Object.keys(one);
  return keys.length === Object.keys(other).length && keys.every((key) => one[key] === other[key]);
}

export const productResource = {
  ...products,
  create: createProduct,
  update: updateProduct,
  importRows: importProducts,
  read: getProductJson,
  query: ProductQuery,
  list: listProductsJson,
  named: 'title',
  words: {
    one: 'a product',
    description: 'Products of the store. Variants are separate products with the same `variantGroupId`.',
    deletion: '; orders keep their snapshot of it',
  },
};
