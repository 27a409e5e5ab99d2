import { type DiscountUse, useDiscount } from '../../discounts/uses.ts';
import type { TxContext } from '../../engine/context.ts';
import type { ShippingMethod } from '../../engine/settings.ts';
import type { StoreContext } from '../../engine/store.ts';
import { invalid, quote } from '../../kernel/errors.ts';
import { parseMoney, parseRate } from '../../kernel/money.ts';
import type { OrderDraft } from '../../orders/inputs.ts';
import { type Charges, type Line, subtotalOf } from '../../orders/totals.ts';

/** How an order uses the store's settings in addition to its input. */
export interface ChargeOptions {
  /** Reads `discountCode` as one of the store's discounts and counts its use; otherwise it is only the caller's note. */
  countsDiscount?: boolean;
  /** Ships by the first method that serves the country, if the input has neither a price nor a method. */
  defaultShipping?: boolean;
}

/** The charges of an order and their sources. */
export interface OrderCharges {
  charges: Charges;
  taxRate: string;
  shippingMethod: ShippingMethod | null;
  discountUse: DiscountUse | null;
}

/**
 * The tax, shipping and discount of an order: its input overrides the store's settings. Counts the use of a discount.
 * @throws CommerceError `validation` for a shipping method that is unknown or does not serve the country, for an unknown or invalid
 * discount, and for a subtotal below the discount's minimum; `discountUsedUp`
 */
export async function chargesOf(
  tx: TxContext,
  draft: OrderDraft,
  lines: readonly Line[],
  { countsDiscount = false, defaultShipping = false }: ChargeOptions,
): Promise<OrderCharges> {
  const { settings, decimals } = tx.store;
  const minor = (amount: string | undefined) => (amount === undefined ? 0n : (parseMoney(amount, decimals) ?? 0n));
  const subtotal = subtotalOf(lines);
  const taxRate = draft.taxRate ?? settings.taxRate;
  const shippingMethod = shippingMethodOf(tx.store, draft, defaultShipping);
  const isFree = shippingMethod?.freeFrom != null && subtotal >= minor(shippingMethod.freeFrom);
  const shipping = draft.shipping ?? (isFree ? undefined : shippingMethod?.price);
  const uses = countsDiscount && draft.discountCode !== null;
  const discountUse = uses ? await useDiscount(tx, draft.discountCode as string, subtotal) : null;
  return {
    charges: {
      taxRate: parseRate(taxRate) ?? { numerator: 0n, denominator: 1n },
      taxIncluded: settings.taxIncluded,
      shipping: minor(shipping),
      discount: discountUse?.amount ?? minor(draft.discount),
    },
    taxRate,
    shippingMethod,
    discountUse,
  };
}

/** The method by which an order is shipped; null if the input has its own price, or the store has no methods. */
function shippingMethodOf(
  { settings: { shippingMethods } }: StoreContext,
  { shipping, shippingMethodId, shippingAddress }: OrderDraft,
  defaultShipping: boolean,
): ShippingMethod | null {
  const country = shippingAddress?.country ?? null;
  if (shippingMethodId === undefined) {
    if (!defaultShipping || shipping !== undefined) return null;
    return shippingMethods.find((method) => serves(method, country)) ?? null;
  }
  const method = shippingMethods.find(({ id }) => id === shippingMethodId);
  if (!method) {
    const known = shippingMethods.map(({ id }) => quote(id)).join(', ') || 'none yet';
    throw invalid(
      'shippingMethodId',
      `unknown shipping method ${quote(shippingMethodId)}; the shipping methods are: ${known}`,
      { code: 'NOT_OFFERED', limits: { values: shippingMethods.map(({ id }) => id) } },
    );
  }
  if (!serves(method, country)) {
    const to = `${quote(method.id)} only ships to ${method.countries?.join(', ')}`;
    throw invalid('shippingMethodId', `${to}; the country of shippingAddress is ${quote(country)}`, {
      code: 'CONFLICTING',
    });
  }
  return method;
}

function serves({ countries }: ShippingMethod, country: string | null): boolean {
  return countries === null || (country !== null && countries.includes(country.trim().toUpperCase()));
}
