import type { Context, TxContext } from '../engine/context.ts';
import type { StoreContext } from '../engine/store.ts';
import { toTimestamp } from '../kernel/clock.ts';
import { type ProblemCode, quote } from '../kernel/errors.ts';
import { formatMoney, type Minor, parseMoney } from '../kernel/money.ts';
import { lockRows } from '../storage/locks.ts';
import { preparedColumn } from '../storage/prepared.ts';
import { reading } from '../storage/run.ts';
import { discounts } from './discounts.ts';
import { codeKey, type Discount, discountEntity } from './fields.ts';

const lockedByCode = preparedColumn<{ storeId: string; key: string }, string>((db, p) =>
  lockRows(
    db,
    db.selectFrom('discounts').select('json').where('store_id', '=', p('storeId')).where('code_key', '=', p('key')),
  ),
);

const byCode = preparedColumn<{ storeId: string; key: string }, string>((db, p) =>
  db.selectFrom('discounts').select('json').where('store_id', '=', p('storeId')).where('code_key', '=', p('key')),
);

/** The discount with a code, in any case; null if there is none. */
export async function findDiscountByCode({ engine, store }: Context, code: string): Promise<Discount | null> {
  const [json] = await reading(engine.storage, (db) => byCode(db, { storeId: store.id, key: codeKey(code) }));
  return json === undefined ? null : discountEntity.read(json);
}

/**
 * Like `findDiscountByCode`, and locks the discount until the transaction ends, so that only one of many buyers gets the last use. Discounts
 * are locked after orders and before products.
 */
export async function lockDiscountByCode(tx: TxContext, code: string): Promise<Discount | null> {
  const [json] = await lockedByCode(tx.db, { storeId: tx.store.id, key: codeKey(code) });
  return json === undefined ? null : discountEntity.read(json);
}

/** Counts one more use of a locked discount. */
export async function countNewUse(tx: TxContext, discount: Discount): Promise<void> {
  await discounts.write(tx, { item: discount }, { ...discount, used: discount.used + 1 });
}

/**
 * The reason why a code does not lower the price of a cart now; undefined if it does.
 * @param discount the discount with that code; null if there is none
 */
export function discountObstacle(
  discount: Discount | null,
  { code, subtotal, store, now }: { code: string; subtotal: Minor; store: StoreContext; now: number },
): { code: ProblemCode; message: string } | undefined {
  if (!discount) return { code: 'DISCOUNT_UNKNOWN', message: `no discount ${quote(code)} in this store` };
  const { startsAt, endsAt, minSubtotal, usageLimit, used } = discount;
  const time = toTimestamp(now);
  if (startsAt !== null && time < startsAt) {
    return { code: 'DISCOUNT_NOT_VALID_NOW', message: `the discount ${quote(code)} is not valid yet` };
  }
  if (endsAt !== null && time >= endsAt) {
    return { code: 'DISCOUNT_NOT_VALID_NOW', message: `the discount ${quote(code)} is no longer valid` };
  }
  if (minSubtotal !== null && subtotal < (parseMoney(minSubtotal, store.decimals) ?? 0n)) {
    const wanted = `${minSubtotal} ${store.currency}`;
    const message = `the discount ${quote(code)} requires a subtotal of ${wanted}, not ${formatMoney(subtotal, store.decimals)}`;
    return { code: 'DISCOUNT_MINIMUM', message };
  }
  if (usageLimit !== null && used >= usageLimit) {
    return { code: 'DISCOUNT_USED_UP', message: `the discount ${quote(code)} is used up` };
  }
  return undefined;
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
