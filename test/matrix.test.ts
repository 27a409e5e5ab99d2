import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Context,
  createApiKey,
  createCategory,
  createCustomer,
  createMedia,
  createOrder,
  createPage,
  deleteProduct,
  openMediaFolder,
  revokeApiKey,
  roles,
  type Scope,
  scopes,
  updateMedia,
  uuidV7Source,
} from '@commerce/core';
import { fakeClock } from '@commerce/core/testing';
import { type App, createApp } from '@commerce/server';
import { picture, uploadOf } from '@commerce/test-support/fixtures/media-images';
import {
  fixturePublicUrl,
  fixtureSku,
  pathWith,
  prepareStore,
  routeFixtures,
} from '@commerce/test-support/fixtures/route-fixtures';
import { newProduct, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { snapshot } from '@commerce/test-support/harness/denied';
import { ask, expectEnvelope, newKey, type Sending, type TestResponse } from '@commerce/test-support/harness/requests';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Route } from '../packages/server/src/routes/router.ts';
import { routeTable } from '../packages/server/src/routes/table.ts';

const table = routeTable({ ordersApi: true, uploads: true, dashboard: true });
const routes = table.filter((route): route is Route => 'run' in route);
const rows = routes.map((route) => [`${route.method} ${route.path}`, route] as const);
const ids = uuidV7Source();
/** Scopes that a scope needs to be useful: a subscription carries only what its key can read. */
const beside: Partial<Record<Scope, readonly Scope[]>> = {
  'webhook.write': ['page.read'],
  // A role can be given, and its users changed, by those who have its scopes.
  'user.write': roles.reader,
  'user.delete': roles.reader,
};

/**
 * Routes that a storefront key can use, with the data that it sees there. Every other route must refuse it. A new route that accepts such
 * keys fails until it is listed here, or refuses them. Routes of a `checkout` and the route that describes the `key` itself have separate
 * tests.
 */
const storefrontRoutes: Readonly<Record<string, 'published' | 'checkout' | 'key'>> = {
  'GET /whoami': 'key',
  'GET /products': 'published',
  'GET /products/{id}': 'published',
  'GET /products/attributes': 'published',
  'GET /products/by-attributes': 'published',
  'GET /products/by-variant-group': 'published',
  'GET /categories': 'published',
  'GET /categories/{id}': 'published',
  'GET /pages': 'published',
  'GET /pages/{id}': 'published',
  'GET /media': 'published',
  'GET /media/{id}': 'published',
  'GET /shop': 'checkout',
  'POST /checkouts': 'checkout',
  'POST /checkouts/quote': 'checkout',
  'GET /checkouts/{id}': 'checkout',
  'POST /checkouts/{id}/cancel': 'checkout',
  'GET /orders/by-token': 'checkout',
  'GET /orders/by-token/invoices/{id}.pdf': 'checkout',
  'POST /withdrawals': 'checkout',
};
const challenge = { 'WWW-Authenticate': 'Bearer' };

