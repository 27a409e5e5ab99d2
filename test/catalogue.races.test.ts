import { setTimeout as sleep } from 'node:timers/promises';
import { type Commerce, openCommerce } from '@commerce/core';
import { client, initShop } from '@commerce/test-support/fixtures/served-shop';
import { inParallel, type RunningServer, startServer } from '@commerce/test-support/harness/processes';
import { repeats } from '@commerce/test-support/harness/repeats';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { afterAll, beforeAll, expect, it } from 'vitest';

const connections = 50;

forEachStorage('writes that race over several processes', (database, dialect) => {
  const servers: RunningServer[] = [];
  let clients: ReturnType<typeof client>[] = [];
  let storeId = '';
  beforeAll(async () => {
    const shop = await initShop(database.address);
    storeId = shop.storeId;
    for (let i = 0; i < (dialect === 'sqlite' ? 3 : 2); i++) servers.push(await startServer(database.address));
    clients = servers.map(({ url }) => client(url, shop));
  });
  afterAll(async () => {
    for (const server of servers) {
      expect(await server.stop()).toBe(0);
      expect(server.stderr()).toBe('');
    }
  });

  /** Sends each request through another process. */
  const send = (i: number, method: string, path: string, body?: unknown) =>
    (clients[i % clients.length] as ReturnType<typeof client>)(method, path, body);
  const made = async (path: string, body: object) => (await send(0, 'POST', path, body)).body.item;
  const item = async (path: string) => (await send(0, 'GET', path)).body.item;
  const inCore = async <T>(work: (commerce: Commerce) => Promise<T>): Promise<T> => {
    const commerce = await openCommerce({ storage: database.open() });
    try {
      return await work(commerce);
    } finally {
      await commerce.close();
    }
  };

  it.each<[string, string, string, (i: number) => object]>([
    ['slug of a product', '/products', 'slug', () => ({ title: 'Mug', slug: 'one', price: '1' })],
    ['SKU', '/products', 'sku', (i) => ({ title: 'Mug', slug: `sku-${i}`, sku: 'ONE', price: '1' })],
    ['slug of a category', '/categories', 'slug', () => ({ name: 'Mugs', slug: 'one' })],
    ['slug of a page', '/pages', 'slug', () => ({ title: 'Imprint', slug: 'one' })],
    ['e-mail', '/customers', 'email', (i) => ({ email: i % 2 === 0 ? 'One@x.example' : ' one@X.example ' })],
  ])('100 creates with one %s: one is made, 99 are refused', async (_, path, field, body) => {
    const before = (await send(0, 'GET', path)).body.total;
    const answers = await inParallel(Array.from({ length: 100 }), connections, (_, i) =>
      send(i, 'POST', path, body(i)),
    );
    const refused = answers.filter(({ status }) => status === 409);
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(refused).toHaveLength(99);
    for (const { body } of refused) {
      expect(body.error).toMatchObject({ code: 'CONFLICT', details: [{ field }] });
    }
    expect((await send(1, 'GET', path)).body.total).toBe(before + 1);
  });

  it('two replacements of the addresses at once end as one of the two', async () => {
    const customer = await made('/customers', { email: 'addresses@x.example' });
    const list = (name: string, n: number) =>
      Array.from({ length: n }, (_, i) => ({
        address1: `${name} ${i}`,
        city: name,
        postalCode: '1',
        country: 'IT',
        isDefault: i === 0,
      }));
    for (let round = 0; round < repeats({ suite: 20, nightly: 50 }); round++) {
      const answers = await Promise.all([
        send(0, 'PUT', `/customers/${customer.id}`, { addresses: list('Rome', 2) }),
        send(1, 'PUT', `/customers/${customer.id}`, { addresses: list('Bonn', 3) }),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([200, 200]);
      const { addresses, defaultAddressId } = await item(`/customers/${customer.id}`);
      const [rome, bonn] = answers.map(({ body }) => body.item.addresses);
      expect([rome, bonn]).toContainEqual(addresses);
      expect(addresses.filter((one: { isDefault: boolean }) => one.isDefault)).toMatchObject([
        { id: defaultAddressId },
      ]);
    }
  });

  it('A below B while B goes below A, again and again: one of them moves, never both', async () => {
    const pairs = await inParallel(Array.from({ length: 20 }), 10, async (_, i) => [
      (await made('/categories', { name: 'A', slug: `a-${i}` })).id as string,
      (await made('/categories', { name: 'B', slug: `b-${i}` })).id as string,
    ]);
    await inParallel(Array.from({ length: repeats({ suite: 12, nightly: 50 }) }), 1, async () => {
      await inParallel(pairs, pairs.length, async ([a, b], i) => {
        const answers = await Promise.all([
          send(i, 'PUT', `/categories/${a}`, { parentId: b }),
          send(i + 1, 'PUT', `/categories/${b}`, { parentId: a }),
        ]);
        expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
        const moved = answers[0]?.status === 200 ? a : b;
        expect([(await item(`/categories/${a}`)).parentId, (await item(`/categories/${b}`)).parentId]).toEqual(
          moved === a ? [b, null] : [null, a],
        );
        expect((await send(i, 'PUT', `/categories/${moved}`, { parentId: null })).status).toBe(200);
      });
    });
  }, 180_000);

  it('no product keeps a category that was deleted while the product was being put into it', async () => {
    const products = await inParallel(Array.from({ length: 8 }), 8, async (_, i) => {
      const product = await made('/products', { title: 'Mug', slug: `filed-${i}`, price: '1' });
      return product.id as string;
    });
    for (let round = 0; round < repeats({ suite: 15, nightly: 40 }); round++) {
      const category = await made('/categories', { name: 'Short', slug: `short-${round}` });
      const child = await made('/categories', { name: 'Child', slug: `child-${round}`, parentId: category.id });
      const [deleted, ...filed] = await Promise.all([
        send(0, 'DELETE', `/categories/${category.id}`),
        ...products.map((id, i) => send(i, 'PUT', `/products/${id}`, { categoryIds: [category.id] })),
        send(1, 'POST', '/products', { title: 'New', slug: `new-${round}`, price: '1', categoryIds: [category.id] }),
        send(1, 'POST', '/categories', { name: 'New', slug: `new-child-${round}`, parentId: category.id }),
      ]);
      expect(deleted?.status).toBe(204);
      for (const { status } of filed) expect([200, 201, 400]).toContain(status);
      const { items } = (await send(1, 'GET', '/products?limit=200')).body;
      expect(items.filter((one: { categoryIds: string[] }) => one.categoryIds.includes(category.id))).toEqual([]);
      expect((await send(0, 'GET', `/products?categoryId=${category.id}`)).body).toEqual({ items: [], total: 0 });
      expect((await send(1, 'GET', `/categories?parentId=${category.id}`)).body).toEqual({ items: [], total: 0 });
      expect((await item(`/categories/${child.id}`)).parentId).toBeNull();
    }
  }, 180_000);

  it('would notice moves that check first and act then', async () => {
    const [a, b] = await Promise.all(
      ['x', 'y'].map(async (slug) => (await made('/categories', { name: slug, slug })).id as string),
    );
    const cycles = await inCore(async ({ engine }) => {
      const { db } = engine.storage;
      const move = (id: string, parent_id: string | null) =>
        db
          .transaction()
          .execute((tx) =>
            tx
              .updateTable('categories')
              .set({ parent_id })
              .where('store_id', '=', storeId)
              .where('id', '=', id)
              .execute(),
          );
      const parentOf = async (id: string) =>
        (
          await db
            .selectFrom('categories')
            .select('parent_id')
            .where('store_id', '=', storeId)
            .where('id', '=', id)
            .executeTakeFirstOrThrow()
        ).parent_id;
      const naive = async (id: string, parent: string) => {
        if ((await parentOf(parent)) !== null) return;
        await sleep(1);
        await move(id, parent);
      };
      let cycles = 0;
      for (let round = 0; round < 20; round++) {
        await Promise.all([naive(a ?? '', b ?? ''), naive(b ?? '', a ?? '')]);
        if ((await parentOf(a ?? '')) === b && (await parentOf(b ?? '')) === a) cycles++;
        await move(a ?? '', null);
        await move(b ?? '', null);
      }
      return cycles;
    });
    expect(cycles).toBeGreaterThan(0);
  });
});
