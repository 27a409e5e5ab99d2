import type { Order } from '@commerce/core';
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
    if (!last) throw new UsageError(`order ${orderNumber} has no line with the SKU or id ${JSON.stringify(sku)}`);
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

/** Pieces that have left, by the id of the line. */
export function shippedPieces({ fulfilments }: Order): Map<string, number> {
  const shipped = new Map<string, number>();
  for (const { itemId, quantity } of fulfilments.flatMap(({ lines }) => lines)) {
    shipped.set(itemId, (shipped.get(itemId) ?? 0) + quantity);
  }
  return shipped;
}
