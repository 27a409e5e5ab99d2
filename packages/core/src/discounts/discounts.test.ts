import { newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { expectDenied, invalid } from '@commerce/test-support/harness/denied';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { transact } from '../engine/transaction.ts';
import {
  createDiscount,
  type Discount,
  type DiscountInput,
  deleteDiscount,
  getDiscount,
  listDiscounts,
  updateDiscount,
} from '../index.ts';
import { fakeClock } from '../testing/index.ts';
import { discountOn } from './fields.ts';
import { countNewUse, discountObstacle, lockDiscountByCode } from './uses.ts';

const ten: DiscountInput = { code: 'WELCOME10', type: 'percent', value: '10' };

forEachStorage('discounts', (database) => {
  const commerce = useCommerce(database);

  it('are created with what is left out open, and answered as they were spelt', async () => {
    const shop = await newShop(commerce());
    const discount = await createDiscount(shop, { ...ten, startsAt: '2026-01-01T01:00:00+01:00' });
    expect(discount).toEqual({
      id: discount.id,
      storeId: shop.store.id,
      code: 'WELCOME10',
      type: 'percent',
      value: '10',
      minSubtotal: null,
      startsAt: '2026-01-01T00:00:00.000Z',
      endsAt: null,
      usageLimit: null,
      used: 0,
      createdAt: discount.createdAt,
      updatedAt: discount.createdAt,
    });
    expect(await getDiscount(shop, discount.id)).toEqual(discount);
    expect(await createDiscount(shop, { code: 'FIVE', type: 'amount', value: '5' })).toMatchObject({ value: '5.00' });
    expect(await listDiscounts(shop)).toMatchObject({ total: 2, items: [{ code: 'FIVE' }, discount] });
    expect(await listDiscounts(shop, { code: 'welcome10' })).toEqual({ total: 1, items: [discount] });
    expect(await listDiscounts(shop, { limit: 1, offset: 1 })).toEqual({ total: 2, items: [discount] });
  });

  it('have codes that are unique in a store, in whatever case, until they are deleted', async () => {
    const [shop, other] = [await newShop(commerce()), await newShop(commerce())];
    const { id } = await createDiscount(shop, ten);
    await createDiscount(other, ten);
    const second = await createDiscount(shop, { ...ten, code: 'OTHER' });
    for (const work of [
      () => createDiscount(shop, { ...ten, code: 'Welcome10' }),
      () => updateDiscount(shop, second.id, { code: 'welcome10' }),
    ]) {
      await expectDenied(commerce(), work, { kind: 'conflict', fields: ['code'] });
    }
    await deleteDiscount(shop, id);
    expect(await updateDiscount(shop, second.id, { code: 'welcome10' })).toMatchObject({ code: 'welcome10' });
    expect(await listDiscounts(shop)).toMatchObject({ total: 1 });
    await expect(getDiscount(shop, id)).rejects.toMatchObject({ kind: 'notFound' });
    await expect(getDiscount(other, second.id)).rejects.toMatchObject({ kind: 'notFound' });
  });

  it.each<[string, Partial<DiscountInput>, string]>([
    ['more than everything', { value: '100.01' }, 'value'],
    ['three decimals of a per cent', { value: '1.234' }, 'value'],
    ['an amount with too many decimals', { type: 'amount', value: '1.234' }, 'value'],
    ['a negative amount', { type: 'amount', value: '-1' }, 'value'],
    ['an end before its start', { startsAt: '2026-02-01T00:00:00Z', endsAt: '2026-01-01T00:00:00Z' }, 'endsAt'],
    ['a day in place of a time', { startsAt: '2026-02-01' }, 'startsAt'],
    ['a code with a blank', { code: 'TEN OFF' }, 'code'],
    ['no code', { code: '' }, 'code'],
    ['no use at all', { usageLimit: 0 }, 'usageLimit'],
  ])('refuse %s', async (_, input, field) => {
    const shop = await newShop(commerce());
    await expectDenied(commerce(), () => createDiscount(shop, { ...ten, ...input }), invalid(field));
  });

  it('hold a change to the whole: a value to its type, an end to its start', async () => {
    const shop = await newShop(commerce());
    const { id } = await createDiscount(shop, {
      code: 'A',
      type: 'amount',
      value: '500',
      startsAt: '2026-06-01T00:00:00Z',
    });
    await expect(updateDiscount(shop, id, { type: 'percent' })).rejects.toMatchObject({ kind: 'validation' });
    await expect(updateDiscount(shop, id, { endsAt: '2026-05-01T00:00:00Z' })).rejects.toMatchObject({
      kind: 'validation',
    });
    expect(await updateDiscount(shop, id, { type: 'percent', value: '50', startsAt: null })).toMatchObject({
      value: '50',
      startsAt: null,
    });
  });
});

forEachStorage('a discount with times', (database) => {
  const clock = fakeClock();
  const commerce = useCommerce(database, { clock });

  it('is valid from its start, until before its end', async () => {
    const shop = await newShop(commerce());
    const now = clock.now();
    const at = (ms: number) => new Date(now + ms).toISOString();
    await createDiscount(shop, { ...ten, startsAt: at(1000), endsAt: at(2000) });
    const use = () =>
      transact(shop, async (tx) => {
        const code = 'welcome10';
        const found = await lockDiscountByCode(tx, code);
        const obstacle = discountObstacle(found, { code, subtotal: 1000n, store: tx.store, now: tx.now });
        if (!found || obstacle) return obstacle?.code;
        await countNewUse(tx, found);
        return discountOn(1000n, found, tx.store.decimals);
      });
    clock.advance(999);
    expect(await use()).toBe('DISCOUNT_NOT_VALID_NOW');
    clock.advance(1);
    expect(await use()).toBe(100n);
    clock.advance(999);
    expect(await use()).toBe(100n);
    clock.advance(1);
    expect(await use()).toBe('DISCOUNT_NOT_VALID_NOW');
    expect((await listDiscounts(shop)).items).toMatchObject([{ used: 2 }]);
  });
});

describe('discountOn', () => {
  const discount = (type: Discount['type'], value: string) => ({ type, value }) as Discount;

  it.each<[string, bigint, Discount, bigint]>([
    ['ten per cent', 1000n, discount('percent', '10'), 100n],
    ['half a cent up', 5n, discount('percent', '10'), 1n],
    ['less than half a cent down', 4n, discount('percent', '10'), 0n],
    ['a fraction of a per cent', 10_000n, discount('percent', '0.05'), 5n],
    ['everything', 999n, discount('percent', '100'), 999n],
    ['an amount', 1000n, discount('amount', '2.50'), 250n],
    ['an amount above the subtotal', 100n, discount('amount', '2.50'), 100n],
  ])('takes off %s', (_, subtotal, one, expected) => {
    expect(discountOn(subtotal, one, 2)).toBe(expected);
  });

  it('never takes off more than there is', () => {
    const percent = fc.integer({ min: 0, max: 10_000 }).map((n) => discount('percent', (n / 100).toFixed(2)));
    const amount = fc.bigInt(0n, 10n ** 9n).map((n) => discount('amount', `${n}.00`));
    fc.assert(
      fc.property(fc.bigInt(0n, 10n ** 12n), fc.oneof(percent, amount), (subtotal, one) => {
        const off = discountOn(subtotal, one, 2);
        expect(off >= 0n && off <= subtotal).toBe(true);
      }),
    );
  });
});
