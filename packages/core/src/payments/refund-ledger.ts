import type { Minor } from '../money.ts';

/**
 * What was said about one refund of a payment. `shop`: recorded over the interface; `provider`: told by the provider; `both`: the
 * shop named it by the provider's id; `total`: a running total that the provider told, in `amount`. What counts is derived from
 * all of it, so that the order in which it was said does not matter.
 */
export interface Refund {
  /** The provider's id or, while `named` is false, one of ours. */
  refundId: string;
  origin: 'shop' | 'provider' | 'both' | 'total';
  named: boolean;
  amount: Minor;
  status: 'pending' | 'completed' | 'failed';
  /** The provider's time, in seconds, of a running total or of a failure; null where it said none. */
  toldAt: number | null;
  /** Milliseconds by our clock. */
  recordedAt: number;
  /** When `status` became what it is, by our clock. */
  statusSince: number;
}

/** What a provider says about one refund. */
export interface NamedRefund {
  id: string;
  amount: Minor;
  status: Refund['status'];
  toldAt: number | null;
}

/** How far apart the shop's record and the provider's word of one refund may be, in milliseconds. */
const matchWithin = 3_600_000;

/** The ledger with a refund that the shop records. */
export function recordOwn(
  refunds: readonly Refund[],
  { refundId, named, amount, now }: { refundId: string; named: boolean; amount: Minor; now: number },
): Refund[] {
  return [
    ...refunds,
    { refundId, origin: 'shop', named, amount, status: 'completed', toldAt: null, recordedAt: now, statusSince: now },
  ];
}

/**
 * The ledger after what a provider says about a refund: a failure is final, and what is completed is not pending again. The
 * provider's amount replaces one that the shop typed under its id.
 */
export function recordNamed(refunds: readonly Refund[], told: NamedRefund, now: number): Refund[] {
  const known = refunds.find((refund) => refund.named && refund.refundId === told.id);
  if (!known) {
    const { id: refundId, amount, status } = told;
    const toldAt = status === 'failed' ? told.toldAt : null;
    const times = { toldAt, recordedAt: now, statusSince: now };
    return [...refunds, { refundId, origin: 'provider', named: true, amount, status, ...times }];
  }
  const status = laterStatus(known.status, told.status);
  return replace(refunds, known, {
    ...known,
    origin: known.origin === 'shop' ? 'both' : known.origin,
    amount: known.origin === 'shop' ? told.amount : known.amount,
    status,
    toldAt: status === 'failed' ? (known.toldAt ?? told.toldAt) : null,
    statusSince: status === known.status ? known.statusSince : now,
  });
}

/** The ledger after a running total: for each time that the provider gave one, the highest. */
export function recordTotal(
  refunds: readonly Refund[],
  { amount, toldAt, refundId }: { amount: Minor; toldAt: number | null; refundId: string },
  now: number,
): Refund[] {
  const known = refunds.find((refund) => refund.origin === 'total' && refund.toldAt === toldAt);
  if (known) return known.amount >= amount ? [...refunds] : replace(refunds, known, { ...known, amount });
  const times = { toldAt, recordedAt: now, statusSince: now };
  return [...refunds, { refundId, origin: 'total', named: false, amount, status: 'completed', ...times }];
}

/** The refund with that id as it counts: also by the id that the shop was answered before the provider named it. */
export function findRefund(refunds: readonly Refund[], id: string): Refund | undefined {
  const refund = refunds.find((one) => one.origin !== 'total' && one.refundId === id);
  if (!refund || refund.named) return refund;
  return matchesOf(refunds).get(refund) ?? refund;
}

/** The sum of what counts; it may exceed what was captured. */
export function refundedOf(refunds: readonly Refund[]): Minor {
  return sum(countedOf(refunds));
}

/**
 * The refunds that count. One that the shop recorded without the provider's id counts as soon as the shop says so and, when the
 * provider told of it, under the provider's name, unless it failed there. Others count once they are completed. What a running
 * total exceeds all others by that were in it counts as one more; pending ones were in it too.
 */
export function countedOf(refunds: readonly Refund[]): Refund[] {
  const matches = matchesOf(refunds);
  const matched = new Set(matches.values());
  const single = refunds.filter((refund) => refund.origin !== 'total' && !matches.has(refund));
  const counted = single.filter(
    (refund) => refund.status === 'completed' || (refund.status === 'pending' && matched.has(refund)),
  );
  let beyond: Refund | undefined;
  for (const total of refunds) {
    if (total.origin !== 'total') continue;
    const amount = total.amount - sum(single.filter((refund) => !failedBefore(refund, total)));
    if (amount > (beyond?.amount ?? 0n)) beyond = { ...total, amount };
  }
  return beyond ? [...counted, beyond] : counted;
}

/** The provider's refund that each unnamed one of the shop is: of the same amount and hour, completed ones first. */
function matchesOf(refunds: readonly Refund[]): Map<Refund, Refund> {
  const matches = new Map<Refund, Refund>();
  const own = refunds.filter((refund) => refund.origin === 'shop' && !refund.named).sort(byTime);
  if (own.length === 0) return matches;
  const told = refunds
    .filter((refund) => refund.origin === 'provider')
    .sort((a, b) => likelihood(a) - likelihood(b) || byTime(a, b));
  for (const refund of told) {
    const match = own.find((one) => !matches.has(one) && isOne(one, refund));
    if (match) matches.set(match, refund);
  }
  return matches;
}

function isOne(own: Refund, told: Refund): boolean {
  if (own.amount !== told.amount || Math.abs(own.recordedAt - told.recordedAt) > matchWithin) return false;
  // A shop that knows of a failure and then records a refund has given the money back in another way.
  return told.status !== 'failed' || own.recordedAt <= told.statusSince;
}

function likelihood({ status }: Refund): number {
  return { completed: 0, pending: 1, failed: 2 }[status];
}

function byTime(a: Refund, b: Refund): number {
  return a.recordedAt - b.recordedAt;
}

function failedBefore(refund: Refund, total: Refund): boolean {
  if (refund.status !== 'failed' || refund.toldAt === null || total.toldAt === null) return false;
  return refund.toldAt < total.toldAt;
}

function laterStatus(a: Refund['status'], b: Refund['status']): Refund['status'] {
  const rank = { pending: 0, completed: 1, failed: 2 } as const;
  return rank[a] >= rank[b] ? a : b;
}

function sum(refunds: readonly Refund[]): Minor {
  return refunds.reduce((total, { amount }) => total + amount, 0n);
}

function replace(refunds: readonly Refund[], old: Refund, changed: Refund): Refund[] {
  return refunds.map((refund) => (refund === old ? changed : refund));
}
