import type { TxContext } from '../engine/context.ts';
import { foldText } from '../storage/storage.ts';
import type { AddressSnapshot, Order } from './fields.ts';

/** Precedes each part of a text, so an index of three characters can find the beginning of a part by one or two characters. */
const mark = '\u001f\u001f';

/** The buyer, as named when the order was created. */
export interface Buyer {
  email: string;
  name: string | null;
}

/**
 * The folded text by which an order is found: its number, the buyer's e-mail and name, and the names of its addresses. Each word of a name
 * begins a part.
 */
export function orderSearchText(
  { orderNumber, shippingAddress, billingAddress }: Pick<Order, 'orderNumber' | 'shippingAddress' | 'billingAddress'>,
  buyer: Buyer | null,
): string {
  const names = [buyer?.name ?? '', nameOf(shippingAddress), nameOf(billingAddress)].map((name) =>
    foldText(name).trim().split(/\s+/),
  );
  const parts = [
    foldText(orderNumber),
    orderNumber.replace(/^ORD-/, ''),
    foldText(buyer?.email.trim() ?? ''),
    ...names.flatMap((words) => [words.join(' '), ...words.slice(1)]),
  ];
  return [...new Set(parts)].flatMap((part) => (part === '' ? [] : [mark, part])).join('');
}

function nameOf(address: AddressSnapshot | null): string {
  return `${address?.firstName ?? ''} ${address?.lastName ?? ''}`;
}

/** The term that an order's text must contain; if it is shorter than three characters, at the beginning of a part. */
export function orderSearchTerm(search: string | undefined): string {
  const term = foldText(search ?? '')
    .trim()
    .replace(/\s+/g, ' ');
  if (term === '') return '';
  return [...term].length < 3 ? mark + term : term;
}

/** Sets the text by which a locked order is found. */
export async function writeSearchText(tx: TxContext, { id, orderNumber }: Order, search: string): Promise<void> {
  await tx.db.updateTable('orders').set({ search }).where('store_id', '=', tx.store.id).where('id', '=', id).execute();
  await tx.engine.storage.orderSearch.put(tx.db, searchRowOf(tx, orderNumber), search);
}

/** The row of an order in the index. */
export function searchRowOf({ store }: TxContext, orderNumber: string) {
  return { store, number: Number(orderNumber.replace(/^ORD-/, '')) };
}
