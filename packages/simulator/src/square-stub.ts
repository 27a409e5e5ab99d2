import { squareDispute } from './disputes.ts';
import { formatMoney, squareDecimals } from './money.ts';
import { randomToken, squareNotification } from './notifications.ts';
import {
  type LinkBody,
  type Money,
  OrderChange,
  readBody,
  refused,
  SquareLinkBody,
  SquareRefundBody,
  totalOf,
} from './square-body.ts';
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

interface Account {
  accessToken: string;
  locationId: string;
  signatureKey: string;
  notificationUrl: string;
  target: Target;
}

interface Link {
  id: string;
  account: Account;
  body: LinkBody;
  order: { id: string; version: number; state: 'DRAFT' | 'OPEN' | 'CANCELED' };
  total: Money;
  /** The only payment that a link can have, and failed ones before it. */
  payments: { id: string; status: 'COMPLETED' | 'FAILED' }[];
  isDeleted: boolean;
  /** Time of the opening of its dispute. */
  disputedAt?: number;
  created: number;
  message: string | null;
}

/** Plays Square's payment links, their orders, and refunds. */
export function squareStub(base: () => string) {
  const accounts = new Map<string, Account>();
  const links = new Map<string, Link>();
  const byOrder = new Map<string, Link>();
  const replays = new Map<string, { body: string; answer: StubAnswer }>();
  const book = refundBook<Link>();

  /** A new account; its notifications go to the target, signed for the address that was registered for them. */
  function register(target: Target, notificationUrl: string) {
    const account = {
      accessToken: `EAAA${randomToken()}`,
      locationId: `L${randomToken().slice(0, 12)}`,
      signatureKey: randomToken(),
      notificationUrl,
      target,
    };
    accounts.set(account.accessToken, account);
    const { target: _, ...settings } = account;
    return { ...settings, apiBase: base() };
  }

  function create(account: Account, { body: text }: StubRequest, now: number): Answered {
    const body = readBody(SquareLinkBody, text);
    const { key, replay } = onceOf(account, body.idempotency_key, text);
    if (replay) return replay;
    if (body.order.location_id !== account.locationId) {
      throw refused(404, 'NOT_FOUND', 'order.location_id', `Location \`${body.order.location_id}\` not found`);
    }
    const total = totalOf(body);
    const link: Link = {
      id: randomToken().slice(0, 16),
      account,
      body,
      order: { id: randomToken(), version: 1, state: 'DRAFT' },
      total,
      payments: [],
      isDeleted: false,
      created: now,
      message: null,
    };
    remember(links, link.id, link);
    remember(byOrder, link.order.id, link);
    const answer = {
      status: 200,
      body: { payment_link: shownLink(link, base()), related_resources: { orders: [shownOrder(link)] } },
    };
    remember(replays, key, { body: text, answer });
    return { answer, opened: link.id };
  }

  function onceOf(account: Account, idempotencyKey: string, text: string): { key: string; replay?: Answered } {
    const key = `${account.accessToken} ${idempotencyKey}`;
    const before = replays.get(key);
    if (before && before.body !== text) {
      throw refused(
        400,
        'IDEMPOTENCY_KEY_REUSED',
        'idempotency_key',
        'Different request parameters used for the same key',
      );
    }
    return before ? { key, replay: { answer: before.answer } } : { key };
  }

  function refund(account: Account, { body: text }: StubRequest, now: number): Answered {
    const body = readBody(SquareRefundBody, text);
    const { key, replay } = onceOf(account, body.idempotency_key, text);
    if (replay) return replay;
    const { link, payment } = linkOf(account, body.payment_id);
    const amount = BigInt(body.amount_money.amount);
    if (body.amount_money.currency !== link.total.currency || amount <= 0n || payment.status !== 'COMPLETED') {
      throw refused(400, 'BAD_REQUEST', 'amount_money', 'This payment cannot be refunded in this amount.');
    }
    if (amount > BigInt(link.total.amount) - book.given(link)) {
      const detail = 'The requested refund amount exceeds the amount available to refund.';
      throw refused(400, 'REFUND_AMOUNT_INVALID', 'amount_money.amount', detail, 'REFUND_ERROR');
    }
    const id = `${body.payment_id}_${randomToken()}`;
    const made = book.make({ id, payment: link, amount, named: body.reason ?? null, created: now });
    // Square always answers PENDING, and tells of the rest.
    const pending = shownRefund({ ...made, status: 'pending' });
    const answer = { status: 200, body: { refund: pending } };
    remember(replays, key, { body: text, answer });
    const later = made.status === 'pending' ? [] : [toldRefund(made, 'refund.updated', now)];
    return { answer, tell: [toldRefund({ ...made, status: 'pending' }, 'refund.created', now), ...later] };
  }

  function toldRefund(made: StubRefund<Link>, type: string, now: number): Told {
    const { account } = made.payment;
    const sent = squareNotification(type, made.id, { refund: shownRefund(made) }, account, now);
    return { target: account.target, event: `${type} ${made.status}`, sent };
  }

  function deleteLink(link: Link | undefined): Answered {
    if (!link || link.isDeleted) throw refused(404, 'NOT_FOUND', 'id', 'Payment link not found');
    link.isDeleted = true;
    // Square does not change an order with a payment attempt: a buyer with the page open can still pay it.
    if (link.payments.length > 0) return { answer: { status: 200, body: { id: link.id } } };
    cancel(link);
    return { answer: { status: 200, body: { id: link.id, cancelled_order_id: link.order.id } } };
  }

  function updateOrder(link: Link, { body: text }: StubRequest): Answered {
    const { order } = readBody(OrderChange, text);
    if (order.version !== link.order.version) {
      throw refused(409, 'VERSION_MISMATCH', 'order.version', `Expected version ${link.order.version}`);
    }
    if (isPaid(link) || link.order.state === 'CANCELED') {
      throw refused(400, 'BAD_REQUEST', 'order.state', `Order ${link.order.id} cannot be canceled`);
    }
    cancel(link);
    return { answer: { status: 200, body: { order: shownOrder(link) } } };
  }

  const part: StubPart = {
    operationOf(method, path) {
      if (method === 'POST' && path === '/v2/online-checkout/payment-links') return 'create';
      if (method === 'DELETE' && /^\/v2\/online-checkout\/payment-links\/[^/]+$/.test(path)) return 'delete';
      if (method === 'POST' && path === '/v2/refunds') return 'refund';
      if (method === 'GET' && /^\/v2\/refunds\/[^/]+$/.test(path)) return 'refunded';
      if (/^\/v2\/orders\/[^/]+$/.test(path)) return { GET: 'order', PUT: 'update' }[method] ?? null;
      return method === 'GET' && /^\/v2\/payments\/[^/]+$/.test(path) ? 'payment' : null;
    },

    answer(operation, request, now) {
      const account = accounts.get(/^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '');
      if (!account) {
        throw refused(401, 'UNAUTHORIZED', null, 'This request could not be authorized.', 'AUTHENTICATION_ERROR');
      }
      if (operation === 'create') return create(account, request, now);
      if (operation === 'refund') return refund(account, request, now);
      const id = decodeURIComponent(request.path.split('/').at(-1) ?? '');
      const own = (link: Link | undefined) => (link?.account === account ? link : undefined);
      if (operation === 'refunded') {
        const made = book.find(id);
        if (made?.payment.account !== account) throw refused(404, 'NOT_FOUND', 'refund_id', `Refund ${id} not found`);
        return { answer: { status: 200, body: { refund: shownRefund(made) } } };
      }
      if (operation === 'delete') return deleteLink(own(links.get(id)));
      if (operation === 'payment') return { answer: { status: 200, body: { payment: findPayment(account, id, now) } } };
      const link = own(byOrder.get(id));
      if (!link) throw refused(404, 'NOT_FOUND', 'order_id', `Order ${id} not found`);
      if (operation === 'update') return updateOrder(link, request);
      return { answer: { status: 200, body: { order: shownOrder(link) } } };
    },

    page(id) {
      const link = links.get(id);
      return link ? pageOf(link) : null;
    },

    act(id, action, now) {
      const link = links.get(id);
      return link ? actOn(link, action, now) : { location: null, tell: [] };
    },

    dispute(id, step, now) {
      const link = links.get(id);
      const payment = link?.payments.find(({ status }) => status === 'COMPLETED');
      if (!link || !payment) return [];
      link.disputedAt ??= now;
      const told = squareDispute(step, { payment: payment.id, ...link.total, openedAt: link.disputedAt }, now);
      if (!told) return [];
      const sent = squareNotification(told.type, payment.id, told.object, link.account, now);
      return [{ target: link.account.target, event: told.type, sent }];
    },

    books: () =>
      [...links.values()].map(({ id, payments, total }) => ({
        page: id,
        payment: paidOf({ payments })?.id ?? null,
        amount: BigInt(total.amount),
        currency: total.currency,
      })),

    planRefunds: book.plan,

    refunds: () =>
      book.all().map(({ id, payment, amount, status }) => ({
        ...{ refund: id, payment: paidOf(payment)?.id ?? '', amount, status },
      })),

    decideRefund(id, status, now) {
      const refund = book.find(id);
      if (!refund) return [];
      refund.status = status;
      return [toldRefund(refund, 'refund.updated', now)];
    },

    tick: () => [],
  };

  function findPayment(account: Account, id: string, now: number): object {
    const { link, payment } = linkOf(account, id);
    const refunds = book.of(link);
    const given = { ...link.total, amount: Number(book.given(link)) };
    return {
      ...paymentOf(link, payment.id, payment.status, 2, now),
      ...(refunds.length > 0 ? { refunded_money: given, refund_ids: refunds.map((one) => one.id) } : {}),
    };
  }

  function linkOf(account: Account, id: string): { link: Link; payment: Link['payments'][number] } {
    for (const link of links.values()) {
      const payment = link.account === account && link.payments.find((one) => one.id === id);
      if (payment) return { link, payment };
    }
    throw refused(404, 'NOT_FOUND', 'payment_id', `Could not find payment with id: ${id}`);
  }

  return { ...part, register, accountOf: (token: string) => accounts.get(token) };
}

