import type { TxContext } from '../engine/context.ts';
import { toTimestamp } from '../kernel/clock.ts';
import { CommerceError, invalid, quote } from '../kernel/errors.ts';
import { formatMoney, type Minor, parseMoney } from '../kernel/money.ts';
import { lockRows } from '../storage/locks.ts';
import { preparedColumn } from '../storage/prepared.ts';
import { discounts } from './discounts.ts';
import { codeKey, discountEntity, discountOn } from './fields.ts';

const lockedByCode = preparedColumn<{ storeId: string; key: string }, string>((db, p) =>
  lockRows(
    db,
    db.selectFrom('discounts').select('json').where('store_id', '=', p('storeId')).where('code_key', '=', p('key')),
  ),
);

/** A counted use of a discount. */
export interface DiscountUse {
  discountId: string;
  /** As the shop spells it. */
  code: string;
  /** Amount taken off the subtotal, in minor units. */
  amount: Minor;
}

/**
 * Counts one more use of a discount, for an order with this subtotal. The discount stays locked until the transaction ends, so only one of
 * many buyers gets the last use. Discounts are locked after orders and before products.
 * @throws CommerceError `validation` on `discountCode` if it is unknown, not valid now or the subtotal is too small; `discountUsedUp`
 */
export async function useDiscount(tx: TxContext, code: string, subtotal: Minor): Promise<DiscountUse> {
  const [json] = await lockedByCode(tx.db, { storeId: tx.store.id, key: codeKey(code) });
  if (json === undefined)
    throw invalid('discountCode', `no discount ${quote(code)} in this store`, { code: 'NOT_FOUND' });
  const discount = discountEntity.read(json);
  const { decimals, currency } = tx.store;
  const now = toTimestamp(tx.now);
  if (discount.startsAt !== null && now < discount.startsAt) {
    throw invalid('discountCode', `the discount ${quote(code)} is not valid yet`, { code: 'NOT_OFFERED' });
  }
  if (discount.endsAt !== null && now >= discount.endsAt) {
    throw invalid('discountCode', `the discount ${quote(code)} is no longer valid`, { code: 'NOT_OFFERED' });
  }
  if (discount.minSubtotal !== null && subtotal < (parseMoney(discount.minSubtotal, decimals) ?? 0n)) {
    const wanted = `${discount.minSubtotal} ${currency}`;
    const reason = `the discount ${quote(code)} requires a subtotal of ${wanted}, not ${formatMoney(subtotal, decimals)}`;
    throw invalid('discountCode', reason, { code: 'CONFLICTING' });
  }
  if (discount.usageLimit !== null && discount.used >= discount.usageLimit) {
    const reason = `the discount ${quote(code)} is used up`;
    throw new CommerceError('discountUsedUp', reason, { details: [{ field: 'discountCode', reason }] });
  }
  await discounts.write(tx, { item: discount }, { ...discount, used: discount.used + 1 });
  return { discountId: discount.id, code: discount.code, amount: discountOn(subtotal, discount, decimals) };
}

/**
 * Changes the number of uses when an order stops counting as a use, or starts again. The limit is not checked: the price of a reopened
 * order was promised.
 */
export async function countUse(tx: TxContext, discountId: string, change: 1 | -1): Promise<void> {
  const discount = await discounts.lockIfAny(tx, discountId);
  if (!discount) return;
  await discounts.write(tx, { item: discount }, { ...discount, used: Math.max(0, discount.used + change) });
}

/** Locks a discount against changes, before products are locked. */
export async function lockDiscount(tx: TxContext, discountId: string): Promise<void> {
  await discounts.lockIfAny(tx, discountId);
}
