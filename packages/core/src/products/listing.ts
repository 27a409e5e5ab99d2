import type { TxContext } from '../engine/context.ts';
import { foldText, foldTexts, strippedCode } from '../kernel/fold.ts';
import { writeLabels } from '../labels/labels.ts';
import { writeMediaUses } from '../media/uses.ts';
import { pendingCounts } from '../resources/counts.ts';
import { livingStatus } from '../resources/publishing.ts';
import type { SearchTexts } from '../storage/storage.ts';
import { countedInStock, listsDiffer } from './columns.ts';
import { type Facet, type Place, removeFacetUpTo, writeFacets, writeNewFacets } from './facets.ts';
import type { Product } from './fields.ts';
import { invalidateTotals } from './totals.ts';

/**
 * Updates everything that lists of products read: the search index, facets, labels and counts. If the total of any list can change, also the
 * version of the store's lists. Call it once for each change of a product, together with the write of its row.
 * @param change.before the product before the change; absent for a new product
 * @param change.after the product after the change; absent for a deleted product
 * @param change.number the product's number within its store
 */
export async function updateListing(
  tx: TxContext,
  { before, after, number }: { before?: Product; after?: Product; number: number },
): Promise<void> {
  const isReworded = await updateSearch(tx, before, after, number);
  const isRefiled = await writeFacets(tx, { before, after });
  await writeMediaUses(tx, [{ before, after }]);
  countStatus(tx, before, after);
  const isLabelled = await writeLabels(tx, 'products', [{ before, after }]);
  const isMoved = !before || !after || listsDiffer(before, after);
  if (isReworded || isRefiled || isLabelled || isMoved) invalidateTotals(tx);
}

/** Like `updateListing`, for many new products at once. */
export async function listNew(tx: TxContext, products: readonly { product: Product; number: number }[]): Promise<void> {
  if (products.length === 0) return;
  const { search } = tx.engine.storage;
  const texts = products.map(({ product, number }) => ({ number, texts: searchTexts(product) }));
  await search.putNew(tx.db, tx.store, texts);
  await writeNewFacets(
    tx,
    products.map(({ product }) => product),
  );
  const written = products.map(({ product }) => ({ after: product }));
  await writeLabels(tx, 'products', written);
  await writeMediaUses(tx, written);
  for (const { product } of products) countStatus(tx, undefined, product);
  invalidateTotals(tx);
}

/**
 * Removes the first products of a category from its list, up to a place. `published` is how many of them are published. The caller updates
 * the products' own texts.
 */
export async function unlistUpTo(tx: TxContext, facet: Facet, last: Place, published: number): Promise<void> {
  await removeFacetUpTo(tx, facet, last, published);
  invalidateTotals(tx);
}

async function updateSearch(
  tx: TxContext,
  before: Product | undefined,
  after: Product | undefined,
  number: number,
): Promise<boolean> {
  const { search } = tx.engine.storage;
  const row = { store: tx.store, number };
  const [had, has] = [before && searchTexts(before), after && searchTexts(after)];
  if (isSame(had, has)) return false;
  if (has === undefined) await search.remove(tx.db, row);
  else await search.put(tx.db, row, has);
  return true;
}

/** Counts a product that entered the lists, left them, or changed its status, and whether it can be bought. */
function countStatus(tx: TxContext, before: Product | undefined, after: Product | undefined): void {
  const counts = pendingCounts(tx);
  counts.move('products.status', before && livingStatus(before), after && livingStatus(after));
  counts.move('products.inStock', before && countedInStock(before), after && countedInStock(after));
}

/** The texts that a search looks in, as `searchColumns` names them. */
export function searchTexts({ title, description, sku, barcode, attributes }: Product): SearchTexts {
  return [
    foldText(title),
    foldTexts(description, sku, barcode, ...Object.values(attributes)),
    [sku, barcode].map((code) => strippedCode(code ?? '')).join('\u001f'),
  ];
}

const isSame = (one: SearchTexts | undefined, other: SearchTexts | undefined) =>
  one === other || one?.every((text, i) => text === other?.[i]);
