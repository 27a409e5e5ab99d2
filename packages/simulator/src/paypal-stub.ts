import * as z from 'zod';
import { formatMoney, paypalDecimals } from './money.ts';
import { paypalNotification, randomToken } from './notifications.ts';
import {
  type Acted,
  type Answered,
  type BuyerPage,
  faultIn,
  Refused,
  remember,
  type StubAnswer,
  type StubPart,
  type StubRequest,
  type Target,
  type Told,
} from './stub-part.ts';

/** PayPal's own documents promise more; shops see orders gone after this. */
const lifetime = 3 * 3_600_000;
const tokenSeconds = 32_400;

/** developer.paypal.com/api/rest/reference/currency-codes */
const currencies = new Set(
  'AUD BRL CAD CNY CZK DKK EUR HKD HUF ILS JPY MYR MXN TWD NZD NOK PHP PLN GBP SGD SEK CHF THB USD'.split(' '),
);
/** Some of the countries whose addresses have to have a postal code. */
const withPostalCode = new Set('AT AU BE CA CH DE DK ES FI FR GB IT JP NL NO PL PT SE US'.split(' '));

const filled = (max: number) => z.string().min(1).max(max);
const Money = z.strictObject({
  currency_code: z.string().regex(/^[A-Z]{3}$/),
  value: z
    .string()
    .max(32)
    .regex(/^\d+(\.\d+)?$/),
});
type Money = z.output<typeof Money>;

const breakdown = z.strictObject({
  item_total: Money.optional(),
  tax_total: Money.optional(),
  shipping: Money.optional(),
  handling: Money.optional(),
  insurance: Money.optional(),
  shipping_discount: Money.optional(),
  discount: Money.optional(),
});
const item = z.strictObject({
  name: filled(127),
  quantity: z.string().regex(/^[1-9][0-9]{0,9}$/),
  unit_amount: Money,
  tax: Money.optional(),
  sku: filled(127).optional(),
  description: filled(2048).optional(),
  category: z.enum(['DIGITAL_GOODS', 'PHYSICAL_GOODS', 'DONATION']).optional(),
});
const shipping = z.strictObject({
  name: z.strictObject({ full_name: filled(300) }).optional(),
  address: z.strictObject({
    address_line_1: filled(300).optional(),
    address_line_2: filled(300).optional(),
    admin_area_1: filled(300).optional(),
    admin_area_2: filled(120).optional(),
    postal_code: filled(60).optional(),
    country_code: z.string().regex(/^[A-Z]{2}$/),
  }),
});

/** The order as PayPal's published specification describes it (orders v2), as far as the stub plays it. */
export const PayPalOrderBody = z.strictObject({
  intent: z.literal('CAPTURE'),
  purchase_units: z
    .array(
      z.strictObject({
        custom_id: filled(127).optional(),
        invoice_id: filled(127).optional(),
        description: filled(127).optional(),
        amount: z.strictObject({ ...Money.shape, breakdown: breakdown.optional() }),
        items: z.array(item).optional(),
        shipping: shipping.optional(),
      }),
    )
    .min(1)
    .max(1),
  payment_source: z.strictObject({
    paypal: z.strictObject({
      email_address: z.email().max(254).optional(),
      experience_context: z.strictObject({
        return_url: z.url(),
        cancel_url: z.url(),
        brand_name: filled(127).optional(),
        locale: filled(10).optional(),
        shipping_preference: z.enum(['GET_FROM_FILE', 'NO_SHIPPING', 'SET_PROVIDED_ADDRESS']).optional(),
        user_action: z.enum(['CONTINUE', 'PAY_NOW']).optional(),
        payment_method_preference: z.enum(['UNRESTRICTED', 'IMMEDIATE_PAYMENT_REQUIRED']).optional(),
      }),
    }),
  }),
});
type OrderBody = z.output<typeof PayPalOrderBody>;

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
  created: number;
  message: string | null;
}

/** Plays PayPal's orders: tokens, creating, reading and capturing, and the verification of its own notifications. */
export function paypalStub(base: () => string) {
  const accounts = new Map<string, Account>();
  const tokens = new Map<string, { account: Account; until: number }>();
  const orders = new Map<string, Order>();
  const replays = new Map<string, StubAnswer>();
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
    type: 'capture' | 'checkout-order',
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
    // Even of another body: PayPal looks at the id alone.
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
    const captures = order.capture === null ? {} : { payments: { captures: [captureOf(order, now, false)] } };
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

  /** @param isEvent adds what events have and answers do not */
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
      const order = orders.get(decodeURIComponent(request.path.split('/')[4] ?? ''));
      if (!order || order.account !== token.account || (order.capture === null && order.created + lifetime <= now)) {
        throw issue(404, 'INVALID_RESOURCE_ID', '', 'Specified resource ID does not exist.');
      }
      if (operation === 'capture') return capture(order, request, now);
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
      // A declined card shows when the money is taken.
      order.status = 'APPROVED';
      order.declines = action === 'decline';
      order.message = 'Approved: the shop takes the money when you are back there.';
      const approved = tell(order.account, 'CHECKOUT.ORDER.APPROVED', 'checkout-order', shown(order, now), now);
      return { location: back(return_url, { PayerID: 'SIMULATEDBUYER' }), tell: [approved] };
    },

    books: () =>
      [...orders.values()].map(({ id, unit, capture: payment }) => ({
        page: id,
        payment,
        amount: minorOf(unit.amount, unit, 'amount'),
        currency: unit.amount.currency_code,
      })),

    tick: () => [],
  };
  return { ...part, register };
}

