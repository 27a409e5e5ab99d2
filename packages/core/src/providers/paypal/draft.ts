import type { AddressSnapshot } from '../../orders/fields.ts';
import type { OrderInput } from '../../orders/inputs.ts';
import type { AttemptNotice } from '../notice.ts';
import { listAt, objectAt, textAt } from '../reading.ts';

/** The payer's e-mail and status, from PayPal's own order. */
export function payerOf(order: unknown): AttemptNotice['details'] {
  const payerEmail = emailOf(order);
  const payerStatus = textAt(order, 'payment_source', 'paypal', 'account_status');
  if (payerEmail === null && payerStatus === null) return null;
  return { ...(payerEmail === null ? {} : { payerEmail }), ...(payerStatus === null ? {} : { payerStatus }) };
}

function emailOf(order: unknown): string | null {
  return textAt(order, 'payment_source', 'paypal', 'email_address') ?? textAt(order, 'payer', 'email_address');
}

/** Our order's id (`custom_id`) and the paid account, from PayPal's own order. */
export function ownersOf(order: unknown): { orderId: string | null; payee: string | null } {
  const units = listAt(order, 'purchase_units');
  const [unit] = units;
  if (!unit || units.length > 1) return { orderId: null, payee: null };
  return { orderId: textAt(unit, 'custom_id'), payee: textAt(unit, 'payee', 'merchant_id') };
}

/**
 * The order to create, from PayPal's own order: items by their SKU, shipping from the breakdown, buyer and address. Discounts
 * are not taken over, because a buyer's browser can write that order.
 */
export function orderDraftOf(order: unknown): Pick<AttemptNotice, 'draft' | 'draftProblem'> {
  const units = listAt(order, 'purchase_units');
  const [unit] = units;
  if (!unit || units.length > 1)
    return { draft: null, draftProblem: "PayPal's order must have exactly one purchase unit" };
  const lines = listAt(unit, 'items');
  if (lines.length === 0) return { draft: null, draftProblem: null };
  const items: OrderInput['items'] = [];
  for (const line of lines) {
    const sku = textAt(line, 'sku');
    const quantity = textAt(line, 'quantity') ?? '';
    if (sku === null || !/^[1-9]\d{0,6}$/.test(quantity)) {
      return {
        draft: null,
        draftProblem: `an item of PayPal's order is missing a sku or a whole quantity: ${textAt(line, 'name')}`,
      };
    }
    items.push({ sku, quantity: Number(quantity) });
  }
  const shipping = textAt(unit, 'amount', 'breakdown', 'shipping', 'value');
  const email = emailOf(order);
  const draft: OrderInput = {
    items,
    ...(shipping === null ? {} : { shipping }),
    customer: email === null ? null : { email, name: nameOf(objectAt(order, 'payer', 'name')), phone: null },
    shippingAddress: addressOf(objectAt(unit, 'shipping')),
  };
  return { draft, draftProblem: null };
}

function nameOf(name: object | null): string | null {
  return [textAt(name, 'given_name'), textAt(name, 'surname')].filter(Boolean).join(' ') || null;
}

function addressOf(shipping: object | null): AddressSnapshot | null {
  const address = objectAt(shipping, 'address');
  if (!address) return null;
  const words = textAt(shipping, 'name', 'full_name')?.trim().split(/\s+/) ?? [];
  return {
    firstName: words.length > 1 ? words.slice(0, -1).join(' ') : null,
    lastName: words.at(-1) ?? null,
    address1: textAt(address, 'address_line_1'),
    address2: textAt(address, 'address_line_2'),
    city: textAt(address, 'admin_area_2'),
    region: textAt(address, 'admin_area_1'),
    postalCode: textAt(address, 'postal_code'),
    country: textAt(address, 'country_code'),
    company: null,
    phone: null,
  };
}
