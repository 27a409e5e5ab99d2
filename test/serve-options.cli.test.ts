import { mkdtempSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { client, initShop } from '@commerce/test-support/fixtures/served-shop';
import { commerce, commerceJson, type RunningServer, startServer } from '@commerce/test-support/harness/processes';
import { until } from '@commerce/test-support/harness/until';
import { afterAll, afterEach, describe, expect, it } from 'vitest';

describe('the options of commerce serve', () => {
  const folder = mkdtempSync(join(tmpdir(), 'commerce-test-'));
  let files = 0;
  const newFile = () => join(folder, `${++files}.db`);
  let server: RunningServer | undefined;
  afterEach(() => server?.kill());
  afterAll(() => rm(folder, { recursive: true, force: true }));
  const lines = () =>
    (server?.stderr() ?? '')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line));

  it.each([
    [['--cors', 'shop.example'], /origins such as https:\/\/shop\.example/],
    [['--cors', 'https://shop.example/path'], /origins such as/],
    [['--cors', 'https://user@shop.example'], /origins such as/],
    [['--cors', 'https://shop.example,'], /origins such as/],
    [['--cors', 'ftp://shop.example'], /origins such as/],
    ...['600', '600,', '0,60', '600,60,1', '600;60', '-1,60'].map(
      (limits) =>
        [['--storefront-limits', limits], /two whole numbers from 1 to 999999, such as 600,60/] as [string[], RegExp],
    ),
    [['--host', ''], /an address such as 127\.0\.0\.1/],
    [['--max-connections', '0'], /whole number from 1/],
    [['--max-connections', 'many'], /whole number from 1/],
    [['--log', 'xml'], /Allowed choices are off, on, json/],
    [['--metrics', 'perhaps'], /1, true or yes/],
    [['--trust-proxy', 'perhaps'], /1, true or yes/],
  ])('are refused when they are wrong: %j', async (flags, message) => {
    const { code, stderr } = await commerce(['serve', '--db', newFile(), '--port', '0', ...flags]);
    expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
  });

  it('limit storefront keys by network address, in a process of its own and with workers', async () => {
    const file = newFile();
    const shop = await initShop(file);
    const create = ['keys', 'create', '--db', file, '--name', 'page', '--preset', 'storefront'];
    const { item } = await commerceJson(create);
    for (const flags of [[], ['--workers', '2']]) {
      server = await startServer(file, ['--storefront-limits', '3,1', '--trust-proxy', ...flags]);
      const send = async (method: string, address: string) => {
        const response = await fetch(`${server?.url}/stores/${shop.storeId}/products`, {
          method,
          headers: { authorization: `Bearer ${item.key}`, 'x-forwarded-for': `198.51.100.1, ${address}` },
          ...(method === 'POST' ? { body: '{}' } : {}),
        });
        await response.arrayBuffer();
        return [response.status, response.headers.get('retry-after')];
      };
      expect(await send('POST', '192.0.2.1')).toEqual([403, null]);
      expect(await send('POST', '192.0.2.1')).toEqual([429, expect.stringMatching(/^[1-9]\d?$/)]);
      expect(await send('POST', '192.0.2.2')).toEqual([403, null]);
      // Each of two workers counts its own reads.
      expect(await send('GET', '192.0.2.1')).toEqual([200, null]);
      await until('one address has read enough', async () => (await send('GET', '192.0.2.1'))[0] === 429);
      await server.stop();
    }
  });

  it('log every request on standard error, and what goes wrong with its request id', async () => {
    const file = newFile();
    const shop = await initShop(file);
    server = await startServer(file, ['--log', 'json']);
    const send = client(server.url, shop);
    expect((await send('GET', '/products?search=hunter2')).status).toBe(200);
    expect((await send('POST', '/products', { title: 'hunter2' })).status).toBe(400);
    expect((await fetch(`${server.url}/metrics`)).status).toBe(404);
    await rename(file, `${file}.old`);
    const broken = await fetch(`${server.url}/readyz`, { headers: { 'x-request-id': 'the-broken-one' } });
    expect(broken.status).toBe(503);
    await rename(`${file}.old`, file);
    await until('all is logged', () => lines().length >= 6);
    expect(lines().filter(({ level }) => level !== 'error')).toMatchObject([
      { level: 'warn', event: 'secrets.clear' },
      { level: 'info', method: 'GET', route: '/products', status: 200, storeId: shop.storeId },
      { level: 'info', method: 'POST', route: '/products', status: 400, key: shop.key.slice(0, 12) },
      { level: 'info', method: 'GET', route: '', status: 404 },
      { level: 'warn', method: 'GET', route: '/readyz', status: 503, requestId: 'the-broken-one' },
    ]);
    const faults = lines().filter(({ level }) => level === 'error');
    expect(faults).toMatchObject([{ requestId: 'the-broken-one', cause: { code: 'ENOENT' } }]);
    expect(server.stderr()).not.toMatch(new RegExp(`hunter2|${shop.key}`));
    expect(await server.stop()).toBe(0);
  });

  it.each([
    ['0.0.0.0', []],
    ['::', []],
    ['::', ['--workers', '2']],
  ])(
    'print an address that answers for %s, and warn when it is the only one that others are told: %j',
    async (host, flags) => {
      const json = ['--log', 'json'];
      const told = () => lines().filter(({ event }) => event === 'public-url.missing');
      server = await startServer(newFile(), ['--host', host, ...json, ...flags]);
      expect(server.url).toMatch(host === '::' ? /^http:\/\/\[::1\]:\d+$/ : /^http:\/\/127\.0\.0\.1:\d+$/);
      expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
      await until('it warns', () => told().length > 0);
      expect(told()).toMatchObject([
        { level: 'warn', message: expect.stringContaining(`${server.url}: set --public-url`) },
      ]);
      expect(await server.stop()).toBe(0);
      server = await startServer(newFile(), [
        '--host',
        host,
        '--public-url',
        'https://shop.example',
        ...json,
        ...flags,
      ]);
      expect(await server.stop()).toBe(0);
      expect(told()).toEqual([]);
    },
  );

  it('let pages of other origins in, and count for Prometheus, where they are asked to', async () => {
    const file = newFile();
    const shop = await initShop(file);
    server = await startServer(file, ['--cors', 'https://shop.example/, https://www.shop.example', '--metrics']);
    const origin = 'https://www.shop.example';
    const answer = await fetch(`${server.url}/stores/${shop.storeId}/products`, {
      headers: { authorization: `Bearer ${shop.key}`, origin },
    });
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([200, origin]);
    const metrics = await fetch(`${server.url}/metrics`);
    expect(await metrics.text()).toMatch(
      /^commerce_http_requests_total\{method="GET",route="\/products",status="200"\} 1$/m,
    );
    expect(await server.stop()).toBe(0);
    expect(server.stderr()).toBe('');
  });
});
