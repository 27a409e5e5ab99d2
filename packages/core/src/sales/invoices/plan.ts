import type { Invoice, InvoiceCause, InvoiceKind } from '../../invoices/fields.ts';
import { type Minor, minorOf } from '../../kernel/money.ts';
import type { Order } from '../../orders/fields.ts';
import type { Refund } from '../../payments/refund-ledger.ts';
import {
  noParts,
  partsOfFailure,
  partsOfRefund,
  type RefundedParts,
  type SplitRefund,
  sumOfParts,
  withoutRefund,
  withRefund,
} from '../shares/tax-parts.ts';
import { type BodySources, type InvoiceBody, partBody, partsIn, wholeBody } from './body.ts';

/** A document that is to be written. */
export interface Draft {
  kind: InvoiceKind;
  cause: InvoiceCause;
  /** An earlier document, or an earlier draft of the same plan. */
  refersTo: Invoice | Draft | null;
  refund: Pick<Refund, 'refundId' | 'reason'> | null;
  body: InvoiceBody;
}

/** What an order has so far. */
export interface Known {
  /** Its documents, oldest first. */
  documents: readonly Invoice[];
  money: RefundedMoney;
}

/** What was given back of the payment that paid an order. */
export interface RefundedMoney {
  /** The refunds that count, oldest first, without money of open disputes. */
  refunds: readonly Refund[];
  /** The amount that open disputes have taken: it counts as refunded, but the provider can give it back. */
  contested: Minor;
}

/**
 * The amount that the documents of an order have to come to: its total less refunds; nothing once it is cancelled. Money that a dispute took
 * comes off once the dispute is lost.
 */
export function dueOf({ status, paidAt, total, refundedAmount }: Order, { contested }: RefundedMoney): Minor {
  if (status === 'cancelled') return 0n;
  return minorOf(total) - (paidAt === null ? 0n : minorOf(refundedAmount) - contested);
}

/** The amount of its invoices less its credit notes. */
export function openOf(documents: readonly Invoice[]): Minor {
  return documents.reduce((sum, { kind, total }) => sum + signOf(kind) * minorOf(total), 0n);
}

function signOf(kind: InvoiceKind): bigint {
  return kind === 'invoice' ? 1n : -1n;
}

/**
 * The documents that bring an order's invoices and credit notes to what is due: an invoice of the whole order if it has none, a credit note
 * for each refund that counts and has none, one for what a cancellation leaves, and an invoice for each refund that failed after its credit
 * note. So credit notes never exceed invoices, however the order came here.
 */
export function planDocuments(sources: BodySources, { documents, money }: Known): Draft[] {
  const { order } = sources;
  const { refunds } = money;
  const drafts: Draft[] = [];
  if (documents.length === 0) {
    drafts.push({ kind: 'invoice', cause: 'order', refersTo: null, refund: null, body: wholeBody(sources) });
  }
  let done = creditedParts(order, documents);
  const open = minorOf(order.total) - sumOfParts(done);
  const due = dueOf(order, money);
  const invoices = [...documents, ...drafts].filter(({ kind }) => kind === 'invoice');

  const credit = (split: SplitRefund, cause: InvoiceCause, refund: Draft['refund']) => {
    const parts = partsOfRefund(order, split, done);
    const isWhole = sumOfParts(done) === 0n && split.amount === minorOf(order.total);
    const body = isWhole ? wholeBody(sources) : partBody(sources, split, parts, done);
    done = withRefund(done, { lines: isWhole ? piecesOfAll(order) : split.lines }, parts);
    drafts.push({ kind: 'credit_note', cause, refersTo: invoices[0] ?? null, refund, body });
  };
  let left = open - due;
  for (const { amount, refund } of uncredited(refunds, documents, left)) {
    credit({ amount, lines: refund.lines, shipping: refund.shipping }, 'refund', refund);
    left -= amount;
  }
  if (left > 0n) {
    const cause = order.status === 'cancelled' ? 'cancellation' : 'refund';
    credit({ amount: left, lines: null, shipping: false }, cause, null);
  }

  let missing = due - open;
  const charge = (amount: Minor, note: Invoice | undefined) => {
    const isExact = note !== undefined && minorOf(note.total) === amount;
    const lines = isExact ? piecesIn(note) : null;
    const parts = partsOfFailure(order, amount, note ? partsIn(order, note) : null, done);
    done = withoutRefund(done, { lines }, parts);
    const body = partBody(sources, { amount, lines: null, shipping: false }, parts, done);
    const { lines: shown, taxIncluded, subtotal, discount, discountCode, shipping, shippingMethod } = note ?? body;
    const sameAs = { lines: shown, taxIncluded, subtotal, discount, discountCode, shipping, shippingMethod };
    drafts.push({
      kind: 'invoice',
      cause: note?.refundId ? 'refund_failed' : 'order',
      refersTo: note ?? null,
      refund: note?.refundId ? { refundId: note.refundId, reason: null } : null,
      body: isExact ? { ...body, ...sameAs } : body,
    });
  };
  for (const { amount, note } of failed(refunds, documents, missing)) {
    charge(amount, note);
    missing -= amount;
  }
  if (missing > 0n)
    charge(
      missing,
      documents.findLast(({ kind }) => kind === 'credit_note'),
    );
  return drafts;
}

