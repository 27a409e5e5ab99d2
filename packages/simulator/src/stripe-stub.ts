import * as z from 'zod';
import { formatMoney, stripeDecimals } from './money.ts';
import { randomToken, stripeNotification } from './notifications.ts';
import {
  type Acted,
  type Answered,
  type BuyerAction,
  type BuyerPage,
  type Fault,
  faultIn,
  Refused,
  remember,
  type StubAnswer,
  type StubPart,
  type StubRequest,
  type Target,
  type Told,
} from './stub-part.ts';

const minute = 60_000;

/** Numbers and switches come as text in a form. */
const whole = z
  .string()
  .regex(/^\d{1,12}$/)
  .transform(Number);
const choice = z.enum(['true', 'false']).transform((value) => value === 'true');
const currency = z.string().regex(/^[a-z]{3}$/);
const filled = (max: number) => z.string().min(1).max(max);
const metadata = z.record(filled(40), z.string().max(500)).refine((entries) => Object.keys(entries).length <= 50);

const price = z.strictObject({
  currency,
  unit_amount: whole,
  product_data: z.strictObject({
    name: filled(5000),
    description: filled(5000).optional(),
    metadata: metadata.optional(),
  }),
});
const shippingRate = z.strictObject({
  display_name: filled(100),
  type: z.literal('fixed_amount'),
  fixed_amount: z.strictObject({ amount: whole, currency }),
});
const address = z.strictObject({
  line1: filled(5000),
  line2: filled(5000).optional(),
  city: filled(5000).optional(),
  state: filled(5000).optional(),
  postal_code: filled(5000).optional(),
  country: z
    .string()
    .regex(/^[A-Z]{2}$/)
    .optional(),
});

/**
 * The parameters of a session as Stripe's API reference lists them (docs.stripe.com/api/checkout/sessions/create), as far as the
 * stub plays them: it takes none that would let the buyer change the sum.
 */
export const StripeSessionForm = z.strictObject({
  mode: z.literal('payment'),
  line_items: z
    .array(z.strictObject({ quantity: whole.refine((n) => n > 0), price_data: price }))
    .min(1)
    .max(100),
  shipping_options: z
    .array(z.strictObject({ shipping_rate_data: shippingRate }))
    .max(5)
    .optional(),
  customer_email: z.email().max(800).optional(),
  client_reference_id: filled(200).optional(),
  metadata: metadata.optional(),
  payment_intent_data: z
    .strictObject({
      metadata: metadata.optional(),
      description: filled(1000).optional(),
      shipping: z.strictObject({ name: filled(5000), phone: filled(5000).optional(), address }).optional(),
    })
    .optional(),
  allowed_payment_method_types: z.array(filled(40)).optional(),
  adaptive_pricing: z.strictObject({ enabled: choice.optional() }).optional(),
  success_url: z.url(),
  cancel_url: z.url().optional(),
  expires_at: whole.optional(),
  locale: filled(10).optional(),
});
type SessionForm = z.output<typeof StripeSessionForm>;

interface Account {
  secretKey: string;
  webhookSecret: string;
  target: Target;
}

interface Session {
  id: string;
  account: Account;
  form: SessionForm;
  status: 'open' | 'complete' | 'expired';
  intent: string | null;
  created: number;
  expiresAt: number;
  total: number;
  shipping: number;
  currency: string;
  message: string | null;
}

