import { describe, expect, it } from 'vitest';
import { countedOf, FoldedProducts, foldedRows, maxFolded } from './folded.ts';
import type { Product } from './values.ts';

const product = (id: string, variantGroupId: string | null = null) => ({ id, variantGroupId, title: id }) as Product;
const list = [product('5', 'cup'), product('4'), product('3', 'cup'), product('2', 'hat'), product('1', 'cup')];
const ids = (rows: ReturnType<typeof foldedRows>) =>
  rows.map(
    ({ product: { id }, members, isMember }) => `${isMember ? '-' : ''}${id}${members ? `×${members.length}` : ''}`,
  );
const never = new AbortController().signal;

describe('a folded list of products', () => {
  it('has one row for each group, at the place of its newest variant', () => {
    expect(ids(foldedRows(list, new Set()))).toEqual(['1×3', '4', '2']);
    expect(ids(foldedRows(list, new Set(['cup'])))).toEqual(['1×3', '-1', '-3', '-5', '4', '2']);
  });

  it('counts archived variants only if no others are left', () => {
    const archived = { ...product('1', 'cup'), status: 'archived' as const };
    const sold = { ...product('2', 'cup'), status: 'draft' as const };
    expect(countedOf([archived, sold])).toEqual([sold]);
    expect(countedOf([archived])).toEqual([archived]);
  });

  it('loads its products once, and again when they are forgotten or others are asked for', async () => {
    let loads = 0;
    const load = async ({ limit, offset }: { limit: number; offset: number }) => {
      loads++;
      return { items: list.slice(offset, offset + limit), total: list.length };
    };
    const folded = new FoldedProducts();
    const page = (key = 'a') => folded.page(key, { limit: 2, offset: 1 }, load, never);
    const first = await page();
    expect([ids(first.items), first.total, folded.count]).toEqual([['4', '2'], 3, 5]);
    folded.toggle('cup');
    folded.replace({ ...product('1', 'cup'), title: 'changed' });
    const open = await page();
    expect([ids(open.items), open.total, loads]).toEqual([['-1', '-3'], 6, 1]);
    expect(open.items[0]?.product.title).toBe('changed');
    folded.forget();
    await page();
    expect(loads).toBe(2);
    await page('b');
    expect(loads).toBe(3);
  });

  it('is not folded if it is long', async () => {
    const folded = new FoldedProducts();
    const load = async () => ({ items: list, total: maxFolded + 1 });
    const page = await folded.page('a', { limit: 50, offset: 0 }, load, never);
    expect([ids(page.items), page.total, folded.count]).toEqual([['5', '4', '3', '2', '1'], 1001, undefined]);
  });
});