/** What the credit notes of an order have taken back, less what invoices have charged again. */
function creditedParts(order: Order, documents: readonly Invoice[]): RefundedParts {
  let done = noParts(order);
  for (const document of documents) {
    // The first invoice is the whole order.
    if (document.kind === 'invoice' && document.refersTo === null) continue;
    const change = document.kind === 'credit_note' ? withRefund : withoutRefund;
    done = change(done, { lines: piecesIn(document) }, partsIn(order, document));
  }
  return done;
}

function piecesIn({ lines }: Invoice): { itemId: string; quantity: number }[] {
  return lines.flatMap(({ itemId, quantity }) => (itemId === null ? [] : [{ itemId, quantity }]));
}

function piecesOfAll({ items }: Order): { itemId: string; quantity: number }[] {
  return items.map(({ id, quantity }) => ({ itemId: id, quantity }));
}

/** Refunds that have no credit note, or a smaller one, up to an amount; oldest first. */
function uncredited(refunds: readonly Refund[], documents: readonly Invoice[], amount: Minor) {
  const credited = creditedByRefund(documents);
  const without = refunds.flatMap((refund) => {
    const rest = refund.amount - (credited.get(refund.refundId) ?? 0n);
    return rest > 0n ? [{ refund, amount: rest }] : [];
  });
  const chosen = choose(without, amount);
  return without.flatMap((one) => {
    const part = chosen.get(one);
    return part === undefined ? [] : [{ ...one, amount: part }];
  });
}

/** Credit notes whose refund does not count any more, up to an amount. */
function failed(refunds: readonly Refund[], documents: readonly Invoice[], amount: Minor) {
  const counted = new Set(refunds.map(({ refundId }) => refundId));
  const credited = creditedByRefund(documents);
  const notes = documents.flatMap((note) => {
    if (note.kind !== 'credit_note' || note.refundId === null || counted.has(note.refundId)) return [];
    const left = credited.get(note.refundId) ?? 0n;
    credited.set(note.refundId, 0n);
    return left > 0n ? [{ note, amount: left }] : [];
  });
  const chosen = choose(notes, amount);
  return notes.flatMap((one) => {
    const part = chosen.get(one);
    return part === undefined ? [] : [{ ...one, amount: part }];
  });
}

/**
 * Chooses what makes up an amount: the newest that is exactly it, else the newest first. A provider's report can give an older refund
 * another id, so not all that seem new are.
 */
function choose<T extends { amount: Minor }>(all: readonly T[], amount: Minor): Map<T, Minor> {
  const exact = all.findLast((one) => one.amount === amount);
  if (exact) return new Map([[exact, amount]]);
  const chosen = new Map<T, Minor>();
  let left = amount;
  for (const one of all.toReversed()) {
    if (left <= 0n) break;
    const part = one.amount < left ? one.amount : left;
    chosen.set(one, part);
    left -= part;
  }
  return chosen;
}

function creditedByRefund(documents: readonly Invoice[]): Map<string, Minor> {
  const sums = new Map<string, Minor>();
  for (const { refundId, kind, total } of documents) {
    if (refundId !== null) sums.set(refundId, (sums.get(refundId) ?? 0n) - signOf(kind) * minorOf(total));
  }
  return sums;
}