function actOn(link: Link, action: BuyerAction, now: number): Acted {
  const stay = (message: string, tell: Told[] = []) => {
    link.message = message;
    return { location: null, tell };
  };
  if (action === 'cancel') return stay('Square does not return to the shop: close this page.');
  if (isPaid(link)) return stay('This link was paid already.');
  if (link.order.state === 'CANCELED') return stay('This payment link is no longer active.');
  const id = randomToken();
  const tell = (type: string, status: string, version: number) => {
    const payment = paymentOf(link, id, status, version, now);
    const sent = squareNotification(type, id, { payment }, link.account, now);
    return { target: link.account.target, event: `${type} ${status}`, sent };
  };
  link.order.version++;
  if (action === 'decline') {
    link.payments.push({ id, status: 'FAILED' });
    return stay('Your card was declined.', [tell('payment.created', 'FAILED', 1)]);
  }
  link.payments.push({ id, status: 'COMPLETED' });
  // It stays in this state; only the payment tells that it was paid.
  link.order.state = 'OPEN';
  link.message = 'Paid.';
  const location = new URL(link.body.checkout_options?.redirect_url ?? 'about:blank');
  if (location.protocol !== 'about:') {
    location.searchParams.set('transactionId', link.order.id);
    location.searchParams.set('orderId', link.order.id);
  }
  return {
    location: location.protocol === 'about:' ? null : location.href,
    tell: [tell('payment.created', 'APPROVED', 1), tell('payment.updated', 'COMPLETED', 2)],
  };
}

