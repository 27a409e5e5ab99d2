import type { TxContext } from '../engine/context.ts';
import { foldText, searchWords } from '../kernel/fold.ts';
import type { AddressSnapshot, Order } from './fields.ts';

/** Precedes each part of a text, so an index of three characters can find the beginning of a part by one or two characters. */
const mark = '\u001f\u001f';

/** The buyer, as named when the order was created. */
export interface Buyer {
  email: string;
  name: string | null;
}

/** Maximum number of characters of a text. Titles and SKUs of many lines are left out beyond it. */
const maxText = 2000;

/** The fields of an order by which it is found. */
type Found = Pick<Order, 'orderNumber' | 'shippingAddress' | 'billingAddress' | 'items' | 'fulfilments'>;

/**
 * The folded text by which an order is found: its number, the buyer's e-mail and name, the names, companies and postal codes of its
 * addresses, the titles and SKUs of its lines, and the tracking numbers of its parcels. Each word of a name begins a part.
 */
export function orderSearchText(order: Found, buyer: Buyer | null): string {
  const { orderNumber, shippingAddress, billingAddress, items } = order;
  const addresses = [shippingAddress, billingAddress];
  const names = [buyer?.name ?? '', nameOf(shippingAddress), nameOf(billingAddress)].map((name) =>
    foldText(name).trim().split(/\s+/),
  );
  const parts = [
    foldText(orderNumber),
    orderNumber.replace(/^ORD-/, ''),
    foldText(buyer?.email.trim() ?? ''),
    ...names.flatMap((words) => [words.join(' '), ...words.slice(1)]),
    ...addresses.map((address) => foldText(address?.company ?? '').trim()),
    ...addresses.flatMap((address) => withoutBlanks(address?.postalCode)),
    ...items.flatMap(({ skuSnapshot, titleSnapshot }) => [
      foldText(skuSnapshot ?? ''),
      foldText(titleSnapshot).trim().replace(/\s+/g, ' '),
    ]),
  ];
  let text = '';
  for (const part of new Set(parts)) {
    if (part !== '' && text.length + mark.length + part.length <= maxText) text += mark + part;
  }
  return trackedText(text, order.fulfilments);
}

/** The text with other tracking numbers, for an order whose buyer is known only from its text. */
export function trackedText(text: string, parcels: Order['fulfilments']): string {
  const [before = ''] = text.split(trackingMark);
  const parts = parcels.flatMap(({ tracking }) => withoutBlanks(tracking?.number)).filter((part) => part !== '');
  let found = '';
  // The newest ones first, because a text has an end.
  for (const part of new Set(parts.reverse())) {
    if (found.length + mark.length + part.length <= maxText) found += mark + part;
  }
  return found === '' ? before : `${before}${mark}${found}`;
}

/** Begins the last parts of a text, those of the tracking numbers. */
const trackingMark = mark + mark;

/** A code as it is written, and without its blanks. */
function withoutBlanks(code: string | null | undefined): string[] {
  const folded = foldText(code ?? '')
    .trim()
    .replace(/\s+/g, ' ');
  return [...new Set([folded, folded.replaceAll(' ', '')])];
}

function nameOf(address: AddressSnapshot | null): string {
  return `${address?.firstName ?? ''} ${address?.lastName ?? ''}`;
}

/** The words that an order's text must contain; if all are shorter than three characters, at the beginning of a part. */
export function orderSearchWords(search: string | undefined): string[] {
  const words = searchWords(search ?? '').map((word) => word.replace(/\s+/g, ' '));
  return words.every((word) => [...word].length < 3) ? words.map((word) => mark + word) : words;
}

/** Makes a locked order that was found by its former tracking numbers findable by the present ones. */
export async function writeTracking(tx: TxContext, order: Order): Promise<void> {
  const { search } = await tx.db
    .selectFrom('orders')
    .select('search')
    .where('store_id', '=', tx.store.id)
    .where('id', '=', order.id)
    .executeTakeFirstOrThrow();
  const text = trackedText(search, order.fulfilments);
  if (text !== search) await writeSearchText(tx, order, text);
}

/** Sets the text by which a locked order is found. */
export async function writeSearchText(tx: TxContext, { id, orderNumber }: Order, search: string): Promise<void> {
  await tx.db.updateTable('orders').set({ search }).where('store_id', '=', tx.store.id).where('id', '=', id).execute();
  await tx.engine.storage.orderSearch.put(tx.db, searchRowOf(tx, orderNumber), [search]);
}

/** The row of an order in the index. */
export function searchRowOf({ store }: TxContext, orderNumber: string) {
  return { store, number: Number(orderNumber.replace(/^ORD-/, '')) };
}
