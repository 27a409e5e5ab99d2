import type { Schemas } from '../../../api/types.ts';
import { fromMinorUnits, minorUnits } from '../../../kit/money.ts';

export type Method = Schemas['Settings']['shippingMethods'][number];

/** What decides about ways to ship and their prices. */
export interface Basket {
  /** Undefined while it is not known: then no country is in the way, and no postal code. */
  country: string | undefined;
  postalCode: string;
  /** A decimal string, before discounts. */
  subtotal: string;
  /** Grams of the goods that are shipped. */
  weight: number;
}

export interface Offer {
  method: Method;
  /** A decimal string. */
  price: string;
}

/** The active methods that serve a basket, with their prices. The service decides in the same way. */
export function offersOf(methods: readonly Method[], basket: Basket, decimals: number): Offer[] {
  return methods.flatMap((method) => {
    const price = method.active ? priceOf(method, basket, decimals) : undefined;
    return price === undefined ? [] : [{ method, price }];
  });
}

/** The price of a method for a basket; undefined if the method does not serve it. */
function priceOf(method: Method, basket: Basket, decimals: number): string | undefined {
  const units = (amount: string) => minorUnits(amount, decimals);
  const subtotal = units(basket.subtotal);
  const { countries, minSubtotal, freeFrom, price, rates } = method;
  if (basket.country !== undefined && countries !== null && !countries.includes(basket.country)) return undefined;
  if (!reaches(method, basket.postalCode)) return undefined;
  if (minSubtotal !== null && subtotal < units(minSubtotal)) return undefined;
  const found = rates
    ? rates.find(
        ({ upToWeight, upToSubtotal }) =>
          (upToWeight === null || basket.weight <= upToWeight) &&
          (upToSubtotal === null || subtotal <= units(upToSubtotal)),
      )?.price
    : price;
  if (found === undefined) return undefined;
  return freeFrom !== null && subtotal >= units(freeFrom) ? fromMinorUnits(0n, decimals) : found;
}

/** Whether a method serves a postal code. One that is not known yet is in the way of no method. */
function reaches({ postalPrefixes }: Method, typed: string): boolean {
  const code = typed.replace(/\s/g, '').toUpperCase();
  if (!postalPrefixes || code === '') return true;
  const { include, exclude } = postalPrefixes;
  const begins = (prefix: string) => code.startsWith(prefix);
  return (include?.some(begins) ?? true) && !exclude?.some(begins);
}

/** Countries in which the same ways to ship cost the same. */
export interface Region {
  /** Codes; empty if it is only the countries that no method names. */
  countries: string[];
  /** Whether all countries that no method names are among them. */
  hasOthers: boolean;
  offers: Offer[];
}

/** No country: stands for those that no method names. */
const elsewhere = 'ZZ';

/**
 * What a basket costs in each country, the shop's own first; countries with the same methods and prices together.
 * @param home the country of the shop; null if it is not known
 */
export function regionsOf(
  methods: readonly Method[],
  home: string | null,
  basket: Omit<Basket, 'country'>,
  decimals: number,
): Region[] {
  const named = new Set([...(home ? [home] : []), ...methods.flatMap(({ countries }) => countries ?? []), elsewhere]);
  const regions = new Map<string, Region>();
  for (const country of named) {
    const offers = offersOf(methods, { ...basket, country }, decimals);
    const key = JSON.stringify(offers.map(({ method, price }) => [method.id, price]));
    const region = regions.get(key) ?? { countries: [], hasOthers: false, offers };
    regions.set(key, region);
    if (country === elsewhere) region.hasOthers = true;
    else region.countries.push(country);
  }
  return [...regions.values()];
}
