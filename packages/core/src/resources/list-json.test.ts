import { newProduct, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { expect, it } from 'vitest';
import {
  createPage,
  getPageJson,
  listPages,
  listPagesJson,
  listProducts,
  listProductsByAttributes,
  maxListBytes,
} from '../index.ts';

forEachStorage('lists of long items', (database) => {
  const commerce = useCommerce(database);

  it('stop after 4 MiB, with their exact total, and go on behind the last item', async () => {
    const shop = await newShop(commerce());
    const made: string[] = [];
    // Letters of two bytes, because bytes are counted, not characters.
    for (let i = 0; i < 12; i++) {
      const page = await createPage(shop, { title: 'x', slug: `p-${i}`, content: 'é'.repeat(300_000) });
      made.unshift(page.id);
    }
    const bytesOfOne = Buffer.byteLength(await getPageJson(shop, made[0] ?? ''));
    const found: string[] = [];
    for (let offset = 0; offset < 12; ) {
      const json = await listPagesJson(shop, { limit: 200, offset });
      expect(Buffer.byteLength(json)).toBeLessThan(maxListBytes + bytesOfOne + 100);
      const { items, total } = JSON.parse(json);
      expect(total).toBe(12);
      expect(items.length).toBeGreaterThan(0);
      found.push(...items.map(({ id }: { id: string }) => id));
      offset += items.length;
    }
    expect(found).toEqual(made);
    expect((await listPages(shop, { limit: 200, slug: 'p-3' })).items.length).toBe(1);
  });

  it('of products do so by whichever way they are found', async () => {
    const shop = await newShop(commerce());
    for (let i = 0; i < 45; i++)
      await newProduct(shop, { slug: `p-${i}`, description: 'x'.repeat(100_000), attributes: { a: 'b' } });
    const lists = [
      await listProducts(shop, { limit: 200 }),
      await listProducts(shop, { limit: 200, status: 'published' }),
      await listProductsByAttributes(shop, { attributes: { a: 'b' }, limit: 200 }),
    ];
    for (const { items, total } of lists) expect([items.length, total]).toEqual([42, 45]);
  });
});
