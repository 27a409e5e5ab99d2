import type { AddressSnapshot } from '../../orders/fields.ts';
import type { OrderInput } from '../../orders/inputs.ts';
import type { AttemptNotice } from '../notice.ts';
import { objectAt, textAt } from '../reading.ts';

/**
 * The order that a payment intent, charge or checkout session describes in its metadata. Read when the named order does not exist yet.
 * `order_items` is a JSON array of `{productId or sku, quantity}`, continued in `order_items_2`, `order_items_3`… because a metadata value
 * of Stripe holds at most 500 characters. Also `order_shipping`, `order_tax_rate`, `order_discount`, `order_discount_code` and
 * `order_note`. Prices are never read: they come from the catalogue.
 */
export function orderDraftOf(object: object): Pick<AttemptNotice, 'draft' | 'draftProblem'> {
  const metadata = (name: string) => textAt(object, 'metadata', name);
  let itemsText = metadata('order_items');
  if (itemsText === null) return { draft: null, draftProblem: null };
  for (let part = 2; ; part++) {
    const more = metadata(`order_items_${part}`);
    if (more === null) break;
    itemsText += more;
  }
  let items: unknown;
  try {
    items = JSON.parse(itemsText);
  } catch {
    return { draft: null, draftProblem: 'metadata.order_items is not JSON' };
  }
  if (!Array.isArray(items)) return { draft: null, draftProblem: 'metadata.order_items is not a JSON array' };
  const customer = customerOf(object);
  const draft: Record<string, unknown> = {
    items: items.slice(0, maxItems).map(flatItem),
    customer: customer.email === null ? null : customer,
    shippingAddress: addressAt(object, 'shipping') ?? addressAt(object, 'collected_information', 'shipping_details'),
    billingAddress: addressAt(object, 'billing_details') ?? addressAt(object, 'customer_details'),
    customerNote: metadata('order_note'),
    discountCode: metadata('order_discount_code'),
  };
  const amounts = { shipping: 'order_shipping', taxRate: 'order_tax_rate', discount: 'order_discount' };
  for (const [field, name] of Object.entries(amounts)) {
    const value = metadata(name);
    if (value !== null) draft[field] = value;
  }
  // Untrusted: the buyer can have written it into a payment, so `makeOrder` parses it like any other input.
  return { draft: draft as unknown as OrderInput, draftProblem: null };
}

/** One more than an order can have, to refuse too many instead of cutting them off. */
const maxItems = 501;

/** An item without nested values, because item fields never have any. */
function flatItem(item: unknown): unknown {
  if (item === null || typeof item !== 'object') return item;
  return Object.fromEntries(Object.entries(item).filter(([, value]) => value === null || typeof value !== 'object'));
}

function customerOf(object: object) {
  const from = objectAt(object, 'billing_details') ?? objectAt(object, 'customer_details') ?? {};
  return {
    email: textAt(from, 'email') ?? textAt(object, 'receipt_email') ?? textAt(object, 'customer_email'),
    name: textAt(from, 'name') ?? textAt(object, 'shipping', 'name'),
    phone: textAt(from, 'phone') ?? textAt(object, 'shipping', 'phone'),
  };
}

/** Stripe's address, whose single name is split into first and last name. */
function addressAt(object: object, ...path: string[]): AddressSnapshot | null {
  const holder = objectAt(object, ...path);
  const address = objectAt(holder, 'address');
  if (!address) return null;
  const words = textAt(holder, 'name')?.trim().split(/\s+/) ?? [];
  return {
    firstName: words.length > 1 ? words.slice(0, -1).join(' ') : null,
    lastName: words.at(-1) ?? null,
    address1: textAt(address, 'line1'),
    address2: textAt(address, 'line2'),
    city: textAt(address, 'city'),
    region: textAt(address, 'state'),
    postalCode: textAt(address, 'postal_code'),
    country: textAt(address, 'country'),
    company: textAt(holder, 'business_name'),
    phone: textAt(holder, 'phone'),
  };
}
