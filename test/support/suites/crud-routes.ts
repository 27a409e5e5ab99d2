import type { Commerce, Context, Scope } from '@commerce/core';
import { type App, createApp } from '@commerce/server';
import { beforeEach, describe, expect, it } from 'vitest';
import { auditOf, emittedBy, newShop } from '../fixtures/shop.ts';
import { ask, expectRefused, newKey, requestId, type Sending, type TestResponse } from '../harness/requests.ts';

interface Item {
  id: string;
  [field: string]: unknown;
}

/** Differences between the five routes of one resource and another. */
export interface CrudRoutes {
  /** The path below the store, such as `/pages`. */
  path: string;
  noun: 'category' | 'customer' | 'page';
  /** A body that creates one; a new body each time. */
  body(): Record<string, unknown>;
  /** A change of it, and the field that creation requires. */
  change: Record<string, unknown>;
  required: string[];
  /** Bodies that POST and PUT both refuse, with the fields that the error names. */
  wrong: [body: Record<string, unknown>, fields: string[]][];
  /** A change to a value that another one already has, and the field that the error names. */
  taken: [body: Record<string, unknown>, field: string];
  /** Queries that the list refuses, with the parameter that the error names. */
  wrongQueries: [query: string, field: string][];
}

/** An application with a separate store and key for each test. */
export function useApp(commerce: () => Commerce) {
  let app: App | undefined;
  let shop: Context | undefined;
  let key = '';
  beforeEach(async () => {
    app ??= createApp(commerce());
    shop = await newShop(commerce());
    key = await newKey(shop);
  });
  const store = (): Context => {
    if (!shop) throw new Error('the store is made before each test, not before');
    return shop;
  };
  return {
    shop: store,
    /** Sends a request such as `GET /pages` to the store, with a key that has every scope. */
    send(line: string, sending: Sending = {}): Promise<TestResponse> {
      const [method, path] = line.split(' ');
      return ask(app as App, `${method} /stores/${store().store.id}${path}`, { key, ...sending });
    },
    /** Sends a request to a full path. */
    sendTo: (line: string, sending: Sending = {}) => ask(app as App, line, { key, ...sending }),
  };
}

/** The item of an answer. */
export function itemOf<T = Item>(answer: TestResponse): T {
  return (answer.json as { item: T }).item;
}

const invalid = { status: 400, code: 'VALIDATION_ERROR' };

