import { addMediaRow } from '@commerce/test-support/fixtures/media-rows';
import { newProduct, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import {
  createCategory,
  createCustomer,
  createOrder,
  createPage,
  deleteCategory,
  deletePage,
  deleteProduct,
  listProducts,
  updateProduct,
} from '../index.ts';
import { writing } from '../storage/run.ts';
import { examine } from './doctor.ts';

forEachStorage('the doctor', (database) => {
  const commerce = useCommerce(database);
  const found = async (check: string, options?: { repair: boolean }) =>
    (await examine(commerce().engine, options)).find((finding) => finding.check === check);

  it('finds nothing wrong with a shop in use', async () => {
    const shop = await newShop(commerce());
    const category = await createCategory(shop, { name: 'Mugs', slug: 'mugs' });
    const other = await createCategory(shop, { name: 'Cups', slug: 'cups' });
    await deleteCategory(shop, other.id);
    const page = await createPage(shop, { title: 'About', slug: 'about', content: 'x' });
    await deletePage(shop, page.id);
    await createCustomer(shop, { email: 'ada@example.org' });
    const mug = await newProduct(shop, { categoryIds: [category.id], attributes: { color: 'red', 'Größe"': 'a b' } });
    await updateProduct(shop, mug.id, { attributes: { color: 'blue' }, status: 'archived' });
    await deleteProduct(shop, (await newProduct(shop)).id);
    await createOrder(shop, { items: [{ productId: mug.id, quantity: 1 }] });
    const findings = await examine(commerce().engine);
    expect(findings.filter(({ status }) => status !== 'ok')).toEqual([]);
    expect(findings.map(({ check }) => check)).toEqual([
      'integrity',
      'migrations',
      'placement',
      'counts',
      'media uses',
      'deliveries',
      'reservations',
      'payments',
      'secrets',
      'clock',
    ]);
  });

  it('finds totals that are not what their rows say, and sets them right', async () => {
    const shop = await newShop(commerce());
    for (let i = 0; i < 3; i++) await newProduct(shop, { attributes: { color: 'red' } });
    await writing(shop.engine.storage, (db) =>
      shop.engine.storage.counts.add(db, shop.store.id, [
        { list: 'products.status', value: 'published', n: 5, isDroppedAtZero: false },
      ]),
    );
    expect((await listProducts(shop)).total).toBe(8);
    expect(await found('counts')).toEqual({
      check: 'counts',
      status: 'problem',
      message: '1 totals differ from their rows (products.status published: 8, not 3)',
    });
    expect(await found('counts', { repair: true })).toMatchObject({ status: 'repaired' });
    expect(await found('counts')).toMatchObject({ status: 'ok' });
    expect((await listProducts(shop)).total).toBe(3);
  });

  it('finds reservations that nobody has ended', async () => {
    const shop = await newShop(commerce());
    const { id: productId } = await newProduct(shop, { price: '10', trackStock: true, stock: 1 });
    const { id } = await createOrder(shop, { items: [{ productId, quantity: 1 }], reserveMinutes: 31 });
    expect(await found('reservations')).toMatchObject({ status: 'ok' });
    const until = (at: number | null) =>
      writing(shop.engine.storage, (db) =>
        db.updateTable('orders').set({ reserved_until: at }).where('id', '=', id).execute(),
      );
    await until(Date.now() - 2 * 60 * 60 * 1000);
    expect(await found('reservations')).toMatchObject({
      status: 'problem',
      message: expect.stringMatching(/^1 reservations should/),
    });
    await until(null);
    expect(await found('reservations')).toMatchObject({ status: 'ok' });
  });

  it('finds uses of media that are not what is published, and sets them right', async () => {
    const shop = await newShop(commerce());
    const [shown, named] = [await addMediaRow(shop), await addMediaRow(shop)];
    const mug = await newProduct(shop, { mediaIds: [shown], primaryMediaId: shown });
    const page = await createPage(shop, { title: 'About', slug: 'about', status: 'published', seoImageId: shown });
    const draft = await newProduct(shop, { status: 'draft', mediaIds: [named] });
    expect(await found('media uses')).toMatchObject({ status: 'ok' });
    const uses = () =>
      shop.engine.storage.db
        .selectFrom('media_uses')
        .select(['media_id', 'used_by'])
        .where('store_id', '=', shop.store.id)
        .orderBy('used_by')
        .execute();
    const right = await uses();
    expect(right).toEqual([mug, page].map(({ id }) => ({ media_id: shown, used_by: id })));
    await writing(shop.engine.storage, async (db) => {
      await db.deleteFrom('media_uses').where('used_by', '=', page.id).execute();
      for (const used_by of [draft.id, 'nothing']) {
        await db.insertInto('media_uses').values({ store_id: shop.store.id, media_id: named, used_by }).execute();
      }
    });
    expect(await found('media uses')).toMatchObject({
      status: 'problem',
      message: expect.stringMatching(/^3 uses of/),
    });
    expect(await found('media uses', { repair: true })).toMatchObject({ status: 'repaired' });
    expect(await found('media uses')).toMatchObject({ status: 'ok' });
    expect(await uses()).toEqual(right);
  });

  it('finds deliveries that nobody makes, and a clock that is behind', async () => {
    const shop = await newShop(commerce());
    await newProduct(shop);
    const { storage } = shop.engine;
    await writing(storage, (db) =>
      sql`insert into deliveries (store_id, id, subscriber_id, event_id, event, status, attempts, due_at, locked_until, log, created_at)
        values (${shop.store.id}, 'd', 'app:x', 'e', 'order.paid', 'pending', 0, ${Date.now() - 7_200_000}, null, '[]', 0)`.execute(
        db,
      ),
    );
    expect(await found('deliveries')).toMatchObject({
      status: 'problem',
      message: expect.stringMatching(/^1 webhooks/),
    });
    await writing(storage, (db) =>
      sql`update events set created_at = ${Date.now() + 3_600_000} where store_id = ${shop.store.id}`.execute(db),
    );
    expect(await found('clock')).toMatchObject({ status: 'problem' });
  });
});
