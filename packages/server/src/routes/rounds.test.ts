import { createServer as createHttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Context, updateStore } from '@commerce/core';
import { fakeClock } from '@commerce/core/testing';
import { createApp } from '@commerce/server';
import { newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { ask, newKey } from '@commerce/test-support/harness/requests';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { beforeEach, expect, it } from 'vitest';
import { openEdge } from '../edge/listener.ts';

forEachStorage('requests of several stores that come at once', (database) => {
  // A fixed clock, so that no limit refills while a slow machine sends requests.
  const commerce = useCommerce(database, { clock: fakeClock() });
  const open = async () => {
    const shop = await newShop(commerce());
    return { shop, key: await newKey(shop), path: `/stores/${shop.store.id}/products` };
  };
  let busy: { shop: Context; key: string; path: string };
  let quiet: typeof busy;
  beforeEach(async () => {
    busy = await open();
    quiet = await open();
  });

  it('do not wait for the many of one store', async () => {
    const app = createApp(commerce());
    const answered: string[] = [];
    const send = async ({ key, path }: typeof busy, name: string) => {
      expect(await ask(app, `GET ${path}`, { key })).toMatchObject({ status: 200 });
      answered.push(name);
    };
    // Keys are looked up once, and PostgreSQL's connections are opened once.
    await Promise.all(Array.from({ length: 10 }, () => [send(busy, 'first'), send(quiet, 'first')]).flat());
    answered.length = 0;
    const many = Array.from({ length: 200 }, () => send(busy, 'busy'));
    await Promise.all([...many, send(quiet, 'quiet')]);
    expect(answered).toHaveLength(201);
    // The busy store's requests in the same round, and in the next ones, which begin while PostgreSQL works.
    expect(answered.indexOf('quiet')).toBeLessThan(many.length / 2);
  });

  it('are refused one after the other where the limit of their store is used up, and count as under way no longer', async () => {
    await updateStore(busy.shop, { plan: 'free' });
    const refused = 150;
    const underWay: number[] = [];
    const edge = openEdge(commerce(), { onRequest: () => underWay.push(edge.load.underWay) });
    const server = createHttpServer(edge.listener);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const statusOf = async ({ key, path }: typeof busy) => {
      const answer = await fetch(url + path, { headers: { authorization: `Bearer ${key}` } });
      await answer.arrayBuffer();
      return answer.status;
    };
    try {
      const many = Promise.all(Array.from({ length: refused + 10 }, () => statusOf(busy)));
      expect(await statusOf(quiet)).toBe(200);
      expect((await many).filter((status) => status === 429)).toHaveLength(refused);
      // By then all of them have arrived, and most wait for their refusal.
      const half = underWay.slice(refused / 2, refused / 2 + 20);
      expect(Math.max(...half)).toBeLessThan(refused / 4);
      expect(edge.load.underWay).toBe(0);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });
});