/** Plays Stripe's Checkout: creating, reading and ending sessions. */
export function stripeStub(base: () => string) {
  const accounts = new Map<string, Account>();
  const sessions = new Map<string, Session>();
  const replays = new Map<string, { body: string; answer: StubAnswer }>();

  /** A new account; its notifications go to the target. */
  function register(target: Target) {
    const secretKey = `sk_test_simulated${randomToken()}`;
    const webhookSecret = `whsec_simulated${randomToken()}`;
    accounts.set(secretKey, { secretKey, webhookSecret, target });
    return { secretKey, webhookSecret, apiBase: base() };
  }

  function create(account: Account, { headers, body }: StubRequest, now: number): Answered {
    const key = headers['idempotency-key'];
    if (typeof key !== 'string')
      throw refused(400, { message: 'This stub wants an Idempotency-Key for every session.' });
    if (key.length > 255) throw refused(400, { message: 'Idempotency-Key must be at most 255 characters.' });
    const before = replays.get(`${account.secretKey} ${key}`);
    if (before && before.body !== body) {
      throw refused(400, {
        type: 'idempotency_error',
        message: `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
      });
    }
    if (before) return { answer: { ...before.answer, headers: { 'Idempotent-Replayed': 'true' } } };
    const session = sessionOf(account, readForm(body), now);
    remember(sessions, session.id, session);
    const answer = { status: 200, body: shown(session, base()) };
    remember(replays, `${account.secretKey} ${key}`, { body, answer });
    return { answer, opened: session.id };
  }

  function expire(session: Session, now: number): Told[] {
    session.status = 'expired';
    return [told(session, 'checkout.session.expired', shown(session, base()), now)];
  }

  const part: StubPart = {
    operationOf(method, path) {
      if (path === '/v1/checkout/sessions') return method === 'POST' ? 'create' : null;
      const [, , action] = /^\/v1\/checkout\/sessions\/([^/]+)(\/expire)?$/.exec(path) ?? [null, null, null];
      if (action === null) return null;
      if (method === 'GET' && action === undefined) return 'get';
      return method === 'POST' && action !== undefined ? 'expire' : null;
    },

    answer(operation, request, now) {
      const account = accounts.get(/^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '');
      if (!account) throw refused(401, { message: 'Invalid API Key provided: sk_test_****' });
      if (operation === 'create') return create(account, request, now);
      const session = sessions.get(decodeURIComponent(request.path.split('/')[4] ?? ''));
      if (session?.account !== account) {
        throw refused(404, { code: 'resource_missing', param: 'session', message: 'No such checkout.session' });
      }
      if (operation === 'get') return { answer: { status: 200, body: shown(session, base()) } };
      if (session.status !== 'open') {
        throw refused(400, {
          message: `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of \`${session.status}\`.`,
        });
      }
      const tell = expire(session, now);
      return { answer: { status: 200, body: shown(session, base()) }, tell };
    },

    page(id) {
      const session = sessions.get(id);
      return session ? pageOf(session) : null;
    },

    act(id, action, now) {
      const session = sessions.get(id);
      if (!session) return { location: null, tell: [] };
      if (session.status !== 'open') {
        session.message = 'This page has ended.';
        return { location: null, tell: [] };
      }
      return actOn(session, action, now);
    },

    books: () =>
      [...sessions.values()].map(({ id, status, intent, total, currency }) => ({
        page: id,
        payment: status === 'complete' ? intent : null,
        amount: BigInt(total),
        currency: currency.toUpperCase(),
      })),

    // Stripe repeats what it answered first, also a fault of its own.
    replaceAnswer({ headers, body }, answer) {
      const secretKey = headers.authorization?.replace('Bearer ', '');
      remember(replays, `${secretKey} ${headers['idempotency-key']}`, { body, answer });
    },

    tick(now) {
      const due = [...sessions.values()].filter(({ status, expiresAt }) => status === 'open' && expiresAt <= now);
      return due.flatMap((session) => expire(session, now));
    },
  };

  function actOn(session: Session, action: BuyerAction, now: number): Acted {
    const { form } = session;
    if (action === 'cancel') return { location: form.cancel_url ?? null, tell: [] };
    session.intent ??= `pi_simulated${randomToken()}`;
    const charge = chargeOf(session, action === 'pay', now);
    const intent = intentOf(session, action === 'pay', charge.id, now);
    if (action === 'decline') {
      session.message = 'Your card was declined.';
      const tell = [
        told(session, 'charge.failed', charge, now),
        told(session, 'payment_intent.payment_failed', intent, now),
      ];
      return { location: null, tell };
    }
    session.status = 'complete';
    session.message = 'Paid.';
    const tell = [
      told(session, 'charge.succeeded', charge, now),
      told(session, 'payment_intent.succeeded', intent, now),
      told(session, 'checkout.session.completed', shown(session, base()), now),
    ];
    return { location: form.success_url.replaceAll('{CHECKOUT_SESSION_ID}', session.id), tell };
  }

  return { ...part, register };
}

function told({ account }: Session, event: string, object: object, now: number): Told {
  return { target: account.target, event, sent: stripeNotification(event, object, account.webhookSecret, now) };
}

function refused(status: number, error: { type?: string; code?: string; param?: string; message: string }): Refused {
  return new Refused({ status, body: { error: { type: 'invalid_request_error', ...error } } });
}

/** The nested values of a form such as `a[b][0]=c`. */
export function nestedForm(body: string): unknown {
  const root: Record<string, unknown> = {};
  for (const [name, value] of new URLSearchParams(body)) {
    const steps = name.replaceAll(']', '').split('[');
    if (steps.some((step) => step === '' || Object.hasOwn(Object.prototype, step))) {
      throw refused(400, { code: 'parameter_unknown', param: name, message: `Received unknown parameter: ${name}` });
    }
    let here = root;
    for (const step of steps.slice(0, -1)) {
      here[step] ??= {};
      if (typeof here[step] !== 'object') throw refused(400, { param: name, message: `Invalid object: ${name}` });
      here = here[step] as Record<string, unknown>;
    }
    here[steps.at(-1) ?? ''] = value;
  }
  return withLists(root);
}

