import { addMediaRow } from '@commerce/test-support/fixtures/media-rows';
import { newProduct, newShop } from '@commerce/test-support/fixtures/shop';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import {
  type Context,
  createCategory,
  createPage,
  deleteProduct,
  openCommerce,
  updateCategory,
  updateProduct,
} from '../../index.ts';
import { writing } from '../run.ts';

/** More than are read at once. */
const manyPages = 2100;

forEachStorage('the migration of what everybody may see', (database) => {
  it('fills in what changes since would have written', async () => {
    const commerce = await openCommerce({ storage: database.open() });
    const { storage } = commerce.engine;
    for (const shop of [await newShop(commerce), await newShop(commerce)]) await fill(shop);
    const before = await facts(storage);
    expect(before.uses.length).toBeGreaterThan(2 * manyPages);
    expect(before.facets).toContainEqual(expect.objectContaining({ value: '["attr.color","red \\"1\\""]', n: 2 }));
    await writing(storage, async (db) => {
      await sql`drop table media_uses`.execute(db);
      const counts = before.facets.map(({ store_id, value, n }) => ({ store_id, value, n: -n }));
      for (const { store_id, value, n } of counts) {
        const change = { list: 'products.publishedFacets', value, n, isDroppedAtZero: true };
        await storage.counts.add(db, store_id, [change]);
      }
    });
    await storage.counts.foldAll?.();
    await writing(storage, async (db) => {
      await sql`delete from list_counts where list = 'products.publishedFacets'`.execute(db);
      await db.deleteFrom('schema_migrations').where('name', '=', '0015_media_uses').execute();
    });
    await commerce.close();
    const upgraded = await openCommerce({ storage: database.open() });
    expect(await facts(upgraded.engine.storage)).toEqual(before);
    await upgraded.close();
  });

  async function facts({ db }: Context['engine']['storage']) {
    const uses = await db.selectFrom('media_uses').selectAll().orderBy('media_id').orderBy('used_by').execute();
    const counts = await db
      .selectFrom('list_totals')
      .select(['store_id', 'value', 'n'])
      .where('list', '=', 'products.publishedFacets')
      .orderBy('store_id')
      .orderBy('value')
      .execute();
    return { uses, facets: counts.filter(({ n }) => n !== 0) };
  }

  async function fill(shop: Context): Promise<void> {
    const images: string[] = [];
    for (let i = 0; i < 4; i++) images.push(await addMediaRow(shop));
    const [a = '', b = '', c = '', d = ''] = images;
    const category = await createCategory(shop, { name: 'Mugs', slug: 'mugs', seoImageId: a });
    await updateCategory(shop, category.id, { status: 'published' });
    await createCategory(shop, { name: 'Cups', slug: 'cups', seoImageId: b });
    const shown = { categoryIds: [category.id], attributes: { color: 'red "1"' } };
    await newProduct(shop, { ...shown, mediaIds: [a, b], primaryMediaId: b, seoImageId: c });
    await newProduct(shop, { ...shown, attributes: { ...shown.attributes, size: 'L' } });
    await newProduct(shop, { ...shown, status: 'draft', mediaIds: [d] });
    const archived = await newProduct(shop, { ...shown, mediaIds: [d] });
    await updateProduct(shop, archived.id, { status: 'archived' });
    await deleteProduct(shop, (await newProduct(shop, { ...shown, primaryMediaId: d })).id);
    const page = await createPage(shop, { title: 'About', slug: 'about', status: 'published', seoImageId: c });
    const rows = Array.from({ length: manyPages }, (_, i) => {
      const id = `${page.id.slice(0, -6)}${String(i).padStart(6, '0')}`;
      const json = JSON.stringify({ ...page, id, slug: `about-${i}` });
      const row = { store_id: shop.store.id, id, status: 'published', slug: `about-${i}`, search: '', created_at: 0 };
      return { ...row, json };
    });
    const uses = rows.map(({ store_id, id }) => ({ store_id, media_id: c, used_by: id }));
    await writing(shop.engine.storage, async (db) => {
      for (let i = 0; i < rows.length; i += 500) {
        await db
          .insertInto('pages')
          .values(rows.slice(i, i + 500))
          .execute();
        await db
          .insertInto('media_uses')
          .values(uses.slice(i, i + 500))
          .execute();
      }
    });
  }
});
