import type { Schemas } from '../../api/types.ts';
import type { Choice } from '../refunds/sums.ts';

export type Withdrawal = Schemas['Withdrawal'];
type Order = Pick<Schemas['Order'], 'items'>;

/**
 * What a withdrawal is about, as the choice of a refund: the pieces of each line, and shipping if nothing of the order stays. Goods that the
 * order does not have are left out.
 */
export function proposalOf({ items: lines }: Order, { items }: Pick<Withdrawal, 'items'>): Choice {
  const pieces = new Map<string, number>();
  for (const { productId, sku, quantity } of items) {
    let open = quantity;
    for (const line of lines) {
      const isIt = productId === null ? sku !== null && line.skuSnapshot === sku : line.productId === productId;
      const left = line.quantity - (pieces.get(line.id) ?? 0);
      const taken = isIt ? Math.min(open, left) : 0;
      if (taken > 0) pieces.set(line.id, (pieces.get(line.id) ?? 0) + taken);
      open -= taken;
    }
  }
  // Without goods, it is about the whole order.
  if (items.length === 0) for (const { id, quantity } of lines) pieces.set(id, quantity);
  return { pieces, shipping: lines.every(({ id, quantity }) => pieces.get(id) === quantity) };
}

/** Whether the time for the refund is over. */
export const isLate = ({ status, dueAt }: Pick<Withdrawal, 'status' | 'dueAt'>, now: number): boolean =>
  status !== 'closed' && Date.parse(dueAt) < now;
