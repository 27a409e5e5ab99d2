import { picture, uploadOf } from '@commerce/test-support/fixtures/media-images';
import { folderPlace } from '@commerce/test-support/fixtures/media-places';
import { newProduct, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { expectDenied } from '@commerce/test-support/harness/denied';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { beforeAll, expect, it } from 'vitest';
import {
  type Actor,
  type Context,
  createCategory,
  createCustomer,
  createMedia,
  createOrder,
  createPage,
  createWebhook,
  exportText,
  getAuditLog,
  getCategory,
  getCustomer,
  getMedia,
  getOrder,
  getPage,
  getPayment,
  getProduct,
  getProductAttributes,
  getWebhook,
  listAuditLogs,
  listCategories,
  listCustomers,
  listDeliveries,
  listImportsJson,
  listMedia,
  listPages,
  listPayments,
  listProducts,
  listProductsByAttributes,
  listVariantGroup,
  listWebhooks,
  type MediaFiles,
  startImport,
  updateProduct,
} from '../index.ts';
import { fakeClock } from '../testing/index.ts';

forEachStorage('a public actor of an embedding application', (database) => {
  const clock = fakeClock();
  const place = folderPlace();
  const files: MediaFiles = {
    staging: place.files().staging,
    put: (...args) => place.files().put(...args),
    open: (name) => place.files().open(name),
    remove: (names) => place.files().remove(names),
    list: (storeId) => place.files().list(storeId),
  };
  const commerce = useCommerce(database, { clock, media: { files, url: () => 'https://cdn.example.com' } });
  const actor: Actor = { type: 'embedder', id: null, isPublic: true };
  let shop: Context;
  let seen: Context;
  beforeAll(async () => {
    shop = await newShop(commerce());
    seen = await commerce().store(shop.store.id, actor);
  });

  it('sees published things alone', async () => {
    const hidden = await newProduct(shop, {
      status: 'draft',
      attributes: { color: 'red', of: 'draft' },
      variantGroupId: 'g',
    });
    const shown = await newProduct(shop, { attributes: { color: 'red' }, variantGroupId: 'g' });
    const only = { total: 1, items: [{ id: shown.id }] };
    expect(await listProducts(seen)).toMatchObject(only);
    expect(await listProducts(seen, { status: 'draft' })).toEqual({ total: 0, items: [] });
    expect(await listProductsByAttributes(seen, { attributes: { color: 'red' } })).toMatchObject(only);
    expect(await listVariantGroup(seen, { variantGroupId: 'g' })).toMatchObject(only);
    expect(await getProductAttributes(seen)).toEqual({ keys: ['color'], values: { color: ['red'] } });
    expect(await getProductAttributes(shop)).toMatchObject({ keys: ['color', 'of'] });
    await expect(getProduct(seen, hidden.id)).rejects.toMatchObject({ kind: 'notFound' });
    const category = await createCategory(shop, { name: 'x', slug: 'x' });
    await expect(getCategory(seen, category.id)).rejects.toMatchObject({ kind: 'notFound' });
    const page = await createPage(shop, { title: 'x', slug: 'x' });
    await expect(getPage(seen, page.id)).rejects.toMatchObject({ kind: 'notFound' });
    for (const list of [listCategories, listPages, listMedia])
      expect(await list(seen)).toEqual({ total: 0, items: [] });
    // Only a product that was public once has a place in the lists.
    await expect(listProducts(seen, { after: hidden.id })).rejects.toMatchObject({ details: [{ field: 'after' }] });
    await updateProduct(shop, shown.id, { status: 'archived' });
    expect(await listProducts(seen, { after: shown.id })).toEqual({ total: 0, items: [] });
    await expect(getProduct(seen, shown.id)).rejects.toMatchObject({ kind: 'notFound' });
  });

  it('sees what can be bought, up to ten pieces, as reservations come and end', async () => {
    const mug = await newProduct(shop, {
      ...{ trackStock: true, stock: 12, lowStockThreshold: 3 },
      metadata: { 'erp.id': '4711' },
    });
    const stock = async () => (await getProduct(seen, mug.id)).stock;
    expect(await getProduct(seen, mug.id)).toEqual({ ...mug, stock: 10, lowStockThreshold: null, metadata: {} });
    const hold = (order_id: string, quantity: number, time: number) =>
      shop.engine.storage.db.transaction().execute((tx) =>
        tx
          .insertInto('reservations')
          .values({ store_id: shop.store.id, order_id, product_id: mug.id, quantity, expires_at: clock.now() + time })
          .execute(),
      );
    await hold('first', 5, 1000);
    expect(await stock()).toBe(7);
    await hold('second', 50, 500);
    expect(await stock()).toBe(0);
    clock.advance(500);
    expect(await stock()).toBe(7);
    clock.advance(500);
    expect(await stock()).toBe(10);
    expect((await getProduct(shop, mug.id)).stock).toBe(12);
    const untracked = await newProduct(shop, { stock: 500 });
    expect((await getProduct(seen, untracked.id)).stock).toBe(10);
  });

  it('sees no field but those that are public by name, and a text that cannot be read is a fault', async () => {
    const category = await createCategory(shop, { name: 'x', slug: 'fields', status: 'published' });
    const page = await createPage(shop, { title: 'x', slug: 'fields', status: 'published' });
    const product = await newProduct(shop, { trackStock: true, stock: 500, lowStockThreshold: 400 });
    const [image] = await createMedia(shop, [uploadOf('png', await picture('png'))]);
    await updateProduct(shop, product.id, { mediaIds: [image?.id ?? ''] });
    const store = (table: 'products' | 'categories' | 'pages' | 'media', id: string, json: string) =>
      shop.engine.storage.db.transaction().execute((tx) =>
        tx
          .updateTable(table as 'products')
          .set({ json })
          .where('store_id', '=', shop.store.id)
          .where('id', '=', id)
          .execute(),
      );
    const textOf = async (table: string, id: string) =>
      (
        await shop.engine.storage.db
          .selectFrom(table as 'products')
          .select('json')
          .where('store_id', '=', shop.store.id)
          .where('id', '=', id)
          .executeTakeFirstOrThrow()
      ).json;
    const kinds = [
      { table: 'products', id: product.id, get: getProduct, list: listProducts },
      { table: 'categories', id: category.id, get: getCategory, list: listCategories },
      { table: 'pages', id: page.id, get: getPage, list: listPages },
      { table: 'media', id: image?.id ?? '', get: getMedia, list: listMedia },
    ] as const;
    for (const { table, id, get, list } of kinds) {
      const stored: object = JSON.parse(await textOf(table, id));
      const shown = await get(seen, id);
      // As another version could print it: with more fields, in another order.
      const reversed = Object.fromEntries([...Object.entries(stored), ['supplierPrice', '1.00']].reverse());
      await store(table, id, JSON.stringify(reversed));
      expect(await get(seen, id), table).toEqual(shown);
      expect((await list(seen)).items, table).toContainEqual(shown);
      await store(table, id, JSON.stringify(reversed).slice(0, -1));
      await expect(get(seen, id), table).rejects.toThrow();
      await expect(list(seen), table).rejects.toThrow();
      await store(table, id, JSON.stringify(stored));
    }
    expect((await getProduct(seen, product.id)).lowStockThreshold).toBe(null);
  });

  it('sees nothing of what is not for the page', async () => {
    const customer = await createCustomer(shop, { email: 'ada@example.com' });
    const order = await createOrder(shop, { items: [{ productId: (await newProduct(shop)).id, quantity: 1 }] });
    const webhook = await createWebhook(shop, { url: 'https://subscriber.example.com/', events: ['page.created'] });
    const [entry] = (await listAuditLogs(shop)).items;
    const works: (() => Promise<unknown>)[] = [
      () => getCustomer(seen, customer.id),
      () => listCustomers(seen),
      () => getOrder(seen, order.id),
      () => listAuditLogs(seen),
      () => getAuditLog(seen, entry?.id ?? ''),
      () => listWebhooks(seen),
      () => getWebhook(seen, webhook.id),
      () => listDeliveries(seen, webhook.id),
      () => createWebhook(seen, { url: 'https://evil.example/', events: ['order.created'] }),
      () => listPayments(seen),
      () => getPayment(seen, order.id),
      () => listImportsJson(seen),
      () => startImport(seen, {}, (async function* () {})()),
      async () => exportText(seen, 'products'),
      async () => exportText(seen, 'pages', { format: 'jsonl' }),
    ];
    for (const work of works) await expectDenied(commerce(), work, { kind: 'forbidden', message: /storefront key/ });
  });
});
