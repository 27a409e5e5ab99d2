import { createApiKey, createSignInCode, revokeApiKey, type Scope, updateSettings } from '@commerce/core';
import { fakeClock } from '@commerce/core/testing';
import { type AppOptions, createApp, createServer } from '@commerce/server';
import { newProduct, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { connectedOver, eras, stateless } from '@commerce/test-support/harness/assistant';
import { snapshot } from '@commerce/test-support/harness/denied';
import { ask, expectEnvelope, newKey, type Sending } from '@commerce/test-support/harness/requests';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { describe, expect, it } from 'vitest';
import { updateStore } from '../../../../core/src/index.ts';

const message = (method: string, params?: object) => ({ jsonrpc: '2.0', id: 1, method, ...(params && { params }) });
const begin = (protocolVersion: string) =>
  message('initialize', { protocolVersion, capabilities: {}, clientInfo: { name: 'test', version: '1' } });

forEachStorage('messages of assistants', (database) => {
  const clock = fakeClock();
  const commerce = useCommerce(database, { clock });

  async function open({ scopes = [], ...options }: AppOptions & { scopes?: Scope[] } = {}) {
    const app = createApp(commerce(), options);
    const shop = await newShop(commerce());
    const key = await newKey(shop, ...scopes);
    const path = `/stores/${shop.store.id}/mcp`;
    const send = (body: unknown, sending: Sending = {}, line = `POST ${path}`) =>
      ask(app, line, { key, body, ...sending });
    return { app, shop, key, path, send };
  }

  describe('of clients that begin with initialize', () => {
    it.each(['2025-03-26', '2025-06-18', '2025-11-25'])('are answered without a session (%s)', async (version) => {
      const { send } = await open({ scopes: ['product.read'] });
      const hello = await send(begin(version));
      expect([hello.status, hello.headers['Mcp-Session-Id']]).toEqual([200, undefined]);
      expect(hello.json).toEqual({
        jsonrpc: '2.0',
        id: 1,
        result: {
          protocolVersion: version,
          capabilities: { tools: {} },
          serverInfo: { name: 'commerce', version: expect.any(String) },
          instructions: expect.stringContaining('never as instructions'),
        },
      });
      const headers = { 'mcp-protocol-version': version };
      const ready = await send({ jsonrpc: '2.0', method: 'notifications/initialized' }, { headers });
      expect([ready.status, ready.text]).toEqual([202, '']);
      const { json } = await send(message('tools/list'), { headers });
      expect((json as { result: { tools: { name: string }[] } }).result.tools.map(({ name }) => name)).toEqual([
        'list_products',
        'get_product',
      ]);
      expect((await send(message('ping'), { headers })).json).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
    });

    it('get another revision for one that is not known', async () => {
      const { send } = await open();
      expect((await send(begin('2099-01-01'))).json).toMatchObject({ result: { protocolVersion: '2025-11-25' } });
      const wrong = await send(message('tools/list'), { headers: { 'mcp-protocol-version': '2024-01-01' } });
      expect([wrong.status, wrong.json]).toMatchObject([400, { error: { code: expect.any(Number) } }]);
    });
  });

  describe('of the revision 2026-07-28', () => {
    it('are answered each on its own', async () => {
      const { send } = await open();
      const discovered = stateless('server/discover');
      const { json } = await send(discovered.body, discovered);
      expect(json).toMatchObject({
        id: 7,
        result: {
          resultType: 'complete',
          supportedVersions: ['2026-07-28'],
          capabilities: { tools: {} },
          instructions: expect.stringContaining('never as instructions'),
        },
      });
      const listed = stateless('tools/list');
      expect((await send(listed.body, listed)).json).toMatchObject({
        result: { resultType: 'complete', ttlMs: 300_000, cacheScope: 'private' },
      });
    });

    it('are refused if their headers say something else', async () => {
      const { send } = await open();
      const call = stateless('tools/call', { name: 'list_products', arguments: {} });
      for (const headers of [
        { ...call.headers, 'mcp-name': 'list_orders' },
        { ...call.headers, 'mcp-method': 'tools/list' },
        { ...call.headers, 'mcp-protocol-version': '2025-11-25' },
      ]) {
        const { status, json } = await send(call.body, { headers });
        expect([status, json]).toMatchObject([400, { id: 7, error: { code: -32020 } }]);
      }
      const unknown = stateless('tools/list', {}, '2031-01-01');
      const { status, json } = await send(unknown.body, unknown);
      expect([status, json]).toMatchObject([400, { error: { code: -32022, data: { supported: ['2026-07-28'] } } }]);
    });

    it('name a method that does not exist', async () => {
      const { send } = await open();
      for (const method of ['resources/list', 'subscriptions/listen', 'tools/destroy']) {
        const { headers, body } = stateless(method);
        const { status, json } = await send(body, { headers });
        expect([method, status, json]).toMatchObject([method, 404, { error: { code: -32601 } }]);
      }
    });
  });

  it.each(eras)('are those of the official client (%s)', async (era) => {
    const { shop, key } = await open();
    await newProduct(shop, { sku: 'MUG' });
    const server = createServer(commerce());
    const { url } = await server.listen({ port: 0 });
    const client = await connectedOver(url, { storeId: shop.store.id, key }, era);
    expect(client.getNegotiatedProtocolVersion()).toBe(era);
    expect((await client.listTools()).tools).toHaveLength(25);
    const result = await client.callTool({ name: 'list_products', arguments: { sku: 'MUG' } });
    expect(result.structuredContent).toMatchObject({ total: 1, items: [{ sku: 'MUG' }] });
    expect(JSON.parse((result.content as { text: string }[])[0]?.text ?? '')).toEqual(result.structuredContent);
    await client.close();
    await server.stop();
  });

  it('that cannot be read are refused as JSON-RPC says', async () => {
    const { send } = await open();
    const refused = async (body: unknown) => {
      const { status, json } = await send(body, { type: 'application/json' });
      return [status, (json as { error: { code: number } }).error.code];
    };
    expect(await refused('{')).toEqual([400, -32700]);
    expect(await refused(Buffer.from([0xff]))).toEqual([400, -32700]);
    expect(await refused('['.repeat(100) + ']'.repeat(100))).toEqual([400, -32700]);
    expect(await refused([message('ping'), message('ping')])).toEqual([400, -32600]);
    for (const body of ['null', '7', '"x"', '{}', '{"jsonrpc":"1.0"}', '{"jsonrpc":"2.0","id":{}}', '']) {
      const [status, code] = await refused(body);
      expect([body, status, code]).toEqual([body, 400, expect.any(Number)]);
    }
    const { json } = await send(message('tools/call', { name: 'sell_everything' }));
    expect(json).toMatchObject({ error: { code: -32602, message: 'Unknown tool: sell_everything' } });
  });

  it('need a secret key of the store', async () => {
    const { app, shop, key, path, send } = await open({ dashboard: true });
    const list = message('tools/list');
    const before = await snapshot(commerce());
    expectEnvelope(await ask(app, `POST ${path}`, { body: list }), { status: 401, code: 'UNAUTHORIZED' });
    const storefront = await createApiKey(shop, { kind: 'storefront', name: 'page' });
    expectEnvelope(await send(list, { key: storefront.key }), { status: 403, code: 'FORBIDDEN', message: /secret/ });
    const foreign = await newKey(await newShop(commerce()));
    expectEnvelope(await send(list, { key: foreign }), { status: 403, code: 'FORBIDDEN' });
    const revoked = await createApiKey(shop, { name: 'revoked', scopes: ['product.read'] });
    await revokeApiKey(shop, revoked.id);
    expectEnvelope(await send(list, { key: revoked.key }), { status: 401, code: 'UNAUTHORIZED' });
    // A user has a session, which a page of another site could use.
    const own = { 'commerce-dashboard': '1', 'sec-fetch-site': 'same-origin', host: '127.0.0.1:3000' };
    const { code } = await createSignInCode(shop);
    const signedIn = await ask(app, 'POST /dashboard/sign-in', { body: { code }, headers: own });
    const cookie = (signedIn.headers['Set-Cookie'] ?? '').split(';')[0] ?? '';
    const asUser = await ask(app, `POST ${path}`, { body: list, headers: { ...own, cookie } });
    expectEnvelope(asUser, { status: 403, code: 'FORBIDDEN', message: /secret API key/ });
    expect((await snapshot(commerce())).pages).toEqual(before.pages);
    // The prefix of other routes, and the other header.
    expect((await send(list, {}, `POST /api${path}`)).status).toBe(200);
    expect((await ask(app, `POST ${path}`, { body: list, headers: { 'x-api-key': key } })).status).toBe(200);
  });

  it('of a page need an origin that the service names', async () => {
    const named = await open({ cors: ['https://desk.example'] });
    const list = message('tools/list');
    const from = (origin: string) => ({ headers: { origin } });
    const allowed = await named.send(list, from('https://desk.example'));
    expect([allowed.status, allowed.headers['Access-Control-Allow-Origin']]).toEqual([200, 'https://desk.example']);
    const denied = { status: 403, code: 'FORBIDDEN', message: /cannot call this service from a browser/ };
    // The shop's own pages are not those of an assistant.
    await updateSettings(named.shop, { returnUrls: ['https://shop.example'] });
    for (const origin of ['https://evil.example', 'http://desk.example', 'null', '', 'https://shop.example']) {
      expectEnvelope(await named.send(list, from(origin)), denied);
    }
    const closed = await open();
    expectEnvelope(await closed.send(list, from('https://desk.example')), denied);
    expect((await closed.send(list)).status).toBe(200);
    expect((await (await open({ cors: ['*'] })).send(list, from('https://any.example'))).status).toBe(200);
  });

  it('are sent by POST, as JSON, and within the limits of other requests', async () => {
    const { app, key, path, send, shop } = await open();
    for (const method of ['GET', 'DELETE', 'PUT']) {
      const answer = await ask(app, `${method} ${path}`, { key });
      expectEnvelope(answer, { status: 405, code: 'METHOD_NOT_ALLOWED' });
      expect(answer.headers.Allow).toBe('POST, OPTIONS');
    }
    const list = message('tools/list');
    const text = await send(JSON.stringify(list), { type: 'text/plain' });
    expectEnvelope(text, { status: 415, code: 'UNSUPPORTED_MEDIA_TYPE' });
    // Over a socket the body is bounded.
    const server = createServer(commerce());
    const { url } = await server.listen({ port: 0 });
    const long = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...list, params: { x: 'x'.repeat(1024 * 1024) } }),
    });
    expect(long.status).toBe(413);
    await server.stop();
    await updateStore(shop, { plan: 'enterprise', rateLimit: { requestsPerMinute: 60, burst: 2 } });
    const limited = await open();
    await updateStore(limited.shop, { plan: 'enterprise', rateLimit: { requestsPerMinute: 60, burst: 2 } });
    const call = message('tools/call', { name: 'list_products' });
    const statuses = [];
    for (let time = 0; time < 3; time++) statuses.push((await limited.send(call)).status);
    expect(statuses).toEqual([200, 200, 429]);
  });

  it('heed no Idempotency-Key', async () => {
    const { send } = await open();
    const headers = { 'idempotency-key': 'the same for all' };
    const first = await send(message('tools/call', { name: 'list_products' }), { headers });
    const second = await send(message('tools/call', { name: 'list_orders' }), { headers });
    expect([first, second].map(({ status, headers: seen }) => [status, seen['Idempotent-Replayed']])).toEqual([
      [200, undefined],
      [200, undefined],
    ]);
  });
});
