/** A minimal model of a shop's money, which the real shop is compared with, step by step. */

export const price = 10;
export const quantities = [1, 2, 3];
export const firstStock = 3;
/** Amounts of the refunds of a payment, by their number. */
export const refundAmounts = [3, 5, 10];

export type RefundStatus = 'pending' | 'completed' | 'failed';
/** Stripe reports a payment with three objects; they name each other, but not all name the order. */
export type TheObject = 'intent' | 'charge' | 'session';
/** Objects that name the order: intent and charge always do so together, because one copies the other. */
export type Naming = 'intent' | 'session' | 'both';

export interface Attempt {
  what: 'succeeded' | 'failed' | 'processing';
  order: number;
  payment: number;
  object: TheObject;
}
export interface RefundTold {
  what: 'refund';
  order: number;
  payment: number;
  refund: number;
  status: RefundStatus;
  names: 'intent' | 'charge' | 'both';
}
export type Told = Attempt | RefundTold;

/** Properties of a payment that no step changes. */
export interface Plan {
  naming: Naming;
  /** Captured part of the total. */
  share: 'all' | 'less';
  /** Order of failure and processing by the provider's clock. */
  failsAt: 'first' | 'last';
}

export type Verdict = 'ok' | 'conflict' | 'validation' | 'insufficientStock';

interface ModelPayment {
  plan: Plan;
  amount: number;
  known: boolean;
  /** Its number among all payments, in the order of becoming known. */
  knownAs: number;
  events: Attempt[];
  chargeKnown: boolean;
  linked: boolean;
  status: Attempt['what'] | null;
  at: number;
  dismissed: boolean;
  refunds: Map<string, { amount: number; status: RefundStatus }>;
}

interface ModelOrder {
  total: number;
  quantity: number;
  status: 'pending' | 'paid' | 'fulfilled' | 'cancelled' | 'refunded';
  expired: boolean;
  paidBy: number | null;
  fulfilled: boolean;
  /** Pieces that a person returned to stock. */
  back: number;
}

export const paymentKey = ({ order, payment }: { order: number; payment: number }) => `${order}-${payment}`;
export const eventOf = (told: Told) => Object.values(told).join(' ');

/** Time of the event by the provider's clock. */
export function timeOf(what: Attempt['what'], { failsAt }: Plan): number {
  if (what === 'succeeded') return 30;
  if (what === 'processing') return 20;
  return failsAt === 'first' ? 10 : 25;
}

export class Model {
  stock = firstStock;
  readonly payments = new Map<string, ModelPayment>();
  readonly orders: ModelOrder[];
  /** Refunds that wait for their payment. */
  readonly waiting = new Map<string, RefundTold>();
  /** Notifications that need no second look. */
  readonly #settled = new Set<string>();
  readonly paidEver = new Set<number>();
  #arrivals = 0;

  constructor(plans: readonly (readonly [Plan, Plan])[]) {
    this.orders = quantities.map((quantity) => ({
      total: quantity * price,
      quantity,
      status: 'pending',
      expired: false,
      paidBy: null,
      fulfilled: false,
      back: 0,
    }));
    plans.forEach((pair, order) => {
      pair.forEach((plan, payment) => {
        const total = this.order(order).total;
        const refunds = new Map();
        const amount = plan.share === 'all' ? total : total - 1;
        const unknown = {
          known: false,
          knownAs: 0,
          events: [],
          chargeKnown: false,
          linked: false,
          status: null,
          at: 0,
          dismissed: false,
        };
        this.payments.set(paymentKey({ order, payment }), { plan, amount, ...unknown, refunds });
      });
    });
  }

  order(number: number): ModelOrder {
    return this.orders[number] as ModelOrder;
  }

  payment(of: { order: number; payment: number }): ModelPayment {
    return this.payments.get(paymentKey(of)) as ModelPayment;
  }

