import { paypalDispute } from './disputes.ts';
import { formatMoney, paypalDecimals } from './money.ts';
import { paypalNotification, randomToken } from './notifications.ts';
import {
  checkShipping,
  checkSums,
  issue,
  jsonOf,
  type Money,
  minorOf,
  type OrderBody,
  RefundBody,
  readOrder,
} from './paypal-body.ts';
import {
  type Acted,
  type Answered,
  type BuyerPage,
  Refused,
  remember,
  type StubAnswer,
  type StubPart,
  type StubRequest,
  type Target,
  type Told,
} from './stub-part.ts';
import { refundBook, type StubRefund } from './stub-refunds.ts';

/** PayPal's own documents promise longer; in shops, orders disappear after this time. */
const lifetime = 3 * 3_600_000;

const tokenSeconds = 32_400;
interface Account {
  clientId: string;
  clientSecret: string;
  webhookId: string;
  target: Target;
}

interface Order {
  id: string;
  account: Account;
  body: OrderBody;
  unit: OrderBody['purchase_units'][number];
  status: 'PAYER_ACTION_REQUIRED' | 'APPROVED' | 'COMPLETED';
  /** True when the next capture is declined. */
  declines: boolean;
  capture: string | null;
  /** Time of the opening of its dispute. */
  disputedAt?: number;
  created: number;
  message: string | null;
}

