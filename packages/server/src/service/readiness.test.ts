import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { rename, rm, truncate, writeFile } from 'node:fs/promises';
import { createServer as createTcpServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Commerce,
  CommerceError,
  configureProvider,
  createProduct,
  createWebhook,
  openCommerce,
} from '@commerce/core';
import { fakeClock } from '@commerce/core/testing';
import { createServer } from '@commerce/server';
import { newPostgres } from '@commerce/test-support/harness/postgres';
import { expectEnvelope } from '@commerce/test-support/harness/requests';
import { openStorage } from '@commerce/test-support/harness/storages';
import { until } from '@commerce/test-support/harness/until';
import { afterEach, describe, expect, it } from 'vitest';
import { Readiness } from './readiness.ts';

describe('whether the service is ready', () => {
  const ends: (() => Promise<unknown> | unknown)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end();
  });

  async function serve(address: string) {
    const commerce = await openCommerce({ storage: openStorage(address) });
    ends.push(() => commerce.close());
    const faults: unknown[] = [];
    const server = createServer(commerce, { onError: (error) => faults.push(error) });
    ends.push(() => server.stop());
    const { url } = await server.listen({ port: 0 });
    const ready = async () => {
      const [health, readiness] = await Promise.all([fetch(`${url}/healthz`), fetch(`${url}/readyz`)]);
      expect(health.status).toBe(200);
      const json = await readiness.json();
      if (readiness.status !== 200) {
        expectEnvelope({ status: readiness.status, json }, { status: 503, code: 'UNAVAILABLE' });
        expect(readiness.headers.get('retry-after')).toBe('1');
        expect(JSON.stringify(json)).not.toContain(address);
      }
      return readiness.status;
    };
    return { ready, faults };
  }

  async function newFile(): Promise<string> {
    const folder = mkdtempSync(join(tmpdir(), 'commerce-test-'));
    ends.push(() => rm(folder, { recursive: true, force: true }));
    return join(folder, 'commerce.db');
  }

  it('it is not any more for a while before it stops, and answers all the same', async () => {
    const commerce = await openCommerce({ storage: openStorage(await newFile()) });
    ends.push(() => commerce.close());
    const server = createServer(commerce, { stopDelay: 1000 });
    const { url } = await server.listen({ port: 0 });
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    const began = performance.now();
    const stopped = server.stop();
    const readiness = await fetch(`${url}/readyz`);
    expectEnvelope({ status: readiness.status, json: await readiness.json() }, { status: 503, code: 'UNAVAILABLE' });
    expect((await fetch(`${url}/openapi.json`)).status).toBe(200);
    await stopped;
    expect(performance.now() - began).toBeGreaterThan(990);
    await expect(fetch(`${url}/readyz`)).rejects.toThrow();
  });

  const spoils: [string, (file: string) => Promise<unknown>][] = [
    ['is deleted', (file) => rm(file)],
    ['is moved', (file) => rename(file, `${file}.old`)],
    [
      'is replaced',
      async (file) => {
        await rename(file, `${file}.old`);
        await writeFile(file, 'another');
      },
    ],
    ['is emptied', (file) => truncate(file, 0)],
  ];
  it.each(spoils)('it is not once its SQLite file %s', async (_, spoil) => {
    const file = await newFile();
    const { ready } = await serve(file);
    expect(await ready()).toBe(200);
    await spoil(file);
    expect(await ready()).toBe(503);
  });

  it('it is again once its SQLite file is back', async () => {
    const file = await newFile();
    const { ready } = await serve(file);
    await rename(file, `${file}.old`);
    expect(await ready()).toBe(503);
    await rename(`${file}.old`, file);
    expect(await ready()).toBe(200);
  });

  it('it is while webhooks of a store cannot be sent, and says of how many that is so', async () => {
    const file = await newFile();
    const secretKey = 'a key of the tests, long enough';
    const sealing = await openCommerce({ storage: openStorage(file), secretKey, allowInsecureWebhooks: true });
    const { id } = await sealing.createStore({ name: 'Shop', currency: 'EUR' });
    const shop = await sealing.store(id);
    const webhook = await createWebhook(shop, { url: 'http://127.0.0.1:9/', events: ['product.created'] });
    await configureProvider(shop, 'stripe', { webhookSecret: 'whsec_of_the_tests' });
    await createProduct(shop, { title: 'Mug', slug: 'mug', price: '1' });
    await sealing.close();

    const clock = fakeClock(Date.now());
    const commerce = await openCommerce({ storage: openStorage(file), clock });
    ends.push(() => commerce.close());
    const server = createServer(commerce, { metrics: true });
    ends.push(() => server.stop());
    const { url } = await server.listen({ port: 0 });
    const ready = async () => (await fetch(`${url}/readyz`)).json();
    const figure = async () =>
      /^commerce_webhooks_blocked (\d+)$/m.exec(await (await fetch(`${url}/metrics`)).text())?.[1];
    const ofWebhook = { storeId: id, of: `webhook ${webhook.id}` };
    const unreadableSecrets = [{ storeId: id, of: 'stripe' }, ofWebhook];
    // No mail is set up.
    const storesWithoutMail = 1;
    expect([await ready(), await figure()]).toEqual([{ status: 'ready', unreadableSecrets, storesWithoutMail }, '0']);
    const stop = commerce.startDelivery();
    await until('the fault was met', () => commerce.blockedQueues().length === 1);
    expect([await ready(), await figure()]).toEqual([
      { status: 'ready', blockedWebhooks: 1, unreadableSecrets, storesWithoutMail },
      '1',
    ]);
    await stop();
    // A secret that was set again is no longer named after some time.
    await configureProvider(await commerce.store(id), 'stripe', { webhookSecret: 'whsec_another_one' });
    clock.advance(10_000);
    expect(await ready()).toMatchObject({ unreadableSecrets: [ofWebhook] });
  });

  it('it is not while PostgreSQL is stopped, and is again when that is back, without a restart', async () => {
    const postgres = await newPostgres();
    ends.push(postgres.remove);
    await postgres.start();
    ends.push(() => postgres.stop());
    const { ready } = await serve(`${postgres.url}/postgres`);
    for (let i = 0; i < 2; i++) {
      expect(await ready()).toBe(200);
      await postgres.stop();
      expect(await ready()).toBe(503);
      expect(await ready()).toBe(503);
      await postgres.start();
      await until('it is ready', async () => (await ready()) === 200);
    }
  });

  it('it is not when the database takes connections and says nothing', async () => {
    const sockets = new Set<Socket>();
    const silent = createTcpServer((socket) => sockets.add(socket)).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    ends.push(() => {
      for (const socket of sockets) socket.destroy();
      silent.close();
    });
    const { port } = silent.address() as { port: number };
    const storage = openStorage(`postgres://u:p@127.0.0.1:${port}/x`);
    const commerce = {
      async migrationStatus() {
        await storage.size();
        return { applied: [], pending: [] };
      },
    } as unknown as Commerce;
    const readiness = new Readiness(commerce);
    const before = performance.now();
    await expect(readiness.check()).rejects.toThrow(CommerceError);
    expect(performance.now() - before).toBeLessThan(8000);
    // Repeated requests during that time do not make it worse.
    await Promise.allSettled([readiness.check(), readiness.check()]);
    expect(sockets.size).toBe(1);
  });

  it('it is not when tables are missing, or anything else is wrong', async () => {
    const readiness = (migrationStatus: () => Promise<unknown>) =>
      new Readiness({ migrationStatus } as unknown as Commerce).check();
    await expect(readiness(async () => ({ pending: ['0009_x'] }))).rejects.toMatchObject({ kind: 'unavailable' });
    const damage = new Error('database disk image is malformed');
    await expect(readiness(() => Promise.reject(damage))).rejects.toMatchObject({ kind: 'unavailable', cause: damage });
  });
});
