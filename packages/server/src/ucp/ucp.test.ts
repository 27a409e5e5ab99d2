import { request as httpRequest } from 'node:http';
import { PassThrough } from 'node:stream';
import { text as textOf } from 'node:stream/consumers';
import { type Context, openCommerce, updateSettings, updateStore } from '@commerce/core';
import { type CommerceServer, createApp, createServer, openLog } from '@commerce/server';
import { newProduct, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { expectDocumented } from '@commerce/test-support/harness/contract';
import { ask } from '@commerce/test-support/harness/requests';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { expectUcp } from '@commerce/test-support/harness/ucp-schemas';
import { until } from '@commerce/test-support/harness/until';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';

interface Product {
  id: string;
  title: string;
  variants: { id: string }[];
}
interface Rpc {
  jsonrpc: string;
  id: unknown;
  result?: {
    structuredContent?: { products?: Product[]; product?: Product; ucp: { status: string } };
    content?: { type: string; text: string }[];
    tools?: { name: string; description: string; annotations: object; inputSchema: object; outputSchema: object }[];
    [name: string]: unknown;
  };
  error?: { code: number; message: string; data?: Record<string, unknown> };
}

const modern = '2026-07-28';
const prefix = 'io.modelcontextprotocol';

/** A call by the present revision, which has no session. */
function modernCall(method: string, params: object = {}, id: number | string = 1) {
  return {
    jsonrpc: '2.0',
    id,
    method,
    params: {
      ...params,
      _meta: {
        [`${prefix}/protocolVersion`]: modern,
        [`${prefix}/clientInfo`]: { name: 'agent of a test', version: '1' },
        [`${prefix}/clientCapabilities`]: {},
      },
    },
  };
}
const modernHeaders = (method: string, name?: string) => ({
  'mcp-protocol-version': modern,
  'mcp-method': method,
  ...(name && { 'mcp-name': name }),
});

forEachStorage('agents over HTTP', (database) => {
  const publicUrl = 'https://api.example';
  const commerce = useCommerce(database, { publicUrl });
  const faults: unknown[] = [];
  const stream = new PassThrough();
  const lines: Buffer[] = [];
  stream.on('data', (line) => lines.push(line));
  const log = openLog(stream);
  let server: CommerceServer;
  let port: number;
  let shop: Context;
  let made = 0;
  beforeAll(async () => {
    server = createServer(commerce(), {
      trustProxy: true,
      storefrontLimits: { reads: 50, writes: 60 },
      onError: (error) => faults.push(error),
      onRequest: (entry) => log.request(entry),
    });
    ({ port } = await server.listen({ port: 0 }));
    shop = await newShop(commerce());
    await updateSettings(shop, {
      productUrl: 'https://shop.example/p/{slug}',
      ucp: { enabled: true, host: 'shop.example' },
    });
    for (const size of ['S', 'M']) {
      await newProduct(shop, { title: 'Shirt', variantGroupId: 'shirts', attributes: { size } });
    }
    await newProduct(shop, { title: 'Secret', status: 'draft' });
  });
  afterAll(() => server?.stop());
  afterEach(() => {
    expect(faults.splice(0)).toEqual([]);
  });

  /** Each request comes from its own network address, but for those that count. */
  function send(
    line: string,
    {
      body,
      headers = {},
      from = `203.0.113.${++made % 250}`,
    }: { body?: unknown; headers?: object; from?: string } = {},
  ) {
    const [method, path] = line.split(' ');
    const bytes = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body);
    const all = {
      'x-forwarded-for': from,
      ...(bytes !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(bytes) }),
      ...headers,
    };
    return new Promise<{ status: number; headers: Record<string, string | undefined>; text: string }>(
      (resolve, reject) => {
        httpRequest({ host: '127.0.0.1', port, path, method, headers: all as never }, async (answer) => {
          const given = {
            status: answer.statusCode ?? 0,
            headers: answer.headers as never,
            text: await textOf(answer),
          };
          await expectDocumented(method ?? '', path ?? '', given.status, given.headers, given.text).catch(reject);
          resolve(given);
        })
          .on('error', reject)
          .end(bytes);
      },
    );
  }

  const pathOf = (operation: string, storeId = shop.store.id) => `/ucp/${storeId}/catalog/${operation}`;
  const jsonOf = ({ text }: { text: string }) => JSON.parse(text);
  const rpc = async (body: object, headers: object = {}) => {
    const answer = await send(`POST /ucp/${shop.store.id}/mcp`, { body, headers });
    return { ...answer, json: (answer.text === '' ? {} : jsonOf(answer)) as Rpc };
  };
  const callTool = (name: string, catalog: unknown) =>
    rpc(modernCall('tools/call', { name, arguments: { catalog } }), modernHeaders('tools/call', name));

  it('find the profile of the store that the host names, which caches and pages can keep and read', async () => {
    const get = (headers: object = {}, method = 'GET') => send(`${method} /.well-known/ucp`, { headers });
    const answer = await get({ host: 'SHOP.example' });
    expect(answer).toMatchObject({
      status: 200,
      headers: {
        'content-type': expect.stringMatching(/^application\/json/),
        'cache-control': 'public, max-age=600',
        'access-control-allow-origin': '*',
        etag: expect.stringMatching(/^"[\w-]{22}"$/),
      },
    });
    const profile = jsonOf(answer);
    expectUcp('profile', profile);
    expectUcp('fullProfile', profile);
    const [rest, mcp] = profile.ucp.services['dev.ucp.shopping'];
    expect(rest).toMatchObject({ transport: 'rest', endpoint: `https://api.example/ucp/${shop.store.id}` });
    expect(mcp).toMatchObject({ transport: 'mcp', endpoint: `https://api.example/ucp/${shop.store.id}/mcp` });
    expect(profile.ucp.payment_handlers).toEqual({});
    const again = await get({ host: 'shop.example', 'if-none-match': answer.headers.etag });
    expect(again).toMatchObject({ status: 304, text: '' });
    expect(await get({ host: 'shop.example' }, 'HEAD')).toMatchObject({ status: 200, text: '' });
    const forwarded = await get({ host: 'inner', 'x-forwarded-host': 'shop.example', 'x-forwarded-proto': 'https' });
    expect(forwarded.text).toBe(answer.text);
    for (const host of ['other.example', 'shop.example:8080', '127.0.0.1']) {
      expect(await get({ host }), host).toMatchObject({ status: 404 });
    }
    expect(await get({ host: 'shop.example' }, 'POST')).toMatchObject({
      status: 405,
      headers: { allow: 'GET, HEAD, OPTIONS' },
    });
  });

  it('search, look up and read products over REST, in any origin, and nothing is kept', async () => {
    const headers = { origin: 'https://any.example', 'ucp-agent': 'profile="http://169.254.169.254/"' };
    const answer = await send(`POST ${pathOf('search')}`, { body: { query: 'shirt' }, headers });
    expect(answer).toMatchObject({
      status: 200,
      headers: { 'access-control-allow-origin': '*', 'cache-control': 'no-store' },
    });
    expectUcp('search', jsonOf(answer));
    const [{ id, variants }] = jsonOf(answer).products;
    expect(variants).toHaveLength(2);
    const looked = await send(`POST ${pathOf('lookup')}`, { body: { ids: [id, 'nothing'] } });
    expect(looked.status).toBe(200);
    expectUcp('lookup', jsonOf(looked));
    const read = await send(`POST ${pathOf('product')}`, { body: { id } });
    expectUcp('product', jsonOf(read));
    const none = await send(`POST ${pathOf('product')}`, { body: { id: 'nothing' } });
    expect(none.status).toBe(200);
    expectUcp('error', jsonOf(none));
    const secret = await send(`POST ${pathOf('search')}`, { body: { query: 'secret' } });
    expect(jsonOf(secret)).toMatchObject({ products: [], pagination: { total_count: 0 } });
  });

  it('are told what is wrong by the codes of the protocol, beside the envelope of every error', async () => {
    const wrong = await send(`POST ${pathOf('search')}`, { body: {} });
    expect(wrong).toMatchObject({ status: 400, headers: { 'access-control-allow-origin': '*' } });
    expect(jsonOf(wrong)).toEqual({
      code: 'invalid_request',
      content: expect.stringContaining('query'),
      error: expect.objectContaining({
        code: 'VALIDATION_ERROR',
        details: [expect.objectContaining({ field: 'query' })],
      }),
    });
    const many = await send(`POST ${pathOf('lookup')}`, { body: { ids: Array(51).fill('x') } });
    expect([many.status, jsonOf(many).code]).toEqual([400, 'request_too_large']);
    const large = await send(`POST ${pathOf('search')}`, {
      body: { query: 'x', signals: { 'a.b': 'x'.repeat(65_536) } },
    });
    expect([large.status, jsonOf(large).code]).toEqual([413, 'request_too_large']);
    const deep = await send(`POST ${pathOf('search')}`, { body: `{"signals":${'['.repeat(20_000)}` });
    expect([deep.status, jsonOf(deep).content]).toEqual([400, 'the body must be nested at most 32 deep']);
    for (const body of ['{', '', '\ufffe', '{"query":"x"', 'null', '[]', '7']) {
      expect((await send(`POST ${pathOf('search')}`, { body })).status, body).toBe(400);
    }
    const typed = await send(`POST ${pathOf('search')}`, {
      body: 'query=x',
      headers: { 'content-type': 'text/plain' },
    });
    expect([typed.status, jsonOf(typed).error.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
    for (const method of ['GET', 'PUT', 'DELETE', 'PATCH']) {
      const answer = await send(`${method} ${pathOf('search')}`);
      expect(answer, method).toMatchObject({ status: 405, headers: { allow: 'POST, OPTIONS' } });
    }
    const preflight = await send(`OPTIONS ${pathOf('search')}`, {
      headers: { origin: 'https://any.example', 'access-control-request-method': 'POST' },
    });
    expect(preflight).toMatchObject({
      status: 204,
      headers: {
        allow: 'POST, OPTIONS',
        'access-control-allow-origin': '*',
        'access-control-allow-headers': expect.stringContaining('UCP-Agent'),
      },
    });
    expect(preflight.headers).not.toHaveProperty('access-control-allow-credentials');
  });

  it('get the same answer for a store without a catalogue and for none', async () => {
    const off = await newShop(commerce());
    const answers = [];
    for (const id of [off.store.id, '0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70', 'x', '%00', '%', "'--", '..']) {
      const answer = await send(`POST ${pathOf('search', id)}`, { body: { query: 'x' } });
      answers.push([answer.status, answer.text]);
    }
    expect(new Set(answers.map(String)).size).toBe(1);
    expect(answers[0]?.[0]).toBe(404);
    const mcp = await send(`POST /ucp/${off.store.id}/mcp`, { body: modernCall('tools/list') });
    expect([mcp.status, jsonOf(mcp).error.code]).toEqual([404, -32000]);
    expect((await send(`POST ${pathOf('checkout')}`, { body: {} })).status).toBe(404);
  });

  it('call the tools over MCP without a session, by the present revision', async () => {
    const discovered = await rpc(modernCall('server/discover'), modernHeaders('server/discover'));
    expect(discovered.json.result).toMatchObject({ supportedVersions: expect.arrayContaining([modern]) });
    const listed = await rpc(modernCall('tools/list'), modernHeaders('tools/list'));
    expect(listed.headers['content-type']).toMatch(/^application\/json/);
    const tools = listed.json.result?.tools ?? [];
    expect(tools.map(({ name }) => name)).toEqual(['search_catalog', 'lookup_catalog', 'get_product']);
    for (const { annotations } of tools)
      expect(annotations).toMatchObject({ readOnlyHint: true, destructiveHint: false });
    const found = await callTool('search_catalog', { query: 'shirt' });
    expect(found.status).toBe(200);
    const { structuredContent, content, isError } = found.json.result ?? {};
    expect(isError).toBeFalsy();
    expectUcp('search', structuredContent);
    expect(content).toEqual([{ type: 'text', text: JSON.stringify(structuredContent) }]);
    const id = structuredContent?.products?.[0]?.id;
    const looked = await callTool('lookup_catalog', { ids: [id, 'nothing'] });
    expectUcp('lookup', looked.json.result?.structuredContent);
    const read = await callTool('get_product', { id });
    expectUcp('product', read.json.result?.structuredContent);
    const none = await callTool('get_product', { id: 'nothing' });
    expectUcp('error', none.json.result?.structuredContent);
    expect(JSON.stringify(await callTool('search_catalog', { query: 'secret' }))).not.toContain('Secret');
  });

  it('call the tools as clients that begin with initialize do', async () => {
    const begun = await rpc({
      jsonrpc: '2.0',
      id: 'a',
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'old', version: '1' } },
    });
    expect(begun).toMatchObject({
      status: 200,
      json: { id: 'a', result: { protocolVersion: '2025-11-25', serverInfo: { name: 'commerce-ucp' } } },
    });
    expect(begun.headers).not.toHaveProperty('mcp-session-id');
    const noted = await rpc({ jsonrpc: '2.0', method: 'notifications/initialized' });
    expect([noted.status, noted.text]).toEqual([202, '']);
    // One that asks for JSON alone is answered, too.
    const headers = { 'mcp-protocol-version': '2025-06-18', accept: 'application/json' };
    const listed = await rpc({ jsonrpc: '2.0', id: 2, method: 'tools/list' }, headers);
    expect(listed.json.result?.tools).toHaveLength(3);
    const params = {
      name: 'search_catalog',
      arguments: { meta: { 'ucp-agent': { profile: 'https://a.example' } }, catalog: { query: 'shirt' } },
    };
    const found = await rpc({ jsonrpc: '2.0', id: 3, method: 'tools/call', params }, headers);
    expect(found.status).toBe(200);
    expectUcp('search', found.json.result?.structuredContent);
  });

  it('are refused by the rules of JSON-RPC', async () => {
    const refused = async (body: unknown, headers: object = {}) => {
      const answer = await send(`POST /ucp/${shop.store.id}/mcp`, { body, headers });
      return [answer.status, jsonOf(answer).error?.code];
    };
    const tool = (name: string, catalog?: unknown) =>
      callTool(name, catalog).then(({ json: { error } }) => error?.code);
    expect(await tool('search_catalog', {})).toBe(-32602);
    for (const wrong of [undefined, null, [], 'x']) {
      const { error } = (await callTool('search_catalog', wrong)).json;
      expect([error?.code, error?.message]).toEqual([-32602, 'catalog: must be an object with what the tool takes']);
    }
    expect(await tool('lookup_catalog', { ids: Array(51).fill('x') })).toBe(-32602);
    expect(await tool('get_product', { id: 7 })).toBe(-32602);
    expect(await tool('__proto__', { id: 'x' })).toBe(-32602);
    const stop = modernCall('tools/list');
    expect(await refused([stop, stop])).toEqual([400, -32600]);
    for (const body of ['{', 'null', '7', '"x"']) expect((await refused(body))[0], body).toBe(400);
    expect(await refused(modernCall('subscriptions/listen'), modernHeaders('subscriptions/listen'))).toEqual([
      404, -32601,
    ]);
    expect(await refused(modernCall('resources/list'), modernHeaders('resources/list'))).toEqual([404, -32601]);
    const other = await refused(modernCall('tools/list'), modernHeaders('tools/call', 'x'));
    expect(other).toEqual([400, -32020]);
    const large = { ...stop, params: { x: 'x'.repeat(65_536) } };
    expect((await refused(large))[0]).toBe(413);
    expect((await refused(`{"params":${'['.repeat(20_000)}`))[0]).toBe(400);
    expect((await refused(stop, { 'content-type': 'text/plain' }))[0]).toBe(415);
    const get = await send(`GET /ucp/${shop.store.id}/mcp`);
    expect(get).toMatchObject({ status: 405, headers: { allow: 'POST, OPTIONS' } });
  });

  it('have the limit of storefront keys for each network address, and that of the plan', async () => {
    const from = '198.51.100.7';
    for (let i = 0; i < 50; i++) await send(`POST ${pathOf('search')}`, { body: {}, from });
    const rest = await send(`POST ${pathOf('search')}`, { body: { query: 'x' }, from });
    expect([rest.status, jsonOf(rest).code]).toEqual([429, 'rate_limited']);
    expect(Number(rest.headers['retry-after'])).toBeGreaterThan(0);
    const mcp = await send(`POST /ucp/${shop.store.id}/mcp`, { body: modernCall('tools/list'), from });
    expect(mcp.status).toBe(429);
    expect(jsonOf(mcp).error).toMatchObject({ code: -32000, data: { retry_after: expect.any(Number) } });
    expect((await send('GET /.well-known/ucp', { from, headers: { host: 'shop.example' } })).status).toBe(429);
    await updateStore(shop, { rateLimit: { requestsPerMinute: 1, burst: 1 } });
    try {
      const all = [];
      for (let i = 0; i < 3; i++) all.push(await send(`POST ${pathOf('search')}`, { body: { query: 'x' } }));
      expect(all.map(({ status }) => status)).toEqual([200, 429, 429]);
      expect(all[1]?.headers).toMatchObject({ 'ratelimit-remaining': '0', 'retry-after': expect.any(String) });
    } finally {
      await updateStore(shop, { rateLimit: null });
    }
  });

  it('leave no words in the log, and the names of routes', async () => {
    // The log writes several lines at once, and those of the tests before may still come.
    const own = () =>
      Buffer.concat(lines)
        .toString()
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line) as { route: string; storeId: string; requestId: string })
        .filter(({ requestId }) => requestId?.startsWith('of-the-log-'));
    const headers = (n: number) => ({ 'x-request-id': `of-the-log-${n}` });
    await send(`POST ${pathOf('search')}`, { body: { query: 'my-secret-wish' }, headers: headers(1) });
    const call = modernCall('tools/call', {
      name: 'search_catalog',
      arguments: { catalog: { query: 'my-secret-wish' } },
    });
    await rpc(call, { ...modernHeaders('tools/call', 'search_catalog'), ...headers(2) });
    await send('GET /.well-known/ucp', { headers: { host: 'shop.example', ...headers(3) } });
    await until('the log has the three requests', () => own().length === 3);
    const entries = own();
    expect(entries.map(({ route }) => route)).toEqual([
      '/ucp/{storeId}/catalog/search',
      '/ucp/{storeId}/mcp',
      '/.well-known/ucp',
    ]);
    expect(entries.every(({ storeId }) => storeId === shop.store.id)).toBe(true);
    expect(Buffer.concat(lines).toString()).not.toContain('my-secret-wish');
  });

  it('find addresses that begin with that of the request, if the service does not know its own', async () => {
    const own = await openCommerce({ storage: database.open() });
    try {
      const app = createApp(own, { basePath: '/api-of-shop/' });
      const answer = await ask(app, 'GET /.well-known/ucp', { headers: { host: 'Shop.Example' } });
      expect(answer.status).toBe(200);
      expect(answer.text).toContain(`"http://shop.example/api-of-shop/ucp/${shop.store.id}/mcp"`);
      expect((await ask(app, 'GET /.well-known/ucp')).status).toBe(404);
      expect((await ask(app, `OPTIONS /ucp/${shop.store.id}/catalog/checkout`)).status).toBe(404);
    } finally {
      await own.close();
    }
  });
});
