import { newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { statementsOf } from '@commerce/test-support/harness/statements';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { expect, it } from 'vitest';
import {
  type Context,
  createCategory,
  createProduct,
  getMedia,
  listMedia,
  listProducts,
  listProductsByAttributes,
  type Product,
  updateProduct,
} from '../index.ts';
import { writing } from '../storage/run.ts';
import { importProducts } from './products.ts';

/** More rows than a list can read on the main thread before it reaches published products. */
const drafts = 1150;
const published = 120;

forEachStorage('lists of a public actor among many rows', (database, dialect) => {
  const commerce = useCommerce(database);

  it('are exact where the newest things are hidden', async () => {
    const shop = await newShop(commerce());
    const { id: categoryId } = await createCategory(shop, { name: 'Mugs', slug: 'mugs', status: 'published' });
    const categoryIds = [categoryId];
    const media = await addMedia(shop, 1200);
    const shown = await addProducts(shop, published, 'published', { categoryIds, mediaIds: media.slice(0, 3) });
    await addProducts(shop, drafts, 'draft', { categoryIds, mediaIds: media.slice(3, 6) });
    const seen: Context = { ...shop, actor: { type: 'embedder', id: null, isPublic: true } };
    const pageOf = (from: number, to: number) => ({ items: shown.slice(from, to), total: published });
    const page = { limit: 50, offset: 30 };
    for (let time = 0; time < 2; time++) {
      expect(await ids(listProducts(seen, page))).toEqual(pageOf(30, 80));
      expect(await ids(listProducts(seen, { ...page, categoryId }))).toEqual(pageOf(30, 80));
      expect(await ids(listProducts(seen, { ...page, search: 'mug' }))).toEqual(pageOf(30, 80));
      expect(await ids(listProducts(seen, { categoryId, limit: 50, after: shown[49] }))).toEqual(pageOf(50, 100));
      expect(await ids(listProductsByAttributes(seen, { ...page, attributes: { all: 'x' } }))).toEqual(pageOf(30, 80));
      expect(await ids(listProductsByAttributes(seen, { attributes: { all: 'x', kind: 'draft' } }))).toEqual({
        items: [],
        total: 0,
      });
      const { items, total } = await listMedia(seen, { limit: 2, offset: 1 });
      expect([total, ...items.map(({ id }) => id)]).toEqual([3, media[1], media[0]]);
    }
    await expect(getMedia(seen, media[4] ?? '')).rejects.toMatchObject({ kind: 'notFound' });
    await updateProduct(shop, shown[0] ?? '', { mediaIds: media.slice(3, 5), status: 'published' });
    expect((await listMedia(seen)).total).toBe(5);
    expect(await getMedia(seen, media[4] ?? '')).toMatchObject({ id: media[4] });
    await updateProduct(shop, shown[0] ?? '', { status: 'archived' });
    expect((await listMedia(seen)).total).toBe(3);
    expect((await listProducts(seen, { categoryId })).total).toBe(published - 1);
  });

  it('count what is published by the counts, not by its rows', async () => {
    const shop = await newShop(commerce());
    const seen: Context = { ...shop, actor: { type: 'embedder', id: null, isPublic: true } };
    await createProduct(shop, { title: 'Mug', slug: 'mug', price: '1', status: 'published', attributes: { all: 'x' } });
    const texts = (await statementsOf(() => listProductsByAttributes(seen, { attributes: { all: 'x' } }))).map(
      ({ text }) => text,
    );
    expect(texts.filter((text) => text.includes('list_totals'))).toHaveLength(2);
    expect(texts.filter((text) => /count\(\*\) as "total"/.test(text))).toEqual([]);
    expect(dialect).toMatch(/sqlite|postgres/i);
  });

  async function ids(list: Promise<{ items: Product[]; total: number }>) {
    const { items, total } = await list;
    return { items: items.map(({ id }) => id), total };
  }

  /** Creates products and returns their ids, the newest first. */
  async function addProducts(shop: Context, count: number, status: string, also: object): Promise<string[]> {
    const made: string[] = [];
    for (let i = 0; i < count; i += 50) {
      const rows = Array.from({ length: Math.min(50, count - i) }, (_, n) => ({
        input: {
          title: 'Mug',
          slug: `${status}-${i + n}`,
          price: '1',
          status,
          attributes: { all: 'x', kind: status },
          ...also,
        },
      }));
      const options = { match: 'slug', events: false, dryRun: false, stopAtRefusal: true };
      for (const one of await importProducts(shop, rows, options)) if ('id' in one) made.push(one.id);
    }
    const order = await shop.engine.storage.db
      .selectFrom('products')
      .select('id')
      .where('id', 'in', made)
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .execute();
    return order.map(({ id }) => id);
  }

  /** Creates rows of images, the oldest first. */
  async function addMedia(shop: Context, count: number): Promise<string[]> {
    const made = Array.from({ length: count }, (_, i) => ({
      store_id: shop.store.id,
      id: shop.engine.ids.next(i),
      mime_type: 'image/png',
      created_at: i,
      json: '',
      shape: 0,
    }));
    await writing(shop.engine.storage, async (db) => {
      for (let i = 0; i < count; i += 400) {
        const rows = made.slice(i, i + 400).map((row) => ({ ...row, json: JSON.stringify({ id: row.id }) }));
        await db.insertInto('media').values(rows).execute();
      }
      await shop.engine.storage.counts.add(db, shop.store.id, [
        { list: 'media.mimeType', value: 'image/png', n: count, isDroppedAtZero: false },
      ]);
    });
    shop.engine.storage.counts.committed?.(shop.store.id);
    return made.map(({ id }) => id);
  }
});
