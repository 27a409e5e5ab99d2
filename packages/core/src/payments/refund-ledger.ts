import type { Minor } from '../kernel/money.ts';
import { piecesOf } from '../orders/fulfilments.ts';
import type { PaymentRefundTable } from '../storage/tables/payments.ts';

/** Pieces of a line of the order. */
export interface RefundedLine {
  itemId: string;
  quantity: number;
}

/**
 * One entry in the ledger of a payment's refunds. `origin` is `shop` for an entry recorded over the interface and `provider` for one that
 * the provider reported. `both`: the shop recorded it under the provider's id. `executed`: we asked the provider for it. `total`: a running
 * total of the provider, in `amount`. `reversal`: the provider took the money back by itself. `dispute`: the outcome of a dispute, `completed`
 * when it took the money and `failed` when it did not. The counted refunds are derived from all entries, so their order does not matter.
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
  /** The provider's id of an executed refund; null until it is known. */
  providerId: string | null;
  /** Why an executed refund failed. */
  error: string | null;
  reason: string | null;
  /** What the money is given back for, as the shop said. */
  lines: readonly RefundedLine[] | null;
  shipping: boolean;
  /** True if goods returned to the stock with it. They stay there, also if it fails. */
  restocked: boolean;
  /** When the provider is asked next about an executed refund; null when there is nothing to ask. */
  askAt: number | null;
  /** The `Idempotency-Key` of the request, with API key and route, and the digest of what it asked for. */
  requestName: string | null;
  requestPrint: string | null;
}

export const plain = {
  providerId: null,
  error: null,
  reason: null,
  lines: null,
  shipping: false,
  restocked: false,
  askAt: null,
  requestName: null,
  requestPrint: null,
} as const satisfies Partial<Refund>;

/** A provider's report of one refund. */
export interface NamedRefund {
  id: string;
  amount: Minor;
  status: Refund['status'];
  toldAt: number | null;
  /** Our id of the refund, if the report contains one. */
  ours?: string | null | undefined;
  /** Why it failed, if the provider says so. */
  error?: string | null | undefined;
  reversal?: boolean | undefined;
}

/** Longest time between the shop's record and the provider's report of the same refund, in milliseconds. */
const matchWithin = 3_600_000;

/** What the shop states about a refund. */
export type RefundWords = Pick<Refund, 'reason' | 'lines' | 'shipping' | 'restocked'>;

function wordsIn({ reason, lines, shipping, restocked }: Refund): RefundWords {
  return { reason, lines, shipping, restocked };
}

/** The ledger with a refund recorded by the shop. */
export function withOwn(
  refunds: readonly Refund[],
  { refundId, named, amount, now, ...words }: NewRefund & { named: boolean } & Partial<RefundWords>,
): Refund[] {
  const times = { toldAt: null, recordedAt: now, statusSince: now };
  return [...refunds, { ...plain, refundId, origin: 'shop', named, amount, status: 'completed', ...times, ...words }];
}

interface NewRefund {
  refundId: string;
  amount: Minor;
  now: number;
}

/** The ledger with a refund that we are about to ask the provider for. */
export function withExecuted(
  refunds: readonly Refund[],
  { now, ...given }: NewRefund & RefundWords & Pick<Refund, 'askAt' | 'requestName' | 'requestPrint'>,
): Refund[] {
  const times = { toldAt: null, recordedAt: now, statusSince: now };
  return [...refunds, { ...plain, origin: 'executed', named: false, status: 'pending', ...times, ...given }];
}

/** The ledger after the provider refused an executed refund, or does not know it when it is asked for the last time. */
export function withFailed(refunds: readonly Refund[], refundId: string, error: string, now: number): Refund[] {
  const known = findExecuted(refunds, refundId);
  if (known?.status !== 'pending') return [...refunds];
  return replace(refunds, known, { ...known, status: 'failed', error, statusSince: now, askAt: null });
}

/** The ledger in which the provider is asked about a refund that is still pending at another time. */
export function withAskAt(refunds: readonly Refund[], refundId: string, askAt: number): Refund[] {
  const known = findExecuted(refunds, refundId);
  return known?.status === 'pending' ? replace(refunds, known, { ...known, askAt }) : [...refunds];
}

/** The executed refund with that id of ours. */
export function findExecuted(refunds: readonly Refund[], refundId: string): Refund | undefined {
  return refunds.find((one) => one.origin === 'executed' && one.refundId === refundId);
}

/**
 * The ledger with a provider's report of a refund. A failure is final, and a completed refund does not become pending again.
 * The provider's amount replaces the one that the shop typed under the same id. A report that names our id, or the provider's id of an
 * executed refund, is about that refund.
 */
