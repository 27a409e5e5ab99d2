import { randomUUID } from 'node:crypto';
import type { Category } from '@commerce/core';
import { emittedBy, newProduct, useCommerce } from '@commerce/test-support/fixtures/shop';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { itemOf, testCrudRoutes, useApp } from '@commerce/test-support/suites/crud-routes';
import { describe, expect, it } from 'vitest';

let made = 0;
const body = () => ({ name: 'Mugs', slug: `mugs-${++made}` });

forEachStorage('categories over HTTP', (database) => {
  const commerce = useCommerce(database);
  testCrudRoutes(
    {
      path: '/categories',
      noun: 'category',
      body,
      change: { name: 'Cups', status: 'published', description: 'For tea' },
      required: ['name', 'slug'],
      wrong: [
        [{ name: null, slug: null }, ['name', 'slug']],
        [{ parentId: randomUUID() }, ['parentId']],
      ],
      taken: [{ slug: 'taken' }, 'slug'],
      wrongQueries: [
        ['status=deleted', 'status'],
        ['parentId=%00', 'parentId'],
      ],
    },
    commerce,
  );

  describe('their tree', () => {
    const { shop, send } = useApp(commerce);
    const add = async (parentId: string | null = null) =>
      itemOf<Category>(await send('POST /categories', { body: { ...body(), parentId } }));

    it('is listed by parent, the roots by the text null, together with other filters', async () => {
      const [root, other] = [await add(), await add()];
      const child = await add(root.id);
      await send(`PUT /categories/${child.id}`, { body: { status: 'published' } });
      const ids = async (query: string) => {
        const { items, total } = (await send(`GET /categories?${query}`)).json as { items: Category[]; total: number };
        return [total, ...items.map(({ id }) => id)];
      };
      expect(await ids('parentId=null')).toEqual([2, other.id, root.id]);
      expect(await ids(`parentId=${root.id}`)).toEqual([1, child.id]);
      expect(await ids(`parentId=${root.id}&status=published&search=MUG`)).toEqual([1, child.id]);
      expect(await ids(`parentId=${root.id}&status=draft`)).toEqual([0]);
      expect(await ids(`parentId=${randomUUID()}`)).toEqual([0]);
      expect(await ids(`slug=${child.slug}`)).toEqual([1, child.id]);
    });

    it('frees children and products of what is deleted', async () => {
      const root = await add();
      const child = await add(root.id);
      const product = await newProduct(shop(), { categoryIds: [root.id] });
      const types = await emittedBy(shop(), () => send(`DELETE /categories/${root.id}`));
      expect(types.sort()).toEqual(['category.deleted', 'category.updated', 'product.updated']);
      expect(await send(`GET /categories/${child.id}`)).toMatchObject({ json: { item: { parentId: null } } });
      expect(await send(`GET /products/${product.id}`)).toMatchObject({ json: { item: { categoryIds: [] } } });
      expect(await send(`GET /products?categoryId=${root.id}`)).toMatchObject({ text: '{"items":[],"total":0}' });
    });
  });
});
