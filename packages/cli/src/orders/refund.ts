import { type Context, getOrder, type RefundRecord, refundPayment } from '@commerce/core';
import type { Item } from '../input/items.ts';
import { pairs } from '../output/print.ts';
import { linesOf, type OrderLine, piecesOf, refundsOf } from './lines.ts';

export { refundPayment };

/** The lines of an order to refund, which items name by SKU or id. */
export async function resolveLines(shop: Context, orderId: string, items: readonly Item[]): Promise<OrderLine[]> {
  return linesOf(await getOrder(shop, orderId), items, piecesOf(await refundsOf(shop, orderId)));
}

export function describeRefund({ lines, shipping, restocked, ...refund }: RefundRecord): string {
  const pieces = lines?.map(({ itemId, quantity }) => `${itemId}:${quantity}`).join(', ') ?? null;
  return pairs({ ...refund, lines: pieces, shipping: yesOrNo(shipping), restocked: yesOrNo(restocked) });
}

function yesOrNo(is: boolean): string {
  return is ? 'yes' : 'no';
}