function isPaid(link: Link): boolean {
  return paidOf(link) !== undefined;
}

function paidOf({ payments }: Pick<Link, 'payments'>) {
  return payments.find(({ status }) => status === 'COMPLETED');
}

function shownRefund({ id, payment, amount, status, named, created }: StubRefund<Link>): object {
  return {
    id,
    status: { pending: 'PENDING', succeeded: 'COMPLETED', failed: 'FAILED' }[status],
    amount_money: { ...payment.total, amount: Number(amount) },
    payment_id: paidOf(payment)?.id,
    ...(named === null ? {} : { reason: named }),
    created_at: new Date(created).toISOString(),
  };
}

function cancel({ order }: Link): void {
  order.state = 'CANCELED';
  order.version++;
}

function shownLink(link: Link, base: string): object {
  const { checkout_options, pre_populated_data, payment_note } = link.body;
  const url = `${base}/buyer/square/${link.id}`;
  const created_at = new Date(link.created).toISOString();
  return {
    id: link.id,
    version: 1,
    order_id: link.order.id,
    url,
    long_url: url,
    created_at,
    ...(checkout_options && { checkout_options }),
    ...(pre_populated_data && { pre_populated_data }),
    ...(payment_note !== undefined && { payment_note }),
  };
}

function shownOrder({ body, order, total, payments }: Link): object {
  const paid = payments.filter(({ status }) => status === 'COMPLETED');
  return {
    id: order.id,
    ...body.order,
    state: order.state,
    version: order.version,
    total_money: total,
    net_amount_due_money: paid.length > 0 ? { ...total, amount: 0 } : total,
    ...(paid.length > 0
      ? { tenders: paid.map(({ id }) => ({ id, payment_id: id, type: 'CARD', amount_money: total })) }
      : {}),
  };
}

