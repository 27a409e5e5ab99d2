import type { Minor } from '../kernel/money.ts';
import { rescale } from '../providers/checkout-sums.ts';
import type { ProviderName } from '../storage/tables/payments.ts';
import { pagesOf, type ReadySettings } from './settings.ts';

const titles = { stripe: 'Stripe', paypal: 'PayPal', square: 'Square' } as const satisfies Record<ProviderName, string>;

/** A way to pay a checkout: at the page of a provider. */
export interface PaymentMethod {
  /** The name of the provider. */
  id: ProviderName;
  /** The name that buyers know. */
  name: string;
  kind: 'provider';
}

/** The ways to pay of a store with these providers. */
export function paymentMethodsOf(ready: readonly ReadySettings[]): PaymentMethod[] {
  return ready.map(({ name }) => ({ id: name, name: titles[name], kind: 'provider' }));
}

/** True if an amount can be paid this way: some providers take fewer decimals than a currency has. */
export function canCharge({ id }: PaymentMethod, amount: Minor, currency: string, decimals: number): boolean {
  return rescale(amount, decimals, pagesOf(id).chargedDecimals(currency, decimals)) !== null;
}
