import type { Minor } from '../kernel/money.ts';
import type { PaymentRefundTable } from '../storage/tables/payments.ts';

/**
 * One entry in the ledger of a payment's refunds. `origin` is `shop` for an entry recorded over the interface and `provider` for one that
 * the provider reported. `both`: the shop recorded it under the provider's id. `total`: a running total of the provider, in `amount`.
 * `reversal`: the provider took the money back by itself. `dispute`: the outcome of a dispute, `completed` when it took the money and
 * `failed` when it did not. The counted refunds are derived from all entries, so their order does not matter.
 */
export interface Refund {
  /** The provider's id or, while `named` is false, one of our own. */
  refundId: string;
  origin: PaymentRefundTable['origin'];
  named: boolean;
  amount: Minor;
  status: 'pending' | 'completed' | 'failed';
  /**
   * The provider's time of a running total or of a failure, in seconds; null when it stated none. Of a dispute, the time of its opening if
   * the provider also reports its money as a refund or a reversal, else null.
   */
  toldAt: number | null;
  /** Milliseconds by our clock. */
  recordedAt: number;
  /** Time of the last change of `status`, in milliseconds by our clock. */
  statusSince: number;
}

/** A provider's report of one refund. */
export interface NamedRefund {
  id: string;
  amount: Minor;
  status: Refund['status'];
  toldAt: number | null;
  reversal?: boolean | undefined;
}

/** Longest time between the shop's record and the provider's report of the same refund, in milliseconds. */
const matchWithin = 3_600_000;

/** The ledger with a refund recorded by the shop. */
export function withOwn(
  refunds: readonly Refund[],
  { refundId, named, amount, now }: { refundId: string; named: boolean; amount: Minor; now: number },
): Refund[] {
  return [
    ...refunds,
    { refundId, origin: 'shop', named, amount, status: 'completed', toldAt: null, recordedAt: now, statusSince: now },
  ];
}

/**
 * The ledger with a provider's report of a refund. A failure is final, and a completed refund does not become pending again.
 * The provider's amount replaces the one that the shop typed under the same id.
 */
export function withNamed(refunds: readonly Refund[], report: NamedRefund, now: number): Refund[] {
  const known = refunds.find((refund) => refund.named && refund.refundId === report.id);
  if (!known) {
    const { id: refundId, amount, status } = report;
    const toldAt = status === 'failed' ? report.toldAt : null;
    const times = { toldAt, recordedAt: now, statusSince: now };
    const origin = report.reversal ? 'reversal' : 'provider';
    return [...refunds, { refundId, origin, named: true, amount, status, ...times }];
  }
  const status = laterStatus(known.status, report.status);
  return replace(refunds, known, {
    ...known,
    origin: known.origin === 'shop' ? 'both' : known.origin,
    amount: known.origin === 'shop' ? report.amount : known.amount,
    status,
    toldAt: status === 'failed' ? (known.toldAt ?? report.toldAt) : null,
    statusSince: status === known.status ? known.statusSince : now,
  });
}

/** The ledger with a running total; of several with the same provider's time, it keeps the highest. */
export function withTotal(
  refunds: readonly Refund[],
  { amount, toldAt, refundId }: { amount: Minor; toldAt: number | null; refundId: string },
  now: number,
): Refund[] {
  const known = refunds.find((refund) => refund.origin === 'total' && refund.toldAt === toldAt);
  if (known) return known.amount >= amount ? [...refunds] : replace(refunds, known, { ...known, amount });
  const times = { toldAt, recordedAt: now, statusSince: now };
  return [...refunds, { refundId, origin: 'total', named: false, amount, status: 'completed', ...times }];
}

/** The ledger with the entries of another ledger of the same payment. */
export function withLedger(refunds: readonly Refund[], others: readonly Refund[]): Refund[] {
  let after = [...refunds];
  for (const refund of others) {
    const { refundId, origin, named, recordedAt } = refund;
    // Disputes are taken over as such, and bring their money along.
    if (origin === 'dispute') continue;
    if (origin === 'total') after = withTotal(after, refund, recordedAt);
    else if (named) after = withNamed(after, { ...refund, id: refundId, reversal: origin === 'reversal' }, recordedAt);
    else if (!after.some((one) => one.refundId === refundId)) after = [...after, refund];
  }
  return after;
}

