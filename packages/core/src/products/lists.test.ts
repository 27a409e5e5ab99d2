import { newProduct, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { beforeAll, expect, it } from 'vitest';
import { type Context, deleteProduct, listProducts, type Product, type ProductQueryInput } from '../index.ts';
import { fakeClock } from '../testing/index.ts';

forEachStorage('listProducts', (database) => {
  const clock = fakeClock();
  const commerce = useCommerce(database, { clock });
  let shop: Context;
  let other: Context;
  /** Oldest first. */
  const made: Product[] = [];

  beforeAll(async () => {
    [shop, other] = [await newShop(commerce()), await newShop(commerce())];
    const rows = [
      { slug: 'a', sku: 'A', status: 'draft', variantGroupId: 'g1' },
      { slug: 'b', sku: 'B', status: 'published', variantGroupId: 'g1' },
      { slug: 'c', status: 'published', variantGroupId: 'G1' },
      { slug: 'd', status: 'archived', variantGroupId: 'g2' },
      { slug: 'e', status: 'published' },
    ] as const;
    for (const [i, row] of rows.entries()) {
      // c and d were created in the same millisecond, so the id decides.
      if (i !== 3) clock.advance(1);
      made.push(await newProduct(shop, { ...row, title: `Thing ${row.slug}` }));
    }
    const gone = await newProduct(shop, { slug: 'gone', sku: 'GONE', variantGroupId: 'g1', status: 'published' });
    await deleteProduct(shop, gone.id);
    await newProduct(other, { slug: 'a', sku: 'A', variantGroupId: 'g1', title: 'Thing of another store' });
  });

  it('answers whole products, newest first', async () => {
    expect(await listProducts(shop)).toEqual({ items: [...made].reverse(), total: 5 });
  });

  it.each<[ProductQueryInput, [number, string]]>([
    [{}, [5, 'edcba']],
    [{ status: 'draft' }, [1, 'a']],
    [{ status: 'published' }, [3, 'ecb']],
    [{ status: 'archived' }, [1, 'd']],
    [{ slug: 'c' }, [1, 'c']],
    [{ slug: 'C' }, [0, '']],
    [{ slug: 'gone' }, [0, '']],
    [{ sku: 'A' }, [1, 'a']],
    [{ sku: 'a' }, [0, '']],
    [{ sku: 'GONE' }, [0, '']],
    [{ variantGroupId: 'g1' }, [2, 'ba']],
    [{ variantGroupId: 'G1' }, [1, 'c']],
    [{ variantGroupId: 'g1', status: 'published' }, [1, 'b']],
    [{ variantGroupId: 'g1', status: 'archived' }, [0, '']],
    [{ slug: 'b', sku: 'B', status: 'published', variantGroupId: 'g1', search: 'thing' }, [1, 'b']],
    [{ slug: 'b', sku: 'A' }, [0, '']],
    [{ search: 'thing', status: 'published' }, [3, 'ecb']],
    [{ search: 'thing', status: 'published', limit: 1, offset: 1 }, [3, 'c']],
    [{ limit: '3' as never, offset: '1' as never }, [5, 'dcb']],
    [{ limit: 1, status: 'published' }, [3, 'e']],
    [{ limit: 1, offset: 2, status: 'published' }, [3, 'b']],
    [{ slug: '', sku: '', search: '' }, [5, 'edcba']],
    [{ slug: "x' or 1=1 --" }, [0, '']],
  ])('%j finds %j (the total first)', async (query, expected) => {
    const { items, total } = await listProducts(shop, query);
    expect([total, items.map((product) => product.slug).join('')]).toEqual(expected);
  });

  it('ignores what it does not know', async () => {
    expect((await listProducts(shop, { color: 'blue', page: 7 } as ProductQueryInput)).total).toBe(5);
  });

  it.each<[object, string]>([
    [{ status: 'deleted' }, 'status'],
    [{ status: '' }, 'status'],
    [{ status: ['draft', 'published'] }, 'status'],
    [{ slug: ['a', 'b'] }, 'slug'],
    [{ sku: 'a\0' }, 'sku'],
    [{ search: 'x'.repeat(20_001) }, 'search'],
    [{ search: '\ud83d' }, 'search'],
  ])('refuses %j, naming the field', async (query, field) => {
    await expect(listProducts(shop, query)).rejects.toMatchObject({ kind: 'validation', details: [{ field }] });
  });

  it('takes 200 at most', async () => {
    const big = await newShop(commerce());
    await Promise.all(Array.from({ length: 205 }, () => newProduct(big)));
    expect((await listProducts(big)).items).toHaveLength(50);
    const all = await listProducts(big, { limit: 200 });
    expect([all.items.length, all.total]).toEqual([200, 205]);
  });

  it.each<[string, ProductQueryInput]>([
    ['all', {}],
    ['a status', { status: 'published' }],
    ['a common word', { search: 'thing' }],
    ['a rare word', { search: 'thing c' }],
    ['a word of two letters', { search: 'th' }],
    ['a group', { variantGroupId: 'g1' }],
  ])('goes on behind the last product of a page: %s', async (_, query) => {
    const { items: all, total } = await listProducts(shop, query);
    for (const limit of [1, 2, 5]) {
      const walked: Product[] = [];
      for (let after = ''; ; ) {
        const page = await listProducts(shop, { ...query, limit, after });
        expect(page.total).toBe(total);
        walked.push(...page.items);
        if (page.items.length < limit) break;
        after = page.items.at(-1)?.id ?? '';
      }
      expect(walked).toEqual(all);
    }
  });

  it('goes on behind a product that was deleted meanwhile, and refuses one that never was', async () => {
    const [first, second] = [await newProduct(shop), await newProduct(shop)];
    await deleteProduct(shop, second.id);
    expect((await listProducts(shop, { after: second.id, limit: 1 })).items).toEqual([first]);
    await deleteProduct(shop, first.id);
    const [foreign] = (await listProducts(other)).items;
    for (const after of ['nothing', '0190a5c8-0000-7000-8000-000000000000', foreign?.id ?? '']) {
      await expect(listProducts(shop, { after })).rejects.toMatchObject({
        kind: 'validation',
        details: [{ field: 'after' }],
      });
    }
  });
});