/** Tests the answers of the five routes of a resource, request by request. */
export function testCrudRoutes(routes: CrudRoutes, commerce: () => Commerce): void {
  const { path, noun, body, change } = routes;
  const { shop, send, sendTo } = useApp(commerce);
  const add = async () => itemOf(await send(`POST ${path}`, { body: body() }));

  it('make, read, list, change and delete, with one event and one entry each, and the request id in the log', async () => {
    let made: Item = { id: '' };
    const created = await emittedBy(shop(), async () => {
      const given = body();
      const answer = await send(`POST ${path}`, { body: given });
      expect(answer).toMatchObject({ status: 201, json: { item: given } });
      made = itemOf(answer);
      expect(made.storeId).toBe(shop().store.id);
      expect(await send(`GET ${path}/${made.id}`)).toMatchObject({ status: 200, text: answer.text });
      expect(await send(`GET ${path}`)).toMatchObject({ status: 200, json: { items: [made], total: 1 } });
    });
    expect(created).toEqual([`${noun}.created`]);
    // The change sets the time of first publication.
    const { publishedAt: _, updatedAt: __, ...kept } = made;
    const changed = await emittedBy(shop(), async () => {
      const answer = await send(`PUT ${path}/${made.id}`, { body: change });
      expect(answer).toMatchObject({
        status: 200,
        json: { item: { ...kept, ...change } },
      });
      expect((await send(`GET ${path}/${made.id}`)).text).toBe(answer.text);
      // A change without an effect, and the answer sent back.
      expect((await send(`PUT ${path}/${made.id}`, { body: {} })).text).toBe(answer.text);
      expect((await send(`PUT ${path}/${made.id}`, { body: itemOf(answer) })).text).toBe(answer.text);
    });
    expect(changed).toEqual([`${noun}.updated`]);
    const deleted = await emittedBy(shop(), async () => {
      expect(await send(`DELETE ${path}/${made.id}`)).toMatchObject({ status: 204, text: '' });
    });
    expect(deleted).toEqual([`${noun}.deleted`]);
    expect((await send(`GET ${path}`)).text).toBe('{"items":[],"total":0}');
    const entries = (await auditOf(shop())).filter((entry) => entry.resource_id === made.id);
    expect(entries.map((entry) => [entry.action, entry.actor_type, entry.request_id])).toEqual(
      ['created', 'updated', 'deleted'].map((done) => [`${noun}.${done}`, 'apiKey', requestId]),
    );
  });

  it('answer PATCH as PUT, HEAD as GET, and both prefixes alike', async () => {
    const { id } = await add();
    const patched = await send(`PATCH ${path}/${id}`, { body: change });
    expect(patched).toMatchObject({ status: 200, json: { item: change } });
    for (const below of [path, `${path}/${id}`, `${path}?limit=1`]) {
      const got = await send(`GET ${below}`);
      expect(await send(`HEAD ${below}`)).toEqual(got);
      expect(await sendTo(`GET /api/stores/${shop().store.id}${below}`)).toEqual(got);
    }
  });

  describe('scopes', () => {
    const rows: [string, string, Scope][] = [
      ['GET', '', `${noun}.read`],
      ['HEAD', '', `${noun}.read`],
      ['POST', '', `${noun}.write`],
      ['GET', '/{id}', `${noun}.read`],
      ['HEAD', '/{id}', `${noun}.read`],
      ['PUT', '/{id}', `${noun}.write`],
      ['PATCH', '/{id}', `${noun}.write`],
      ['DELETE', '/{id}', `${noun}.delete`],
    ];
    it.each(rows)('%s %s needs exactly its own', async (method, below, scope) => {
      const { id } = await add();
      const line = `${method} ${path}${below.replace('{id}', id)}`;
      const sending = { body: method === 'POST' ? body() : change };
      const all = ['read', 'write', 'delete'].map((capability) => `${noun}.${capability}` as Scope);
      const others = await newKey(shop(), ...all.filter((other) => other !== scope), 'product.write', 'order.read');
      const message = new RegExp(`insufficient permissions.*${scope.replace('.', '\\.')}`);
      const refusal = { status: 403, code: 'FORBIDDEN', message };
      await expectRefused(commerce(), () => send(line, { ...sending, key: others }), refusal);
      const answer = await send(line, { ...sending, key: await newKey(shop(), scope) });
      expect(answer.status).toBe(method === 'POST' ? 201 : method === 'DELETE' ? 204 : 200);
    });
  });

  it.each([
    ['', 'GET, HEAD, POST', ['PUT', 'PATCH', 'DELETE', 'BREW']],
    ['/x', 'GET, HEAD, PUT, PATCH, DELETE', ['POST', 'TRACE']],
  ])('say which methods there are at %j', async (below, allow, methods) => {
    for (const method of methods) {
      const refusal = { status: 405, code: 'METHOD_NOT_ALLOWED', headers: { Allow: `${allow}, OPTIONS` } };
      await expectRefused(commerce(), () => send(`${method} ${path}${below}`, { body: body() }), refusal);
    }
  });

  it('know nothing at paths beside', async () => {
    const { id } = await add();
    for (const below of ['/', `/${id}/`, `/${id}/more`, 's', `//${id}`]) {
      const refusal = { status: 404, code: 'NOT_FOUND' };
      await expectRefused(commerce(), () => send(`GET ${path}${below}`), refusal);
    }
  });

  describe('bodies', () => {
    const wrongs = routes.wrong.map(([wrong, fields]) => [JSON.stringify(wrong).slice(0, 60), wrong, fields] as const);
    it.each(wrongs)('%s is refused on POST and on PUT', async (_, wrong, fields) => {
      const { id } = await add();
      const refusal = { ...invalid, fields };
      await expectRefused(commerce(), () => send(`POST ${path}`, { body: { ...body(), ...wrong } }), refusal);
      await expectRefused(commerce(), () => send(`PUT ${path}/${id}`, { body: wrong }), refusal);
    });

    it('name everything that is missing', async () => {
      const refusal = { ...invalid, fields: routes.required, message: /is required/ };
      await expectRefused(commerce(), () => send(`POST ${path}`, { body: {} }), refusal);
    });

    it('cannot give what another one has', async () => {
      const [taken, field] = routes.taken;
      await send(`POST ${path}`, { body: { ...body(), ...taken } });
      const { id } = await add();
      const refusal = { status: 409, code: 'CONFLICT', fields: [field], message: /already exists/ };
      await expectRefused(commerce(), () => send(`POST ${path}`, { body: { ...body(), ...taken } }), refusal);
      await expectRefused(commerce(), () => send(`PUT ${path}/${id}`, { body: taken }), refusal);
    });

    it('have to be JSON objects, sent as such', async () => {
      const { id } = await add();
      for (const line of [`POST ${path}`, `PUT ${path}/${id}`, `PATCH ${path}/${id}`]) {
        for (const wrong of ['', '{', '[]']) {
          const refusal = { ...invalid, fields: ['body'] };
          await expectRefused(commerce(), () => send(line, { body: wrong }), refusal);
        }
        for (const type of ['text/plain', null]) {
          const refusal = { status: 415, code: 'UNSUPPORTED_MEDIA_TYPE' };
          await expectRefused(commerce(), () => send(line, { body: body(), type }), refusal);
        }
      }
    });
  });

  describe('lists', () => {
    it('come in pages, newest first, with the exact total, and leave unknown parameters alone', async () => {
      const made: string[] = [];
      for (let i = 0; i < 5; i++) made.unshift((await add()).id);
      const page = async (query: string) => {
        const { status, json } = await send(`GET ${path}?${query}`);
        const { items, total } = json as { items: Item[]; total: number };
        return [status, items.map(({ id }) => id), total];
      };
      expect(await page('')).toEqual([200, made, 5]);
      expect(await page('limit=2&colour=red&&=')).toEqual([200, made.slice(0, 2), 5]);
      expect(await page('limit=2&offset=4')).toEqual([200, made.slice(4), 5]);
      expect(await page('offset=5')).toEqual([200, [], 5]);
      expect(await page('offset=9007199254740991')).toEqual([200, [], 5]);
      expect(await page('search=%25')).toEqual([200, [], 0]);
      expect(await page('search=')).toEqual([200, made, 5]);
    });

    it.each<[string, string]>([
      ['limit=201', 'limit'],
      ['offset=99999999999999999999', 'offset'],
      ['search=%00', 'search'],
      ...routes.wrongQueries,
    ])('are refused with ?%s, naming %s', async (query, field) => {
      const refusal = { ...invalid, fields: [field], message: new RegExp(field) };
      await expectRefused(commerce(), () => send(`GET ${path}?${query}`), refusal);
    });
  });
}
