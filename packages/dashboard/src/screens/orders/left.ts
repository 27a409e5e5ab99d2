import type { Order } from './states.tsx';

/** Lines of an order with the pieces that are in no parcel yet; lines without any are left out. */
export function leftToShip({ items, fulfilments }: Pick<Order, 'items' | 'fulfilments'>) {
  const shipped = new Map<string, number>();
  for (const { lines } of fulfilments) {
    for (const { itemId, quantity } of lines) shipped.set(itemId, (shipped.get(itemId) ?? 0) + quantity);
  }
  return items
    .map((item) => ({ item, left: item.quantity - (shipped.get(item.id) ?? 0) }))
    .filter(({ left }) => left > 0);
}
