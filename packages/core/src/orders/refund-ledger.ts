import type { Minor } from '../money.ts';

/**
 * What was said about the refunds of one order. `shop`: recorded over the interface; `provider`: told by name; `total`: the
 * highest running total that the provider told, in `amount`. Nothing here depends on the order in which it was said: what
 * counts is derived from all of it.
 */
export interface Refund {
  refundId: string;
  origin: 'shop' | 'provider' | 'total';
  /** Whether `refundId` is the provider's. */
  named: boolean;
  amount: Minor;
  status: 'pending' | 'completed' | 'failed';
  /** Milliseconds. */
  recordedAt: number;
}

/** What a provider says about one refund. */
export interface NamedRefund {
  id: string;
  amount: Minor;
  status: Refund['status'];
}

/** The ledger with a refund that the shop records. */
export function recordOwn(
  refunds: readonly Refund[],
  { refundId, named, amount, now }: { refundId: string; named: boolean; amount: Minor; now: number },
): Refund[] {
  return [...refunds, { refundId, origin: 'shop', named, amount, status: 'completed', recordedAt: now }];
}

/** The ledger after what a provider says about a refund: a failure is final, and what is completed is not pending again. */
export function noteNamed(refunds: readonly Refund[], told: NamedRefund, now: number): Refund[] {
  const { id, amount, status } = told;
  const known = refunds.find((refund) => refund.named && refund.refundId === id);
  if (known) return replace(refunds, { ...known, status: later(known.status, status) });
  return [...refunds, { refundId: id, origin: 'provider', named: true, amount, status, recordedAt: now }];
}

/** The ledger after a running total: a floor, of which the highest counts. */
export function noteTotal(refunds: readonly Refund[], amount: Minor, refundId: string, now: number): Refund[] {
  const known = refunds.find((refund) => refund.origin === 'total');
  if (!known) {
    return [...refunds, { refundId, origin: 'total', named: false, amount, status: 'completed', recordedAt: now }];
  }
  return known.amount >= amount ? [...refunds] : replace(refunds, { ...known, amount });
}

/** The sum of what counts; it may exceed the order's total. */
export function refundedOf(refunds: readonly Refund[]): Minor {
  return sum(countedOf(refunds));
}

/**
 * The refunds that count. One that the shop recorded without the provider's id is one that the provider names later with the
 * same amount, a completed one if there is any; it counts as soon as the shop says so, unless that one failed. What a running
 * total exceeds all others by, pending and failed ones included, for they were in it, counts as one more.
 * @param refunds in the order in which they were first said
 */
export function countedOf(refunds: readonly Refund[]): Refund[] {
  const total = refunds.find((refund) => refund.origin === 'total');
  const own = refunds.filter((refund) => refund.origin === 'shop' && !refund.named);
  const named = refunds.filter((refund) => refund.named);
  const told = new Set(named.filter((refund) => refund.origin === 'provider'));
  const counted: Refund[] = [];
  const unexplained: Refund[] = [];
  for (const refund of own) {
    const after = refunds.slice(refunds.indexOf(refund));
    const [match] = after.filter((one) => told.has(one) && one.amount === refund.amount).sort(byLikelihood);
    if (match) told.delete(match);
    else unexplained.push(refund);
    if (match?.status !== 'failed') counted.push(refund);
  }
  for (const refund of named) {
    const stands = refund.origin === 'shop' || told.has(refund);
    if (stands && refund.status === 'completed') counted.push(refund);
  }
  const beyond = (total?.amount ?? 0n) - sum(named) - sum(unexplained);
  if (total && beyond > 0n) counted.push({ ...total, amount: beyond });
  return counted;
}

const likelihood = { completed: 0, pending: 1, failed: 2 } as const;

function byLikelihood(a: Refund, b: Refund): number {
  return likelihood[a.status] - likelihood[b.status];
}

const rank = { pending: 0, completed: 1, failed: 2 } as const;

function later(a: Refund['status'], b: Refund['status']): Refund['status'] {
  return rank[a] >= rank[b] ? a : b;
}

function sum(refunds: readonly Refund[]): Minor {
  return refunds.reduce((total, { amount }) => total + amount, 0n);
}

function replace(refunds: readonly Refund[], changed: Refund): Refund[] {
  return refunds.map((refund) => (refund.refundId === changed.refundId ? changed : refund));
}