/** The refund with that id, as counted. An id answered to the shop before the provider named the refund stays valid. */
export function findRefund(refunds: readonly Refund[], id: string): Refund | undefined {
  const refund = refunds.find((one) => one.origin !== 'total' && one.refundId === id);
  if (!refund || refund.named) return refund;
  return matchesOf(refunds).get(refund) ?? refund;
}

/** Sum of the counted refunds, in minor units; it can exceed the captured amount. */
export function refundedOf(refunds: readonly Refund[]): Minor {
  return sum(countedOf(refunds));
}

/**
 * The counted refunds. A refund recorded by the shop without the provider's id counts at once. After the provider's report it counts under
 * the provider's id, unless it failed there. Other refunds count when they are completed. If a running total exceeds the sum of its
 * refunds, including pending ones, the difference counts as one more refund. Running totals do not contain the money of disputes.
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
    const amount =
      total.amount - sum(single.filter((refund) => refund.origin !== 'dispute' && !failedBefore(refund, total)));
    if (amount > (beyond?.amount ?? 0n)) beyond = { ...total, amount };
  }
  return countedOnce(refunds, beyond ? [...counted, beyond] : counted);
}

/** True for money that the provider took back, not the shop. */
export function isTakenBack({ origin }: Pick<Refund, 'origin'>): boolean {
  return origin === 'dispute' || origin === 'reversal';
}

/**
 * The counted refunds without money that is reported twice: as the result of a dispute, and as a reversal or a refund. The reversal of a
 * dispute that was won does not count either, because the provider gave that money back.
 */
function countedOnce(refunds: readonly Refund[], counted: readonly Refund[]): Refund[] {
  const twins = new Set<Refund>();
  const left = new Set<Refund>();
  for (const dispute of refunds) {
    if (dispute.origin !== 'dispute' || dispute.toldAt === null) continue;
    const free = counted.filter((refund) => !twins.has(refund));
    const twin =
      free.find(({ origin, amount }) => origin === 'reversal' && amount === dispute.amount) ??
      free.find(({ origin }) => origin === 'reversal') ??
      free.find((refund) => dispute.status === 'completed' && isRefundOf(dispute, refund));
    if (!twin) continue;
    twins.add(twin);
    left.add(dispute.status === 'completed' ? dispute : twin);
  }
  return counted.filter((refund) => !left.has(refund));
}

/** True for a refund that can have settled a dispute. */
function isRefundOf(dispute: Refund, { origin, amount, recordedAt }: Refund): boolean {
  if (origin === 'dispute' || origin === 'total') return false;
  return amount === dispute.amount && recordedAt >= (dispute.toldAt ?? 0) * 1000;
}

/** Matches unnamed refunds of the shop with the provider's: of the same amount, within an hour, completed ones first. */
function matchesOf(refunds: readonly Refund[]): Map<Refund, Refund> {
  const matches = new Map<Refund, Refund>();
  const own = refunds.filter((refund) => refund.origin === 'shop' && !refund.named).sort(byTime);
  if (own.length === 0) return matches;
  const reported = refunds
    .filter((refund) => refund.origin === 'provider' || wasTakenBack(refund))
    .sort((a, b) => likelihood(a) - likelihood(b) || byTime(a, b));
  for (const refund of reported) {
    const match = own.find((one) => !matches.has(one) && isOne(one, refund));
    if (match) matches.set(match, refund);
  }
  return matches;
}

/** True for money that the provider took back, also if it gave it back since. The shop can have recorded it as a refund. */
function wasTakenBack({ origin, status, toldAt }: Refund): boolean {
  if (origin === 'reversal') return status !== 'failed';
  return origin === 'dispute' && (status === 'completed' || toldAt === null);
}

function isOne(own: Refund, reported: Refund): boolean {
  if (own.amount !== reported.amount || Math.abs(own.recordedAt - reported.recordedAt) > matchWithin) return false;
  // A refund recorded after a known failure is another one: the shop returned the money in another way.
  return reported.status !== 'failed' || own.recordedAt <= reported.statusSince;
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
