import type { SellingSettings } from '../../engine/settings/settings.ts';
import type { AddressSnapshot } from '../../orders/fields.ts';
import type { Cart, PricingFacts, Problem } from './cart.ts';
import { requiresShipping } from './shipping.ts';
import { destinationOf, type GivenPlace, missingRegion, taxFactsOf } from './tax-place.ts';
import { taxRuleOf } from './tax-rules.ts';
import type { TaxedCart, TaxRule } from './taxes.ts';

/** The taxes that fall on a cart. */
export interface CartTax {
  /** The tax on goods of a class, whether or not the order is exempt. */
  ruleOf(taxClass: string): TaxRule;
  /** The tax on shipping, whether or not the order is exempt. */
  shippingTax: TaxedCart['shippingTax'];
  /** What an exempt order has in place of every tax; null if it is taxed. */
  exempt: TaxRule | null;
  problem?: Problem | undefined;
}

/** The taxes of a cart: the caller's rate, else those of the place that the goods go to, else the one rate of the store. */
export function taxOfCart(cart: Cart, { store: { settings }, isPaid, asked }: PricingFacts): CartTax {
  const { taxes, taxIncluded } = settings;
  const destination = isPickedUp(cart, settings) ? null : destinationOf(addressesOf(cart), settings, isPaid);
  const isExempt = cart.isTaxExempt === true;
  // The application's own function says the taxes of orders that have some; what an exempt order saves follows from the settings.
  const facts = asked && !isExempt ? undefined : taxFactsOf(settings);
  const oneRate: TaxRule = { country: null, region: null, rate: cart.taxRate ?? settings.taxRate, name: null };
  const isOne = cart.taxRate !== undefined || !facts;
  const place = destination ?? { country: facts?.home ?? '', region: null };
  const rules = new Map<string, TaxRule>();
  const ruleOf = (taxClass: string) => {
    if (isOne) return oneRate;
    // Finding a rule walks all rows of the settings; a cart has many lines of few classes.
    const rule = rules.get(taxClass) ?? taxRuleOf(facts, place, taxClass);
    rules.set(taxClass, rule);
    return rule;
  };
  const shipping = taxes?.shipping ?? (taxIncluded ? 'proportional' : 'none');
  return {
    ruleOf,
    shippingTax: shipping === 'proportional' || shipping === 'none' ? shipping : ruleOf(shipping),
    exempt: isExempt ? { country: facts ? place.country : null, region: null, rate: '0', name: null } : null,
    // Prices without tax are the same for an exempt order, whatever the tax would have been.
    problem: isOne || isPaid || (isExempt && !taxIncluded) ? undefined : missingRegion(facts, destination),
  };
}

/** True if the chosen way to ship is to fetch the goods at the shop. A method that is named for other goods is ignored. */
export function isPickedUp(cart: Cart, { shippingMethods }: SellingSettings): boolean {
  return (
    requiresShipping(cart) && shippingMethods.some(({ id, kind }) => id === cart.shippingMethodId && kind === 'pickup')
  );
}

/** The addresses of a cart, the one that counts first. */
function addressesOf({ country, region, placeAt, billingCountry, billingRegion }: Cart): GivenPlace[] {
  return [
    { country, region: region ?? null, at: placeAt ?? 'shippingAddress.' },
    { country: billingCountry ?? null, region: billingRegion ?? null, at: 'billingAddress.' },
  ];
}

/** The addresses of an input as a cart has them. */
export function placesOf(draft: {
  shippingAddress: Place | null;
  billingAddress: Place | null;
}): Pick<Cart, 'country' | 'region' | 'postalCode' | 'billingCountry' | 'billingRegion'> {
  const { shippingAddress: goods, billingAddress: bill } = draft;
  return {
    country: goods?.country ?? null,
    region: goods?.region,
    postalCode: goods?.postalCode,
    billingCountry: bill?.country,
    billingRegion: bill?.region,
  };
}

type Place = Pick<AddressSnapshot, 'country' | 'region' | 'postalCode'>;
