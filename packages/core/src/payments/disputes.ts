import type { Minor } from '../kernel/money.ts';
import type { DisputeStatus, PaymentTable } from '../storage/tables/payments.ts';
import { countedOf, plain, type Refund } from './refund-ledger.ts';

/**
 * A dispute of a payment, as far as the provider has reported it. Amounts in minor units, times in milliseconds. Each part has the provider's
 * time of its report, so that the order of the reports does not matter.
 */
export interface Dispute {
  id: string;
  amount: number;
  reason: string | null;
  status: DisputeStatus;
  /** Time until which the shop can answer; null when no answer is expected. */
  dueAt: number | null;
  /** Time of the report of the fields above. */
  updatedAt: number;
  /** The amount that the provider has taken back. */
  taken: number;
  /** Time of the report of `taken`; null while no report told it. */
  takenAt: number | null;
  /** Time of the opening, if the same money can also be reported as a refund or a reversal; else null. */
  openedAt: number | null;
}

/** A provider's report of a dispute. */
export type DisputeReport = Omit<Dispute, 'taken' | 'takenAt'> & { taken: number | null };

/** Most disputes that a payment keeps; real ones have one or two. */
const maxDisputes = 50;

export function readDisputes({ disputes }: Pick<PaymentTable, 'disputes'>): Dispute[] {
  return JSON.parse(disputes);
}

/** The columns of a payment with these disputes. */
export function disputeColumns(disputes: readonly Dispute[]) {
  const open = disputes.filter(({ status }) => status === 'open');
  const due = open.flatMap(({ dueAt }) => dueAt ?? []);
  return {
    disputes: JSON.stringify(disputes),
    dispute_status: open.length > 0 ? 'open' : (disputes.at(-1)?.status ?? null),
    dispute_due_at: due.length > 0 ? Math.min(...due) : null,
  } as const satisfies Partial<PaymentTable>;
}

/** Adds a report to the disputes. The later report of a dispute counts; of two with the same time, the one that is further on. */
export function withDispute(disputes: readonly Dispute[], report: DisputeReport): Dispute[] {
  const { taken, ...facts } = report;
  const known = disputes.find(({ id }) => id === report.id);
  if (!known) {
    if (disputes.length >= maxDisputes) return [...disputes];
    return [...disputes, { ...facts, taken: taken ?? 0, takenAt: taken === null ? null : report.updatedAt }];
  }
  const { openedAt } = known;
  const merged = {
    ...known,
    ...(isFurther(report, known) && { ...facts, openedAt }),
    ...(taken !== null && isNewer(taken, report.updatedAt, known) && { taken, takenAt: report.updatedAt }),
  };
  return disputes.map((dispute) => (dispute === known ? merged : dispute));
}

const rank = { open: 0, lost: 1, won: 2 } as const satisfies Record<DisputeStatus, number>;

function isFurther(report: DisputeReport, known: Dispute): boolean {
  if (report.updatedAt !== known.updatedAt) return report.updatedAt > known.updatedAt;
  return rank[report.status] > rank[known.status];
}

/** Of two reports with the same time, money that was given back came later than money that was taken. */
function isNewer(taken: number, at: number, known: Dispute): boolean {
  if (known.takenAt === null || known.takenAt !== at) return known.takenAt === null || at > known.takenAt;
  return taken < known.taken;
}

/** Adds the disputes that another store had of the same payment. */
export function withDisputes(disputes: readonly Dispute[], others: readonly Dispute[]): Dispute[] {
  let after = [...disputes];
  for (const { taken, takenAt, ...facts } of others) {
    after = withDispute(after, { ...facts, taken: null });
    if (takenAt !== null) after = withDispute(after, { ...facts, updatedAt: takenAt, taken });
  }
  return after;
}

/** The ledger of refunds with the money that disputes have taken. Money counts until its dispute is won. */
export function withDisputeMoney(refunds: readonly Refund[], disputes: readonly Dispute[], now: number): Refund[] {
  let after = [...refunds];
  for (const dispute of disputes) {
    const amount: Minor = BigInt(dispute.taken);
    const isTaken = dispute.status !== 'won' && amount > 0n;
    const known = after.find(({ origin, refundId }) => origin === 'dispute' && refundId === dispute.id);
    const status = isTaken ? 'completed' : 'failed';
    if (known) {
      const statusSince = known.status === status ? known.statusSince : now;
      const entry: Refund = { ...known, amount: isTaken ? amount : known.amount, status, statusSince };
      after = after.map((refund) => (refund === known ? entry : refund));
    } else if (isTaken || (dispute.status === 'won' && dispute.openedAt !== null)) {
      after.push({
        ...plain,
        refundId: dispute.id,
        origin: 'dispute',
        named: true,
        amount: isTaken ? amount : BigInt(dispute.amount),
        status,
        toldAt: dispute.openedAt === null ? null : Math.floor(dispute.openedAt / 1000),
        recordedAt: now,
        statusSince: now,
      });
    }
  }
  return after;
}

/**
 * The counted refunds that are final, without money of a dispute that is still open: the provider can give that back. A reversal does not
 * name its dispute, so it waits for all those that are reported with one.
 */
export function finalOf(refunds: readonly Refund[], disputes: readonly Dispute[]): Refund[] {
  const open = disputes.filter(({ status }) => status === 'open');
  const ids = new Set(open.map(({ id }) => id));
  const hasReversal = open.some(({ openedAt }) => openedAt !== null);
  return countedOf(refunds).filter(({ origin, refundId }) => {
    if (origin === 'dispute') return !ids.has(refundId);
    return origin !== 'reversal' || !hasReversal;
  });
}