/** Plays PayPal's orders: tokens, creating, reading, capturing and refunds, and the verification of its own notifications. */
export function paypalStub(base: () => string) {
  const accounts = new Map<string, Account>();
  const tokens = new Map<string, { account: Account; until: number }>();
  const orders = new Map<string, Order>();
  const replays = new Map<string, StubAnswer>();
  const book = refundBook<Order>();
  const sent = new Map<string, { account: Account; body: string }>();

  /** A new account; its notifications go to the target. */
  function register(target: Target) {
    const clientId = `client-${randomToken()}`;
    const account = {
      clientId,
      clientSecret: `secret-${randomToken()}`,
      webhookId: randomToken().slice(0, 17),
      target,
    };
    accounts.set(clientId, account);
    const { target: _, ...settings } = account;
    return { ...settings, apiBase: base() };
  }

  function tell(
    account: Account,
    event: string,
    type: 'capture' | 'refund' | 'checkout-order' | 'dispute',
    resource: object,
    now: number,
  ): Told {
    const notification = paypalNotification(event, type, resource, base(), now);
    remember(sent, notification.headers['PayPal-Transmission-Id'] ?? '', { account, body: notification.body });
    return { target: account.target, event, sent: notification };
  }

  function issueToken({ headers, body }: StubRequest, now: number): Answered {
    const basic = /^Basic (.+)$/.exec(headers.authorization ?? '')?.[1] ?? '';
    const [clientId = '', clientSecret = ''] = Buffer.from(basic, 'base64').toString('utf8').split(':');
    const account = accounts.get(clientId);
    if (account?.clientSecret !== clientSecret || body !== 'grant_type=client_credentials') {
      const error = { error: 'invalid_client', error_description: 'Client Authentication failed' };
      throw new Refused({ status: 401, body: error });
    }
    const access_token = `A21AA${randomToken()}`;
    remember(tokens, access_token, { account, until: now + tokenSeconds * 1000 });
    return { answer: { status: 200, body: { access_token, token_type: 'Bearer', expires_in: tokenSeconds } } };
  }

  function verify({ body }: StubRequest): Answered {
    const question = jsonOf(body) as Record<string, unknown>;
    const known = sent.get(String(question.transmission_id));
    const genuine =
      known?.account.webhookId === question.webhook_id && JSON.stringify(question.webhook_event) === known?.body;
    return { answer: { status: 200, body: { verification_status: genuine ? 'SUCCESS' : 'FAILURE' } } };
  }

  function create(account: Account, request: StubRequest, now: number): Answered {
    const key = requestId(request);
    if (key === null) throw issue(400, 'PAYPAL_REQUEST_ID_REQUIRED', '', 'A PayPal-Request-Id is required');
    const replayed = replays.get(`${account.clientId} create ${key}`);
    // Even with another body: PayPal looks only at the id.
    if (replayed) return { answer: { ...replayed, status: 200 } };
    const body = readOrder(request.body);
    const [unit] = body.purchase_units;
    if (!unit) throw issue(400, 'MISSING_REQUIRED_PARAMETER', '/purchase_units', 'A required field is missing');
    checkSums(unit);
    checkShipping(body, unit);
    const id = randomToken().slice(0, 17);
    const order: Order = {
      id,
      account,
      body,
      unit,
      status: 'PAYER_ACTION_REQUIRED',
      declines: false,
      capture: null,
      created: now,
      message: null,
    };
    remember(orders, id, order);
    const answer = { status: 201, body: answered(order, request) };
    remember(replays, `${account.clientId} create ${key}`, answer);
    return { answer, opened: id };
  }

  function capture(order: Order, request: StubRequest, now: number): Answered {
    const { account, id } = order;
    if (jsonOf(request.body || '{}') === null)
      throw issue(400, 'MALFORMED_REQUEST_JSON', '', 'The request is not JSON');
    const key = `${account.clientId} capture ${id} ${requestId(request)}`;
    const replayed = requestId(request) === null ? undefined : replays.get(key);
    if (replayed) return { answer: replayed };
    if (order.capture !== null) throw issue(422, 'ORDER_ALREADY_CAPTURED', '', 'Order already captured.');
    if (order.status !== 'APPROVED') {
      throw issue(422, 'ORDER_NOT_APPROVED', '', 'Payer has not yet approved the Order for payment.');
    }
    if (order.declines) {
      order.declines = false;
      order.status = 'PAYER_ACTION_REQUIRED';
      order.message = 'Your card was declined. Please choose another.';
      const { answer } = issue(
        422,
        'INSTRUMENT_DECLINED',
        '',
        'The instrument presented was declined by the processor.',
      );
      remember(replays, key, answer);
      throw new Refused(answer);
    }
    order.capture = randomToken().slice(0, 17);
    order.status = 'COMPLETED';
    order.message = 'Paid.';
    const answer = { status: 201, body: answered(order, request) };
    remember(replays, key, answer);
    return {
      answer,
      tell: [
        tell(account, 'PAYMENT.CAPTURE.COMPLETED', 'capture', captureOf(order, now, true), now),
        tell(account, 'CHECKOUT.ORDER.COMPLETED', 'checkout-order', shown(order, now), now),
      ],
    };
  }

  function refund(order: Order, request: StubRequest, now: number): Answered {
    const { account } = order;
    const key = `${account.clientId} refund ${requestId(request)}`;
    const replayed = requestId(request) === null ? undefined : replays.get(key);
    // Even with another body: PayPal looks only at the id.
    if (replayed) return { answer: { ...replayed, status: 200 } };
    const read = RefundBody.safeParse(jsonOf(request.body || '{}'));
    if (!read.success) throw issue(400, 'INVALID_PARAMETER_SYNTAX', '', read.error.message);
    const left = minorOf(order.unit.amount, order.unit, 'amount') - book.given(order);
    if (left === 0n) throw issue(422, 'CAPTURE_FULLY_REFUNDED', '', 'The capture has already been fully refunded.');
    const amount = read.data.amount === undefined ? left : minorOf(read.data.amount, order.unit, 'amount');
    if (amount > left) {
      throw issue(
        422,
        'REFUND_AMOUNT_EXCEEDED',
        '',
        'The refund amount must be less than or equal to the capture amount.',
      );
    }
    const named = read.data.custom_id ?? null;
    const made = book.make({ id: randomToken().slice(0, 17), payment: order, amount, named, created: now });
    const answer = { status: 201, body: shownRefund(made) };
    remember(replays, key, answer);
    return { answer, tell: [toldRefund(made, now)] };
  }

  function toldRefund(made: StubRefund<Order>, now: number): Told {
    return tell(made.payment.account, 'PAYMENT.CAPTURE.REFUNDED', 'refund', shownRefund(made), now);
  }

  function shownRefund({ id, payment, amount, status, named, created }: StubRefund<Order>): object {
    const { currency_code } = payment.unit.amount;
    return {
      id,
      status: { pending: 'PENDING', succeeded: 'COMPLETED', failed: 'FAILED' }[status],
      amount: { currency_code, value: formatMoney(amount, paypalDecimals(currency_code)) },
      ...(named === null ? {} : { custom_id: named }),
      links: [{ rel: 'up', method: 'GET', href: `${base()}/v2/payments/captures/${payment.capture}` }],
      create_time: new Date(created).toISOString(),
    };
  }

  /** The order in the form that `Prefer` asks for. */
  function answered(order: Order, { headers }: StubRequest): object {
    const whole = shown(order, order.created);
    if (headers.prefer === 'return=representation') return whole;
    const { id, status, links } = whole;
    return { id, status, links };
  }

  function shown(order: Order, now: number) {
    const { id, status, unit } = order;
    const buyer = { email_address: order.body.payment_source.paypal.email_address ?? 'buyer@example.com' };
    const isSeen = status !== 'PAYER_ACTION_REQUIRED';
    const captures =
      order.capture === null
        ? {}
        : { payments: { captures: [captureOf(order, now, false)], refunds: book.of(order).map(shownRefund) } };
    const rel = (name: string, method: string, href: string) => ({ rel: name, method, href });
    return {
      id,
      intent: 'CAPTURE',
      status,
      payment_source: { paypal: isSeen ? { ...buyer, account_status: 'VERIFIED', account_id: 'SIMULATEDBUYER' } : {} },
      purchase_units: [{ reference_id: 'default', ...unit, payee: { merchant_id: 'SIMULATEDSHOP' }, ...captures }],
      ...(isSeen ? { payer: { ...buyer, payer_id: 'SIMULATEDBUYER' } } : {}),
      create_time: new Date(order.created).toISOString(),
      links: [
        rel('self', 'GET', `${base()}/v2/checkout/orders/${id}`),
        ...(isSeen ? [] : [rel('payer-action', 'GET', `${base()}/buyer/paypal/${id}`)]),
      ],
    };
  }

  /** @param isEvent adds fields that only events have */
  function captureOf({ id, unit, capture }: Order, now: number, isEvent: boolean): object {
    const at = new Date(now).toISOString();
    return {
      id: capture,
      status: 'COMPLETED',
      amount: { currency_code: unit.amount.currency_code, value: unit.amount.value },
      final_capture: true,
      ...(unit.custom_id === undefined ? {} : { custom_id: unit.custom_id }),
      ...(isEvent
        ? { supplementary_data: { related_ids: { order_id: id } }, payee: { merchant_id: 'SIMULATEDSHOP' } }
        : {}),
      links: [{ rel: 'up', method: 'GET', href: `${base()}/v2/checkout/orders/${id}` }],
      create_time: at,
      update_time: at,
    };
  }

  const part: StubPart = {
    operationOf(method, path) {
      if (method === 'POST' && path === '/v1/oauth2/token') return 'token';
      if (method === 'POST' && path === '/v1/notifications/verify-webhook-signature') return 'verify';
      if (method === 'POST' && path === '/v2/checkout/orders') return 'create';
      if (method === 'GET' && /^\/v2\/checkout\/orders\/[^/]+$/.test(path)) return 'get';
      if (method === 'GET' && /^\/v2\/payments\/captures\/[^/]+$/.test(path)) return 'captured';
      if (method === 'POST' && /^\/v2\/payments\/captures\/[^/]+\/refund$/.test(path)) return 'refund';
      return method === 'POST' && /^\/v2\/checkout\/orders\/[^/]+\/capture$/.test(path) ? 'capture' : null;
    },

    answer(operation, request, now) {
      if (operation === 'token') return issueToken(request, now);
      const token = tokens.get(/^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '');
      if (!token || token.until <= now) {
        const error = { error: 'invalid_token', error_description: 'Token signature verification failed' };
        throw new Refused({ status: 401, body: error });
      }
      if (request.method === 'POST' && !request.headers['content-type']?.startsWith('application/json')) {
        throw issue(415, 'UNSUPPORTED_MEDIA_TYPE', '', 'The body must be JSON');
      }
      if (operation === 'verify') return verify(request);
      if (operation === 'create') return create(token.account, request, now);
      const id = decodeURIComponent(request.path.split('/')[4] ?? '');
      const isCapture = operation === 'refund' || operation === 'captured';
      const order = isCapture ? [...orders.values()].find(({ capture }) => capture === id) : orders.get(id);
      if (!order || order.account !== token.account || (order.capture === null && order.created + lifetime <= now)) {
        throw issue(404, 'INVALID_RESOURCE_ID', '', 'Specified resource ID does not exist.');
      }
      if (operation === 'capture') return capture(order, request, now);
      if (operation === 'refund') return refund(order, request, now);
      if (operation === 'captured') return { answer: { status: 200, body: captureOf(order, now, false) } };
      return { answer: { status: 200, body: shown(order, now) } };
    },

    page(id, now) {
      const order = orders.get(id);
      return order ? pageOf(order, now) : null;
    },

    act(id, action, now): Acted {
      const order = orders.get(id);
      if (order?.status !== 'PAYER_ACTION_REQUIRED' || order.created + lifetime <= now)
        return { location: null, tell: [] };
      const { return_url, cancel_url } = order.body.payment_source.paypal.experience_context;
      const back = (address: string, more: Record<string, string> = {}) => {
        const url = new URL(address);
        for (const [name, value] of Object.entries({ token: id, ...more })) url.searchParams.set(name, value);
        return url.href;
      };
      if (action === 'cancel') return { location: back(cancel_url), tell: [] };
      // A declined card shows only at the capture.
      order.status = 'APPROVED';
      order.declines = action === 'decline';
      order.message = 'Approved: the shop takes the money when you are back there.';
      const approved = tell(order.account, 'CHECKOUT.ORDER.APPROVED', 'checkout-order', shown(order, now), now);
      return { location: back(return_url, { PayerID: 'SIMULATEDBUYER' }), tell: [approved] };
    },

    dispute(id, step, now) {
      const order = orders.get(id);
      if (!order || order.capture === null) return [];
      order.disputedAt ??= now;
      const { value: amount, currency_code: currency } = order.unit.amount;
      const told = paypalDispute(step, { payment: order.capture, amount, currency, openedAt: order.disputedAt }, now);
      return told ? [tell(order.account, told.type, 'dispute', told.resource, now)] : [];
    },

    books: () =>
      [...orders.values()].map(({ id, unit, capture: payment }) => ({
        page: id,
        payment,
        amount: minorOf(unit.amount, unit, 'amount'),
        currency: unit.amount.currency_code,
      })),

    planRefunds: book.plan,

    refunds: () =>
      book.all().map(({ id, payment, amount, status }) => ({
        ...{ refund: id, payment: payment.capture ?? '', amount, status },
      })),

    // PayPal tells only of refunds that are made.
    decideRefund(id, status, now) {
      const refund = book.find(id);
      if (!refund) return [];
      refund.status = status;
      return status === 'succeeded' ? [toldRefund(refund, now)] : [];
    },

    tick: () => [],
  };
  return { ...part, register, accountOf: (token: string) => tokens.get(token)?.account };
}