  tell(told: Told): void {
    if (this.#settled.has(eventOf(told))) return;
    if (told.what === 'refund') this.#tellRefund(told);
    else this.#tellAttempt(told);
  }

  #tellAttempt(told: Attempt): void {
    const payment = this.payment(told);
    const { plan } = payment;
    const { object, what } = told;
    if (!payment.known) Object.assign(payment, { known: true, knownAs: ++this.#arrivals });
    if (object !== 'session' || told.order % 2 === 1) payment.chargeKnown = true;
    if (plan.naming === 'both' || (plan.naming === 'session') === (object === 'session')) payment.linked = true;
    const at = timeOf(what, plan);
    if (what === 'succeeded') payment.status = 'succeeded';
    else if (payment.status !== 'succeeded' && at >= payment.at) Object.assign(payment, { status: what, at });
    payment.events.push(told);
    this.#takeWaiting();
    this.#settle(told);
    this.#close();
  }

  /** Notifications of waiting money are checked again when they are repeated; others are settled. */
  #close(): void {
    for (const payment of this.payments.values()) {
      for (const told of payment.events) {
        if (this.isResolved(told) || (payment.linked && told.what !== 'succeeded')) this.#settled.add(eventOf(told));
      }
    }
  }

  /** Applies refunds of payments that became known, until none is left. */
  #takeWaiting(): void {
    for (const [key, refund] of this.waiting) {
      if (!this.#isKnown(refund)) continue;
      this.waiting.delete(key);
      this.#settled.add(key);
      this.#record(refund);
      this.#takeWaiting();
    }
  }

  #tellRefund(told: RefundTold): void {
    if (!this.#isKnown(told)) {
      this.waiting.set(eventOf(told), told);
      return;
    }
    const wasBack = this.#isBack(told);
    this.#record(told);
    this.#takeWaiting();
    // If a failed refund's money would pay an order that waits for stock, the notification is to be repeated.
    if (this.#settle(told) !== 'short' || !wasBack) this.#settled.add(eventOf(told));
    this.#close();
  }

  #isKnown(told: RefundTold): boolean {
    const payment = this.payment(told);
    return told.names === 'charge' ? payment.chargeKnown : payment.known;
  }

