import { type Context, getOrder, type RefundRecord, refundPayment } from '@commerce/core';
import { pairs } from '../output/print.ts';
import { UsageError } from '../usage-error.ts';
import type { RestockLine } from './changes.ts';

export { refundPayment };

/** The lines of an order that are named by SKU, or by their ids. */
export async function resolveLines(shop: Context, orderId: string, lines: readonly RestockLine[]) {
  const { items, orderNumber } = await getOrder(shop, orderId);
  return lines.map(({ product, quantity }) => {
    const item = items.find(({ id, skuSnapshot }) => id === product || skuSnapshot === product);
    if (item) return { itemId: item.id, quantity };
    const known = items.map(({ id, skuSnapshot }) => skuSnapshot ?? id).join(', ');
    throw new UsageError(`--lines must name lines of ${orderNumber}: ${known}; not ${product}`);
  });
}

export function describeRefund({ lines, shipping, ...refund }: RefundRecord): string {
  const pieces = lines?.map(({ itemId, quantity }) => `${itemId}:${quantity}`).join(', ') ?? null;
  return pairs({ ...refund, lines: pieces, shipping: shipping ? 'yes' : 'no' });
}
