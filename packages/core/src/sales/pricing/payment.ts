import { serves } from '../../engine/settings/methods.ts';
import { quote } from '../../kernel/errors.ts';
import { formatMoney, type Minor } from '../../kernel/money.ts';
import { allows, canCharge, type PaymentMethod, servingMethods } from '../../payments/methods.ts';
import type { Cart, PricingFacts, Problem } from './cart.ts';

interface Chosen {
  /** The ways to pay that serve the cart. */
  methods: PaymentMethod[];
  method: PaymentMethod | null;
  problem?: Problem;
}

/** The ways to pay that serve a cart with this total, and the chosen one. */
export function choosePayment(
  { country, billingCountry }: Pick<Cart, 'country' | 'billingCountry'>,
  total: Minor,
  { buying, store: { currency, decimals } }: PricingFacts,
): Chosen {
  if (!buying) return { methods: [], method: null };
  const { paymentMethods: all, wanted } = buying;
  const place = country ?? billingCountry ?? null;
  const methods = servingMethods(all, place, total);
  if (total === 0n) return { methods, method: null };
  const isWanted = ({ id, provider }: PaymentMethod) => wanted?.id === (wanted?.field === 'provider' ? provider : id);
  const [only, second] = methods;
  const method = wanted ? methods.find(isWanted) : second ? undefined : only;
  if (!method) return { methods, method: null, problem: problemOf(all, methods, all.filter(isWanted)) };
  if (canCharge(method, total, currency, decimals)) return { methods, method };
  const message = `come to ${formatMoney(total, decimals)} ${currency}, which ${method.name} cannot charge: it takes fewer decimals`;
  return { methods, method, problem: { code: 'AMOUNT_NOT_CHARGEABLE', field: 'items', message } };

  function problemOf(
    known: readonly PaymentMethod[],
    offered: readonly PaymentMethod[],
    asked: readonly PaymentMethod[],
  ): Problem {
    const names = known.every(({ kind, provider, id }) => kind === 'provider' && id === provider);
    const field = wanted?.field ?? (names ? 'provider' : 'paymentMethodId');
    const ids = offered.map(({ id }) => id);
    const code = 'PAYMENT_METHOD_NOT_OFFERED';
    if (wanted) {
      const [one] = asked;
      const message = one
        ? `${quote(wanted.id)} ${whyNot(one)}`
        : names
          ? `${quote(wanted.id)} cannot open payment pages in this store; providers that can: ${ids.join(', ') || 'none yet'}`
          : `${quote(wanted.id)} is not offered; the ways to pay are: ${ids.join(', ') || 'none'}`;
      return { code, field, message, limits: { values: ids } };
    }
    const [first] = known;
    if (!first) {
      const message = 'no payment provider of this store can open a payment page: see `commerce payments configure`';
      return { code, field: 'provider', message, reason: 'noPaymentPages' };
    }
    if (offered.length === 0) {
      if (place === null && known.some((one) => allows(one, total))) {
        const message = 'is required: which ways to pay are offered depends on it';
        return { code: 'COUNTRY_REQUIRED', field: 'shippingAddress.country', message };
      }
      const message = `no way to pay serves this cart: ${known.map((one) => `${quote(one.id)} ${whyNot(one)}`).join('; ')}`;
      return { code, field, message, limits: { values: [] } };
    }
    const message = names
      ? `is required; the store sells through ${ids.join(' and ')}`
      : `is required; the ways to pay are ${ids.join(', ')}`;
    return { code: 'PAYMENT_METHOD_REQUIRED', field, message, limits: { values: ids } };
  }

  function whyNot(one: PaymentMethod): string {
    if (!serves(one, place)) {
      const only = `only serves ${one.countries?.join(', ')}`;
      return place === null ? `${only}; the country is not known` : `${only}; the country is ${quote(place)}`;
    }
    const limits = [one.minTotal && `from ${one.minTotal}`, one.maxTotal && `up to ${one.maxTotal}`].filter(Boolean);
    return `only serves totals ${limits.join(' ')} ${currency}; the total is ${formatMoney(total, decimals)}`;
  }
}