/** The payment carries the link's note, and no `reference_id`: whether Square sets that for links is not documented. */
function paymentOf({ body, order, total }: Link, id: string, status: string, version: number, now: number): object {
  const at = new Date(now).toISOString();
  const card = { card_brand: 'VISA', last_4: status === 'FAILED' ? '0002' : '1111', exp_month: 12, exp_year: 2034 };
  return {
    id,
    order_id: order.id,
    location_id: body.order.location_id,
    status,
    amount_money: total,
    total_money: total,
    approved_money: status === 'FAILED' ? { ...total, amount: 0 } : total,
    source_type: 'CARD',
    card_details: { status: status === 'FAILED' ? 'FAILED' : 'CAPTURED', card, errors: [] },
    ...(body.payment_note === undefined ? {} : { note: body.payment_note }),
    created_at: at,
    updated_at: at,
    version,
  };
}

function pageOf(link: Link): BuyerPage {
  const { order, checkout_options } = link.body;
  const money = ({ amount, currency }: Money) => `${formatMoney(BigInt(amount), squareDecimals(currency))} ${currency}`;
  const lines = order.line_items.map(({ name, quantity, base_price_money }) => ({
    name: `${quantity} × ${name ?? 'Item'}`,
    amount: money({ ...base_price_money, amount: base_price_money.amount * Number(quantity) }),
  }));
  for (const { name, amount_money } of order.discounts ?? []) {
    lines.push({ name: name ?? 'Discount', amount: `−${money(amount_money)}` });
  }
  for (const { name, amount_money } of order.service_charges ?? []) {
    lines.push({ name: name ?? 'Charge', amount: money(amount_money) });
  }
  const fee = checkout_options?.shipping_fee;
  if (fee) lines.push({ name: fee.name ?? 'Shipping', amount: money(fee.charge) });
  return {
    provider: 'Square',
    title: link.body.payment_note ?? 'An order',
    lines,
    total: money(link.total),
    isOpen: !isPaid(link) && link.order.state !== 'CANCELED',
    message: link.message,
  };
}
