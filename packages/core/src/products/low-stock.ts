import type { Flag } from '../storage/flag.ts';
import type { Product } from './fields.ts';

/**
 * Whether a product runs low: it tracks its stock, is not archived, and has no more than its threshold, or nothing where it has none. A
 * column says so, because an index of stocks would be written with each sale.
 */
export function runsLow({ status, trackStock, stock, lowStockThreshold }: LowStockFacts): Flag {
  const isForSale = status === 'draft' || status === 'published';
  return trackStock && isForSale && stock <= (lowStockThreshold ?? 0) ? 1 : 0;
}

type LowStockFacts = Pick<Product, 'status' | 'trackStock' | 'stock' | 'lowStockThreshold'>;