function requestId({ headers }: StubRequest): string | null {
  const id = headers['paypal-request-id'];
  if (typeof id !== 'string' || id === '') return null;
  if (id.length > 108) throw issue(400, 'INVALID_STRING_LENGTH', '', 'PayPal-Request-Id is too long');
  return id;
}

function pageOf(order: Order, now: number): BuyerPage {
  const { unit, body, status, message, created } = order;
  const money = (value: Money) => `${value.value} ${value.currency_code}`;
  const lines = (unit.items ?? []).map(({ name, quantity, unit_amount }) => {
    const places = paypalDecimals(unit_amount.currency_code);
    const all = minorOf(unit_amount, unit, 'items') * BigInt(quantity);
    return {
      name: `${quantity} × ${name}`,
      amount: money({ ...unit_amount, value: formatMoney(all, places) }),
    };
  });
  const { discount, shipping: fee, tax_total } = unit.amount.breakdown ?? {};
  if (discount) lines.push({ name: 'Discount', amount: `−${money(discount)}` });
  if (fee) lines.push({ name: 'Shipping', amount: money(fee) });
  if (tax_total) lines.push({ name: 'Tax', amount: money(tax_total) });
  const brand = body.payment_source.paypal.experience_context.brand_name ?? 'a shop';
  return {
    provider: 'PayPal',
    title: `${unit.description ?? 'An order'} of ${brand}`,
    lines,
    total: money(unit.amount),
    isOpen: status === 'PAYER_ACTION_REQUIRED' && created + lifetime > now,
    message,
  };
}
