import { formatMoney, type Minor } from '../../kernel/money.ts';
import type { OutboundAnswer } from '../../network/outbound.ts';
import { type CheckoutPages, type PageRequest, type ProviderPage, ProviderSettingsError } from '../checkout-page.ts';
import { rescale, spread } from '../checkout-sums.ts';
import { countryOf, given, nameOf, orderName, recipientOf } from '../checkout-texts.ts';
import { jsonOf } from '../provider-api.ts';
import { integerAt, textAt } from '../reading.ts';
import { refusedInput, refusedSettings, unreadable } from '../refusal.ts';
import { callStripe, reasonOf } from './api.ts';
import { earlierMethods, type StripeMethod } from './methods.ts';
import { stripeDecimals } from './money.ts';
import type { StripeSettings } from './stripe.ts';

/** More lines would be shown to the buyer as one. */
const maxLines = 50;
const maxName = 5000;
const maxShippingName = 100;

/** Stripe takes ends from 30 min to 24 h after the call; a minute is for clocks that differ. */
const minOpen = 31 * 60_000;
const maxOpen = (24 * 60 - 1) * 60_000;

/** Pages of Stripe Checkout (docs.stripe.com/api/checkout/sessions). Stripe takes the money itself. */
export const stripePages: CheckoutPages<StripeSettings> = {
  ready: ({ secretKey }) => secretKey !== undefined,
  chargedDecimals,

  async open(request, settings) {
    const answer = await callStripe(settings, 'POST', '/v1/checkout/sessions', {
      body: formOf(stripeSession(request, settings.methods)),
      idempotencyKey: request.checkoutId,
    });
    if (answer.status !== 200) throw refusalOf(answer, settings);
    return pageOf(answer, request);
  },

  async close({ id }, settings) {
    const path = `/v1/checkout/sessions/${encodeURIComponent(id)}`;
    // Without an idempotency key, whose stored fault would be repeated for a day; ending twice does no harm.
    const ended = await callStripe(settings, 'POST', `${path}/expire`, { body: '' });
    if (ended.status === 200) return 'closed';
    if (ended.status === 401 || ended.status === 403) throw refusalOf(ended, settings);
    // Refused because it is not open any more: it ended by itself, or was paid.
    const session = await callStripe(settings, 'GET', path);
    if (session.status !== 200) throw refusalOf(session, settings);
    const status = textAt(jsonOf(session), 'status');
    // Completed unpaid: a delayed method has to bring the money, or has failed. The payment tells which, not the page.
    if (status === 'complete') return textAt(jsonOf(session), 'payment_status') === 'unpaid' ? 'closed' : 'paid';
    if (status === 'expired') return 'closed';
    throw refusalOf(ended, settings);
  },
};

/** The session that charges an order's total, as Stripe's API takes it. */
export function stripeSession(request: PageRequest, methods: readonly StripeMethod[] = earlierMethods) {
  const { orderId, createdAt, customer } = request;
  const metadata = { order_id: orderId };
  const shipping = shippingOf(request);
  return {
    mode: 'payment' as const,
    ...itemsOf(request),
    customer_email: customer.email,
    client_reference_id: orderId,
    metadata,
    payment_intent_data: { metadata, ...(shipping && { shipping }) },
    allowed_payment_method_types: [...methods],
    adaptive_pricing: { enabled: false },
    success_url: request.successUrl,
    cancel_url: request.cancelUrl,
    // Depends only on the checkout: with another time, Stripe would treat a repeated call as another request.
    expires_at: Math.floor(Math.min(Math.max(request.expiresAt, createdAt + minOpen), createdAt + maxOpen) / 1000),
  };
}

/**
 * The lines and the shipping, whose sum is the total. Stripe knows no negative lines, so the discount is taken off the lines'
 * prices; tax is a line of its own. Where parts cannot be expressed, the order is one line.
 */
