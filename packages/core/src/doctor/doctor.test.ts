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
  listOrders,
  listProducts,
  recordPayment,
  updatePage,
  updateProduct,
  updateSettings,
} from '../index.ts';
import { writing } from '../storage/run.ts';
import { examine } from './doctor.ts';

interface Made {
  name: string;
  definition: string;
}

forEachStorage('the doctor', (database, dialect) => {
  const isSqlite = dialect === 'sqlite';
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
    expect(findings.filter(({ status }) => status !== 'ok').map(({ check }) => check)).toEqual(['mail']);
    expect(findings.map(({ check }) => check)).toEqual([
      'integrity',
      'migrations',
      'schema',
      'placement',
      'counts',
      'customers',
      'search',
      'labels',
      'media uses',
      'deliveries',
      'subscribers',
      'mail',
      'weights',
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
      message: '1 totals differ from their rows (products.status published: 8, not 3); --repair corrects them',
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
    expect(await found('reservations')).toMatchObject({
      status: 'problem',
      message: 'pieces of 1 products are reserved for orders without reservations; --repair releases them',
    });
    const buy = () => createOrder(shop, { items: [{ productId, quantity: 1 }], reserveMinutes: 31 });
    await expect(buy()).rejects.toMatchObject({ kind: 'insufficientStock' });
    expect(await found('reservations', { repair: true })).toMatchObject({ status: 'repaired' });
    expect(await found('reservations')).toMatchObject({ status: 'ok' });
    await buy();
  });

  it('names what a shop lacks to confirm its orders, and tells of mails that are not sent', async () => {
    const shop = await newShop(commerce());
    const lacks = (names: string) => ({
      status: 'warning',
      message: expect.stringContaining(`store ${shop.store.id} lacks ${names}`),
    });
    expect(await found('mail')).toMatchObject(
      lacks('mail.from, mail.smtp, seller, pages.terms, pages.withdrawal, orderUrl'),
    );
    const { id: terms } = await createPage(shop, { title: 'Terms', slug: 'terms' });
    const lacksTexts = 'seller.phone, a published text of pages.terms, a published text of pages.withdrawal, orderUrl';
    await updateSettings(shop, {
      mail: { from: 'shop@example.com', smtp: { host: 'smtp.example.com' } },
      seller: { name: 'Shop', address: 'Street 1', email: 'shop@example.com' },
      pages: { terms, withdrawal: terms },
    });
    expect(await found('mail')).toMatchObject(lacks(lacksTexts));
    await updatePage(shop, terms, { status: 'published', content: 'You pay.' });
    await updateSettings(shop, {
      seller: { name: 'Shop', address: 'Street 1', email: 'shop@example.com', phone: '+49 30 1234' },
    });
    expect(await found('mail')).toMatchObject(lacks('orderUrl'));
    await updateSettings(shop, { orderUrl: 'https://shop.example/order#{token}' });
    expect((await found('mail'))?.message).not.toContain(shop.store.id);
    const waiting = await commerce().store(shop.store.id);
    const mug = await newProduct(waiting);
    const { id } = await createOrder(waiting, {
      items: [{ productId: mug.id, quantity: 1 }],
      customer: { email: 'a@b.test' },
    });
    await updateSettings(waiting, { manualPayments: true });
    const paying = await commerce().store(shop.store.id);
    await recordPayment(paying, id, { method: 'cash', amount: '10.00' });
    await writing(shop.engine.storage, (db) =>
      db.updateTable('mails').set({ due_at: 0 }).where('store_id', '=', shop.store.id).execute(),
    );
    expect(await found('mail')).toMatchObject({
      status: 'problem',
      message: expect.stringContaining('1 mails have been due for more than an hour'),
    });
  });

  it('names products without a weight, where shipping is priced by weight', async () => {
    const shop = await newShop(commerce());
    const rates = [{ upToWeight: 2000, price: '4.90' }];
    const method = { id: 'post', name: 'Post', rates };
    await newProduct(shop, { slug: 'file', requiresShipping: false });
    await newProduct(shop, { slug: 'tin', weight: 0 });
    await deleteProduct(shop, (await newProduct(shop)).id);
    for (let i = 1; i <= 4; i++) await newProduct(shop, { slug: `mug-${i}` });
    expect(await found('weights')).toMatchObject({ status: 'ok' });
    await updateSettings(shop, { shippingMethods: [{ ...method, active: false }] });
    expect(await found('weights')).toMatchObject({ status: 'ok' });
    await updateSettings(shop, { shippingMethods: [method] });
    expect(await found('weights')).toEqual({
      check: 'weights',
      status: 'warning',
      message: `products without a weight count as 0 g, where shipping is priced by weight: 4 products of store ${shop.store.id} (mug-1, mug-2, mug-3…)`,
    });
    await updateSettings(shop, { shippingMethods: [] });
  });

  it('finds indexes that are missing, and makes them anew as migrations have, unless rows break their rule', async () => {
    const shop = await newShop(commerce());
    const { storage } = shop.engine;
    const run = (text: string) => writing(storage, (db) => sql.raw(text).execute(db));
    const definitions = async () => {
      const from = isSqlite
        ? sql<Made>`select name, sql as definition from sqlite_master where type = 'index' and sql is not null order by name`
        : sql<Made>`select indexname as name, indexdef as definition from pg_indexes where schemaname = current_schema() and indexname not like '%\_pkey' order by indexname`;
      const { rows } = await from.execute(storage.db);
      return rows.map(({ name, definition }) => [
        name,
        definition.replaceAll('"', '').replace(/\s+/g, ' ').toLowerCase(),
      ]);
    };
    const right = await definitions();
    // The indexes of constraints are dropped with the constraints.
    const names = Object.keys(storage.indexes.wanted);
    expect(right.map(([name]) => name)).toEqual([...names].sort());
    for (const name of names) {
      const [, table] = /^(?:unique )?(\w+)/.exec(storage.indexes.wanted[name] ?? '') ?? [];
      if (!isSqlite) await run(`alter table ${table} drop constraint if exists ${name}`);
      await run(`drop index if exists ${name}`);
    }
    expect(await found('schema')).toEqual({
      check: 'schema',
      status: 'problem',
      message: `missing indexes: ${names.join(', ')}; --repair recreates them`,
    });
    expect(await found('schema', { repair: true })).toMatchObject({ status: 'repaired' });
    expect(await found('schema')).toMatchObject({ status: 'ok' });
    expect(await definitions()).toEqual(right);
    await run('drop index products__slug');
    const [mug, cup] = [await newProduct(shop, { slug: 'mug' }), await newProduct(shop, { slug: 'cup' })];
    await run(`update products set slug = 'mug' where id = '${cup.id}'`);
    expect(await found('schema', { repair: true })).toMatchObject({
      status: 'problem',
      message: expect.stringMatching(/; some cannot be recreated \(products__slug: .+\)$/),
    });
    await run(`update products set slug = 'cup' where id = '${cup.id}'`);
    expect(await found('schema', { repair: true })).toMatchObject({ status: 'repaired' });
    expect(mug.id).not.toBe(cup.id);
  });

  it('finds what a search does not, and sets its texts right', async () => {
    const shop = await newShop(commerce());
    const { storage } = shop.engine;
    const [gone, wrong, right] = [
      await newProduct(shop, { title: 'Teapot' }),
      await newProduct(shop, { title: 'Teacup' }),
      await newProduct(shop, { title: 'Teaspoon' }),
    ];
    const { id: orderId, orderNumber } = await createOrder(shop, { items: [{ productId: right.id, quantity: 1 }] });
    await deleteProduct(shop, (await newProduct(shop, { title: 'Teatowel' })).id);
    expect(await found('search')).toMatchObject({ status: 'ok' });
    // Even if the database was read before and written since.
    expect(await found('integrity')).toMatchObject({ status: 'ok' });
    const { store } = shop;
    await writing(storage, async (db) => {
      const numbers = await db
        .selectFrom('products')
        .select(['id', 'number'])
        .where('store_id', '=', store.id)
        .execute();
      const numberOf = (id: string) => numbers.find((row) => row.id === id)?.number ?? 0;
      await storage.search.remove(db, { store, number: numberOf(gone.id) });
      await storage.search.put(db, { store, number: numberOf(wrong.id) }, ['mug', '', '']);
      await storage.search.put(db, { store, number: 900_000 }, ['teabag', '', '']);
      const order = await db.selectFrom('orders').select('number').where('id', '=', orderId).executeTakeFirstOrThrow();
      await storage.orderSearch.remove(db, { store, number: order.number });
    });
    expect((await listProducts(shop, { search: 'tea' })).items).toHaveLength(1);
    expect(await found('search')).toMatchObject({
      status: 'problem',
      message: expect.stringMatching(/^4 products or/),
    });
    expect(await found('search', { repair: true })).toMatchObject({ status: 'repaired' });
    expect(await found('search')).toMatchObject({ status: 'ok' });
    expect((await listProducts(shop, { search: 'tea' })).total).toBe(3);
    expect((await listOrders(shop, { search: orderNumber })).total).toBe(1);
  });

  it('goes on where one look is impossible, and tells that', async () => {
    const shop = await newShop(commerce());
    const mug = await newProduct(shop);
    const run = (text: string) => writing(shop.engine.storage, (db) => sql.raw(text).execute(db));
    await run(`update products set json = '{' where id = '${mug.id}'`);
    const findings = await examine(commerce().engine);
    expect(findings).toHaveLength(17);
    for (const check of ['search', 'labels', 'media uses']) {
      expect(findings.find((one) => one.check === check)).toMatchObject({
        status: 'problem',
        message: expect.stringMatching(/^this check failed: .*JSON/),
      });
    }
    expect(findings.find((one) => one.check === 'clock')).toMatchObject({ status: 'ok' });
    await run(`delete from products where id = '${mug.id}'`);
    await run('alter table import_images rename to elsewhere');
    expect(await found('schema')).toMatchObject({
      status: 'problem',
      message: 'missing tables: import_images; restore a backup',
    });
    await run('alter table elsewhere rename to import_images');
  });

  it('finds labels that are not what the items have, and sets them right', async () => {
    const shop = await newShop(commerce());
    const mug = await newProduct(shop, { metadata: { 'erp.id': '1', long: 'x'.repeat(300) } });
    const gone = await newProduct(shop, { metadata: { 'erp.id': '1' } });
    const customer = await createCustomer(shop, { email: 'ada@shop.test', tags: ['vip'], metadata: { a: '' } });
    await createOrder(shop, { items: [{ productId: mug.id, quantity: 1 }], tags: ['vip'] });
    await deleteProduct(shop, gone.id);
    expect(await found('labels')).toMatchObject({ status: 'ok' });
    const labels = () =>
      shop.engine.storage.db.selectFrom('labels').selectAll().orderBy('item_id').orderBy('label').execute();
    const before = await labels();
    expect(before).toHaveLength(5);
    await writing(shop.engine.storage, async (db) => {
      await db.deleteFrom('labels').where('label', '=', 'meta.erp.id').execute();
      await db
        .updateTable('labels')
        .set({ value: 'other' })
        .where('item_id', '=', customer.id)
        .where('label', '=', 'tag')
        .execute();
    });
    expect((await listProducts(shop, { metadata: { 'erp.id': '1' } })).total).toBe(0);
    expect(await found('labels')).toMatchObject({
      status: 'problem',
      message: expect.stringMatching(
        /^3 labels do not match the metadata and tags of their items \(such as meta\.erp\.id of .+ in products\); --repair/,
      ),
    });
    expect(await found('labels', { repair: true })).toMatchObject({ status: 'repaired' });
    expect(await found('labels')).toMatchObject({ status: 'ok' });
    expect(await labels()).toEqual(before);
    expect((await listProducts(shop, { metadata: { 'erp.id': '1' } })).total).toBe(1);
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

  it('names subscribers of the application whose handlers failed in every attempt, or that no process calls', async () => {
    const shop = await newShop(commerce());
    expect(await found('subscribers')).toMatchObject({ status: 'ok' });
    const log = (...errors: string[]) => JSON.stringify(errors.map((error) => ({ error })));
    const at = Date.now();
    const insert = (id: string, name: string, status: string, text: string, created: number, due: number | null) =>
      writing(shop.engine.storage, (db) =>
        sql`insert into deliveries (store_id, id, subscriber_id, event_id, event, status, attempts, due_at, locked_until, log, created_at)
          values (${shop.store.id}, ${id}, ${`app:${name}`}, 'e', 'order.paid', ${status}, 5, ${due}, null, ${text}, ${created})`.execute(
          db,
        ),
      );
    await insert('a', 'mailer', 'failed', log('no', 'the first'), at - 2000, null);
    await insert('b', 'mailer', 'failed', log('no', 'the mail server is away'), at - 1000, null);
    await insert('c', 'mailer', 'failed', log('of last month'), at - 8 * 86_400_000, null);
    expect(await found('subscribers')).toMatchObject({
      status: 'warning',
      message: 'mailer failed for 2 events of the last week (the mail server is away)',
    });
    await insert('d', 'mirror', 'pending', '[]', at, at - 7_200_000);
    expect(await found('subscribers')).toMatchObject({
      status: 'problem',
      message: expect.stringMatching(/; mirror has 1 events due for more than an hour: does an application /),
    });
    expect(await found('deliveries')).toMatchObject({ status: 'ok' });
  });

  it('finds deliveries that nobody makes, and a clock that is behind', async () => {
    const shop = await newShop(commerce());
    await newProduct(shop);
    const { storage } = shop.engine;
    await writing(storage, (db) =>
      sql`insert into deliveries (store_id, id, subscriber_id, event_id, event, status, attempts, due_at, locked_until, log, created_at)
        values (${shop.store.id}, 'd', 'w', 'e', 'order.paid', 'pending', 0, ${Date.now() - 7_200_000}, null, '[]', 0)`.execute(
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
