import type { Schemas } from '../../api/types.ts';
import { namedPieces } from '../../kit/form/pieces.ts';
import type { Order } from './states.tsx';

/** Lines of an order with the pieces that are in no parcel and were not refunded; left out are lines without any, and goods that are not shipped. */
export function leftToShip(
  { items, fulfilments }: Pick<Order, 'items' | 'fulfilments'>,
  refunds: readonly Pick<Schemas['Refund'], 'status' | 'lines'>[],
) {
  const gone = namedPieces([...fulfilments, ...refunds.filter(({ status }) => status !== 'failed')]);
  const shipped = items.filter(({ requiresShipping }) => requiresShipping);
  return shipped
    .map((item) => ({ item, left: item.quantity - (gone.get(item.id) ?? 0) }))
    .filter(({ left }) => left > 0);
}
