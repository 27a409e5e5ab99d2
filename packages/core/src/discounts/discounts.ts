import { changedFields } from '../audit/audit.ts';
import { audit } from '../audit/entry.ts';
import { itemsOf, readNewest } from '../collection/items.ts';
import type { Context, TxContext } from '../engine/context.ts';
import { transact, type UniqueRules } from '../engine/transaction.ts';
import { toTimestamp } from '../kernel/clock.ts';
import { fromJson, type Json, type List, toJson } from '../kernel/json.ts';
import { definedOnly, parse } from '../kernel/parse.ts';
import { listCounts, pendingCounts } from '../resources/counts.ts';
import { snapshotOrScan } from '../storage/run.ts';
import {
  checkedValue,
  codeKey,
  type Discount,
  type DiscountChanges,
  type DiscountInput,
  DiscountQuery,
  type DiscountQueryInput,
  discountEntity,
} from './fields.ts';

export const discounts = itemsOf<Discount>('discounts', 'discount', false, { entity: discountEntity });

/**
 * Creates a discount code.
 * @throws CommerceError `validation`; `conflict` if the store has that code, in any case
 */
export async function createDiscount(ctx: Context, input: DiscountInput): Promise<Discount> {
  const { decimals, id: storeId } = ctx.store;
  const given = parse(discountEntity.inputs(decimals).create, input);
  return transact(
    ctx,
    async (tx) => {
      const now = toTimestamp(tx.now);
      const stated = { ...discountEntity.initial, ...definedOnly(given) };
      const discount = discountEntity.of({
        ...stated,
        id: tx.engine.ids.next(tx.now),
        storeId,
        value: checkedValue(stated, decimals),
        used: 0,
        createdAt: now,
        updatedAt: now,
      });
      await tx.db
        .insertInto('discounts')
        .values({ store_id: storeId, id: discount.id, ...discountColumns(discount), created_at: tx.now })
        .execute();
      pendingCounts(tx).add('discounts', '', 1);
      const { code, type, value } = discount;
      audit(tx, {
        action: 'discount.created',
        resourceType: 'discount',
        resourceId: discount.id,
        changes: { code, type, value },
      });
      return discount;
    },
    uniqueCode(given.code),
  );
}

/**
 * Changes the given fields; absent ones keep their value, null clears an optional one. Only orders change `used`.
 * @throws CommerceError `validation`, `notFound`; `conflict` if the code is taken
 */
export async function updateDiscount(ctx: Context, id: string, input: DiscountChanges): Promise<Discount> {
  const given = definedOnly(parse(discountEntity.inputs(ctx.store.decimals).update, input));
  return transact(
    ctx,
    async (tx) => {
      const before = await discounts.lock(tx, id);
      const merged = { ...before, ...given };
      const after = discountEntity.of({ ...merged, value: checkedValue(merged, tx.store.decimals) });
      const changes = changedFields(before, after);
      if (Object.keys(changes).length === 0) return before;
      const discount = { ...after, updatedAt: toTimestamp(tx.now) };
      await writeDiscount(tx, discount);
      audit(tx, { action: 'discount.updated', resourceType: 'discount', resourceId: id, changes });
      return discount;
    },
    uniqueCode(given.code),
  );
}

/**
 * Deletes a discount. Orders that used it keep their price.
 * @throws CommerceError `notFound`
 */
export async function deleteDiscount(ctx: Context, id: string): Promise<void> {
  await transact(ctx, async (tx) => {
    const { code } = await discounts.lock(tx, id);
    await tx.db.deleteFrom('discounts').where('store_id', '=', tx.store.id).where('id', '=', id).execute();
    pendingCounts(tx).add('discounts', '', -1);
    audit(tx, { action: 'discount.deleted', resourceType: 'discount', resourceId: id, changes: { code } });
  });
}

/** @throws CommerceError `notFound`, also for a malformed id and for the id of another store's discount */
export const getDiscountJson = discounts.read;

/** Like `getDiscountJson`, for use inside an application. */
export async function getDiscount(ctx: Context, id: string): Promise<Discount> {
  return fromJson(await getDiscountJson(ctx, id));
}

/**
 * A page of the store's discounts, newest first, with the exact number of matching discounts.
 * @throws CommerceError `validation` for a filter or a window out of range
 */
export async function listDiscountsJson(ctx: Context, query: DiscountQueryInput = {}): Promise<Json<List<Discount>>> {
  const { code, ...window } = parse(DiscountQuery, query);
  return snapshotOrScan(ctx, async (db, maxRows) => {
    const ofStore = db.selectFrom('discounts').where('store_id', '=', ctx.store.id);
    if (code) {
      const among = ofStore.where('code_key', '=', codeKey(code));
      return readNewest<Discount>(db, { among, matches: among }, window, maxRows, discountEntity);
    }
    const total = (await listCounts(db, ctx.store.id, 'discounts')).get('') ?? 0;
    return readNewest<Discount>(
      db,
      { among: ofStore, count: total, matches: ofStore, total },
      window,
      maxRows,
      discountEntity,
    );
  });
}

/** Like `listDiscountsJson`, for use inside an application. */
export async function listDiscounts(ctx: Context, query: DiscountQueryInput = {}): Promise<List<Discount>> {
  return fromJson(await listDiscountsJson(ctx, query));
}

/** Writes a changed discount over the locked one. */
export async function writeDiscount(tx: TxContext, discount: Discount): Promise<void> {
  await tx.db
    .updateTable('discounts')
    .set(discountColumns(discount))
    .where('store_id', '=', tx.store.id)
    .where('id', '=', discount.id)
    .execute();
}

function discountColumns(discount: Discount) {
  return { code_key: codeKey(discount.code), json: toJson(discount), shape: discountEntity.shapeNumber };
}

function uniqueCode(code: string | undefined): UniqueRules {
  return { 'discounts.code_key': { field: 'code', value: code, taken: 'is the code of another discount' } };
}
