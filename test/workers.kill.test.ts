import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createOrder, createProduct, openCommerce } from '@commerce/core';
import { stripeSample } from '@commerce/test-support/fixtures/samples';
import { initShop, sendStripe } from '@commerce/test-support/fixtures/served-shop';
import { type RunningServer, startServer } from '@commerce/test-support/harness/processes';
import { isNightly, repeats } from '@commerce/test-support/harness/repeats';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { until } from '@commerce/test-support/harness/until';
import { processesOf, sendFresh } from '@commerce/test-support/harness/workers';
import Database from 'better-sqlite3';
import { afterAll, expect, it } from 'vitest';

/** Kills of each kind of process. */
const kills = repeats({ suite: 4, nightly: 50 });
/** The maximum delay from complete recovery after a kill to the next kill, in milliseconds. */
const maxPause = 150;

forEachStorage('processes that are killed under load', (database, dialect) => {
  let server: RunningServer | undefined;
  afterAll(() => server?.stop());
  const rounds = dialect === 'sqlite' ? 2 * kills : Math.ceil(kills / 2);

  it(`lose nothing that was answered, ${rounds} times over`, { timeout: 60_000 + rounds * 5000 }, async () => {
    const shop = await initShop(database.address);
    const commerce = await openCommerce({ storage: database.open() });
    const ctx = await commerce.store(shop.storeId);
    const mug = await createProduct(ctx, { title: 'Mug', slug: 'mug', price: '10', trackStock: true, stock: 100_000 });
    server = await startServer(database.address, ['--workers', '2']);
    const { url } = server;
    const headers = { authorization: `Bearer ${shop.key}`, 'content-type': 'application/json' };
    const path = `/stores/${shop.storeId}/products`;

    const created = new Map<string, string>();
    const paid = new Set<string>();
    const wrong: string[] = [];
    const times = { unavailable: 0, broken: 0, replayed: 0, reads: 0 };
    let going = true;

    /** One request; undefined without an answer, which is possible while a process is killed. */
    const attempt = async <T>(work: () => Promise<T>): Promise<T | undefined> => {
      try {
        return await work();
      } catch (error) {
        const { code = '', cause } = error as { code?: string; cause?: { code?: string } };
        const reason = code || cause?.code || String(error);
        if (!/ECONNRESET|ECONNREFUSED|EPIPE|UND_ERR_SOCKET/.test(reason)) wrong.push(`no answer: ${reason}`);
        times.broken++;
        return undefined;
      }
    };
    let made = 0;
    /** Creates a product like a careful client: repeats the request with the same key until it is answered. */
    const create = async () => {
      const slug = `p-${++made}`;
      const body = JSON.stringify({ title: slug, slug, price: '1' });
      const sending = { headers: { ...headers, 'idempotency-key': slug }, body };
      for (;;) {
        const answer = await attempt(() => sendFresh(url, 'POST', path, sending));
        if (answer?.status === 201) {
          created.set(slug, answer.json.item.id);
          if (answer.headers['idempotent-replayed']) times.replayed++;
          return;
        }
        if (answer?.status === 503 && answer.headers['retry-after'] === '1') times.unavailable++;
        else if (answer) wrong.push(`create: ${answer.status} ${answer.text}`);
        await sleep(10);
      }
    };
    const pay = async () => {
      const { id } = await createOrder(ctx, { items: [{ productId: mug.id, quantity: 1 }] });
      const event = stripeSample('payment_intent.succeeded', { id, amount: 1000 });
      for (;;) {
        const answer = await attempt(() => sendStripe(url, event));
        if (answer?.status === 200) {
          paid.add(id);
          return;
        }
        if (answer?.status === 500) times.unavailable++;
        else if (answer) wrong.push(`pay: ${answer.status} ${JSON.stringify(answer.body)}`);
        await sleep(10);
      }
    };
    const read = async () => {
      const [slug, id] = [...created.entries()].at(randomInt(created.size + 1) - 1) ?? [];
      if (id === undefined) return sleep(5);
      const answer = await attempt(() => sendFresh(url, 'GET', `${path}/${id}`, { headers }));
      if (!answer) return sleep(5);
      times.reads++;
      if (answer.status !== 200 || answer.json.item.slug !== slug) wrong.push(`read: ${answer.status} ${answer.text}`);
    };
    const lanes = [create, create, create, pay, pay, read, read, read, read].map(async (work) => {
      while (going) await work();
    });

    for (let round = 0; round < rounds; round++) {
      const before = [created.size, paid.size, times.reads];
      const now = () => [created.size, paid.size, times.reads];
      await until('it has answered some of everything', () => now().every((n, i) => n > (before[i] ?? 0) + 3), 20_000);
      await sleep(randomInt(0, maxPause));
      const { writers, readers } = await processesOf(server);
      const [victim] = round % 2 === 0 ? writers : readers;
      if (victim !== undefined) process.kill(victim, 'SIGKILL');
    }
    await until('all of them are back', async () => {
      const { writers, readers } = await processesOf(server as RunningServer);
      return writers.length === 1 && readers.length === 2;
    });
    going = false;
    await Promise.all(lanes);
    if (isNightly) {
      console.log(`${dialect}: ${rounds} kills, ${created.size} products, ${paid.size} payments`, times);
    }
    expect(wrong).toEqual([]);
    expect(times.unavailable + times.broken).toBeGreaterThan(0);

    // The effect of every answered request exists once.
    const { db } = commerce.engine.storage;
    const products = await db
      .selectFrom('products')
      .select(['id', 'slug'])
      .where('store_id', '=', shop.storeId)
      .execute();
    const slugs = new Map(products.map(({ id, slug }) => [slug, id]));
    expect([...created].filter(([slug, id]) => slugs.get(slug) !== id)).toEqual([]);
    expect(products).toHaveLength(created.size + 1);
    const orders = await db
      .selectFrom('orders')
      .select(['id', 'status'])
      .where('store_id', '=', shop.storeId)
      .execute();
    expect(
      orders
        .filter(({ status }) => status === 'paid')
        .map(({ id }) => id)
        .sort(),
    ).toEqual([...paid].sort());
    for (let time = 0; time < 4; time++) {
      const list = await sendFresh(url, 'GET', `${path}?limit=1`, { headers });
      expect(list.json.total).toBe(products.length);
      const stock = await sendFresh(url, 'GET', `${path}/${mug.id}`, { headers });
      expect(stock.json.item.stock).toBe(100_000 - paid.size);
    }
    expect(await server.stop()).toBe(0);
    expect(server.stderr()).toBe('');
    await commerce.close();
    if (dialect === 'sqlite') {
      const file = new Database(database.address, { readonly: true });
      expect(file.pragma('integrity_check', { simple: true })).toBe('ok');
      file.close();
    }
  });
});