  #record(told: RefundTold): void {
    const payment = this.payment(told);
    const { refunds } = payment;
    if (told.names !== 'intent') payment.chargeKnown = true;
    const id = `${told.refund}`;
    const rank = ['pending', 'completed', 'failed'];
    const known = refunds.get(id);
    const status = known && rank.indexOf(known.status) >= rank.indexOf(told.status) ? known.status : told.status;
    refunds.set(id, { amount: refundAmounts[told.refund] as number, status });
  }

  refundedOf(payment: ModelPayment): number {
    let sum = 0;
    for (const { amount, status } of payment.refunds.values()) if (status === 'completed') sum += amount;
    return sum;
  }

  /** Whether all of a payment was refunded before it could pay. */
  #isBack(of: { order: number; payment: number }): boolean {
    const payment = this.payment(of);
    const paid = this.order(of.order).paidBy === of.payment;
    return payment.status === 'succeeded' && !paid && !payment.dismissed && this.refundedOf(payment) >= payment.amount;
  }

  /** Whether a payment is settled: money that came has paid an order, was dismissed or was refunded. */
  isResolved(of: { order: number; payment: number }): boolean {
    const payment = this.payment(of);
    if (payment.status !== 'succeeded') return false;
    const paid = this.order(of.order).paidBy === of.payment;
    return paid || payment.dismissed || this.refundedOf(payment) >= payment.amount;
  }

  /** Pays the order with a payment, if all conditions hold. */
  #settle(of: { order: number; payment: number }): 'paid' | 'short' | 'no' {
    const order = this.order(of.order);
    const payment = this.payment(of);
    if (!payment.linked || payment.status !== 'succeeded' || order.paidBy !== null || payment.dismissed) return 'no';
    if (payment.amount !== order.total || this.refundedOf(payment) >= payment.amount) return 'no';
    if (order.status !== 'pending' && !order.expired) return 'no';
    if (this.stock < order.quantity) {
      Object.assign(order, { status: 'pending', expired: false });
      return 'short';
    }
    this.stock -= order.quantity;
    Object.assign(order, { status: 'paid', expired: false, paidBy: of.payment });
    this.paidEver.add(of.order);
    return 'paid';
  }

  /** Checks everything that waits again, in the order of the payments. */
  confirm(number: number): Verdict {
    const order = this.order(number);
    if (order.status !== 'pending') return 'conflict';
    let verdict: Verdict = 'conflict';
    const at = (payment: number) => this.payment({ order: number, payment }).knownAs;
    for (const payment of [0, 1].sort((a, b) => at(a) - at(b))) {
      const came = this.#settle({ order: number, payment });
      if (came === 'short') return 'insufficientStock';
      if (came === 'paid') verdict = 'ok';
    }
    this.#close();
    return verdict;
  }

  expire(): void {
    this.orders.forEach((order, number) => {
      if (order.status !== 'pending') return;
      const held = [0, 1].some((payment) => {
        const one = this.payment({ order: number, payment });
        if (!one.linked) return false;
        const came = one.status === 'succeeded' && !one.dismissed && this.refundedOf(one) < one.amount;
        return one.status === 'processing' || came;
      });
      if (!held) Object.assign(order, { status: 'cancelled', expired: true });
    });
  }

  dismiss(of: { order: number; payment: number }): Verdict {
    const payment = this.payment(of);
    if (payment.status !== 'succeeded' || this.order(of.order).paidBy === of.payment) return 'conflict';
    payment.dismissed = true;
    this.#close();
    return 'ok';
  }

  apply(of: { order: number; payment: number }): Verdict {
    const order = this.order(of.order);
    const payment = this.payment(of);
    if (order.paidBy === of.payment) return 'ok';
    const waits = order.status === 'pending' || order.expired;
    const left = payment.status === 'succeeded' && this.refundedOf(payment) < payment.amount;
    if (!left || !waits || payment.amount !== order.total) return 'conflict';
    if (this.stock < order.quantity) return 'insufficientStock';
    Object.assign(payment, { dismissed: false, linked: true });
    this.#settle(of);
    this.#close();
    return 'ok';
  }

  refund(number: number, refund: number, amount: number, restock: boolean): Verdict {
    const order = this.order(number);
    if (order.paidBy === null) return 'conflict';
    const payment = this.payment({ order: number, payment: order.paidBy });
    const known = payment.refunds.get(`${refund}`);
    if (known) return known.amount === amount && known.status !== 'failed' ? 'ok' : 'conflict';
    const sum = this.refundedOf(payment) + amount;
    if (sum > order.total) return 'validation';
    if (restock && sum < order.total) return 'validation';
    payment.refunds.set(`${refund}`, { amount, status: 'completed' });
    if (restock) this.#putBack(order);
    return 'ok';
  }

  #putBack(order: ModelOrder): void {
    this.stock += order.quantity - order.back;
    order.back = order.quantity;
  }

  /** The status as shown: refunds of a paid order take precedence over its fulfilment. */
  statusOf(number: number): ModelOrder['status'] {
    const order = this.order(number);
    if (order.paidBy === null || order.status === 'cancelled') return order.status;
    if (this.refunded(number) === order.total) return 'refunded';
    return order.fulfilled ? 'fulfilled' : 'paid';
  }

  move(number: number, status: 'fulfilled' | 'cancelled'): Verdict {
    const order = this.order(number);
    const now = this.statusOf(number);
    if (now === status) {
      // A person's cancellation applies to an expired order, too.
      if (status === 'cancelled') order.expired = false;
      return 'ok';
    }
    const possible =
      status === 'fulfilled' ? ['paid'] : order.fulfilled ? ['pending', 'paid'] : ['pending', 'paid', 'refunded'];
    if (!possible.includes(now)) return 'conflict';
    if (status === 'cancelled' && order.paidBy !== null) this.#putBack(order);
    if (status === 'fulfilled') order.fulfilled = true;
    order.status = status;
    return 'ok';
  }

  /** Refunded amount as shown. */
  refunded(number: number): number {
    const order = this.order(number);
    const counted =
      order.paidBy === null ? this.#givenBack(number) : [this.payment({ order: number, payment: order.paidBy })];
    const sum = counted.reduce((total, payment) => total + this.refundedOf(payment), 0);
    return Math.min(sum, order.total);
  }

  #linked(number: number): ModelPayment[] {
    return [0, 1].map((payment) => this.payment({ order: number, payment })).filter(({ linked }) => linked);
  }

  /** Payments that were refunded before they could pay. */
  #givenBack(number: number): ModelPayment[] {
    return this.#linked(number).filter(
      (one) => one.status === 'succeeded' && !one.dismissed && this.refundedOf(one) >= one.amount,
    );
  }

  paymentStatus(number: number): string {
    const order = this.order(number);
    if (order.paidBy !== null) {
      const refunded = this.refunded(number);
      return refunded === 0 ? 'succeeded' : refunded === order.total ? 'refunded' : 'partially_refunded';
    }
    if (this.#givenBack(number).length > 0) return 'refunded';
    const states = this.#linked(number).flatMap(({ status, dismissed }) => (dismissed ? [] : (status ?? [])));
    if (states.includes('processing')) return 'processing';
    return states.includes('failed') && !states.includes('succeeded') ? 'failed' : 'pending';
  }
}
