import { formatMoney, stripeDecimals } from './money.ts';
import { randomToken } from './notifications.ts';
import { checkAmount, refused, type SessionForm } from './stripe-form.ts';
import type { BuyerPage, Target } from './stub-part.ts';
import type { StubRefund } from './stub-refunds.ts';

const minute = 60_000;

export interface Account {
  secretKey: string;
  webhookSecret: string;
  target: Target;
}

export interface Session {
  id: string;
  account: Account;
  form: SessionForm;
  status: 'open' | 'complete' | 'expired';
  /** The money of a completed page: a delayed method brings it, or fails, later. */
  money: 'none' | 'underWay' | 'paid' | 'failed';
  intent: string | null;
  /** The charge that took the money. */
  charge: string | null;
  created: number;
  expiresAt: number;
  total: number;
  shipping: number;
  currency: string;
  message: string | null;
  /** Time of the opening of its dispute. */
  disputedAt?: number;
}

/** The delayed method that the stub plays. */
const delayed = 'sepa_debit';

/** True if the buyer can choose a method whose money comes later. */
export function offersDelayed({ form }: Session): boolean {
  return form.allowed_payment_method_types?.includes(delayed) ?? false;
}

export function sessionOf(account: Account, form: SessionForm, now: number): Session {
  const fees = (form.shipping_options ?? []).map(({ shipping_rate_data }) => shipping_rate_data.fixed_amount);
  const prices = form.line_items.map(({ price_data }) => price_data);
  const [{ currency } = { currency: '' }] = prices;
  if ([...prices, ...fees].some((one) => one.currency !== currency)) {
    throw refused(400, { param: 'line_items', message: 'You can only use one currency in a Checkout Session.' });
  }
  const created = Math.floor(now / 1000) * 1000;
  const expiresAt = form.expires_at === undefined ? created + 24 * 60 * minute : form.expires_at * 1000;
  if (expiresAt < created + 30 * minute) {
    const message = 'The `expires_at` timestamp must be at least 30 minutes from Checkout Session creation.';
    throw refused(400, { param: 'expires_at', message });
  }
  if (expiresAt > created + 24 * 60 * minute) {
    const message = 'The `expires_at` timestamp must be less than 24 hours from Checkout Session creation.';
    throw refused(400, { param: 'expires_at', message });
  }
  // The buyer gets the first rate: this page does not offer a choice.
  const shipping = fees[0]?.amount ?? 0;
  const goods = form.line_items.reduce((sum, { price_data, quantity }) => sum + price_data.unit_amount * quantity, 0);
  const total = goods + shipping;
  checkAmount(total, currency.toUpperCase());
  return {
    id: `cs_test_simulated${randomToken()}`,
    account,
    form,
    status: 'open',
    money: 'none',
    intent: null,
    charge: null,
    created,
    expiresAt,
    total,
    shipping,
    currency,
    message: null,
  };
}

export function shown(session: Session, base: string): object {
  const { form, status, total, shipping, currency } = session;
  return {
    id: session.id,
    object: 'checkout.session',
    amount_subtotal: total - shipping,
    amount_total: total,
    cancel_url: form.cancel_url ?? null,
    client_reference_id: form.client_reference_id ?? null,
    created: session.created / 1000,
    currency,
    customer_email: form.customer_email ?? null,
    expires_at: session.expiresAt / 1000,
    livemode: false,
    metadata: form.metadata ?? {},
    mode: 'payment',
    payment_intent: session.intent,
    payment_method_types: form.allowed_payment_method_types ?? ['card'],
    payment_status: session.money === 'paid' ? 'paid' : 'unpaid',
    status,
    success_url: form.success_url,
    total_details: { amount_discount: 0, amount_shipping: shipping, amount_tax: 0 },
    url: status === 'open' ? `${base}/buyer/stripe/${session.id}` : null,
  };
}

export function shownRefund({ id, payment, amount, status, named, created }: StubRefund<Session>): object {
  return {
    id,
    object: 'refund',
    amount: Number(amount),
    charge: payment.charge,
    created: Math.floor(created / 1000),
    currency: payment.currency,
    metadata: JSON.parse(named ?? '{}'),
    payment_intent: payment.intent,
    reason: null,
    status,
    ...(status === 'failed' ? { failure_reason: 'expired_or_canceled_card' } : {}),
  };
}

export function chargeOf(session: Session, succeeded: boolean, now: number) {
  const card = { brand: 'visa', last4: succeeded ? '4242' : '0002', exp_month: 12, exp_year: 2034 };
  return {
    id: session.charge ?? `ch_simulated${randomToken()}`,
    object: 'charge',
    amount: session.total,
    amount_captured: succeeded ? session.total : 0,
    amount_refunded: 0,
    captured: succeeded,
    created: Math.floor(now / 1000),
    currency: session.currency,
    metadata: session.form.payment_intent_data?.metadata ?? {},
    paid: succeeded,
    payment_intent: session.intent,
    payment_method_details: { type: 'card', card },
    status: succeeded ? 'succeeded' : 'failed',
  };
}

export function intentOf(session: Session, succeeded: boolean, charge: string, now: number): object {
  return {
    id: session.intent,
    object: 'payment_intent',
    amount: session.total,
    amount_received: succeeded ? session.total : 0,
    created: Math.floor(now / 1000),
    currency: session.currency,
    latest_charge: charge,
    metadata: session.form.payment_intent_data?.metadata ?? {},
    payment_method_types: ['card'],
    status: succeeded ? 'succeeded' : 'requires_payment_method',
    last_payment_error: succeeded ? null : { code: 'card_declined', decline_code: 'generic_decline' },
  };
}

export function pageOf(session: Session): BuyerPage {
  const { form, status, total, shipping, currency, message } = session;
  const isDelayed = status === 'open' ? offersDelayed(session) : session.money === 'underWay';
  const code = currency.toUpperCase();
  const money = (minor: number) => `${formatMoney(BigInt(minor), stripeDecimals(code))} ${code}`;
  const lines = form.line_items.map(({ quantity, price_data }) => ({
    name: `${quantity} × ${price_data.product_data.name}`,
    amount: money(quantity * price_data.unit_amount),
  }));
  const [rate] = form.shipping_options ?? [];
  if (rate) lines.push({ name: rate.shipping_rate_data.display_name, amount: money(shipping) });
  const title = `Order ${form.client_reference_id ?? ''}`.trim();
  return { provider: 'Stripe', title, lines, total: money(total), isOpen: status === 'open', isDelayed, message };
}
