import { type Context, listRefunds, type Order, type RefundRecord } from '@commerce/core';
import type { Item } from '../input/items.ts';
import { UsageError } from '../usage-error.ts';

/** Pieces of a line of an order. */
export interface OrderLine {
  itemId: string;
  quantity: number;
}

/**
 * The lines of an order that items name by SKU, or by the id of line or product. Several lines with one SKU are taken in their order, as far
 * as pieces are left of them.
 * @param used pieces that are not left, by the id of the line
 */
export function linesOf(
  { items, orderNumber }: Order,
  named: readonly Item[],
  used: ReadonlyMap<string, number>,
): OrderLine[] {
  const taken = new Map(used);
  return named.flatMap(({ sku, quantity }) => {
    const found = items.filter((item) => [item.skuSnapshot, item.id, item.productId].includes(sku));
    const last = found.at(-1);
    if (!last) {
      const known = items.map(({ id, skuSnapshot }) => skuSnapshot ?? id).join(', ');
      throw new UsageError(
        `order ${orderNumber} has no line with the SKU or id ${JSON.stringify(sku)}; its lines are ${known}`,
      );
    }
    const lines: OrderLine[] = [];
    let rest = quantity;
    for (const item of found) {
      const left = item.quantity - (taken.get(item.id) ?? 0);
      // What is too much stays with the last line, so that the answer says how many are left of it.
      const pieces = item === last ? rest : Math.min(rest, Math.max(0, left));
      if (pieces === 0) continue;
      lines.push({ itemId: item.id, quantity: pieces });
      taken.set(item.id, (taken.get(item.id) ?? 0) + pieces);
      rest -= pieces;
    }
    return lines;
  });
}

/** The pieces that parcels and refunds of an order name, by the id of the line. */
export function piecesOf(of: readonly { lines: readonly OrderLine[] | null }[]): Map<string, number> {
  const pieces = new Map<string, number>();
  for (const { itemId, quantity } of of.flatMap(({ lines }) => lines ?? [])) {
    pieces.set(itemId, (pieces.get(itemId) ?? 0) + quantity);
  }
  return pieces;
}

/** The refunds of an order that are made or pending. */
export async function refundsOf(shop: Context, orderId: string): Promise<RefundRecord[]> {
  const all: RefundRecord[] = [];
  for (let total = 1; all.length < total; ) {
    const page = await listRefunds(shop, orderId, { limit: 200, offset: all.length });
    all.push(...page.items);
    // A refund that fails meanwhile is missing in the later pages.
    total = page.items.length === 0 ? 0 : page.total;
  }
  return all;
}
