import { describe, expect, it } from 'vitest';
import type { OrderFacts } from '../../payments/fields.ts';
import { type Matched, matchedValues } from '../../storage/tables/payments.ts';
import { type Decision, decide, type Effect, type PaymentFacts, type Report } from './decide.ts';

const total = 1000;
const order = (status: OrderFacts['status'], facts: Partial<OrderFacts> = {}): OrderFacts => ({
  status,
  expired: false,
  paid: false,
  total,
  currency: 'EUR',
  ...facts,
});

const orders: Record<string, OrderFacts | null> = {
  'no order': null,
  pending: order('pending'),
  paid: order('paid', { paid: true }),
  fulfilled: order('fulfilled', { paid: true }),
  'fulfilled and not paid': order('fulfilled'),
  refunded: order('refunded', { paid: true }),
  'cancelled by a person': order('cancelled'),
  expired: order('cancelled', { expired: true }),
  'cancelled after it was paid': order('cancelled', { paid: true }),
};

const payment = (facts: Partial<PaymentFacts> = {}): PaymentFacts => ({
  status: 'succeeded',
  version: 5,
  amount: total,
  currency: 'EUR',
  captured: total,
  refunded: 0,
  matched: null,
  wrongPayee: false,
  ...facts,
});

/** A payment that succeeded, with the given `matched`. */
function succeeded(matched: Matched): PaymentFacts {
  const facts: Partial<Record<Matched, Partial<PaymentFacts>>> = {
    mismatch: { amount: 900, captured: 900 },
    wrongPayee: { wrongPayee: true },
    refunded: { refunded: total },
  };
  return payment({ matched, ...facts[matched] });
}

const attempt = (status: PaymentFacts['status']) => payment({ status, captured: 0 });

const payments: Record<string, PaymentFacts | null> = {
  unknown: null,
  processing: attempt('processing'),
  failed: attempt('failed'),
  cancelled: attempt('cancelled'),
  ...Object.fromEntries(matchedValues.map((matched) => [matched, succeeded(matched)])),
};

const report = (kind: PaymentFacts['status'], facts: Partial<Extract<Report, { amount: unknown }>> = {}): Report => ({
  kind,
  version: 6,
  versionsTie: false,
  amount: total,
  currency: 'EUR',
  refunded: 0,
  wrongPayee: false,
  ...facts,
});

const notices: Record<string, Report> = {
  succeeded: report('succeeded'),
  'succeeded, wrong amount': report('succeeded', { amount: 900 }),
  'succeeded, other currency': report('succeeded', { currency: 'USD' }),
  'succeeded, wrong payee': report('succeeded', { wrongPayee: true }),
  'succeeded, given back before': report('succeeded', { refunded: total }),
  processing: report('processing'),
  failed: report('failed'),
  'failed, out of date': report('failed', { version: 4 }),
  cancelled: report('cancelled'),
  'all given back': { kind: 'refund', refunded: total },
  'a part given back': { kind: 'refund', refunded: 100 },
  'a refund failed': { kind: 'refund', refunded: 0 },
  'a dispute took all': { kind: 'dispute', refunded: total },
  'a dispute took a part': { kind: 'dispute', refunded: 100 },
  'a dispute, nothing taken': { kind: 'dispute', refunded: 0 },
  'link or method': { kind: 'link' },
  again: { kind: 'again' },
};

/** The reason why this payment and order cannot occur together; undefined if they can. */
function unreachable(orderName: string, paymentName: string): string | undefined {
  const facts = orders[orderName] ?? null;
  if (paymentName === 'paid') {
    return facts?.paid ? undefined : 'an order that a payment paid stays paid, refunded or cancelled after it was paid';
  }
  if (
    facts === null &&
    ['second', 'mismatch', 'wrongPayee', 'cancelledOrder', 'insufficientStock'].includes(paymentName)
  ) {
    return 'orders are never deleted';
  }
  return undefined;
}

interface Cell {
  names: [order: string, payment: string, notice: string];
  order: OrderFacts | null;
  before: PaymentFacts | null;
  report: Report;
  decision: Decision;
}

