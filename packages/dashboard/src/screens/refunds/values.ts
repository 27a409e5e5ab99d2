import type { Schemas } from '../../api/types.ts';
import { piecesName, piecesOf, piecesRefusal } from '../../kit/form/pieces.ts';
import { formatMoney } from '../../kit/money.ts';
import { t } from '../../words/words.ts';
import { amountText, type Choice, isUnsent, type Order, type Refund, type Refundable, sumOf } from './sums.ts';

/** What the dialog asks; `pieces.<id of the line>` for each line, too. */
export type RefundValues = Record<string, string | boolean> & {
  shipping: boolean;
  /** Whether `amount` stands for the sum of the chosen parts. */
  isOther: boolean;
  amount: string;
  /** `preset` until it is chosen. */
  restock: 'preset' | 'yes' | 'no';
  reason: string;
  /** `send`: the provider sends the money back. `record`: the shop has done so. */
  way: 'send' | 'record';
  refundId: string;
};

/** What the dialog knows about the order. */
export interface Facts {
  order: Order;
  /** Refunds that have not failed. */
  made: readonly Refund[];
  rest: Refundable;
  /** Lines with pieces that are in no parcel. */
  toShip: readonly { item: { id: string }; left: number }[];
}

/** The chosen pieces and shipping. A number that is refused counts as none. */
export function choiceOf({ rest }: Pick<Facts, 'rest'>, values: RefundValues): Choice {
  const pieces = new Map<string, number>();
  for (const { item, left } of rest.lines) {
    const typed = piecesOf(String(values[piecesName(item.id)] ?? ''), left);
    if (typed) pieces.set(item.id, typed);
  }
  return { pieces, shipping: values.shipping && rest.shipping !== undefined };
}

/**
 * The values at the start: nothing is chosen, unless all is to be given back, or a failed refund is tried again.
 * @param proposed what is chosen at the start, as far as it is left
 */
export function startValues(facts: Facts, canSend: boolean, again?: Refund, proposed?: Choice): RefundValues {
  const values: RefundValues = {
    ...Object.fromEntries(facts.rest.lines.map(({ item }) => [piecesName(item.id), '0'])),
    shipping: false,
    isOther: false,
    amount: '',
    restock: 'preset',
    reason: again?.reason ?? '',
    way: canSend ? 'send' : 'record',
    refundId: '',
  };
  if (proposed) {
    for (const { item, left } of facts.rest.lines) {
      values[piecesName(item.id)] = String(Math.min(left, proposed.pieces.get(item.id) ?? 0));
    }
    return { ...values, shipping: proposed.shipping && facts.rest.shipping !== undefined };
  }
  if (!again) return facts.order.status === 'cancelled' ? allOf(facts, values) : values;
  for (const { itemId, quantity } of again.lines ?? []) {
    const line = facts.rest.lines.find(({ item }) => item.id === itemId);
    if (line) values[piecesName(itemId)] = String(Math.min(line.left, quantity));
  }
  values.shipping = again.shipping && facts.rest.shipping !== undefined;
  const isSum = amountText(facts.rest, sumOf(facts.rest, choiceOf(facts, values))) === again.amount;
  // Items that came back with the failed one have come back.
  return { ...values, restock: 'no', ...(isSum ? {} : { isOther: true, amount: again.amount }) };
}

/** The choice of everything that is left; as an amount if the parts do not come to it, such as after a refund of another amount. */
export function allOf({ rest }: Pick<Facts, 'rest'>, values: RefundValues): RefundValues {
  const pieces = new Map(rest.lines.map(({ item, left }) => [item.id, left]));
  const isSum = sumOf(rest, { pieces, shipping: true }) === rest.left;
  return {
    ...values,
    ...Object.fromEntries([...pieces].map(([id, left]) => [piecesName(id), String(left)])),
    shipping: rest.shipping !== undefined,
    isOther: !isSum,
    amount: isSum ? '' : amountText(rest, rest.left),
  };
}

/** What the buyer gets back, as a decimal string. */
export function amountOf(facts: Pick<Facts, 'rest'>, values: RefundValues): string {
  return values.isOther ? values.amount.trim() : amountText(facts.rest, sumOf(facts.rest, choiceOf(facts, values)));
}

/** Whether items can return to the stock with this refund: chosen ones, or all with the last of the money. */
export function canRestock(facts: Facts, values: RefundValues): boolean {
  // Cancelling has returned them.
  if (facts.order.status === 'cancelled') return false;
  return hasPieces(facts, values) || (values.isOther && minorOf(facts, values) === facts.rest.left);
}

export function restocks(facts: Facts, values: RefundValues): boolean {
  if (values.restock !== 'preset') return values.restock === 'yes';
  return isUnsent(facts.made, choiceOf(facts, values), facts.toShip);
}

export function hasPieces(facts: Pick<Facts, 'rest'>, values: RefundValues): boolean {
  return choiceOf(facts, values).pieces.size > 0;
}

/** The typed amount in minor units; undefined for a text that is none. */
function minorOf({ rest: { decimals } }: Pick<Facts, 'rest'>, { amount }: RefundValues): bigint | undefined {
  const [, whole, part = ''] = /^(\d+)(?:\.(\d+))?$/.exec(amount.trim()) ?? [];
  return whole === undefined || part.length > decimals ? undefined : BigInt(whole + part.padEnd(decimals, '0'));
}

/** What is wrong with the values, by the name of the field; `parts` stands for all of the choice. */
export function checksOf(facts: Facts, values: RefundValues): Record<string, string | undefined> {
  const { rest, order } = facts;
  const words = t.refunds.dialog;
  const most = formatMoney(amountText(rest, rest.left), order.currency);
  const checks: Record<string, string | undefined> = {};
  for (const { item, left } of rest.lines) {
    const name = piecesName(item.id);
    const refusal = piecesRefusal(String(values[name] ?? ''), left);
    if (refusal) checks[name] = refusal;
  }
  if (values.isOther) {
    const amount = minorOf(facts, values);
    // A text that is no amount is the field's own to refuse.
    if (values.amount.trim() === '' || amount === 0n) checks.amount = words.noAmount;
    else if (amount !== undefined && amount > rest.left) checks.amount = words.tooMuch(most);
  } else if (Object.keys(checks).length === 0) {
    const sum = sumOf(rest, choiceOf(facts, values));
    const isEmpty = !hasPieces(facts, values) && !values.shipping;
    if (sum === 0n) checks.parts = isEmpty ? words.nothing : words.free;
    else if (sum > rest.left) checks.parts = words.sumTooMuch(most);
  }
  return checks;
}

/** The refund as the interface takes it. */
export function bodyOf(facts: Facts, values: RefundValues): Schemas['RefundInput'] {
  const { pieces, shipping } = choiceOf(facts, values);
  const lines = [...pieces].map(([itemId, quantity]) => ({ itemId, quantity }));
  return {
    ...(values.isOther ? { amount: values.amount.trim() } : {}),
    ...(lines.length > 0 ? { lines } : {}),
    ...(shipping ? { shipping } : {}),
    ...(canRestock(facts, values) && restocks(facts, values) ? { restock: true } : {}),
    ...(values.reason.trim() ? { reason: values.reason.trim() } : {}),
    ...(values.way === 'send' ? { execute: true } : {}),
    ...(values.way === 'record' && values.refundId.trim() ? { refundId: values.refundId.trim() } : {}),
  };
}
