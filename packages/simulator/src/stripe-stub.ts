import { stripeDispute } from './disputes.ts';
import { formatMoney, stripeDecimals } from './money.ts';
import { randomToken, stripeNotification } from './notifications.ts';
import {
  checkAmount,
  readForm,
  refused,
  type SessionForm,
  StripeRefundForm,
  StripeSessionForm,
} from './stripe-form.ts';
import {
  type Acted,
  type Answered,
  type BuyerAction,
  type BuyerPage,
  remember,
  type StubAnswer,
  type StubPart,
  type StubRequest,
  type Target,
  type Told,
} from './stub-part.ts';
import { refundBook, type StubRefund } from './stub-refunds.ts';

const minute = 60_000;

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
  /** The money of a completed session: there, under way, or lost. */
  money: 'paid' | 'processing' | 'failed';
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

/** Plays Stripe's Checkout, creating, reading and ending sessions, and refunds. */
export function stripeStub(base: () => string) {
  const accounts = new Map<string, Account>();
  const sessions = new Map<string, Session>();
  const replays = new Map<string, { body: string; answer: StubAnswer }>();
  const book = refundBook<Session>();

  /** A new account; its notifications go to the target. */
  function register(target: Target) {
    const secretKey = `sk_test_simulated${randomToken()}`;
    const webhookSecret = `whsec_simulated${randomToken()}`;
    accounts.set(secretKey, { secretKey, webhookSecret, target });
    return { secretKey, webhookSecret, apiBase: base() };
  }

  function create(account: Account, { headers, body }: StubRequest, now: number): Answered {
    const { replay, keep } = onceOf(account, { headers, body });
    if (replay) return replay;
    const session = sessionOf(account, readForm(StripeSessionForm, body), now);
    remember(sessions, session.id, session);
    const answer = { status: 200, body: shown(session, base()) };
    keep(answer);
    return { answer, opened: session.id };
  }

  /** The first answer to a call with that `Idempotency-Key`, and how it is kept. */
  function onceOf(account: Account, { headers, body }: Pick<StubRequest, 'headers' | 'body'>) {
    const key = headers['idempotency-key'];
    if (typeof key !== 'string') throw refused(400, { message: 'This stub wants an Idempotency-Key for this call.' });
    if (key.length > 255) throw refused(400, { message: 'Idempotency-Key must be at most 255 characters.' });
    const name = `${account.secretKey} ${key}`;
    const before = replays.get(name);
    if (before && before.body !== body) {
      throw refused(400, {
        type: 'idempotency_error',
        message: `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
      });
    }
    const replay: Answered | undefined = before && {
      answer: { ...before.answer, headers: { 'Idempotent-Replayed': 'true' } },
    };
    return { replay, keep: (answer: StubAnswer) => remember(replays, name, { body, answer }) };
  }

  function refund(account: Account, { headers, body }: StubRequest, now: number): Answered {
    const { replay, keep } = onceOf(account, { headers, body });
    if (replay) return replay;
    const form = readForm(StripeRefundForm, body);
    const session = paidSession(account, form.payment_intent);
    const left = BigInt(session.total) - book.given(session);
    const amount = form.amount === undefined ? left : BigInt(form.amount);
    if (left === 0n) {
      const message = `Charge ${session.charge} has already been refunded.`;
      throw refused(400, { code: 'charge_already_refunded', message });
    }
    if (amount > left) {
      throw refused(400, {
        param: 'amount',
        message: `Refund amount (${amount}) is greater than unrefunded amount on charge (${left})`,
      });
    }
    const named = JSON.stringify(form.metadata ?? {});
    const made = book.make({ id: `re_simulated${randomToken()}`, payment: session, amount, named, created: now });
    const answer = { status: 200, body: shownRefund(made) };
    keep(answer);
    return { answer, tell: [...toldRefund(made, 'refund.created', now), toldCharge(session, now)] };
  }

  function paidSession(account: Account, intent: string): Session {
    for (const session of sessions.values())
      if (session.account === account && session.intent === intent && isPaid(session)) return session;
    const message = `No such payment_intent: '${intent}'`;
    throw refused(404, { code: 'resource_missing', param: 'payment_intent', message });
  }

  function listRefunds(account: Account, { query }: StubRequest): Answered {
    const refunds = book.of(paidSession(account, query.get('payment_intent') ?? '')).reverse();
    const limit = Number(query.get('limit') ?? 10);
    const data = refunds.slice(0, limit).map(shownRefund);
    return {
      answer: { status: 200, body: { object: 'list', url: '/v1/refunds', has_more: refunds.length > limit, data } },
    };
  }

  function toldRefund(refund: StubRefund<Session>, event: string, now: number): Told[] {
    return [told(refund.payment, event, shownRefund(refund), now)];
  }

  /** The charge with the running total of its refunds. */
  function toldCharge(session: Session, now: number): Told {
    const given = Number(book.given(session));
    const charge = { ...chargeOf(session, true, now), amount_refunded: given, refunded: given === session.total };
    return told(session, 'charge.refunded', charge, now);
  }

  function expire(session: Session, now: number): Told[] {
    session.status = 'expired';
    return [told(session, 'checkout.session.expired', shown(session, base()), now)];
  }

  const part: StubPart = {
    operationOf(method, path) {
      if (path === '/v1/refunds') return { GET: 'refunds', POST: 'refund' }[method] ?? null;
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
      if (operation === 'refund') return refund(account, request, now);
      if (operation === 'refunds') return listRefunds(account, request);
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
      if (action === 'arrive' || action === 'fail') return { location: null, tell: decide(session, action, now) };
      if (session.status !== 'open' || (action === 'delay' && !takesDelayed(session))) {
        session.message = 'This page has ended.';
        return { location: null, tell: [] };
      }
      return actOn(session, action, now);
    },

    dispute(id, step, now) {
      const session = sessions.get(id);
      if (!session || !isPaid(session) || session.intent === null) return [];
      session.disputedAt ??= now;
      const { intent: payment, total: amount, currency, disputedAt: openedAt } = session;
      const { type, object } = stripeDispute(step, { payment, amount, currency, openedAt });
      return [told(session, type, object, now)];
    },

    books: () =>
      [...sessions.values()].map(({ id, status, money, intent, total, currency }) => ({
        page: id,
        payment: status === 'complete' && money === 'paid' ? intent : null,
        amount: BigInt(total),
        currency: currency.toUpperCase(),
      })),

    planRefunds: book.plan,

    refunds: () =>
      book.all().map(({ id, payment, amount, status }) => ({
        ...{ refund: id, payment: payment.intent ?? '', amount, status },
      })),

    decideRefund(id, status, now) {
      const refund = book.find(id);
      if (!refund) return [];
      refund.status = status;
      const failed = status === 'failed' ? toldRefund(refund, 'refund.failed', now) : [];
      return [...failed, ...toldRefund(refund, 'refund.updated', now)];
    },

    // Stripe repeats its first answer, even a server error.
    replaceAnswer({ headers, body }, answer) {
      const secretKey = headers.authorization?.replace('Bearer ', '');
      remember(replays, `${secretKey} ${headers['idempotency-key']}`, { body, answer });
    },

    tick(now) {
      const due = [...sessions.values()].filter(({ status, expiresAt }) => status === 'open' && expiresAt <= now);
      return due.flatMap((session) => expire(session, now));
    },
  };

  /** Decides about money that was under way. */
  function decide(session: Session, action: 'arrive' | 'fail', now: number): Told[] {
    if (session.money !== 'processing') return [];
    const succeeded = action === 'arrive';
    session.money = succeeded ? 'paid' : 'failed';
    session.message = succeeded ? 'The money has arrived.' : 'The money did not come.';
    const charge = chargeOf(session, succeeded, now);
    if (succeeded) session.charge = charge.id;
    const intent = intentOf(session, succeeded, charge.id, now);
    const result = succeeded ? 'succeeded' : 'failed';
    return [
      told(session, `charge.${result}`, charge, now),
      told(session, succeeded ? 'payment_intent.succeeded' : 'payment_intent.payment_failed', intent, now),
      told(session, `checkout.session.async_payment_${result}`, shown(session, base()), now),
    ];
  }

  function actOn(session: Session, action: BuyerAction, now: number): Acted {
    const { form } = session;
    if (action === 'cancel') return { location: form.cancel_url ?? null, tell: [] };
    session.intent ??= `pi_simulated${randomToken()}`;
    const back = form.success_url.replaceAll('{CHECKOUT_SESSION_ID}', session.id);
    if (action === 'delay') {
      Object.assign(session, { status: 'complete', money: 'processing', message: 'The bank processes your payment.' });
      const intent = { ...intentOf(session, false, null, now), status: 'processing', last_payment_error: null };
      const tell = [
        told(session, 'payment_intent.processing', intent, now),
        told(session, 'checkout.session.completed', shown(session, base()), now),
      ];
      return { location: back, tell };
    }
    const charge = chargeOf(session, action === 'pay', now);
    if (action === 'pay') session.charge = charge.id;
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
    return { location: back, tell };
  }

  return { ...part, register };
}

function isPaid({ status, money }: Session): boolean {
  return status === 'complete' && money === 'paid';
}

/** True if a page has a method whose money is decided later: bank debits, transfers and vouchers, by their names. */
function takesDelayed({ form }: Session): boolean {
  return (form.allowed_payment_method_types ?? []).some((method) =>
    /debit|bank_account|balance|boleto|konbini|multibanco|oxxo/.test(method),
  );
}

function told({ account }: Session, event: string, object: object, now: number): Told {
  return { target: account.target, event, sent: stripeNotification(event, object, account.webhookSecret, now) };
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
    money: 'paid',
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
    payment_status: isPaid(session) ? 'paid' : 'unpaid',
    status,
    success_url: form.success_url,
    total_details: { amount_discount: 0, amount_shipping: shipping, amount_tax: 0 },
    url: status === 'open' ? `${base}/buyer/stripe/${session.id}` : null,
  };
}

function shownRefund({ id, payment, amount, status, named, created }: StubRefund<Session>): object {
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

function chargeOf(session: Session, succeeded: boolean, now: number) {
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

function intentOf(session: Session, succeeded: boolean, charge: string | null, now: number): object {
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

function pageOf(session: Session): BuyerPage {
  const { form, status, money: state, total, shipping, currency, message } = session;
  const code = currency.toUpperCase();
  const money = (minor: number) => `${formatMoney(BigInt(minor), stripeDecimals(code))} ${code}`;
  const lines = form.line_items.map(({ quantity, price_data }) => ({
    name: `${quantity} × ${price_data.product_data.name}`,
    amount: money(quantity * price_data.unit_amount),
  }));
  const [rate] = form.shipping_options ?? [];
  if (rate) lines.push({ name: rate.shipping_rate_data.display_name, amount: money(shipping) });
  const title = `Order ${form.client_reference_id ?? ''}`.trim();
  const isOpen = status === 'open';
  const delayed: NonNullable<BuyerPage['more']> = [
    ['arrive', 'The money arrives'],
    ['fail', 'The money does not come'],
  ];
  const more = state === 'processing' ? delayed : [];
  return {
    ...{ provider: 'Stripe', title, lines, total: money(total), isOpen, message },
    more: isOpen && takesDelayed(session) ? [['delay', 'Pay by bank, decided in days'] as const] : more,
  };
}