// Data that a database writes once a minute, such as the last use of keys, would change a table during a test on a slow machine.
beforeAll(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
afterAll(() => void vi.useRealTimers());

it('covers every route of the table', () => {
  expect(Object.keys(routeFixtures).sort()).toEqual(table.map(({ method, path }) => `${method} ${path}`).sort());
  expect(routes.length).toBe(table.length);
  for (const [line, { path, body }] of rows) {
    expect([line, 'own' in (routeFixtures[line] ?? {})]).toEqual([line, path.includes('{')]);
    expect([line, 'body' in (routeFixtures[line] ?? {})]).toEqual([line, body !== undefined]);
  }
});

forEachStorage('keys, routes and ids', (database) => {
  const clock = fakeClock();
  const directory = mkdtempSync(join(tmpdir(), 'commerce-media-'));
  afterAll(() => rmSync(directory, { recursive: true, force: true }));
  const media = { files: openMediaFolder({ directory }), url: 'https://cdn.example.com' };
  const commerce = useCommerce(database, { clock, media, publicUrl: fixturePublicUrl });
  let app: App;
  let shop: Context;
  let other: Context;
  /** The texts used instead of a key; undefined for none. */
  let noKeys: [string, Sending][];
  let foreignKey: string;
  let foreignKeyOfNothing: string;
  /** A storefront key of the shop, and a storefront key of a shop with much hidden data. */
  let storefrontKey: string;
  let hidden: HiddenShop;
  const onlyWith = new Map<Scope, string>();
  const allBut = new Map<Scope, string>();

  beforeAll(async () => {
    app = createApp(commerce(), {
      ordersApi: true,
      dashboard: true,
      storefrontLimits: { reads: 999_999, writes: 999_999 },
    });
    shop = await newShop(commerce());
    other = await newShop(commerce());
    for (const one of [shop, other]) await prepareStore(one);
    foreignKey = await newKey(other);
    foreignKeyOfNothing = await newKey(other, 'order.delete');
    for (const scope of scopes) {
      onlyWith.set(scope, await newKey(shop, scope, ...(beside[scope] ?? [])));
      allBut.set(scope, await newKey(shop, ...scopes.filter((one) => one !== scope)));
    }
    storefrontKey = (await createApiKey(shop, { kind: 'storefront', name: 'page' })).key;
    hidden = await makeHiddenShop(await newShop(commerce()), await picture('png'));
    const good = await newKey(shop);
    const revoked = await createApiKey(shop, { name: 'revoked', scopes: [...scopes] });
    const expiresAt = new Date(clock.now() + 60_000).toISOString();
    const expired = await createApiKey(shop, { name: 'expired', scopes: [...scopes], expiresAt });
    // Both were in use: a cache that remembers them must not keep them alive.
    for (const { key } of [revoked, expired]) expect((await to('GET', shop, '/products', { key })).status).toBe(200);
    await revokeApiKey(shop, revoked.id);
    clock.advance(60_000);
    noKeys = [
      ['no key', {}],
      ['an unknown key', { key: `ck_live_${randomBytes(32).toString('hex').slice(0, 43)}` }],
      ['the beginning of a key', { key: good.slice(0, -1) }],
      ['a key and more', { key: `${good}0` }],
      ['a key in lower case', { key: good.toLowerCase() }],
      ['two keys', { key: `${good} ${good}` }],
      ['no text as a key', { key: '' }],
      ['a key in another scheme', { headers: { authorization: `Basic ${good}` } }],
      ['a revoked key', { key: revoked.key }],
      ['a revoked key as X-API-Key', { headers: { 'x-api-key': revoked.key } }],
      ['an expired key', { key: expired.key }],
      ['an expired key as X-API-Key', { headers: { 'x-api-key': expired.key } }],
      ['a bad key before a good one', { headers: { authorization: `Bearer ${revoked.key}`, 'x-api-key': good } }],
    ];
  });

  function to(method: string, store: { store: { id: string } } | string, path: string, sending: Sending = {}) {
    const id = typeof store === 'string' ? store : store.store.id;
    return ask(app, `${method} /stores/${id}${path}`, sending);
  }

  /** A valid body of the route, and its required query. */
  async function goodRequest(line: string): Promise<{ sending: Sending; search: string }> {
    const { body, headers, query } = routeFixtures[line] ?? {};
    const own = headers && { headers: await headers(shop) };
    return { sending: { ...(await body?.()), ...own }, search: query === undefined ? '' : `?${query}` };
  }

  /** The methods that perform the action of the route. */
  const methodsOf = ({ method }: Route) =>
    method === 'GET' ? ['GET', 'HEAD'] : method === 'PUT' ? ['PUT', 'PATCH'] : [method];

  /** Every kind of value that can replace an id and does not belong to the store. */
  function wrongIds(own: string, foreign: string): [string, string][] {
    const lastDigit = own.at(-1);
    return [
      ["another store's", foreign],
      ["another store's, percent-encoded", percent(foreign)],
      ['random', ids.next(clock.now())],
      ['of another time', ids.next(0)],
      ['own but for a digit', `${own.slice(0, -1)}${lastDigit === '0' ? '1' : '0'}`],
      ['with a digit that is none', `${own.slice(0, -1)}g`],
      ['of another version', `${own.slice(0, 14)}4${own.slice(15)}`],
      ['own in upper case', own.toUpperCase()],
      ['own without dashes', own.replaceAll('-', '')],
      ['own in braces', `%7B${own}%7D`],
      ['own and a blank', `${own}%20`],
      ['own and NUL', `${own}%00`],
      ['own and a line', `${own}%0A`],
      ['one letter', 'x'],
      ['a dot', '.'],
      ['two dots', '..'],
      ['two dots, encoded', '%2e%2e'],
      ['a slash, encoded', `x%2F${own}`],
      ['half an encoding', '%E0%A4'],
      ['no encoding', '%zz'],
      ['a quote', "'%20or%20'1'='1"],
      ['a prototype', '__proto__'],
      ['a method of objects', 'toString'],
      ['300 characters', 'a'.repeat(300)],
      ['300 characters of an id', own.repeat(9).slice(0, 300)],
    ];
  }

  /** The work changes no table and emits nothing. */
  async function changesNothing(work: () => Promise<void>): Promise<void> {
    const before = await snapshot(commerce());
    await work();
    const after = await snapshot(commerce());
    expect(after.events).toEqual(before.events);
    expect(after).toEqual(before);
  }

  describe.each(rows)('%s', (line, route) => {
    const fixture = routeFixtures[line] ?? {};
    const own = fixture.own ?? (async () => ({}) as Record<string, string>);

    it('lets nobody in without a living key, whatever the path names', async () => {
      const [mine, theirs] = [await own(shop), await own(other)];
      const { sending, search } = await goodRequest(line);
      const nothing = fillIn(mine, () => ids.next(clock.now()));
      await changesNothing(async () => {
        const answers = new Map<string, Set<string>>();
        for (const [kind, withoutKey] of noKeys) {
          for (const method of methodsOf(route)) {
            for (const [store, params] of [
              [shop.store.id, mine],
              [shop.store.id, theirs],
              [shop.store.id, nothing],
              [other.store.id, theirs],
              [ids.next(clock.now()), mine],
              ['x', mine],
            ] as const) {
              const answer = await to(method, store, pathWith(route.path, params) + search, {
                ...sending,
                ...withoutKey,
              });
              expectEnvelope(answer, { status: 401, code: 'UNAUTHORIZED', headers: challenge });
              answers.set(kind, (answers.get(kind) ?? new Set()).add(answer.text));
            }
          }
        }
        // No answer reveals whether the path exists, or whether a dead key ever existed.
        for (const texts of answers.values()) expect(texts.size).toBe(1);
        for (const kind of ['a revoked key', 'an expired key', 'the beginning of a key']) {
          expect(answers.get(kind)).toEqual(answers.get('an unknown key'));
        }
      });
    });

    it("refuses another store's key alike, whether or not the store or the id exists", async () => {
      const [mine, theirs] = [await own(shop), await own(other)];
      const { sending, search } = await goodRequest(line);
      const wrong = Object.entries(mine).flatMap(([name, value]) =>
        wrongIds(value, theirs[name] ?? '').map(([, id]) => ({ ...mine, [name]: id })),
      );
      await changesNothing(async () => {
        const texts = new Set<string>();
        for (const key of [foreignKey, foreignKeyOfNothing]) {
          for (const method of methodsOf(route)) {
            for (const store of [
              shop.store.id,
              ids.next(clock.now()),
              shop.store.id.toUpperCase(),
              'x',
              '..',
              '%00',
              '%zz',
            ]) {
              for (const params of [mine, theirs, ...(store === shop.store.id ? wrong : [])]) {
                for (const given of [sending, {}]) {
                  const answer = await to(method, store, pathWith(route.path, params) + search, { ...given, key });
                  expectEnvelope(answer, { status: 403, code: 'FORBIDDEN', headers: {} });
                  texts.add(answer.text);
                }
              }
            }
          }
        }
        expect(texts.size).toBe(1);
      });
    });

    const allowedKey = () => onlyWith.get(route.scope ?? 'product.read') ?? '';

    it.skipIf(route.scope === null)(
      'refuses a key that has every scope but the one, naming it, whatever the path names',
      async () => {
        const [mine, theirs] = [await own(shop), await own(other)];
        const { sending, search } = await goodRequest(line);
        const key = allBut.get(route.scope as Scope) ?? '';
        await changesNothing(async () => {
          const texts = new Set<string>();
          for (const method of methodsOf(route)) {
            for (const params of [mine, theirs, fillIn(mine, () => ids.next(clock.now())), fillIn(mine, () => 'x')]) {
              for (const given of [sending, {}]) {
                const answer = await to(method, shop, pathWith(route.path, params) + search, { ...given, key });
                expectEnvelope(answer, {
                  status: 403,
                  code: 'FORBIDDEN',
                  message: new RegExp(`scope ${route.scope}$`),
                  headers: {},
                });
                texts.add(answer.text);
              }
            }
          }
          expect(texts.size).toBe(1);
        });
      },
    );

    if (route.path.includes('{')) {
      it("answers another store's id, and whatever is none, as an id that never was", async () => {
        const [mine, theirs] = [await own(shop), await own(other)];
        const { sending, search } = await goodRequest(line);
        const key = allowedKey();
        await changesNothing(async () => {
          for (const name of Object.keys(mine)) {
            for (const method of methodsOf(route)) {
              const send = (id: string, given: Sending) =>
                to(method, shop, pathWith(route.path, { ...mine, [name]: id }) + search, { ...given, key });
              for (const headers of [{}, { 'if-match': '"x"' }, { 'if-match': '*' }, { 'if-none-match': '*' }]) {
                const given = { ...sending, headers };
                const random = ids.next(clock.now());
                const never = await send(random, given);
                expectEnvelope(never, { status: 404, code: 'NOT_FOUND' });
                expect(never.headers).toEqual({});
                if (fixture.isNamed) continue;
                // Byte for byte, except the id that the client itself has sent.
                const foreign = await send(theirs[name] ?? '', given);
                expect(withoutId(foreign, theirs[name] ?? '')).toEqual(withoutId(never, random));
              }
              for (const [kind, id] of wrongIds(mine[name] ?? '', theirs[name] ?? '')) {
                if (fixture.isNamed && [mine[name], percent(mine[name] ?? '')].includes(id)) continue;
                // These are other languages, or the same in another spelling.
                if (name === 'locale' && ['with a digit that is none', 'own in upper case'].includes(kind)) continue;
                const answer = await send(id, sending);
                expect([kind, answer.status]).toEqual([kind, 404]);
                expectEnvelope(answer, { status: 404, code: 'NOT_FOUND', headers: {} });
              }
            }
          }
        });
      });

      it.skipIf(fixture.isNamed)(
        "tells wrong input alike for another store's id and for one that never was",
        async () => {
          const [mine, theirs] = [await own(shop), await own(other)];
          const { search } = await goodRequest(line);
          const key = allowedKey();
          await changesNothing(async () => {
            for (const name of Object.keys(mine)) {
              for (const method of methodsOf(route)) {
                for (const given of wrongBodies) {
                  const send = async (id: string) =>
                    withoutId(
                      await to(method, shop, pathWith(route.path, { ...mine, [name]: id }) + search, { ...given, key }),
                      id,
                    );
                  expect(await send(theirs[name] ?? '')).toEqual(await send(ids.next(clock.now())));
                }
              }
            }
          });
        },
      );
    }

    if (storefrontRoutes[line] === 'published') {
      it('shows a storefront key what is published, and nothing else', async () => {
        const { search } = await goodRequest(line);
        const [name] = /(?<=\{)\w+/.exec(route.path) ?? [];
        const ids = name ? [...hidden.hiddenIds, ...Object.values(await own(hidden.shop)), ...hidden.seenIds] : [''];
        const queries = name ? [search] : [search, ...hidden.queries.map((query) => `${search || '?'}&${query}`)];
        const texts: string[] = [];
        await changesNothing(async () => {
          for (const id of ids) {
            for (const query of queries) {
              const path = pathWith(route.path, name ? { [name]: id } : {}) + query;
              for (const method of methodsOf(route)) {
                const answer = await to(method, hidden.shop, path, { key: hidden.key });
                expect([path, answer.status]).toEqual([path, expect.toBeOneOf(name ? [200, 404] : [200, 400])]);
                // A refusal repeats the requested id.
                const text = [id, /after=(.*)/.exec(query)?.[1]].reduce<string>(
                  (left, asked) => (asked ? left.replaceAll(asked, '') : left),
                  answer.text,
                );
                expect(text).not.toMatch(/hidden/i);
                for (const one of hidden.hiddenIds) expect(text).not.toContain(one);
                texts.push(answer.text);
              }
            }
          }
        });
        expect(texts.some((text) => text.includes('SEEN') || text.includes('red') || text.includes('image/png'))).toBe(
          true,
        );
      });
    } else if (storefrontRoutes[line] === undefined) {
      it('refuses a storefront key, whatever the path names', async () => {
        const [mine, theirs] = [await own(shop), await own(other)];
        const { sending, search } = await goodRequest(line);
        const searches = ['products', 'categories', 'customers', 'pages'].map((resource) => `?resource=${resource}`);
        await changesNothing(async () => {
          const texts = new Set<string>();
          for (const method of methodsOf(route)) {
            for (const params of [mine, theirs, fillIn(mine, () => ids.next(clock.now())), fillIn(mine, () => 'x')]) {
              for (const query of [search, ...(route.scopeOf ? searches : [])]) {
                const given = { ...sending, key: storefrontKey };
                const answer = await to(method, shop, pathWith(route.path, params) + query, given);
                expectEnvelope(answer, { status: 403, code: 'FORBIDDEN', headers: {} });
                if (!route.scopeOf) texts.add(answer.text);
              }
            }
          }
          expect(texts.size).toBeLessThanOrEqual(1);
        });
      });
    }

    it('answers a key that has the one scope, under both prefixes', async () => {
      const key = allowedKey();
      for (const method of methodsOf(route)) {
        for (const prefix of ['', '/api']) {
          const { sending, search } = await goodRequest(line);
          const path = pathWith(route.path, await own(shop));
          const answer = await ask(app, `${method} ${prefix}/stores/${shop.store.id}${path}${search}`, {
            ...sending,
            key,
          });
          expect([answer.status, answer.text]).toEqual([route.answer.status, expect.any(String)]);
        }
        // The key in the other header, the id percent-encoded.
        const { sending, search } = await goodRequest(line);
        const mine = await own(shop);
        const encoded = Object.fromEntries(Object.entries(mine).map(([name, id]) => [name, percent(id)]));
        const given = { ...sending, headers: { ...sending.headers, 'x-api-key': key } };
        const answer = await to(method, shop, pathWith(route.path, encoded) + search, given);
        expect(answer.status).toBe(route.answer.status);
      }
      // Background work would change tables during the next test.
      await commerce().importsIdle();
    });
  });

  describe('ids in bodies and queries', () => {
    let theirs: Record<'category' | 'media' | 'customer' | 'product' | 'order', string>;
    let key: string;
    beforeAll(async () => {
      key = await newKey(shop);
      const [image] = await createMedia(other, [uploadOf('png', await picture('png'))]);
      const { id: categoryId } = await createCategory(other, { name: 'Mugs', slug: 'mugs' });
      await createCategory(other, { name: 'Small mugs', slug: 'small', parentId: categoryId });
      const { id: customerId } = await createCustomer(other, { email: 'a@example.com', name: 'A' });
      const { id: productId } = await newProduct(other, {
        categoryIds: [categoryId],
        variantGroupId: 'theirs',
        attributes: { of: 'theirs' },
        sku: 'THEIRS',
      });
      theirs = {
        category: categoryId,
        media: image?.id ?? '',
        customer: customerId,
        product: productId,
        order: (await createOrder(other, { customerId, items: [{ productId, quantity: 1 }] })).id,
      };
    });

    const things = { product: { title: 'Mug', price: '1' }, category: { name: 'Mugs' }, page: { title: 'About' } };
    const bodies: [string, keyof typeof theirs, (id: string) => object][] = [
      ['POST /products', 'category', (id) => ({ ...things.product, slug: 'a', categoryIds: [id] })],
      ['POST /products', 'media', (id) => ({ ...things.product, slug: 'a', mediaIds: [id] })],
      ['POST /products', 'media', (id) => ({ ...things.product, slug: 'a', primaryMediaId: id })],
      ['POST /products', 'media', (id) => ({ ...things.product, slug: 'a', seoImageId: id })],
      ['POST /categories', 'category', (id) => ({ ...things.category, slug: 'a', parentId: id })],
      ['POST /categories', 'media', (id) => ({ ...things.category, slug: 'a', seoImageId: id })],
      ['POST /pages', 'media', (id) => ({ ...things.page, slug: 'a', seoImageId: id })],
      ['POST /orders', 'product', (id) => ({ items: [{ productId: id, quantity: 1 }] })],
      ['POST /orders', 'customer', (id) => ({ customerId: id, items: [{ sku: fixtureSku, quantity: 1 }] })],
    ];
    it.each(bodies)("%s takes another store's %s for one that never was", async (line, kind, body) => {
      const [method = '', path = ''] = line.split(' ');
      await changesNothing(async () => {
        const send = async (id: string) => withoutId(await to(method, shop, path, { key, body: body(id) }), id);
        const never = await send(ids.next(clock.now()));
        expect(never.status).toBe(400);
        expect(await send(theirs[kind])).toEqual(never);
      });
    });

    const lists: [string, (id: typeof theirs) => string][] = [
      ['/products?categoryId=', ({ category }) => category],
      ['/products?sku=', () => 'THEIRS'],
      ['/products?search=', () => 'THEIRS'],
      ['/products?variantGroupId=', () => 'theirs'],
      ['/products/by-variant-group?variantGroupId=', () => 'theirs'],
      ['/products/by-attributes?of=', () => 'theirs'],
      ['/categories?parentId=', ({ category }) => category],
      ['/customers?email=', () => 'a@example.com'],
      ['/orders?customerId=', ({ customer }) => customer],
      ['/audit-logs?resourceId=', ({ product }) => product],
    ];
    it.each(lists)("GET %s finds nothing of another store's", async (path, of) => {
      const answer = await to('GET', shop, path + encodeURIComponent(of(theirs)), { key });
      expect(answer).toMatchObject({ status: 200, text: '{"items":[],"total":0}' });
      expect(await to('GET', shop, path + ids.next(0), { key })).toEqual(answer);
      // The other store finds it, so the query itself is valid.
      const found = await to('GET', other, path + encodeURIComponent(of(theirs)), { key: foreignKey });
      expect(found.text).not.toBe(answer.text);
    });

    it('takes slugs, e-mails, addresses and order ids that another store has, as if there were no other store', async () => {
      const url = 'https://subscriber.example.com/taken';
      expect(
        (await to('POST', other, '/webhooks', { key: foreignKey, body: { url, events: ['page.created'] } })).status,
      ).toBe(201);
      for (const [path, body] of [
        ['/categories', { name: 'Mugs', slug: 'mugs' }],
        ['/customers', { email: 'a@example.com', name: 'A' }],
        ['/products', { title: 'Mug', slug: 'theirs', price: '1', sku: 'THEIRS' }],
        ['/webhooks', { url, events: ['page.created'] }],
        ['/orders', { id: theirs.order, items: [{ sku: fixtureSku, quantity: 1 }] }],
      ] as const) {
        const answer = await to('POST', shop, path, { key, body });
        expect([path, answer.status, answer.text]).toEqual([path, 201, expect.any(String)]);
      }
      const [mine, their] = await Promise.all([
        to('GET', shop, `/orders/${theirs.order}`, { key }),
        to('GET', other, `/orders/${theirs.order}`, { key: foreignKey }),
      ]);
      expect([mine.status, their.status]).toEqual([200, 200]);
      expect(mine.text).not.toBe(their.text);
    });
  });

  it('refuses what is closed with 405 to every key of the store, and tells others nothing of it', async () => {
    const closedApp = createApp(commerce());
    const key = await newKey(shop, 'order.delete');
    const ofStore = `/stores/${shop.store.id}/orders`;
    const body = { items: [{ sku: fixtureSku, quantity: 1 }] };
    await changesNothing(async () => {
      expectEnvelope(await ask(closedApp, `POST ${ofStore}`, { key, body }), {
        status: 405,
        code: 'METHOD_NOT_ALLOWED',
      });
      expectEnvelope(await ask(closedApp, `POST ${ofStore}`, { body }), { status: 401, code: 'UNAUTHORIZED' });
      const foreign = await ask(closedApp, `POST ${ofStore}`, { key: foreignKey, body });
      expectEnvelope(foreign, { status: 403, code: 'FORBIDDEN' });
    });
  });
});

/** A shop with things that a storefront key sees, which all contain `SEEN`, and hidden things, which contain `hidden`. */
interface HiddenShop {
  shop: Context;
  key: string;
  seenIds: string[];
  hiddenIds: string[];
  /** Queries of lists that name hidden things. */
  queries: string[];
}

async function makeHiddenShop(shop: Context, image: Buffer): Promise<HiddenShop> {
  const media = await createMedia(
    shop,
    Array.from({ length: 3 }, () => uploadOf('png', image)),
  );
  const [shown, unused, ofDraft] = media.map(({ id }) => id) as [string, string, string];
  for (const id of [unused, ofDraft]) await updateMedia(shop, id, { altText: 'hidden' });
  const category = await createCategory(shop, { name: 'SEEN', slug: 'seen', status: 'published' });
  const hiddenCategory = await createCategory(shop, { name: 'hidden', slug: 'hidden', seoImageId: ofDraft });
  const child = await createCategory(shop, {
    name: 'SEEN child',
    slug: 'child',
    status: 'published',
    parentId: hiddenCategory.id,
  });
  const hiddenChild = await createCategory(shop, { name: 'hidden', slug: 'hidden-child', parentId: category.id });
  const seenAttributes = { colour: 'red' };
  const product = await newProduct(shop, {
    title: 'SEEN',
    categoryIds: [category.id, hiddenCategory.id],
    mediaIds: [shown],
    attributes: seenAttributes,
    variantGroupId: 'mugs',
  });
  const hiddenProducts = [];
  for (const status of ['draft', 'archived', 'published'] as const) {
    const { id } = await newProduct(shop, {
      status,
      title: 'hidden',
      sku: `hidden-${status}`,
      attributes: { ...seenAttributes, hidden: 'hidden' },
      categoryIds: [category.id, hiddenCategory.id],
      primaryMediaId: ofDraft,
      variantGroupId: 'mugs',
    });
    hiddenProducts.push(id);
    if (status === 'published') await deleteProduct(shop, id);
  }
  const page = await createPage(shop, { title: 'SEEN', slug: 'seen', status: 'published' });
  const hiddenPage = await createPage(shop, { title: 'hidden', slug: 'hidden', content: 'hidden' });
  const customer = await createCustomer(shop, { email: 'hidden@example.com', name: 'hidden' });
  const order = await createOrder(shop, {
    customerId: customer.id,
    customerNote: 'hidden',
    items: [{ productId: product.id, quantity: 1 }],
  });
  const secret = await createApiKey(shop, { name: 'hidden', scopes: ['product.read'] });
  const { key } = await createApiKey(shop, { kind: 'storefront', name: 'page' });
  const hiddenIds = [unused, ofDraft, hiddenCategory.id, hiddenChild.id, ...hiddenProducts, hiddenPage.id];
  hiddenIds.push(customer.id, order.id, secret.id);
  const queries = [
    ...['status=draft', 'status=archived', 'status=published', 'search=hidden', 'slug=hidden', 'limit=200'],
    ...'sku=hidden-draft variantGroupId=mugs hidden=hidden attr.hidden=hidden colour=red mimeType=image/'.split(' '),
    ...[`categoryId=${hiddenCategory.id}`, `parentId=${hiddenCategory.id}`, 'parentId=null', `parentId=${category.id}`],
    ...hiddenProducts.map((id) => `after=${id}`),
  ];
  return { shop, key, hiddenIds, queries, seenIds: [shown, category.id, child.id, product.id, page.id] };
}

/** Invalid bodies; a route without a body must handle them in the same way. */
const wrongBodies: Sending[] = [
  {},
  { body: '' },
  { body: '{' },
  { body: '[]' },
  { body: 'null' },
  { body: 'x', type: 'text/plain' },
  { body: Buffer.from('{"title":"\xff"}', 'latin1') },
  { body: { title: 7, name: 7, email: 7, amount: 7, altText: 7, merchantNote: 7, url: 7 } },
  { body: { status: 'deleted', isActive: 'x', slug: '' } },
];

/** The answer without the id that the client sent. */
function withoutId({ status, headers, text }: TestResponse, id: string): Omit<TestResponse, 'json'> {
  return { status, headers, text: text.replaceAll(id, '{id}') };
}

function fillIn(params: Record<string, string>, value: () => string): Record<string, string> {
  return Object.fromEntries(Object.keys(params).map((name) => [name, value()]));
}

/** Every character percent-encoded. */
function percent(text: string): string {
  return Buffer.from(text).toString('hex').replace(/../g, '%$&');
}
