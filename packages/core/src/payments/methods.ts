import { serves } from '../engine/settings/methods.ts';
import { factsOfKind, type PaymentKind, usualHoldDays } from '../engine/settings/payments.ts';
import type { SellingSettings } from '../engine/settings/settings.ts';
import { type Minor, minorOf } from '../kernel/money.ts';
import { rescale } from '../providers/checkout-sums.ts';
import type { ProviderName } from '../storage/tables/payments.ts';
import { pagesOf, type ReadySettings } from './settings.ts';

const titles = { stripe: 'Stripe', paypal: 'PayPal', square: 'Square' } as const satisfies Record<ProviderName, string>;

/** A way to pay a checkout that is ready. */
export interface PaymentMethod {
  id: string;
  /** The name that buyers know. */
  name: string;
  kind: PaymentKind;
  /** Null for a way without a provider. */
  provider: ProviderName | null;
  /** Codes of the countries that it serves; null for all. */
  countries: readonly string[] | null;
  /** Decimal strings; null for no limit. */
  minTotal: string | null;
  maxTotal: string | null;
  /** Days for which a bank transfer is waited for. */
  holdDays: number;
}

interface Chooser {
  settings: Pick<SellingSettings, 'paymentMethods'>;
  /** The providers that can open pages. */
  ready: readonly ReadySettings[];
  /** True for a storefront key, which anyone has. */
  isPublic: boolean;
}

/** The ways to pay of a store, in the order of its settings. Without settings, each provider that can open pages is one. */
export function paymentMethodsOf({ settings: { paymentMethods }, ready, isPublic }: Chooser): PaymentMethod[] {
  const usual = { countries: null, minTotal: null, maxTotal: null, holdDays: usualHoldDays };
  if (paymentMethods.length === 0) {
    return ready.map(({ name }) => ({ ...usual, id: name, name: titles[name], kind: 'provider', provider: name }));
  }
  return paymentMethods.flatMap(({ id, name, kind, provider, countries, minTotal, maxTotal, holdDays, active }) => {
    const isReady = kind !== 'provider' || ready.some((one) => one.name === provider);
    if (!active || !isReady || (isPublic && factsOfKind(kind).needsSecretKey)) return [];
    return [{ id, name, kind, provider, countries, minTotal, maxTotal, holdDays: holdDays ?? usualHoldDays }];
  });
}

/** The ways to pay that an order of this country and total can have. */
export function servingMethods(
  methods: readonly PaymentMethod[],
  country: string | null,
  total: Minor,
): PaymentMethod[] {
  return methods.filter((method) => serves(method, country) && allows(method, total));
}

/** True if an order of this total can be paid this way. */
export function allows({ minTotal, maxTotal }: PaymentMethod, total: Minor): boolean {
  return (minTotal === null || total >= minorOf(minTotal)) && (maxTotal === null || total <= minorOf(maxTotal));
}

/** True if an amount can be paid this way: some providers take fewer decimals than a currency has. */
export function canCharge({ provider }: PaymentMethod, amount: Minor, currency: string, decimals: number): boolean {
  if (provider === null) return true;
  return rescale(amount, decimals, pagesOf(provider).chargedDecimals(currency, decimals)) !== null;
}
