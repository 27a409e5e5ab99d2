import { serves } from '../../engine/settings/methods.ts';
import type { ShippingMethod } from '../../engine/settings/shipping.ts';
import { quote } from '../../kernel/errors.ts';
import { type Minor, parseMoney } from '../../kernel/money.ts';
import type { Cart, PricingFacts, Problem } from './cart.ts';

interface Offered {
  method: ShippingMethod;
  /** The price for the cart. */
  price: Minor;
}

/** The shipping methods that serve a cart, and the chosen one. */
export function chooseShipping(
  cart: Cart,
  subtotal: Minor,
  { store: { settings, decimals }, defaultShipping = false, buying }: PricingFacts,
): { methods: Offered[]; method: Offered | null; problem?: Problem } {
  const { country, shippingMethodId: wanted } = cart;
  const all = settings.shippingMethods;
  const minor = (amount: string): Minor => parseMoney(amount, decimals) ?? 0n;
  const methods = all
    .filter((method) => serves(method, country))
    .map((method) => {
      const isFree = method.freeFrom !== null && subtotal >= minor(method.freeFrom);
      return { method, price: isFree ? 0n : minor(method.price) };
    });
  if (wanted === undefined && !buying) {
    return { methods, method: (defaultShipping && cart.shipping === undefined && methods[0]) || null };
  }
  if (all.length === 0 && wanted === undefined) return { methods, method: null };
  const method = methods.find((one) => one.method.id === wanted);
  if (method) return { methods, method };
  return { methods, method: null, problem: problemOf(wanted, all, methods, country) };
}

function problemOf(
  wanted: string | undefined,
  all: readonly ShippingMethod[],
  offered: readonly Offered[],
  country: string | null,
): Problem {
  const known = all.find(({ id }) => id === wanted);
  if (country === null && (wanted === undefined ? offered.length === 0 : known !== undefined)) {
    const message = 'is required: which shipping methods are offered depends on it';
    return { code: 'COUNTRY_REQUIRED', field: 'shippingAddress.country', message };
  }
  if (country !== null && offered.length === 0 && all.length > 0) {
    const message = `no shipping method serves the country ${quote(country)}`;
    return { code: 'COUNTRY_NOT_SERVED', field: 'shippingAddress.country', message };
  }
  const ids = (offered.length > 0 ? offered.map(({ method }) => method) : all).map(({ id }) => id);
  const limits = { values: ids };
  if (wanted === undefined) {
    const message = `is required; the shipping methods are ${ids.join(', ')}`;
    return { code: 'SHIPPING_METHOD_REQUIRED', field: 'shippingMethodId', message, limits };
  }
  const message = known
    ? `${quote(known.id)} only ships to ${known.countries?.join(', ')}; the country of shippingAddress is ${quote(country)}`
    : `unknown shipping method ${quote(wanted)}; the shipping methods are: ${ids.map(quote).join(', ') || 'none yet'}`;
  return { code: 'SHIPPING_METHOD_NOT_OFFERED', field: 'shippingMethodId', message, limits };
}
