import type { Flag } from '../storage/flag.ts';
import type { Product } from './fields.ts';

/**
 * True if a product tracks its stock, is not archived, and has at most its threshold in stock; a missing threshold counts as 0. Stored in a
 * column, because every sale would have to write an index on stocks.
 */
export function runsLow({ status, trackStock, stock, lowStockThreshold }: LowStockFacts): Flag {
  const isForSale = status === 'draft' || status === 'published';
  return trackStock && isForSale && stock <= (lowStockThreshold ?? 0) ? 1 : 0;
}

type LowStockFacts = Pick<Product, 'status' | 'trackStock' | 'stock' | 'lowStockThreshold'>;
