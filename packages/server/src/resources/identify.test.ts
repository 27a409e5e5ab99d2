import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Context, listAuditLogs, listCategories } from '@commerce/core';
import { createFetchHandler, createListener, type Identified, type Identify } from '@commerce/server';
import { newProduct, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { newKey } from '@commerce/test-support/harness/requests';
import { forOneStorage } from '@commerce/test-support/harness/storages';
import { afterEach, beforeAll, expect, it } from 'vitest';

/** A request as a framework with its own sign-in passes it on. */
type SignedIn = IncomingMessage & { user?: Identified | 'refuse' };

forOneStorage('the sign-in of an application', 'sqlite', (database) => {
  const commerce = useCommerce(database);
  let shop: Context;
  beforeAll(async () => {
    shop = await newShop(commerce());
  });
  const ends: (() => void)[] = [];
  afterEach(() => {
    for (const end of ends.splice(0)) end();
  });

  /** An application in front of the listener. @returns asks for a path below the store */
  async function application(options: Parameters<typeof createListener>[1], user?: Identified | 'refuse') {
    const listener = createListener(commerce(), options);
    const server = createServer((request: SignedIn, response) => {
      if (user) request.user = user;
      listener(request, response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    ends.push(() => server.close());
    const { port } = server.address() as AddressInfo;
    return async (
      line: string,
      { body, headers }: { body?: object | string; headers?: Record<string, string> } = {},
    ) => {
      const [method = 'GET', path = ''] = line.split(' ');
      const answer = await fetch(`http://127.0.0.1:${port}/stores/${shop.store.id}${path}`, {
        method,
        headers: { ...(body && { 'content-type': 'application/json' }), ...headers },
        ...(body && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      return { status: answer.status, json: (await answer.json()) as never };
    };
  }
  const identify: Identify<IncomingMessage> = (request: SignedIn) => request.user;
  const of = (actor: Identified['actor']): Identified => ({ storeId: shop.store.id, actor });
  let slugs = 0;
  const mug = () => ({ title: 'Mug', slug: `mug-${++slugs}`, price: '5', status: 'published' });
  const denied = (message: string) => ({
    error: expect.objectContaining({ message: expect.stringContaining(message) }),
  });

  it('lets its users in without a key, and names them in the audit log', async () => {
    const ask = await application({ identify: async (request) => identify(request) }, of({ id: 'ada' }));
    const { status, json } = await ask('POST /products', { body: mug() });
    expect(status).toBe(201);
    const { item } = json as { item: { id: string } };
    expect((await listAuditLogs(shop, { resourceId: item.id })).items).toMatchObject([
      { action: 'product.created', actorType: 'embedder', actorId: 'ada' },
    ]);
  });

  it('gives a user only the scopes that it names', async () => {
    const ask = await application({ identify }, of({ id: 'ada', scopes: new Set(['product.read'] as const) }));
    expect((await ask('GET /products')).status).toBe(200);
    expect(await ask('POST /products', { body: mug() })).toEqual({ status: 403, json: denied('product.write') });
  });

  it('shows the public only what is published', async () => {
    const draft = await newProduct(shop, { status: 'draft' });
    const ask = await application({ identify }, of({ id: null, isPublic: true }));
    expect((await ask(`GET /products/${draft.id}`)).status).toBe(404);
    const own = await application({ identify }, of({ id: null }));
    expect((await own(`GET /products/${draft.id}`)).status).toBe(200);
  });

  it('gives the public no more than a storefront key, whatever it names', async () => {
    for (const scopes of [undefined, new Set(['product.read', 'product.write', 'apiKey.write'] as const)]) {
      const ask = await application({ identify }, of({ id: null, isPublic: true, ...(scopes && { scopes }) }));
      const made = await ask('POST /products', { body: mug() });
      expect(made).toEqual({ status: 403, json: denied('the user does not have the scope product.write') });
      const key = { name: 'Mine', scopes: ['product.read'] };
      expect(await ask('POST /api-keys', { body: key })).toEqual({ status: 403, json: denied('apiKey.write') });
      expect((await ask('GET /products')).status).toBe(200);
    }
    const reading = await application(
      { identify },
      of({ id: null, isPublic: true, scopes: new Set(['page.read'] as const) }),
    );
    expect(await reading('GET /products')).toEqual({ status: 403, json: denied('product.read') });
  });

  it('repeats the answer to an Idempotency-Key only to the user who sent it first', async () => {
    const body = mug();
    const headers = { 'idempotency-key': 'the-first-mug-of-today' };
    const ada = await application({ identify }, of({ id: 'ada' }));
    expect((await ada('POST /products', { body, headers })).status).toBe(201);
    expect((await ada('POST /products', { body, headers })).status).toBe(201);
    const eve = await application({ identify }, of({ id: 'eve' }));
    expect((await eve('POST /products', { body, headers })).status).toBe(409);
  });

  it('imports with the scopes of the user, who makes no category without that scope', async () => {
    const ask = await application(
      { identify },
      of({ id: 'ada', scopes: new Set(['product.read', 'product.write'] as const) }),
    );
    // The first rows are looked at when the file arrives, the last one only when its turn comes.
    const rows = Array.from({ length: 301 }, (_, n) => `row-${n},Mug,1,${n === 300 ? 'Late' : ''}`);
    const file = ['slug,title,price,categories', ...rows].join('\n');
    const { status, json } = await ask('POST /imports', { body: file, headers: { 'content-type': 'text/csv' } });
    expect(status).toBe(202);
    await commerce().importsIdle();
    const { item } = json as { item: { id: string } };
    expect((await ask(`GET /imports/${item.id}`)).json).toMatchObject({
      item: { status: 'stopped', error: expect.stringContaining('scope category.write') },
    });
    expect((await listCategories(shop)).total).toBe(0);
  });

  it('refuses, or leaves a request to its key', async () => {
    const key = { authorization: `Bearer ${await newKey(shop, 'product.read')}` };
    const refusing = await application({ identify }, 'refuse');
    expect(await refusing('GET /products', { headers: key })).toEqual({ status: 401, json: denied('sign in') });
    const leaving = await application({ identify });
    expect((await leaving('GET /products', { headers: key })).status).toBe(200);
    expect(await leaving('GET /products')).toEqual({ status: 401, json: denied('an API key is required') });
  });

  it('opens one store, which has to exist', async () => {
    const other = await newShop(commerce());
    const ask = await application({ identify }, { storeId: other.store.id, actor: { id: 'ada' } });
    expect(await ask('GET /products')).toEqual({ status: 403, json: denied('the user belongs to another store') });
    const nowhere = await application({ identify }, { storeId: 'none', actor: { id: 'ada' } });
    expect(await nowhere('GET /products')).toEqual({
      status: 403,
      json: denied('the store of the user does not exist'),
    });
  });

  it('is not asked about a page of another site, which a browser sends with the cookies of the user', async () => {
    const headers = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' };
    const ask = await application({ identify, cors: ['*', 'https://admin.example'] }, of({ id: 'ada' }));
    const asNobody = denied('the sign-in of the application does not count for a page of https://evil.example');
    expect(await ask('POST /products', { body: mug(), headers })).toEqual({ status: 401, json: asNobody });
    expect((await ask('GET /products', { headers: { 'sec-fetch-site': 'cross-site' } })).status).toBe(401);
    for (const known of [{ ...headers, origin: 'https://admin.example' }, { 'sec-fetch-site': 'same-origin' }]) {
      expect((await ask('POST /products', { body: mug(), headers: known })).status).toBe(201);
    }
  });

  it('is not asked about a page of another origin of the site, or of a browser that does not tell the site', async () => {
    const handle = createFetchHandler(commerce(), {
      identify: () => of({ id: 'ada' }),
      cors: ['https://admin.example'],
    });
    const send = async (headers: Record<string, string>, method = 'POST') => {
      const url = `http://app.example/stores/${shop.store.id}/products`;
      const body = method === 'POST' ? JSON.stringify(mug()) : null;
      return (
        await handle(new Request(url, { method, headers: { 'content-type': 'application/json', ...headers }, body }))
      ).status;
    };
    for (const origin of ['https://guests.app.example', 'null', 'http://app.example:81']) {
      expect([origin, await send({ 'sec-fetch-site': 'same-site', origin })]).toEqual([origin, 401]);
      expect([origin, await send({ origin })]).toEqual([origin, 401]);
    }
    for (const origin of ['https://app.example', 'https://admin.example']) {
      expect([origin, await send({ origin })]).toEqual([origin, 201]);
    }
    expect(await send({ 'sec-fetch-site': 'same-site', origin: 'https://admin.example' })).toBe(201);
    // A link in another page of the site leads here.
    expect(await send({ 'sec-fetch-site': 'same-site' }, 'GET')).toBe(200);
  });

  it('that fails is an error of the application, which the client does not read', async () => {
    const errors: unknown[] = [];
    const onError = (error: unknown) => errors.push(error);
    const failing: Identify<IncomingMessage> = () => {
      throw new Error('the directory of users is down');
    };
    for (const wrong of [
      failing,
      () => of({ id: '' }),
      () => of({ id: 'x'.repeat(256) }),
      () => of({ id: 7 as never }),
    ]) {
      const ask = await application({ identify: wrong, onError });
      expect(await ask('GET /products')).toEqual({ status: 500, json: denied('internal') });
    }
    expect(errors.map((error) => (error as Error).message)).toEqual([
      'the directory of users is down',
      ...Array(3).fill('identify() must name the id of an actor by 1 to 255 characters, or null'),
    ]);
  });

  it('gets the request of the Fetch standard, and what the framework passes beside it', async () => {
    const seen: unknown[] = [];
    const handle = createFetchHandler(commerce(), {
      basePath: '/shop',
      identify(request, [env]) {
        seen.push(request);
        return (env as { user: string }).user === 'ada' ? of({ id: 'ada' }) : 'refuse';
      },
    });
    const request = () => new Request(`https://app.example/shop/stores/${shop.store.id}/products`);
    const first = request();
    expect((await handle(first, { user: 'ada' })).status).toBe(200);
    expect((await handle(request(), { user: 'eve' })).status).toBe(401);
    expect(seen[0]).toBe(first);
  });
});
