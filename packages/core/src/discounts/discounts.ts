import { collectionOf } from '../collection/collection.ts';
import { readNewest } from '../collection/items.ts';
import type { Context } from '../engine/context.ts';
import { type Json, type List, parsed } from '../kernel/json.ts';
import { parse } from '../kernel/parse.ts';
import { listCounts } from '../resources/counts.ts';
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

export const discounts = collectionOf(discountEntity, {
  table: 'discounts',
  noun: 'discount',
  softDeleted: false,
  isSilent: true,
  keys: [
    { column: 'code_key', field: 'code', of: ({ code }) => codeKey(code), taken: 'is the code of another discount' },
  ],
  counted: { list: 'discounts', under: () => '' },
  complete: (tx, discount, { before }) => ({
    ...discount,
    value: checkedValue(discount, tx.store.decimals),
    used: before?.used ?? 0,
  }),
  columns: ({ code }) => ({ code_key: codeKey(code) }),
  audited: ({ code, type, value }, action) => (action === 'created' ? { code, type, value } : { code }),
});

/**
 * Creates a discount code.
 * @throws CommerceError `validation`; `conflict` if the store has that code, in any case
 */
export const createDiscount = (ctx: Context, input: DiscountInput): Promise<Discount> => discounts.create(ctx, input);

/**
 * Changes the given fields; absent ones keep their value, null clears an optional one. Only orders change `used`.
 * @throws CommerceError `validation`, `notFound`; `conflict` if the code is taken
 */
export const updateDiscount = (ctx: Context, id: string, input: DiscountChanges): Promise<Discount> =>
  discounts.update(ctx, id, input);

/**
 * Deletes a discount. Orders that used it keep their price.
 * @throws CommerceError `notFound`
 */
export const deleteDiscount = (ctx: Context, id: string): Promise<void> => discounts.remove(ctx, id);

/** @throws CommerceError `notFound`, also for a malformed id and for the id of another store's discount */
export const getDiscountJson = discounts.read;

/** Like `getDiscountJson`, for use inside an application. */
export const getDiscount = parsed(getDiscountJson);

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
export const listDiscounts = parsed(listDiscountsJson);
