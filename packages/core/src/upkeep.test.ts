import { mkdtempSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newProduct, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { statementsOf } from '@commerce/test-support/harness/statements';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { until } from '@commerce/test-support/harness/until';
import { CompiledQuery, sql } from 'kysely';
import { describe, expect, it, vi } from 'vitest';
import { forgetOldDeliveries } from './deliveries/retention.ts';
import { forgetAnswers } from './idempotency/once.ts';
import {
  anonymiseCustomer,
  createApiKey,
  createCustomer,
  createWebhook,
  deleteWebhook,
  getProductAttributes,
  listProductsByAttributes,
  openCommerce,
  updateProduct,
  updateWebhook,
} from './index.ts';
import { openSqlite } from './storage/sqlite/sqlite.ts';
import { fakeClock } from './testing/index.ts';

/** The number of event loop turns during the work; none if it ran in one turn. */
async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let isOver = false;
  const count = () => {
    if (isOver) return;
    turns++;
    setImmediate(count);
  };
  setImmediate(count);
  await work().finally(() => {
    isOver = true;
  });
  return turns;
}

forEachStorage('what is tidied up', (database, dialect) => {
  const clock = fakeClock();
  const commerce = useCommerce(database, { clock, allowInsecureWebhooks: true });

  it('is left to another process where it should be, but for the last use of keys', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const reader = await openCommerce({ storage: database.open(), clock, upkeep: false });
    try {
      const { engine } = commerce();
      const { db } = engine.storage;
      const shop = await newShop(commerce());
      const { id, key } = await createApiKey(shop, { name: 'used', scopes: ['product.read'] });
      const names = { store_id: shop.store.id, api_key_id: id, route: 'POST /products', key: 'old' };
      const answer = { ...names, fingerprint: '', status: 201, body: null, expires_at: 0 };
      await db.transaction().execute((tx) => tx.insertInto('idempotent_requests').values(answer).execute());
      const answers = () => db.selectFrom('idempotent_requests').select('key').where('key', '=', 'old').execute();
      const lastUse = async () =>
        (await db.selectFrom('api_keys').select('last_used_at').where('id', '=', id).execute())[0];
      await reader.identities.authenticate(key);
      vi.advanceTimersByTime(60_000);
      await until('the use is written', async () => (await lastUse())?.last_used_at === clock.now());
      // Closing waits for the rest of its round.
      await reader.close();
      expect(await answers()).toEqual([{ key: 'old' }]);
      // The control: a process that does the upkeep.
      const tidy = await openCommerce({ storage: database.open(), clock });
      vi.advanceTimersByTime(60_000);
      await tidy.close();
      expect(await answers()).toEqual([]);
    } finally {
      vi.useRealTimers();
      await reader.close();
    }
  });

  it('goes on store by store, and lets requests in between', async () => {
    const { engine } = commerce();
    const stores = Array.from({ length: 300 }, (_, i) => ({
      id: `store-${String(i).padStart(4, '0')}`,
      number: 10_000 + i,
      name: 'Shop',
      currency: 'EUR',
      settings: '{}',
      link_secret: 'secret',
      feed_token: null,
      ucp_host: null,
      created_at: 0,
      updated_at: 0,
    }));
    await engine.storage.db.transaction().execute((db) =>
      db
        .insertInto('stores')
        .values(stores as never)
        .execute(),
    );
    expect(await turnsDuring(() => forgetOldDeliveries(engine))).toBeGreaterThan(stores.length / 2);
  });

  it('of answers that were kept is found by their age, and removed few at a time', async () => {
    const { engine } = commerce();
    const shop = await newShop(commerce());
    const row = (i: number, expires_at: number) => ({
      store_id: i % 2 ? shop.store.id : 'another',
      api_key_id: 'key',
      route: 'POST /products',
      key: `key-${i}`,
      fingerprint: '',
      status: 201,
      body: '{}',
      expires_at,
    });
    const rows = Array.from({ length: 5000 }, (_, i) => row(i, clock.now() + (i < 900 ? -1 : 1000 + i)));
    await engine.storage.db.transaction().execute(async (db) => {
      for (let i = 0; i < rows.length; i += 500) {
        await db
          .insertInto('idempotent_requests')
          .values(rows.slice(i, i + 500))
          .execute();
      }
    });
    if (dialect === 'postgres') await engine.storage.db.executeQuery(CompiledQuery.raw('analyze idempotent_requests'));
    let turns = 0;
    const statements = await statementsOf(async () => {
      turns = await turnsDuring(() => forgetAnswers(engine));
    });
    expect(turns).toBeGreaterThan(3);
    const left = await engine.storage.db.selectFrom('idempotent_requests').select('key').execute();
    expect(left).toHaveLength(4100);
    const look = statements.find(({ text }) => /^select .*idempotent_requests/.test(text));
    const explain = dialect === 'sqlite' ? 'explain query plan' : 'explain';
    const { rows: lines } = await engine.storage.db.executeQuery(
      CompiledQuery.raw(`${explain} ${look?.text}`, [...(look?.values ?? [])]),
    );
    const plan = lines.map((line) => Object.values(line as object).join(' ')).join('\n');
    expect(plan).toMatch(/idempotent_requests_expires_at/);
    expect(plan).not.toMatch(/SCAN|Seq Scan|TEMP B-TREE/);
  });

  it('of answers about a person is done few at a time, and leaves none', async () => {
    const shop = await newShop(commerce());
    const { id } = await createCustomer(shop, { email: 'ann@x.example' });
    const rows = Array.from({ length: 1500 }, (_, i) => ({
      store_id: shop.store.id,
      api_key_id: `key-${i % 3}`,
      route: 'POST /orders',
      key: `key-${i}`,
      fingerprint: '',
      status: 201,
      body: i % 100 === 0 ? `{"customerId":"${id}"}` : i % 7 ? '{}' : null,
      expires_at: clock.now() + 1000,
    }));
    await shop.engine.storage.db.transaction().execute(async (db) => {
      for (let i = 0; i < rows.length; i += 500) {
        await db
          .insertInto('idempotent_requests')
          .values(rows.slice(i, i + 500))
          .execute();
      }
    });
    expect(await turnsDuring(() => anonymiseCustomer(shop, id))).toBeGreaterThan(5);
    const left = await shop.engine.storage.db
      .selectFrom('idempotent_requests')
      .select('body')
      .where('store_id', '=', shop.store.id)
      .execute();
    expect(left).toHaveLength(1485);
    expect(left.filter(({ body }) => body?.includes(id))).toEqual([]);
  });

  it('of a queue that grew long is ended in several transactions, when its subscription is switched off or deleted', async () => {
    const shop = await newShop(commerce());
    const { db } = shop.engine.storage;
    for (const [url, end] of [
      ['http://127.0.0.1:9/off', (id: string) => updateWebhook(shop, id, { isActive: false })],
      ['http://127.0.0.1:9/gone', (id: string) => deleteWebhook(shop, id)],
    ] as const) {
      const { id } = await createWebhook(shop, { url, events: ['product.*'] });
      await newProduct(shop);
      const [one] = await db.selectFrom('deliveries').selectAll().where('subscriber_id', '=', id).execute();
      if (!one) throw new Error('no delivery');
      const waiting = Array.from({ length: 1700 }, (_, i) => ({ ...one, id: `${id.slice(0, -4)}${i}` }));
      await db.transaction().execute(async (tx) => {
        for (let i = 0; i < waiting.length; i += 100)
          await tx
            .insertInto('deliveries')
            .values(waiting.slice(i, i + 100))
            .execute();
      });
      const statements = await statementsOf(() => end(id));
      expect(statements.filter(({ text }) => /^update "deliveries"/.test(text)).length).toBeGreaterThan(3);
      const left = await db
        .selectFrom('deliveries')
        .select('status')
        .distinct()
        .where('subscriber_id', '=', id)
        .execute();
      expect(left).toEqual([{ status: 'cancelled' }]);
    }
  });

  it('of the values of attributes are those that no product has any more', async () => {
    const shop = await newShop(commerce());
    const product = await newProduct(shop, { attributes: { size: 'n0', color: 'red' } });
    const other = await newProduct(shop, { attributes: { color: 'red' } });
    const countRows = async (list: 'products.facets' | 'products.publishedFacets' = 'products.facets') => {
      const { storage } = shop.engine;
      await storage.counts.foldAll?.();
      const rows = await storage.db
        .selectFrom('list_counts')
        .select(['value', 'n'])
        .where('store_id', '=', shop.store.id)
        .where('list', '=', list)
        .execute();
      return rows.map(({ value, n }) => `${value} ${n}`).sort();
    };
    for (let n = 1; n <= 30; n++)
      await updateProduct(shop, product.id, { attributes: { size: `n${n}`, color: 'red' } });
    expect(await countRows()).toEqual(['["attr.color","red"] 2', '["attr.size","n30"] 1']);
    await updateProduct(shop, product.id, { attributes: {} });
    for (const list of ['products.facets', 'products.publishedFacets'] as const) {
      expect(await countRows(list)).toEqual(['["attr.color","red"] 1']);
    }
    // Removed and restored, by many at once.
    await Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        updateProduct(shop, n % 2 ? product.id : other.id, { attributes: n % 3 ? { size: 's' } : { size: 'm' } }),
      ),
    );
    for (const size of ['s', 'm']) {
      const { items, total } = await listProductsByAttributes(shop, { attributes: { size } });
      expect(total).toBe(items.length);
    }
    expect((await countRows()).reduce((sum, row) => sum + Number(row.split(' ').at(-1)), 0)).toBe(2);
    expect((await getProductAttributes(shop)).keys).toEqual(['size']);
  });
});

describe('the log of a SQLite file', () => {
  it('gives back what a long transaction took, once others come after it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'commerce-log-'));
    const file = join(folder, 'shop.db');
    const commerce = await openCommerce({ storage: openSqlite({ file }) });
    try {
      const { db } = commerce.engine.storage;
      const size = () => statSync(`${file}-wal`).size;
      await db.transaction().execute(async (tx) => {
        await sql`create table ballast (text text)`.execute(tx);
        for (let i = 0; i < 120; i++) await sql`insert into ballast values (${'x'.repeat(1024 * 1024)})`.execute(tx);
      });
      const longest = size();
      for (let i = 0; i < 10; i++) {
        await db.transaction().execute((tx) => sql`insert into ballast values ('y')`.execute(tx));
      }
      expect(longest).toBeGreaterThan(100 * 1024 * 1024);
      expect(size()).toBeLessThanOrEqual(64 * 1024 * 1024);
    } finally {
      await commerce.close();
      await rm(folder, { recursive: true, force: true });
    }
  });
});