export function withNamed(refunds: readonly Refund[], report: NamedRefund, now: number): Refund[] {
  const known = refunds.find((refund) => refund.named && refund.refundId === report.id);
  const executed = refunds.find(
    (one) =>
      one.origin === 'executed' &&
      // A second refund under the same id of ours would be other money.
      (one.providerId === null ? one.refundId === report.ours : one.providerId === report.id),
  );
  if (executed) return replace(refunds, executed, toldOf(executed, report, known, now));
  if (!known) {
    const { id: refundId, amount, status } = report;
    const toldAt = status === 'failed' ? report.toldAt : null;
    const times = { toldAt, recordedAt: now, statusSince: now };
    const origin = report.reversal ? 'reversal' : 'provider';
    return [...refunds, { ...plain, refundId, origin, named: true, amount, status, ...times }];
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

/** An executed refund after a report. One that we gave up, because the provider did not know it then, can still succeed. */
function toldOf(executed: Refund, report: NamedRefund, known: Refund | undefined, now: number): Refund {
  const told = known ? laterStatus(known.status, report.status) : report.status;
  const status = isNotMade(executed) ? told : laterStatus(executed.status, told);
  return {
    ...executed,
    providerId: report.id,
    amount: report.amount,
    status,
    error: status === 'failed' ? (report.error ?? executed.error ?? 'the provider reports that it failed') : null,
    toldAt: status === 'failed' ? (executed.toldAt ?? report.toldAt ?? known?.toldAt ?? null) : null,
    statusSince: status === executed.status ? executed.statusSince : now,
    askAt: status === 'pending' ? executed.askAt : null,
  };
}

/** True for an executed refund that the provider refused, or never had. */
function isNotMade({ origin, status, providerId }: Refund): boolean {
  return origin === 'executed' && status === 'failed' && providerId === null;
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
  return [...refunds, { ...plain, refundId, origin: 'total', named: false, amount, status: 'completed', ...times }];
}

/** The ledger with the entries of another ledger of the same payment. */
export function withLedger(refunds: readonly Refund[], others: readonly Refund[]): Refund[] {
  let after = [...refunds];
  for (const refund of others) {
    const { refundId, origin, named, recordedAt } = refund;
    // Disputes are taken over as such, and bring their money along.
    if (origin === 'dispute') continue;
    if (origin === 'total') after = withTotal(after, refund, recordedAt);
    else if (named) {
      after = withNamed(after, { ...refund, id: refundId, ours: null, reversal: origin === 'reversal' }, recordedAt);
    } else if (!after.some((one) => one.refundId === refundId)) after = [...after, refund];
  }
  return after;
}

/** The refund with that id, as counted. An id answered to the shop before the provider named the refund stays valid. */
export function findRefund(refunds: readonly Refund[], id: string): Refund | undefined {
  const executed = refunds.find((one) => one.origin === 'executed' && (one.refundId === id || one.providerId === id));
  if (executed) return executed;
  const own = refunds.find((one) => one.origin !== 'total' && one.refundId === id);
  const refund = own && !own.named ? (matchesOf(refunds).get(own) ?? own) : own;
  return refund && listedOf(refunds).find((one) => one.refundId === refund.refundId && one.named === refund.named);
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
  return countedAndOthers(refunds).counted;
}

/** The counted money that the provider took back by itself: by disputes and reversals. */
export function takenBackOf(refunds: readonly Refund[]): Minor {
  return sum(countedOf(refunds).filter(({ origin }) => origin === 'dispute' || origin === 'reversal'));
}

/** Every refund once, with its status as it counts. A dispute that took no money is none. */
export function listedOf(refunds: readonly Refund[]): Refund[] {
  const { counted, others } = countedAndOthers(refunds);
  return [...counted.map((one): Refund => ({ ...one, status: 'completed' })), ...others];
}

function countedAndOthers(refunds: readonly Refund[]): { counted: Refund[]; others: Refund[] } {
  const { single, matched } = singleOf(refunds);
  const counts = (refund: Refund) =>
    refund.status === 'completed' || (refund.status === 'pending' && matched.has(refund));
  let beyond: Refund | undefined;
  for (const total of refunds) {
    if (total.origin !== 'total') continue;
    const made = single.filter(
      (refund) => refund.origin !== 'dispute' && !failedBefore(refund, total) && !isNotMade(refund),
    );
    const amount = total.amount - sum(made);
    if (amount > (beyond?.amount ?? 0n)) beyond = { ...total, amount };
  }
  const counted = single.filter(counts);
  return {
    counted: countedOnce(single, beyond ? [...counted, beyond] : counted),
    others: single.filter((one) => !counts(one) && !isTakenBack(one)),
  };
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

/** Each refund in one entry, without running totals, and which of the entries were recorded by the shop and then reported. */
function singleOf(refunds: readonly Refund[]): { single: Refund[]; matched: ReadonlySet<Refund> } {
  const matches = matchesOf(refunds);
  const executed = executedIds(refunds);
  const owns = new Map([...matches].map(([own, reported]) => [reported, own]));
  const matched = new Set<Refund>();
  const single: Refund[] = [];
  for (const one of refunds) {
    if (one.origin === 'total' || matches.has(one) || (one.named && executed.has(one.refundId))) continue;
    const own = owns.get(one);
    // What the shop said about the refund is said of the reported one.
    const refund = own ? { ...one, ...wordsIn(own) } : one;
    if (own) matched.add(refund);
    single.push(refund);
  }
  return { single, matched };
}

/** The provider's ids of executed refunds, which an earlier report without our id can have entered, too. */
function executedIds(refunds: readonly Refund[]): ReadonlySet<string> {
  return new Set(
    refunds.flatMap(({ origin, providerId }) => (origin === 'executed' && providerId ? [providerId] : [])),
  );
}

/** Matches unnamed refunds of the shop with the provider's: of the same amount, within an hour, completed ones first. */
function matchesOf(refunds: readonly Refund[]): Map<Refund, Refund> {
  const matches = new Map<Refund, Refund>();
  const own = refunds.filter((refund) => refund.origin === 'shop' && !refund.named).sort(byTime);
  if (own.length === 0) return matches;
  const executed = executedIds(refunds);
  const reported = refunds
    .filter((one) => (one.origin === 'provider' && !executed.has(one.refundId)) || wasTakenBack(one))
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

/** The pieces that refunds name. */
export function refundedPiecesOf(refunds: readonly Refund[]): Map<string, number> {
  return piecesOf(refunds.flatMap(({ lines }) => lines ?? []));
}

export function sum(refunds: readonly Refund[]): Minor {
  return refunds.reduce((total, { amount }) => total + amount, 0n);
}

function replace(refunds: readonly Refund[], old: Refund, changed: Refund): Refund[] {
  return refunds.map((refund) => (refund === old ? changed : refund));
}
