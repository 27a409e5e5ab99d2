import { foldText, strippedCode } from '../kernel/fold.ts';
import { minorColumn } from '../kernel/money.ts';
import type { Flag } from '../storage/flag.ts';
import type { ProductTable } from '../storage/tables/products.ts';
import type { Product } from './fields.ts';
import { runsLow } from './low-stock.ts';

/** Characters of a folded title that sort a list. */
export const titleKeyLength = 64;

/** The beginning of a folded title. Lists are sorted by it, byte by byte. */
export function titleKey(folded: string): string {
  return [...folded.slice(0, titleKeyLength * 2)].slice(0, titleKeyLength).join('');
}

/** Columns that change with the stock. They are stored, so that a sale writes an index only when one of them changes. */
export function stockFlags(product: StockFacts): Pick<ProductTable, 'low_stock' | 'can_buy'> {
  return { low_stock: runsLow(product), can_buy: canBuy(product) };
}

type StockFacts = Pick<Product, 'status' | 'trackStock' | 'stock' | 'allowBackorder' | 'lowStockThreshold'>;

/** True if the stock allows a purchase, leaving aside what is reserved; see `list/held.ts`. */
function canBuy({ status, trackStock, allowBackorder, stock }: StockFacts): Flag {
  return status !== 'deleted' && (!trackStock || allowBackorder || stock > 0) ? 1 : 0;
}

/** Columns that filter and sort lists. */
export function listColumns(product: Product) {
  const { price, compareAtPrice, sku, barcode } = product;
  const minor = minorColumn(price);
  const isLiving = product.status !== 'deleted';
  return {
    status: product.status,
    slug: product.slug,
    sku,
    barcode,
    variant_group_id: product.variantGroupId,
    price: minor,
    on_sale: isLiving && compareAtPrice !== null && minorColumn(compareAtPrice) > minor ? 1 : 0,
    title_key: titleKey(foldText(product.title)),
    sku_key: sku === null ? null : strippedCode(sku),
    barcode_key: barcode === null ? null : strippedCode(barcode),
    ...stockFlags(product),
  } satisfies Partial<ProductTable>;
}

/** True if lists can differ in which products they have, or in their order. */
export function listsDiffer(before: Product, after: Product): boolean {
  const [had, has] = [listColumns(before), listColumns(after)];
  return (Object.keys(had) as (keyof typeof had)[]).some((column) => had[column] !== has[column]);
}

/** The status under which a product that can be bought is counted; undefined for others. */
export function countedInStock(product: Product): string | undefined {
  return canBuy(product) === 1 ? product.status : undefined;
}
