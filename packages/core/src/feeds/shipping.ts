import type { StoreContext } from '../engine/store.ts';
import { formatMoney, minorOf } from '../kernel/money.ts';
import type { Product } from '../products/fields.ts';
import { methodPrice } from '../sales/pricing/shipping.ts';
import type { Parts } from './columns.ts';
import { cut, oneLine } from './texts.ts';

/** Values of `shipping` that Google takes of a product. */
const maxValues = 100;

/** The countries that goods are offered in: those of the feed, else those that methods name, with that of the shop. */
export function marketsOf({ settings }: Pick<StoreContext, 'settings'>): readonly string[] {
  const { feed, shippingMethods, country } = settings;
  if (feed.targetCountries) return feed.targetCountries;
  const named = shippingMethods
    .filter(({ active, kind }) => active && kind === 'ship')
    .flatMap(({ countries }) => countries ?? []);
  return [...new Set([...(country === null ? [] : [country]), ...named])];
}

/**
 * What it costs to ship one piece, for each country and method. Methods that serve only some postal codes, or do not take this piece, are
 * left out, and so is pickup. Above 100 values each country has its lowest.
 */
export function shippingOf(product: Product, store: StoreContext, countries: readonly string[]): Parts[] {
  const amount = (price: bigint) => `${formatMoney(price, store.decimals)} ${store.currency}`;
  if (!product.requiresShipping) {
    return countries.slice(0, maxValues).map((country) => ({ country, region: '', service: '', price: amount(0n) }));
  }
  const goods = { postalCode: null, subtotal: minorOf(product.price), weight: BigInt(product.weight ?? 0) };
  const offered = store.settings.shippingMethods.flatMap((method) => {
    if (!method.active || method.kind !== 'ship') return [];
    const price = methodPrice(method, { ...goods, country: method.countries?.[0] ?? null }, store);
    return typeof price === 'bigint' ? [{ method, price }] : [];
  });
  const values = countries.flatMap((country) => {
    const here = offered.filter(({ method }) => method.countries?.includes(country) ?? true);
    return here.map(({ method, price }) => ({ country, service: serviceOf(method.name), price }));
  });
  const few = values.length <= maxValues ? values : lowestOf(values).slice(0, maxValues);
  return few.map(({ country, service, price }) => ({ country, region: '', service, price: amount(price) }));
}

/** The name of a method. Colons and commas separate values in a table. */
function serviceOf(name: string): string {
  return cut(oneLine(name.replaceAll(/[:,]/g, ' ')), 60);
}

function lowestOf<T extends { country: string; price: bigint }>(values: readonly T[]): T[] {
  const lowest = new Map<string, T>();
  for (const value of values) {
    const known = lowest.get(value.country);
    if (!known || value.price < known.price) lowest.set(value.country, value);
  }
  return [...lowest.values()];
}
