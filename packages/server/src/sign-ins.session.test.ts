import {
  createSignInCode,
  createUser,
  listAuditLogs,
  listUsers,
  type Role,
  updateUser,
  uuidV7Source,
} from '@commerce/core';
import { type AppOptions, createApp } from '@commerce/server';
import { newProduct, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { ask, expectEnvelope, newKey } from '@commerce/test-support/harness/requests';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { describe, expect, it } from 'vitest';

const password = 'nine cups and a kettle';

/** Headers that a browser sends with a request of the dashboard's own page. */
const own = { 'commerce-dashboard': '1', 'sec-fetch-site': 'same-origin', host: '127.0.0.1:3000' };
const proxied = { ...own, host: 'shop.example', 'x-forwarded-proto': 'https' };

forEachStorage('the session of a user', (database) => {
  const commerce = useCommerce(database);
  const appOf = (options: AppOptions = {}) => createApp(commerce(), { dashboard: true, ...options });

  const cookieIn = (headers: Record<string, string>) => (headers['Set-Cookie'] ?? '').split(';')[0] ?? '';

  /** A session of a link, or of a user with a role. */
  async function enter(role?: Role) {
    const app = appOf();
    const shop = await newShop(commerce());
    const email = `${uuidV7Source().next(Date.now())}@shop.test`;
    const { code } = role ? await createUser(shop, { email, role }) : await createSignInCode(shop);
    const signedIn = await ask(app, 'POST /dashboard/sign-in', { body: { code }, headers: own });
    expect(signedIn.status).toBe(201);
    const headers = { ...own, cookie: cookieIn(signedIn.headers) };
    const to = (line: string, body?: unknown, more: Record<string, string> = {}) => {
      const [method, path] = line.split(' ');
      return ask(app, `${method} /stores/${shop.store.id}${path}`, { body, headers: { ...headers, ...more } });
    };
    return { app, shop, email, headers, to, answer: signedIn };
  }

  it('is a cookie that scripts cannot read and other sites do not send', async () => {
    const { app, shop, headers, answer } = await enter();
    expect(answer.json).toEqual({ item: { storeId: shop.store.id } });
    expect(answer.headers['Set-Cookie']).toMatch(/^commerce=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/);
    const state = await ask(app, 'GET /dashboard/sign-in', { headers });
    expect(state.json).toEqual({
      item: { storeId: shop.store.id, canKeepSessions: true, passkeyHost: 'localhost' },
    });
  });

  it('has the prefix for the whole host over TLS, and lasts 30 days if it is kept', async () => {
    const app = appOf({ trustProxy: true });
    const { code } = await createSignInCode(await newShop(commerce()));
    const { headers } = await ask(app, 'POST /dashboard/sign-in', { body: { code, keep: true }, headers: proxied });
    expect(headers['Set-Cookie']).toMatch(
      /^__Host-commerce=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Secure; Max-Age=2592000$/,
    );
    // The name without the prefix, which a page of another port could have set, is nothing there.
    const cookie = cookieIn(headers).replace('__Host-', '');
    const state = await ask(app, 'GET /dashboard/sign-in', { headers: { ...proxied, cookie } });
    expect(state.json).toMatchObject({ item: { storeId: null } });
  });

  it('is not begun on plain HTTP elsewhere: a code gives a key, a password is refused', async () => {
    const app = appOf();
    const { code } = await createSignInCode(await newShop(commerce()));
    const headers = { ...own, host: '192.168.1.5:3000' };
    const state = await ask(app, 'GET /dashboard/sign-in', { headers });
    expect(state.json).toMatchObject({ item: { canKeepSessions: false } });
    expectEnvelope(await ask(app, 'POST /dashboard/sign-in', { body: { email: 'a@b.c', password }, headers }), {
      status: 409,
      code: 'CONFLICT',
      message: /https/,
    });
    const signedIn = await ask(app, 'POST /dashboard/sign-in', { body: { code }, headers });
    expect(signedIn.json).toMatchObject({ item: { key: expect.stringMatching(/^ck_live_/) } });
    expect(signedIn.headers['Set-Cookie']).toBeUndefined();
  });

  it.each<[string, Record<string, string | undefined>]>([
    ['without the header of the dashboard', { 'commerce-dashboard': undefined }],
    ['with another value of it', { 'commerce-dashboard': 'true' }],
    ['from another site', { 'sec-fetch-site': 'cross-site' }],
    ['from another host of the same site', { 'sec-fetch-site': 'same-site' }],
    ['from an address that was typed', { 'sec-fetch-site': 'none' }],
    ['without a word about the site', { 'sec-fetch-site': undefined }],
    ['from another origin', { 'sec-fetch-site': undefined, origin: 'http://127.0.0.1:3001' }],
  ])('counts for nothing %s', async (_, changed) => {
    const { app, shop, headers } = await enter();
    const sent = Object.fromEntries(Object.entries({ ...headers, ...changed }).filter(([, value]) => value));
    const answer = await ask(app, `GET /stores/${shop.store.id}/products`, { headers: sent as Record<string, string> });
    expectEnvelope(answer, { status: 401, code: 'UNAUTHORIZED', message: /API key is required/ });
  });

  it('counts with an origin of the same host, where a browser says nothing about the site', async () => {
    const { app, shop, headers } = await enter();
    const { 'sec-fetch-site': _, ...rest } = headers;
    const sent = { ...rest, origin: 'http://127.0.0.1:3000' };
    expect((await ask(app, `GET /stores/${shop.store.id}/products`, { headers: sent })).status).toBe(200);
  });

  it('gives way to a key in the same request, even to a bad one', async () => {
    const { to } = await enter();
    const answer = await to('GET /products', undefined, { authorization: 'Bearer ck_live_nothing' });
    expectEnvelope(answer, { status: 401, code: 'UNAUTHORIZED', message: /API key is not valid/ });
  });

  it('does what its role can, and fulfilment counts stock besides', async () => {
    const { to, shop } = await enter('fulfilment');
    const { id } = await newProduct(shop, { trackStock: true, stock: 5 });
    expect((await to('GET /orders')).status).toBe(200);
    expectEnvelope(await to(`PUT /products/${id}`, { title: 'x' }), {
      status: 403,
      code: 'FORBIDDEN',
      message: /the role of the user does not have the scope product\.write/,
    });
    expect((await to(`POST /products/${id}/stock`, { adjustment: 2 })).status).toBe(200);
    const reader = await enter('reader');
    const other = await newProduct(reader.shop, { trackStock: true, stock: 5 });
    expect((await reader.to(`POST /products/${other.id}/stock`, { adjustment: 2 })).status).toBe(403);
    expect((await reader.to('GET /users')).status).toBe(403);
  });

  it('makes orders by hand, which keys do with `--orders-api` only', async () => {
    const { app, shop, to } = await enter('owner');
    const { sku } = await newProduct(shop, { sku: 'MUG' });
    const body = { items: [{ sku, quantity: 1 }] };
    expect((await to('POST /orders', body)).status).toBe(201);
    const key = await newKey(shop);
    const refused = await ask(app, `POST /stores/${shop.store.id}/orders`, { key, body });
    expect(refused.status).toBe(405);
  });

  it('leaves no code and no password in what an Idempotency-Key keeps', async () => {
    const { shop, to, email } = await enter();
    const key = { 'idempotency-key': 'once' };
    await to('POST /users/me', { email, password }, key);
    const first = await to('POST /users', { email: `x${email}`, role: 'reader' }, key);
    expect(first.json).toMatchObject({ item: { code: expect.any(String) } });
    const again = await to('POST /users', { email: `x${email}`, role: 'reader' }, key);
    expect(again.headers['Idempotent-Replayed']).toBe('true');
    expect(again.json).not.toHaveProperty('item.code');
    const kept = await shop.engine.storage.db
      .selectFrom('idempotent_requests')
      .select(['route', 'body'])
      .where('store_id', '=', shop.store.id)
      .execute();
    expect(kept).toEqual([{ route: 'POST /users', body: expect.not.stringContaining('code') }]);
  });

  it('is of one store only', async () => {
    const { app, headers } = await enter('owner');
    const another = await newShop(commerce());
    const answer = await ask(app, `GET /stores/${another.store.id}/products`, { headers });
    expectEnvelope(answer, { status: 403, code: 'FORBIDDEN' });
  });

  it('ends by signing out, and with its user', async () => {
    const { app, headers, to } = await enter('owner');
    expect((await to('GET /users/me')).status).toBe(200);
    const out = await ask(app, 'POST /dashboard/sign-out', { headers });
    expect(out.headers['Set-Cookie']).toMatch(/^commerce=; .*Max-Age=0$/);
    expectEnvelope(await to('GET /users/me'), { status: 401, code: 'UNAUTHORIZED', message: /session has ended/ });
    const disabled = await enter('reader');
    const [user] = (await listUsers(disabled.shop)).items;
    await updateUser(disabled.shop, user?.id ?? '', { status: 'disabled' });
    expect((await disabled.to('GET /products')).status).toBe(401);
  });

  it('names the user and the address in the audit log', async () => {
    const { app, headers, shop, email } = await enter('owner');
    const [user] = (await listUsers(shop)).items;
    const body = Buffer.from(JSON.stringify({ email: `x${email}`, role: 'reader' }));
    const request = {
      method: 'POST',
      url: `/stores/${shop.store.id}/users`,
      headers: { ...headers, 'content-type': 'application/json' },
      address: '192.0.2.9',
      readBody: async () => body,
    };
    expect((await app.handle(request, 'r')).status).toBe(201);
    const { items } = await listAuditLogs(shop, { action: 'user.invited' });
    expect(items[0]).toMatchObject({ actorType: 'user', actorId: user?.id, changes: { address: '192.0.2.9' } });
  });

  it('is begun by an e-mail and its password, and tells who it is', async () => {
    const { to, app, shop, email } = await enter();
    const account = await to('POST /users/me', { email, name: 'Ada', password });
    expect(account.json).toMatchObject({ item: { email, role: 'owner', status: 'active', hasPassword: true } });
    const again = await ask(app, 'POST /dashboard/sign-in', { body: { email, password }, headers: own });
    expect(again.json).toEqual({ item: { storeId: shop.store.id } });
    const headers = { ...own, cookie: cookieIn(again.headers) };
    const who = await ask(app, `GET /stores/${shop.store.id}/whoami`, { headers });
    expect(who.json).toMatchObject({ key: null, user: { email, name: 'Ada', role: 'owner' } });
    const sessions = await ask(app, `GET /stores/${shop.store.id}/users/me/sessions`, { headers });
    expect(sessions.json).toMatchObject({ total: 2, items: [{ isCurrent: true }, { isCurrent: false }] });
    const wrong = await ask(app, 'POST /dashboard/sign-in', { body: { email, password: 'other cups' }, headers: own });
    expectEnvelope(wrong, { status: 401, code: 'UNAUTHORIZED', message: /e-mail or the password is wrong/ });
    expect(wrong.headers['Set-Cookie']).toBeUndefined();
  });

  it('asks for the store of a person of several, and says how long too many failures wait', async () => {
    const [first, second] = [await enter(), await enter()];
    for (const { to } of [first, second]) await to('POST /users/me', { email: first.email, password });
    const asked = await ask(first.app, 'POST /dashboard/sign-in', {
      body: { email: first.email, password },
      headers: own,
    });
    expect(asked.status).toBe(200);
    expect(asked.json).toMatchObject({ choose: [{ name: 'Shop' }, { name: 'Shop' }] });
    const { id } = second.shop.store;
    const body = { email: first.email, password, storeId: id };
    const chosen = await ask(first.app, 'POST /dashboard/sign-in', { body, headers: own });
    expect(chosen.json).toEqual({ item: { storeId: id } });
    const wrong = { email: 'nobody@shop.test', password: 'other cups of tea' };
    for (let i = 0; i < 5; i++) await ask(first.app, 'POST /dashboard/sign-in', { body: wrong, headers: own });
    const refused = await ask(first.app, 'POST /dashboard/sign-in', { body: wrong, headers: own });
    expectEnvelope(refused, { status: 429, code: 'RATE_LIMITED', message: /passkey or a link/ });
    expect(Number(refused.headers['Retry-After'])).toBeGreaterThan(600);
  });

  describe('a passkey', () => {
    it('is asked for with a challenge, which anybody can have', async () => {
      const { to } = await enter('owner');
      const created = await to('POST /users/me/passkey-options');
      expect(created.json).toMatchObject({ item: { rp: { id: 'localhost' }, challenge: expect.any(String) } });
      const options = await ask(appOf(), 'POST /dashboard/passkey-options');
      expect(options.json).toMatchObject({ item: { rpId: 'localhost', userVerification: 'required' } });
      const answer = { body: { passkey: { id: 'x' } }, headers: own };
      expectEnvelope(await ask(appOf(), 'POST /dashboard/sign-in', answer), { status: 401, code: 'UNAUTHORIZED' });
      expectEnvelope(await to('POST /users/me/passkeys', { name: 'Laptop', response: {} }), {
        status: 400,
        code: 'VALIDATION_ERROR',
        fields: ['response'],
      });
    });
  });

  it('does not exist without the dashboard', async () => {
    const app = createApp(commerce());
    const { shop } = await enter();
    for (const [method, url] of [
      ['GET', '/dashboard/sign-in'],
      ['POST', '/dashboard/sign-out'],
    ] as const) {
      const request = { method, url, headers: own, readBody: async () => Buffer.alloc(0) };
      expect((await app.handle(request, 'r')).status).toBe(404);
    }
    const key = await newKey(shop);
    const headers = { authorization: `Bearer ${key}` };
    const url = `/stores/${shop.store.id}/users`;
    const request = { method: 'GET', url, headers, readBody: async () => Buffer.alloc(0) };
    expect((await app.handle(request, 'r')).status).toBe(404);
  });
});