/** Objects with the keys 0, 1, 2… are lists. */
function withLists(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]) => [key, withLists(inner)] as const);
  const isList = entries.length > 0 && entries.every(([key], index) => key === String(index));
  return isList ? entries.map(([, inner]) => inner) : Object.fromEntries(entries);
}

function readForm(body: string): SessionForm {
  const nested = nestedForm(body);
  const fault = faultIn(StripeSessionForm, nested);
  if (fault) throw refusedParameter(fault);
  return StripeSessionForm.parse(nested);
}

function refusedParameter({ kind, path, value, code }: Fault): Refused {
  const [first = '', ...rest] = path;
  const param = first + rest.map((step) => `[${step}]`).join('');
  if (kind === 'unknown') {
    return refused(400, { code: 'parameter_unknown', param, message: `Received unknown parameter: ${param}` });
  }
  if (kind === 'missing') {
    return refused(400, { code: 'parameter_missing', param, message: `Missing required param: ${param}.` });
  }
  if (code === 'email') {
    return refused(400, { code: 'email_invalid', param, message: `Invalid email address: ${value}` });
  }
  return refused(400, { param, message: `Invalid value for ${param}: ${JSON.stringify(value)}` });
}

function sessionOf(account: Account, form: SessionForm, now: number): Session {
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
  // The buyer takes the first rate unless another is chosen, which this page does not offer.
  const shipping = fees[0]?.amount ?? 0;
  const goods = form.line_items.reduce((sum, { price_data, quantity }) => sum + price_data.unit_amount * quantity, 0);
  const total = goods + shipping;
  checkAmount(total, currency.toUpperCase());
  return {
    id: `cs_test_simulated${randomToken()}`,
    account,
    form,
    status: 'open',
    intent: null,
    created,
    expiresAt,
    total,
    shipping,
    currency,
    message: null,
  };
}

/** About half a dollar, in currencies of about its worth (docs.stripe.com/currencies#minimum-and-maximum-charge-amounts). */
const minima: Record<string, number> = {
  GBP: 30,
  JPY: 50,
  MXN: 1000,
  SEK: 300,
  NOK: 300,
  DKK: 250,
  HUF: 17_500,
  CZK: 1500,
};

function checkAmount(total: number, currency: string): void {
  const decimals = stripeDecimals(currency);
  const unit = { 3: 10, 2: ['ISK', 'UGX'].includes(currency) ? 100 : 1 }[decimals] ?? 1;
  if (total % unit !== 0) {
    throw refused(400, { param: 'line_items', message: `Invalid integer: amounts in ${currency} must end in 0.` });
  }
  const least = minima[currency] ?? (decimals === 0 ? 1 : 50);
  if (total < least) {
    throw refused(400, {
      code: 'amount_too_small',
      message: `The Checkout Session's total amount due must add up to at least ${least} ${currency}`,
    });
  }
  if (total > 99_999_999) {
    throw refused(400, { code: 'amount_too_large', message: 'The total amount due is too large.' });
  }
}

function shown(session: Session, base: string): object {
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
    payment_status: status === 'complete' ? 'paid' : 'unpaid',
    status,
    success_url: form.success_url,
    total_details: { amount_discount: 0, amount_shipping: shipping, amount_tax: 0 },
    url: status === 'open' ? `${base}/buyer/stripe/${session.id}` : null,
  };
}

function chargeOf(session: Session, succeeded: boolean, now: number) {
  const card = { brand: 'visa', last4: succeeded ? '4242' : '0002', exp_month: 12, exp_year: 2034 };
  return {
    id: `ch_simulated${randomToken()}`,
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

function intentOf(session: Session, succeeded: boolean, charge: string, now: number): object {
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

function pageOf({ form, status, total, shipping, currency, message }: Session): BuyerPage {
  const code = currency.toUpperCase();
  const money = (minor: number) => `${formatMoney(BigInt(minor), stripeDecimals(code))} ${code}`;
  const lines = form.line_items.map(({ quantity, price_data }) => ({
    name: `${quantity} × ${price_data.product_data.name}`,
    amount: money(quantity * price_data.unit_amount),
  }));
  const [rate] = form.shipping_options ?? [];
  if (rate) lines.push({ name: rate.shipping_rate_data.display_name, amount: money(shipping) });
  const title = `Order ${form.client_reference_id ?? ''}`.trim();
  return { provider: 'Stripe', title, lines, total: money(total), isOpen: status === 'open', message };
}
