import type { Minor } from '../money.ts';

/**
 * A refund of one order. `shop`: recorded over the interface; `provider`: told by name; `total`: what a provider's running
 * total says beyond the refunds that are known by name. A pending one is not counted yet, a failed one no more.
 */
export interface Refund {
  refundId: string;
  origin: 'shop' | 'provider' | 'total';
  /** The provider's id of it; null while nobody has named it. */
  providerId: string | null;
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

/** The sum of what is counted; it may exceed the order's total. */
export function refundedOf(refunds: readonly Refund[]): Minor {
  return refunds.reduce((sum, refund) => (refund.status === 'completed' ? sum + refund.amount : sum), 0n);
}

/** The refund that has this id, whether as the shop's or as the provider's. */
export function findRefund(refunds: readonly Refund[], id: string): Refund | undefined {
  return refunds.find((refund) => refund.providerId === id || refund.refundId === id);
}

/**
 * The ledger with a refund that the shop records. It was made at the provider, so it may be part of what a running total
 * already told.
 * @param named whether `refundId` is the provider's
 */
export function recordOwn(
  refunds: readonly Refund[],
  refund: { refundId: string; named: boolean; amount: Minor; now: number },
): Refund[] {
  const { refundId, named, amount, now } = refund;
  return [
    ...takeFromTotal(refunds, amount),
    { refundId, origin: 'shop', providerId: named ? refundId : null, amount, status: 'completed', recordedAt: now },
  ];
}

/**
 * The ledger after what a provider says about a refund, in whatever order it says it: a failure is final, and what is
 * completed does not become pending again. A refund that nobody knows by this name is one that the shop recorded without a
 * name, when the amounts are equal; else it is new, and was part of the running total.
 */
export function noteNamed(refunds: readonly Refund[], told: NamedRefund, now: number): Refund[] {
  const known = findRefund(refunds, told.id);
  if (known) return replace(refunds, { ...known, providerId: told.id, status: later(known.status, told.status) });
  const unnamed = refunds.find(
    (refund) => refund.origin === 'shop' && refund.providerId === null && refund.amount === told.amount,
  );
  if (unnamed) {
    // Pending there is still recorded here: the shop said that it was done.
    const status = told.status === 'failed' ? 'failed' : unnamed.status;
    return replace(refunds, { ...unnamed, providerId: told.id, status });
  }
  return [
    ...takeFromTotal(refunds, told.amount),
    {
      refundId: told.id,
      origin: 'provider',
      providerId: told.id,
      amount: told.amount,
      status: told.status,
      recordedAt: now,
    },
  ];
}

/**
 * The ledger after a running total, which is a floor: what exceeds the refunds that are known counts as one of its own until
 * they are named. Pending and failed ones were in the total when it was told, so they are known too.
 */
export function noteTotal(refunds: readonly Refund[], total: Minor, refundId: string, now: number): Refund[] {
  const beyond = total - refunds.reduce((sum, refund) => sum + refund.amount, 0n);
  if (beyond <= 0n) return [...refunds];
  const before = refunds.find((refund) => refund.origin === 'total');
  if (before) return replace(refunds, { ...before, amount: before.amount + beyond });
  return [
    ...refunds,
    { refundId, origin: 'total', providerId: null, amount: beyond, status: 'completed', recordedAt: now },
  ];
}

function takeFromTotal(refunds: readonly Refund[], amount: Minor): Refund[] {
  return refunds.map((refund) =>
    refund.origin === 'total' ? { ...refund, amount: refund.amount > amount ? refund.amount - amount : 0n } : refund,
  );
}

const rank = { pending: 0, completed: 1, failed: 2 } as const;

function later(a: Refund['status'], b: Refund['status']): Refund['status'] {
  return rank[a] >= rank[b] ? a : b;
}

function replace(refunds: readonly Refund[], changed: Refund): Refund[] {
  return refunds.map((refund) => (refund.refundId === changed.refundId ? changed : refund));
}
