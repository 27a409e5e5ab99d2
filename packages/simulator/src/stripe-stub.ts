import { stripeDispute } from './disputes.ts';
import { randomToken, stripeNotification } from './notifications.ts';
import { readForm, refused, StripeRefundForm, StripeSessionForm } from './stripe-form.ts';
import {
  type Account,
  chargeOf,
  intentOf,
  offersDelayed,
  pageOf,
  type Session,
  sessionOf,
  shown,
  shownRefund,
} from './stripe-session.ts';
import {
  type Acted,
  type Answered,
  type BuyerAction,
  remember,
  type StubAnswer,
  type StubPart,
  type StubRequest,
  type Target,
  type Told,
} from './stub-part.ts';
import { refundBook, type StubRefund } from './stub-refunds.ts';

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
      if (session.account === account && session.intent === intent && session.money === 'paid') return session;
    const message = `No such payment_intent: '${intent}'`;
    throw refused(404, { code: 'resource_missing', param: 'payment_intent', message });
  }

  function listRefunds(account: Account, { query }: StubRequest): Answered {
    const intent = query.get('payment_intent');
    const own = book.all().filter(({ payment }) => payment.account === account);
    const refunds = [...(intent === null ? own : book.of(paidSession(account, intent)))].reverse();
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
      if (session.money === 'underWay' && (action === 'pay' || action === 'decline')) {
        return decideLater(session, action === 'pay', now);
      }
      if (session.status !== 'open') {
        session.message = 'This page has ended.';
        return { location: null, tell: [] };
      }
      return actOn(session, action, now);
    },

    dispute(id, step, now) {
      const session = sessions.get(id);
      if (session?.money !== 'paid' || session.intent === null) return [];
      session.disputedAt ??= now;
      const { intent: payment, total: amount, currency, disputedAt: openedAt } = session;
      const { type, object } = stripeDispute(step, { payment, amount, currency, openedAt });
      return [told(session, type, object, now)];
    },

    books: () =>
      [...sessions.values()].map(({ id, money, intent, total, currency }) => ({
        page: id,
        payment: money === 'paid' ? intent : null,
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

  function actOn(session: Session, action: BuyerAction, now: number): Acted {
    const { form } = session;
    if (action === 'cancel' || (action === 'later' && !offersDelayed(session))) {
      return { location: action === 'cancel' ? (form.cancel_url ?? null) : null, tell: [] };
    }
    if (action === 'later') return payLater(session, now);
    session.intent ??= `pi_simulated${randomToken()}`;
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
    session.money = 'paid';
    session.message = 'Paid.';
    const tell = [
      told(session, 'charge.succeeded', charge, now),
      told(session, 'payment_intent.succeeded', intent, now),
      told(session, 'checkout.session.completed', shown(session, base()), now),
    ];
    return { location: successOf(session), tell };
  }

  /** Completes a page with a method whose money comes, or fails, later. */
  function payLater(session: Session, now: number): Acted {
    session.intent ??= `pi_simulated${randomToken()}`;
    session.status = 'complete';
    session.money = 'underWay';
    session.message = 'The bank has the debit. It succeeds or fails later.';
    const intent = { ...intentOf(session, false, `py_simulated${randomToken()}`, now), ...underWay };
    const tell = [
      told(session, 'payment_intent.processing', intent, now),
      told(session, 'checkout.session.completed', shown(session, base()), now),
    ];
    return { location: successOf(session), tell };
  }

  /** The bank pays, or refuses to. */
  function decideLater(session: Session, succeeds: boolean, now: number): Acted {
    session.money = succeeds ? 'paid' : 'failed';
    session.message = succeeds ? 'Paid.' : 'The bank refused the debit.';
    const charge = { ...chargeOf(session, succeeds, now), payment_method_details: { type: 'sepa_debit' } };
    if (succeeds) session.charge = charge.id;
    const intent = { ...intentOf(session, succeeds, charge.id, now), payment_method_types: ['sepa_debit'] };
    const result = succeeds ? 'succeeded' : 'failed';
    const tell = [
      told(session, `charge.${result}`, charge, now),
      told(session, `payment_intent.${succeeds ? 'succeeded' : 'payment_failed'}`, intent, now),
      told(session, `checkout.session.async_payment_${result}`, shown(session, base()), now),
    ];
    return { location: null, tell };
  }

  return { ...part, register, accountOf: (token: string) => accounts.get(token) };
}

function told({ account }: Session, event: string, object: object, now: number): Told {
  return { target: account.target, event, sent: stripeNotification(event, object, account.webhookSecret, now) };
}

/** Fields of an intent whose money a bank has to bring. */
const underWay = { status: 'processing', payment_method_types: ['sepa_debit'], last_payment_error: null };

function successOf({ form, id }: Session): string {
  return form.success_url.replaceAll('{CHECKOUT_SESSION_ID}', id);
}