/** The report with the known refunded amount, which a notice of an attempt does not change. */
function reportOf(before: PaymentFacts | null, notice: Report): Report {
  return 'amount' in notice && before?.status === 'succeeded' ? { ...notice, refunded: before.refunded } : notice;
}

const cells: Cell[] = Object.entries(orders).flatMap(([orderName, orderFacts]) =>
  Object.entries(payments)
    .filter(([paymentName]) => unreachable(orderName, paymentName) === undefined)
    .flatMap(([paymentName, before]) =>
      Object.entries(notices)
        // Without a payment, a refund or a dispute waits in the inbox and nothing is decided.
        .filter(([, { kind }]) => before !== null || !['refund', 'dispute', 'link', 'again'].includes(kind))
        .map(([noticeName, one]) => ({
          names: [orderName, paymentName, noticeName] as [string, string, string],
          order: orderFacts,
          before,
          report: reportOf(before, one),
          decision: decide(orderFacts, before, reportOf(before, one)),
        })),
    ),
);

describe('decisions on payments', () => {
  it('cover every order, payment and notice that can meet', () => {
    expect(cells.length).toBeGreaterThan(1000);
    for (const { names, decision } of cells) expect([names, decision.payment]).not.toEqual([names, null]);
  });

  it('never lose money that came in: a success is final', () => {
    for (const { names, before, report: notice, decision } of cells) {
      const came = before?.status === 'succeeded' || notice.kind === 'succeeded';
      expect([names, decision.payment?.status === 'succeeded']).toEqual([names, came]);
      expect([names, decision.payment?.matched === null]).toEqual([names, !came]);
      if (came) expect([names, (decision.payment?.captured ?? 0) > 0]).toEqual([names, true]);
    }
  });

  it('pay only an order that waits, with the right money, neither refunded nor dismissed', () => {
    for (const { names, order: facts, before, decision } of cells) {
      const pays = decision.effect === 'confirm' || decision.effect === 'reopen';
      if (!pays) continue;
      const { payment: after } = decision;
      expect([names, facts?.paid, after?.amount, after?.currency, after?.wrongPayee]).toEqual([
        names,
        false,
        total,
        'EUR',
        false,
      ]);
      expect([names, after?.matched, (after?.refunded ?? 0) < total, before?.matched === 'dismissed']).toEqual([
        names,
        'paid',
        true,
        false,
      ]);
      expect([names, decision.effect]).toEqual([names, facts?.expired ? 'reopen' : 'confirm']);
      expect(['pending', 'fulfilled and not paid', 'expired']).toContain(names[0]);
    }
  });

  it('pay whenever no reason forbids it', () => {
    for (const { names, decision } of cells) {
      const { payment: after, effect } = decision;
      const waits = ['pending', 'fulfilled and not paid', 'expired'].includes(names[0]);
      const good =
        after?.status === 'succeeded' && after.amount === total && after.currency === 'EUR' && !after.wrongPayee;
      const left = (after?.refunded ?? 0) < (after?.captured ?? 0) && after?.matched !== 'dismissed';
      const pays = effect === 'confirm' || effect === 'reopen';
      expect([names, pays]).toEqual([names, waits && good && left]);
    }
  });

  it('give the first applicable reason for money that pays nothing', () => {
    for (const { names, order: facts, before, decision } of cells) {
      const { payment: after, effect } = decision;
      if (after?.status !== 'succeeded' || effect === 'confirm' || effect === 'reopen') continue;
      const reasons: [Matched, boolean][] = [
        ['paid', before?.matched === 'paid'],
        ['dismissed', before?.matched === 'dismissed'],
        ['refunded', after.refunded >= after.captured],
        ['none', facts === null],
        ['second', facts?.paid === true],
        ['cancelledOrder', facts?.status === 'cancelled' && !facts.expired],
        ['wrongPayee', after.wrongPayee],
        ['mismatch', true],
      ];
      expect([names, after.matched]).toEqual([names, reasons.find(([, holds]) => holds)?.[0]]);
    }
  });

  it('change an order only when it waits for money, when the payment paid it, or when it pays it now', () => {
    const allowed: Record<Effect, (cell: Cell) => boolean> = {
      none: () => true,
      confirm: ({ names }) => ['pending', 'fulfilled and not paid'].includes(names[0]),
      reopen: ({ order: facts }) => facts?.expired === true,
      status: ({ names }) => ['pending', 'fulfilled and not paid'].includes(names[0]),
      update: ({ before }) => before?.matched === 'paid',
    };
    for (const cell of cells) expect([cell.names, allowed[cell.decision.effect](cell)]).toEqual([cell.names, true]);
  });

  it('leave an attempt unchanged when an older notice of it comes late', () => {
    for (const { names, before, decision } of cells) {
      if (names[2] !== 'failed, out of date' || before === null) continue;
      expect([names, decision.payment?.status]).toEqual([names, before.status]);
    }
    // Among notices of the same second, the last received counts; the same version counts once.
    const at = (versionsTie: boolean) =>
      decide(order('pending'), attempt('processing'), report('failed', { version: 5, versionsTie }));
    expect(at(true).payment?.status).toBe('failed');
    expect(at(false).payment?.status).toBe('processing');
    const unknown = decide(order('pending'), attempt('failed'), report('processing', { version: null }));
    expect(unknown.payment?.status).toBe('processing');
  });

  it('are the same when a report comes twice', () => {
    for (const { names, order: facts, report: notice, decision } of cells) {
      if (decision.effect === 'confirm' || decision.effect === 'reopen') continue;
      expect([names, decide(facts, decision.payment, notice).payment]).toEqual([names, decision.payment]);
    }
  });

  it('are printed as a table in the documentation', async () => {
    await expect(printed()).toMatchFileSnapshot('../../../../../docs/payment-decisions.md');
  });
});