function requestId({ headers }: StubRequest): string | null {
  const id = headers['paypal-request-id'];
  if (typeof id !== 'string' || id === '') return null;
  if (id.length > 108) throw issue(400, 'INVALID_STRING_LENGTH', '', 'PayPal-Request-Id is too long');
  return id;
}

function issue(status: number, name: string, field: string, description: string): Refused {
  const names: Record<number, string> = {
    400: 'INVALID_REQUEST',
    404: 'RESOURCE_NOT_FOUND',
    422: 'UNPROCESSABLE_ENTITY',
  };
  return new Refused({
    status,
    body: {
      name: names[status] ?? name,
      message: 'The request was refused.',
      debug_id: randomToken().slice(0, 13).toLowerCase(),
      details: [{ ...(field ? { field } : {}), issue: name, description }],
    },
  });
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function readOrder(text: string): OrderBody {
  const body = jsonOf(text);
  if (body === null) throw issue(400, 'MALFORMED_REQUEST_JSON', '', 'The request is not JSON');
  const fault = faultIn(PayPalOrderBody, body);
  if (!fault) return PayPalOrderBody.parse(body);
  const issues = {
    unknown: 'UNKNOWN_PARAMETER',
    missing: 'MISSING_REQUIRED_PARAMETER',
    invalid: 'INVALID_PARAMETER_SYNTAX',
  };
  const field = `/${fault.path.join('/')}`;
  if (fault.code === 'too_big') throw issue(400, 'INVALID_STRING_LENGTH', field, 'The value of a field is too long');
  throw issue(400, issues[fault.kind], field, `The value of ${field} is not as specified`);
}

/** The amount in units of the currency's decimals. */
function minorOf({ currency_code, value }: Money, unit: Order['unit'], field: string): bigint {
  const at = `/purchase_units/@reference_id=='default'/${field}`;
  if (!currencies.has(currency_code)) throw issue(422, 'CURRENCY_NOT_SUPPORTED', at, 'Currency code is not supported');
  if (currency_code !== unit.amount.currency_code) throw issue(422, 'CURRENCY_MISMATCH', at, 'Currencies differ');
  const decimals = paypalDecimals(currency_code);
  const [digits = '', fraction = ''] = value.split('.');
  if (fraction.length > decimals) throw issue(422, 'DECIMAL_PRECISION', at, 'Too many decimals');
  return BigInt(digits + fraction.padEnd(decimals, '0'));
}

function checkSums(unit: Order['unit']): void {
  const { amount, items } = unit;
  const at = (name: string) => `/purchase_units/@reference_id=='default'/amount/${name}`;
  const total = minorOf(amount, unit, 'amount');
  if (total <= 0n) throw issue(422, 'CANNOT_BE_ZERO_OR_NEGATIVE', at('value'), 'Must be greater than zero');
  const parts = amount.breakdown;
  const part = (name: keyof NonNullable<typeof parts>) => {
    const given = parts?.[name];
    return given === undefined ? 0n : minorOf(given, unit, `amount/breakdown/${name}`);
  };
  if (parts !== undefined) {
    const added = part('item_total') + part('tax_total') + part('shipping') + part('handling') + part('insurance');
    if (added - part('shipping_discount') - part('discount') !== total) {
      throw issue(422, 'AMOUNT_MISMATCH', at('value'), 'Should equal item_total + tax_total + shipping - discount.');
    }
  }
  if (items === undefined) return;
  if (parts?.item_total === undefined) {
    throw issue(422, 'ITEM_TOTAL_REQUIRED', at('breakdown/item_total'), 'Is required when items are given.');
  }
  const sum = (pick: (one: z.output<typeof item>) => Money | undefined) =>
    items.reduce((all, one) => {
      const money = pick(one);
      return all + (money === undefined ? 0n : minorOf(money, unit, 'items')) * BigInt(one.quantity);
    }, 0n);
  if (sum((one) => one.unit_amount) !== part('item_total')) {
    throw issue(422, 'ITEM_TOTAL_MISMATCH', at('breakdown/item_total'), 'Should equal the sum of the items.');
  }
  if (items.some(({ tax }) => tax !== undefined) && sum((one) => one.tax) !== part('tax_total')) {
    throw issue(422, 'TAX_TOTAL_MISMATCH', at('breakdown/tax_total'), 'Should equal the sum of the tax of the items.');
  }
}

function checkShipping({ payment_source }: OrderBody, { shipping: given }: Order['unit']): void {
  const at = "/purchase_units/@reference_id=='default'/shipping/address";
  const { shipping_preference } = payment_source.paypal.experience_context;
  if (shipping_preference === 'SET_PROVIDED_ADDRESS' && given === undefined) {
    throw issue(422, 'MISSING_SHIPPING_ADDRESS', at, 'The shipping address is required.');
  }
  if (given && withPostalCode.has(given.address.country_code) && given.address.postal_code === undefined) {
    throw issue(422, 'POSTAL_CODE_REQUIRED', `${at}/postal_code`, 'The specified country requires a postal code.');
  }
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