function itemsOf(request: PageRequest) {
  const currency = request.currency.toLowerCase();
  const money = moneyOf(request);
  const price = (name: string, amount: Minor, quantity = 1) => ({
    quantity,
    price_data: { currency, unit_amount: money.sent(amount), product_data: { name: nameOf(name, maxName) } },
  });
  const total = money.chargeable(request.total);
  if (total === null) {
    const amount = `${formatMoney(request.total, request.decimals)} ${request.currency}`;
    throw new ProviderSettingsError(`Stripe cannot charge ${amount}: it supports ${money.decimals} decimals`);
  }
  const whole = { line_items: [price(orderName(request), total)] };
  const lines = request.lines.map((line) => money.chargeable(line.total));
  const [discount, shipping] = [money.chargeable(request.discount), money.chargeable(request.shipping)];
  const tax = request.taxIncluded ? 0n : money.chargeable(request.tax);
  if (!isWhole(lines) || discount === null || shipping === null || tax === null) return whole;
  const shares = spread(discount, lines);
  const amounts = lines.map((amount, index) => amount - (shares[index] ?? 0n));
  const goods = amounts.reduce((sum, amount) => sum + amount, 0n);
  if (lines.length > maxLines || goods === 0n || goods + shipping + tax !== total) return whole;
  const items = request.lines.map(({ name, quantity }, index) => {
    const amount = amounts[index] ?? 0n;
    if (amount % BigInt(quantity) === 0n) return price(name, amount / BigInt(quantity), quantity);
    return price(`${quantity} × ${name}`, amount);
  });
  if (tax > 0n) items.push(price('Tax', tax));
  if (shipping === 0n) return { line_items: items };
  const display_name = nameOf(request.shippingName ?? 'Shipping', maxShippingName);
  const fixed_amount = { amount: money.sent(shipping), currency };
  return {
    line_items: items,
    shipping_options: [{ shipping_rate_data: { display_name, type: 'fixed_amount' as const, fixed_amount } }],
  };
}

function isWhole(amounts: readonly (Minor | null)[]): amounts is Minor[] {
  return amounts.every((amount) => amount !== null);
}

/**
 * A currency's decimals at Stripe: as sent, and as chargeable. The last of three decimals has to be 0, and so do both of a currency that
 * has none by ISO 4217 (docs.stripe.com/currencies).
 */
function moneyOf({ currency, decimals }: PageRequest) {
  const sentDecimals = stripeDecimals(currency);
  const charged = chargedDecimals(currency, decimals);
  return {
    decimals: charged,
    chargeable: (amount: Minor) => rescale(amount, decimals, charged),
    sent: (amount: Minor) => Number(amount * 10n ** BigInt(sentDecimals - charged)),
  };
}

function chargedDecimals(currency: string, decimals: number): number {
  const sent = stripeDecimals(currency);
  return Math.min(decimals, sent === 3 ? 2 : sent);
}

function shippingOf(request: PageRequest) {
  const { shippingAddress: address, customer } = request;
  const name = recipientOf(request);
  const country = countryOf(address);
  if (!address?.address1 || name === null || country === null) return null;
  const { address1: line1, address2: line2, city, region: state, postalCode: postal_code } = address;
  const phone = address.phone ?? customer.phone;
  return {
    name,
    ...(phone ? { phone } : {}),
    address: { line1, country, ...given({ line2, city, state, postal_code }) },
  };
}

/** Stripe's form encoding of nested values: `a[b][0][c]=d`. */
export function formOf(value: object): string {
  const form = new URLSearchParams();
  const add = (name: string, field: unknown): void => {
    if (field !== null && typeof field === 'object') {
      for (const [key, inner] of Object.entries(field)) add(`${name}[${key}]`, inner);
    } else {
      form.append(name, String(field));
    }
  };
  for (const [name, field] of Object.entries(value)) add(name, field);
  return form.toString();
}

function pageOf(answer: OutboundAnswer, request: PageRequest): ProviderPage {
  const session = jsonOf(answer);
  const id = textAt(session, 'id');
  const url = textAt(session, 'url');
  const amount = integerAt(session, 'amount_total');
  const currency = textAt(session, 'currency')?.toUpperCase() ?? null;
  if (id === null || url === null || amount === null || currency === null) {
    throw unreadable('Stripe', answer, 'an open session');
  }
  return {
    id,
    providerOrder: null,
    url,
    amount: rescale(BigInt(amount), stripeDecimals(currency), request.decimals),
    currency,
  };
}

/** Fields of the checkout that explain a refusal, by Stripe's word for it. */
const inputs: Record<string, string> = {
  email_invalid: 'customer.email',
  amount_too_small: 'items',
  amount_too_large: 'items',
  postal_code_invalid: 'shippingAddress',
  country_code_invalid: 'shippingAddress',
};

function refusalOf(answer: OutboundAnswer, { secretKey, webhookSecret }: StripeSettings): Error {
  const refusal = reasonOf(answer);
  const field = inputOf(refusal.code, refusal.field);
  if (answer.status === 400 && field !== null) return refusedInput(field, refusal);
  return refusedSettings(refusal, [secretKey, webhookSecret]);
}

function inputOf(code: string | null, param: string | null): string | null {
  if (code !== null && Object.hasOwn(inputs, code)) return inputs[code] ?? null;
  // A parameter that Stripe does not know is our mistake, whatever it is called.
  if (code === 'parameter_unknown' || code === 'parameter_missing') return null;
  if (param === 'customer_email') return 'customer.email';
  if (param?.startsWith('payment_intent_data[shipping]')) return 'shippingAddress';
  return null;
}