/** A cell of the table: the payment afterwards, and the change to the order. */
function print({ payment: after, effect }: Decision): string {
  const now = after?.matched ?? after?.status ?? 'nothing';
  const effects: Record<Effect, string> = {
    none: '',
    confirm: ', **order paid** ¹',
    reopen: ', **order reopened and paid** ¹',
    status: ', payment status ²',
    update: ', order updated ³',
  };
  return `${now}${effects[effect]}`;
}

function printed(): string {
  const lines = [
    '# What a notification does',
    '',
    'The decision for every combination of order, payment and notice that can occur. A test prints this page from the function that decides.',
    '',
    'A cell states the payment afterwards (its status or, once it succeeded, its `matched`) and the change to the order.',
    '',
    '1. If stock suffices, which an order that was shipped unpaid has taken before: it stays fulfilled. Else the payment waits as `insufficientStock`, an expired order becomes pending again, and the provider is answered 500, so that it sends the notification again.',
    '2. The payment status of the unpaid order is derived from all its payments: `refunded` if one was refunded before it could pay, else `processing`, else `pending` while money waits, else `failed`, else `cancelled`.',
    '3. The order takes over the refunded amount, and method and details that it lacks.',
    '',
  ];
  const columns = Object.keys(notices);
  for (const orderName of Object.keys(orders)) {
    lines.push(`## ${orderName[0]?.toUpperCase()}${orderName.slice(1)}`, '');
    lines.push(`| payment | ${columns.join(' | ')} |`, `| --- |${' --- |'.repeat(columns.length)}`);
    const notes: string[] = [];
    for (const paymentName of Object.keys(payments)) {
      const reason = unreachable(orderName, paymentName);
      if (reason !== undefined) {
        notes.push(`- \`${paymentName}\` cannot occur: ${reason}.`);
        continue;
      }
      const row = columns.map((noticeName) => {
        const cell = cells.find(({ names }) => names.join() === [orderName, paymentName, noticeName].join());
        return cell ? print(cell.decision) : 'waits in the inbox';
      });
      lines.push(`| ${paymentName} | ${row.join(' | ')} |`);
    }
    lines.push('', ...(notes.length > 0 ? [...notes, ''] : []));
  }
  return lines.join('\n');
}
