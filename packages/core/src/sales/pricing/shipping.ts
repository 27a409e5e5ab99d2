import { serves } from '../../engine/settings/methods.ts';
import type { ShippingMethod } from '../../engine/settings/shipping.ts';
import type { StoreContext } from '../../engine/store.ts';
import { quote } from '../../kernel/errors.ts';
import { formatMoney, type Minor, minorOf } from '../../kernel/money.ts';
import type { Cart, PricingFacts, Problem } from './cart.ts';

interface Offered {
  method: ShippingMethod;
  /** The price for the cart. */
  price: Minor;
}

interface Chosen {
  /** The methods that serve the cart. */
  methods: Offered[];
  method: Offered | null;
  problem?: Problem;
}

/** What decides whether a method serves a cart, and its price. */
export interface Goods {
  country: string | null;
  postalCode: string | null;
  /** Before discounts. */
  subtotal: Minor;
  /** Grams of the goods that are shipped. */
  weight: bigint;
}

/** Why a method does not serve a cart. */
export interface Obstacle {
  by: 'country' | 'postalCode' | 'cart';
  /** Follows the name of the method. */
  text: string;
}

/** True if something in a cart has to be shipped. A product that is not found could be such a thing. */
export function requiresShipping({ lines }: Pick<Cart, 'lines'>): boolean {
  return lines.some(({ product }) => product === null || product.requiresShipping);
}

function weightOf({ lines }: Pick<Cart, 'lines'>): bigint {
  let grams = 0n;
  for (const { product, quantity } of lines) {
    if (product?.requiresShipping) grams += BigInt(product.weight ?? 0) * BigInt(quantity);
  }
  return grams;
}

/**
 * The shipping methods that serve a cart, and the chosen one. A cart that needs no shipping has no methods, whatever was chosen. Without a
 * choice, orders with `defaultShipping` are sent by the first method that serves them: no buyer is made to fetch the goods.
 */
export function chooseShipping(
  cart: Cart,
  subtotal: Minor,
  { store, defaultShipping = false, buying }: PricingFacts,
): Chosen {
  if (!requiresShipping(cart)) return { methods: [], method: null };
  const wanted = cart.shippingMethodId;
  const goods: Goods = {
    country: cart.country,
    postalCode: cart.postalCode ?? null,
    subtotal,
    weight: weightOf(cart),
  };
  const all = store.settings.shippingMethods.filter(({ active }) => active);
  const methods = all.flatMap((method) => {
    const price = methodPrice(method, goods, store);
    return typeof price === 'bigint' ? [{ method, price }] : [];
  });
  if (wanted === undefined && !buying) {
    const usual = methods.find(({ method }) => method.kind === 'ship');
    return { methods, method: (defaultShipping && cart.shipping === undefined && usual) || null };
  }
  if (all.length === 0 && wanted === undefined) return { methods, method: null };
  const method = methods.find((one) => one.method.id === wanted);
  if (method) return { methods, method };
  return { methods, method: null, problem: problemOf(wanted, all, methods, goods, store) };
}

/** The price of a method for a cart, or why it does not serve the cart. */
export function methodPrice(method: ShippingMethod, goods: Goods, store: StoreContext): Minor | Obstacle {
  const { subtotal, country } = goods;
  const amount = (minor: Minor) => formatMoney(minor, store.decimals);
  if (!serves(method, country)) {
    const only = `only ships to ${method.countries?.join(', ')}`;
    const text = country === null ? `${only}; the country is not known` : `${only}; the country is ${quote(country)}`;
    return { by: 'country', text };
  }
  const postal = postalObstacle(method, goods.postalCode);
  if (postal !== undefined) return { by: 'postalCode', text: postal };
  if (method.minSubtotal !== null && subtotal < minorOf(method.minSubtotal)) {
    const text = `is offered from ${method.minSubtotal} ${store.currency}; the items come to ${amount(subtotal)}`;
    return { by: 'cart', text };
  }
  const price = bandPrice(method, goods);
  if (price === null) {
    const { upToWeight, upToSubtotal } = method.rates?.at(-1) ?? {};
    const text =
      upToWeight != null
        ? `is offered up to ${upToWeight} g; the items weigh ${goods.weight} g`
        : `is offered up to ${upToSubtotal} ${store.currency}; the items come to ${amount(subtotal)}`;
    return { by: 'cart', text };
  }
  return method.freeFrom !== null && subtotal >= minorOf(method.freeFrom) ? 0n : price;
}

/** The price of the first band that reaches the weight or subtotal; null above the last one. */
function bandPrice({ price, rates }: ShippingMethod, { weight, subtotal }: Goods): Minor | null {
  if (!rates) return minorOf(price);
  const band = rates.find(
    ({ upToWeight, upToSubtotal }) =>
      (upToWeight === null || weight <= BigInt(upToWeight)) &&
      (upToSubtotal === null || subtotal <= minorOf(upToSubtotal)),
  );
  return band ? minorOf(band.price) : null;
}

/** Why a method does not serve a postal code; undefined if it does. */
function postalObstacle({ postalPrefixes }: ShippingMethod, given: string | null): string | undefined {
  if (!postalPrefixes) return undefined;
  const { include, exclude } = postalPrefixes;
  const code = given?.replace(/\s/g, '').toUpperCase() ?? '';
  const begins = (prefix: string) => code.startsWith(prefix);
  if (include && code === '') return 'depends on the postal code, which is not known';
  if ((include && !include.some(begins)) || exclude?.some(begins))
    return `does not serve the postal code ${quote(given)}`;
  return undefined;
}

function problemOf(
  wanted: string | undefined,
  all: readonly ShippingMethod[],
  offered: readonly Offered[],
  goods: Goods,
  store: StoreContext,
): Problem {
  const { country } = goods;
  const obstacles = all.flatMap((method) => {
    const price = methodPrice(method, goods, store);
    return typeof price === 'bigint' ? [] : [{ ...price, id: method.id }];
  });
  const known = all.some(({ id }) => id === wanted);
  const own = obstacles.find(({ id }) => id === wanted);
  const isByCountry = (some: readonly Obstacle[]) => some.some(({ by }) => by === 'country');
  const field = 'shippingAddress.country';
  if (
    country === null &&
    (wanted === undefined ? offered.length === 0 && isByCountry(obstacles) : isByCountry(own ? [own] : []))
  ) {
    return {
      code: 'COUNTRY_REQUIRED',
      field,
      message: 'is required: which shipping methods are offered depends on it',
    };
  }
  if (
    country !== null &&
    obstacles.length > 0 &&
    offered.length === 0 &&
    obstacles.every(({ by }) => by === 'country')
  ) {
    return { code: 'COUNTRY_NOT_SERVED', field, message: `no shipping method serves the country ${quote(country)}` };
  }
  const ids = (offered.length > 0 ? offered.map(({ method }) => method) : all).map(({ id }) => id);
  const limits = { values: ids };
  if (wanted === undefined && offered.length > 0) {
    const message = `is required; the shipping methods are ${ids.join(', ')}`;
    return { code: 'SHIPPING_METHOD_REQUIRED', field: 'shippingMethodId', message, limits };
  }
  const message = own
    ? `${quote(own.id)} ${own.text}`
    : wanted !== undefined && !known
      ? `unknown shipping method ${quote(wanted)}; the shipping methods are: ${ids.map(quote).join(', ') || 'none yet'}`
      : `no shipping method serves this cart: ${obstacles.map(({ id, text }) => `${quote(id)} ${text}`).join('; ')}`;
  return { code: 'SHIPPING_METHOD_NOT_OFFERED', field: 'shippingMethodId', message, limits };
}
