import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Commerce, type Context, openCommerce, openMediaFolder } from '@commerce/core';
import { capture, transmission } from '@commerce/test-support/fixtures/paypal';
import { type PayPalStub, startPayPal } from '@commerce/test-support/fixtures/paypal-stub';
import {
  fixturePublicUrl,
  pathWith,
  prepareStore,
  routeFixtures,
} from '@commerce/test-support/fixtures/route-fixtures';
import { signSquare, squarePayment } from '@commerce/test-support/fixtures/square';
import { payment } from '@commerce/test-support/fixtures/stripe';
import { snapshot } from '@commerce/test-support/harness/denied';
import { commerce as command, type RunningServer, startServer } from '@commerce/test-support/harness/processes';
import type { Sending } from '@commerce/test-support/harness/requests';
import { forEachStorage, openStorage } from '@commerce/test-support/harness/storages';
import { type Received, startSubscriber } from '@commerce/test-support/harness/subscriber';
import { until } from '@commerce/test-support/harness/until';
import { sql } from 'kysely';
import Stripe from 'stripe';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { routeTable } from '../packages/server/src/routes/table.ts';

const word = (kind: string) => `${kind}_${randomBytes(18).toString('hex')}`;

/** One answer of the server, with its request. */
interface Exchange {
  line: string;
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

/** The forms in which a text can contain a secret. */
function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  return [
    secret,
    bytes.toString('base64'),
    bytes.toString('base64url'),
    bytes.toString('hex'),
    encodeURIComponent(secret),
  ];
}

forEachStorage('secrets', (database, dialect) => {
  const folder = mkdtempSync(join(tmpdir(), 'commerce-secrets-'));
  const secretKey = word('secret-key');
  const notificationUrl = 'https://shop.example.com/api/webhooks/square/1';
  const stripeSecrets = [word('whsec'), word('whsec')];
  const paypalSecrets = [word('paypal'), word('paypal')];
  const squareSecrets = [word('square-key'), word('square-key'), word('square-token')];
  const [currentStripe, currentSquare] = [stripeSecrets[1] ?? '', squareSecrets[1] ?? ''];
  /** Every secret that must not appear anywhere, by its description. */
  const secrets = new Map<string, string>([['the key of the database', secretKey]]);
  for (const [name, ofProvider] of Object.entries({ stripeSecrets, paypalSecrets, squareSecrets })) {
    for (const [i, secret] of ofProvider.entries()) secrets.set(`${name} ${i}`, secret);
  }
  /** Secrets of subscriptions, which keys with write access can see. */
  const webhookSecrets = new Map<string, string>();
  const exchanges: Exchange[] = [];
  const printed: string[] = [];
  let server: RunningServer;
  let paypal: PayPalStub;
  let subscriber: Awaited<ReturnType<typeof startSubscriber>>;
  let commerce: Commerce;
  let shop: Context;
  let key: string;

  const db = ['--db', database.address];
  async function cli(...args: string[]) {
    const finished = await command([...args, ...db, '--json']);
    expect([args.join(' '), finished.code, finished.stderr]).toEqual([args.join(' '), 0, '']);
    return { json: JSON.parse(finished.stdout), text: finished.stdout };
  }
  /** Runs a command that must not show a secret. */
  async function quietCli(...args: string[]) {
    printed.push((await cli(...args)).text);
  }

  const configure = ['payments', 'configure', '--keep-previous', '1', '--provider'];
  async function configureStripe() {
    for (const secret of stripeSecrets) await quietCli(...configure, 'stripe', '--webhook-secret', secret);
  }

  /** Sends exactly these bytes as path and headers, and records the answer. */
  function send(line: string, { body, type, key: by, headers }: Sending = {}): Promise<Exchange> {
    const [method = '', path = ''] = line.split(' ');
    const bytes =
      body === undefined
        ? undefined
        : Buffer.isBuffer(body)
          ? body
          : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
    const { hostname, port } = new URL(server.url);
    return new Promise((resolve, reject) => {
      const sending = httpRequest({
        method,
        path,
        hostname,
        port,
        headers: {
          ...(bytes === undefined || type === null ? {} : { 'content-type': type ?? 'application/json' }),
          ...(bytes === undefined ? {} : { 'content-length': bytes.length }),
          ...(by === undefined ? {} : { authorization: `Bearer ${by}` }),
          ...headers,
        },
      });
      sending.on('error', reject);
      sending.on('response', (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          const exchange = {
            line,
            status: response.statusCode ?? 0,
            headers: response.headers,
            text: Buffer.concat(chunks).toString('latin1'),
          };
          exchanges.push(exchange);
          resolve(exchange);
        });
      });
      sending.end(bytes);
    });
  }

  const ofStore = (line: string, sending: Sending = {}) => {
    const [method, path] = line.split(' ');
    return send(`${method} /stores/${shop.store.id}${path}`, { key, ...sending });
  };
  const rename = (table: string, name: string) =>
    commerce.engine.storage.db
      .transaction()
      .execute((tx) => sql.raw(`alter table ${table} rename to ${name}`).execute(tx));
  const issue = (name: string, secret: string) => secrets.set(name, secret);

  beforeAll(async () => {
    vi.stubEnv('COMMERCE_SECRET_KEY', secretKey);
    paypal = await startPayPal();
    // It returns everything that it received, as a badly written subscriber can.
    subscriber = await startSubscriber(({ headers, body }: Received) => (response) => {
      response.writeHead(500, { 'x-webhook-signature': String(headers['x-webhook-signature']) });
      response.end(`${JSON.stringify(headers)}\n${body}`);
    });
    const made = (await cli('init', '--name', 'Shop', '--currency', 'EUR')).json;
    key = made.apiKey.key;
    issue('the first key', key);
    await configureStripe();
    for (const secret of paypalSecrets) {
      const rest = ['--client-id', 'client', '--webhook-id', 'WH', '--api-base', paypal.url];
      await quietCli(...configure, 'paypal', '--client-secret', secret, ...rest);
    }
    for (const secret of squareSecrets.slice(0, 2)) {
      const rest = [
        '--notification-url',
        notificationUrl,
        '--access-token',
        squareSecrets[2] ?? '',
        '--api-base',
        paypal.url,
      ];
      await quietCli(...configure, 'square', '--signature-key', secret, ...rest);
    }
    const directory = join(folder, 'media');
    const flags = [
      ...['--metrics', '--log', 'json', '--orders-api', '--media-dir', directory, '--allow-insecure-webhooks'],
      ...['--public-url', fixturePublicUrl],
    ];
    server = await startServer(database.address, flags);
    commerce = await openCommerce({
      storage: database.open(),
      secretKey,
      media: { files: openMediaFolder({ directory }), url: `${server.url}/media` },
    });
    shop = await commerce.store(made.store.id);
    await prepareStore(shop);
  });
  afterAll(async () => {
    vi.unstubAllEnvs();
    await server?.stop();
    await commerce?.close();
    await subscriber?.close();
    await paypal?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  describe('are used in every way that there is', () => {
    it('as keys: made over HTTP and at the command line, used, revoked, expired', async () => {
      for (const name of ['full', 'revoked']) {
        const body = { name, scopes: ['product.read', 'webhook.read', 'apiKey.read'] };
        const answer = await ofStore('POST /api-keys', { body, headers: { 'idempotency-key': `of ${name}` } });
        expect(answer.status).toBe(201);
        const { item } = JSON.parse(answer.text);
        issue(`the key ${name}`, item.key);
        expect((await ofStore('GET /products', { key: item.key })).status).toBe(200);
        // A repetition of the request no longer shows a key.
        const again = await ofStore('POST /api-keys', { body, headers: { 'idempotency-key': `of ${name}` } });
        expect([again.status, again.headers['idempotent-replayed']]).toEqual([201, 'true']);
        if (name !== 'revoked') continue;
        expect((await ofStore(`DELETE /api-keys/${item.id}`)).status).toBe(204);
        expect((await ofStore('GET /products', { key: item.key })).status).toBe(401);
      }
      const made = (await cli('keys', 'create', '--name', 'cli', '--preset', 'full')).json.item;
      issue('the key of the command line', made.key);
      const expires = new Date(Date.now() + 3000).toISOString();
      const short = (await cli('keys', 'create', '--name', 'short', '--preset', 'read', '--expires', expires)).json
        .item;
      issue('the key that expires', short.key);
      expect((await ofStore('GET /products', { key: short.key })).status).toBe(200);
      await until(
        'the key has expired',
        async () => (await ofStore('GET /products', { key: short.key })).status === 401,
      );
      const gone = (await cli('keys', 'create', '--name', 'gone', '--preset', 'full')).json.item;
      issue('the key that the command line revoked', gone.key);
      await quietCli('keys', 'revoke', gone.id, '--yes');
      expect((await ofStore('GET /products', { key: gone.key })).status).toBe(401);
      await quietCli('keys', 'list');
    });

    it('as secrets of subscriptions: given, made and replaced', async () => {
      const events = ['product.*', 'order.*'];
      const given = word('given-webhook-secret');
      const headers = { 'idempotency-key': 'of a subscription' };
      const body = { url: `${subscriber.url}/given`, events, secret: given };
      const first = await ofStore('POST /webhooks', { body, headers });
      expect(first.status).toBe(201);
      expect((await ofStore('POST /webhooks', { body, headers })).headers['idempotent-replayed']).toBe('true');
      const generated = await ofStore('POST /webhooks', { body: { url: `${subscriber.url}/made`, events } });
      const [one, two] = [JSON.parse(first.text).item, JSON.parse(generated.text).item];
      const replaced = word('new-webhook-secret');
      expect((await ofStore(`PUT /webhooks/${one.id}`, { body: { secret: replaced } })).status).toBe(200);
      webhookSecrets.set('given', given).set('made', two.secret).set('replaced', replaced);
      const rotated = await ofStore(`POST /webhooks/${two.id}/rotate-secret`);
      expect(rotated.status).toBe(200);
      webhookSecrets.set('rotated', JSON.parse(rotated.text).item.secret);
      expect((await ofStore('POST /webhooks', { body })).status).toBe(409);
      const wrong = [{ secret: 'short' }, { secret: [given] }, { secret: { given } }, { url: 'x', secret: given }];
      for (const body of wrong) expect((await ofStore(`PUT /webhooks/${one.id}`, { body })).status).toBe(400);
      // A key with only read access sees the end of each.
      const reader = secrets.get('the key full') ?? '';
      const read = await ofStore('GET /webhooks', { key: reader });
      expect(read.status).toBe(200);
      for (const secret of webhookSecrets.values()) expect(read.text).not.toContain(secret);
    });

    it('by notifications with right and wrong signatures', async () => {
      const receive = (provider: string, body: string, headers: Record<string, string>) =>
        send(`POST /api/webhooks/${provider}/${shop.store.id}`, { body, headers });
      const stripe = JSON.stringify(payment(null, 1000).chargeSucceeded());
      const signature = (secret: string) => Stripe.webhooks.generateTestHeaderString({ payload: stripe, secret });
      for (const [secret, status] of [
        [currentStripe, 200],
        [stripeSecrets[0] ?? '', 200],
        ['whsec_wrong', 400],
      ] as const) {
        expect((await receive('stripe', stripe, { 'stripe-signature': signature(secret) })).status).toBe(status);
      }
      const broken = '{"id": ';
      await receive('stripe', broken, {
        'stripe-signature': Stripe.webhooks.generateTestHeaderString({ payload: broken, secret: currentStripe }),
      });
      const square = JSON.stringify(squarePayment(null, 1000).completed());
      for (const [secret, status] of [
        [currentSquare, 200],
        ['wrong', 400],
      ] as const) {
        const headers = { 'x-square-hmacsha256-signature': signSquare(square, secret, notificationUrl) };
        expect((await receive('square', square, headers)).status).toBe(status);
      }
      const wallet = JSON.stringify(capture(null, '10.00').completed());
      const headers = transmission as Record<string, string>;
      expect((await receive('paypal', wallet, headers)).status).toBe(200);
      // PayPal's refusal repeats the secret that we sent.
      const [id, secret] = ['client', paypalSecrets[1]];
      paypal.endTokens();
      const refused = {
        status: 401,
        body: { error: 'invalid_client', sent: Buffer.from(`${id}:${secret}`).toString('base64'), secret },
      };
      paypal.plan('token', refused, refused, refused, refused, refused, refused);
      paypal.plan('verify', refused, refused, refused, refused, refused, refused);
      const faulty = await receive('paypal', JSON.stringify(capture(null, '10.00').completed()), headers);
      expect(faulty.status).toBe(500);
      await quietCli('payments', 'list');
    });

    it('by every route, with good, wrong and broken input, and with keys where none belong', {
      timeout: 240_000,
    }, async () => {
      const narrow = secrets.get('the key full') ?? '';
      const large = Buffer.alloc(1024 * 1024 + 1, 0x20);
      for (const { method, path } of routeTable({ ordersApi: true, uploads: true })) {
        const fixture = routeFixtures[`${method} ${path}`] ?? {};
        const query = fixture.query ?? 'limit=1';
        const own = pathWith(path, (await fixture.own?.(shop)) ?? {});
        const never = pathWith(path, { id: '0190a5c8-0000-7000-8000-000000000000' });
        const at = (place: string, more = '') => `${method} ${place}?${query}${more}`;
        const headers = fixture.headers && { headers: await fixture.headers(shop) };
        const body = async () => ({ ...(await fixture.body?.()), ...headers });
        const wrong: Sending[] = [
          { body: '{"title":' },
          { body: `{"title": ${key}` },
          { body: `"${key}"` },
          { body: [key] },
          { body: fieldsWith(key) },
          { body: fieldsWith({ [key]: key }) },
          { body: 'x', type: 'text/plain' },
          { body: 'x', type: `text/${key}` },
          { body: large },
        ];
        for (const given of wrong) await ofStore(at(own), method === 'GET' || method === 'DELETE' ? {} : given);
        if (method === 'POST') {
          for (const [i, given] of wrong.entries()) {
            await ofStore(at(own), { ...given, headers: { 'idempotency-key': `${path} ${i}` } });
          }
        }
        for (const extra of [
          `&api_key=${key}`,
          `&key=${key}&limit=${key}`,
          `&status=${key}`,
          `&${key}=1&offset=${key}`,
        ]) {
          await ofStore(at(never, extra), await body());
        }
        await send(`${method} /stores/${shop.store.id}${own}?api_key=${key}`, await body());
        await send(`${method} /stores/${key}${own}`, { ...(await body()), key });
        await send(`${method} /stores/${key}${own}`, await body());
        await ofStore(at(pathWith(path, { id: key })), await body());
        if (method === 'POST') {
          await ofStore(at(pathWith(path, { id: key })), {
            ...(await body()),
            headers: { 'idempotency-key': `id ${path}` },
          });
        }
        await ofStore(at(`${own}/${key}`), await body());
        await ofStore(`BREW ${own}`);
        await ofStore(at(own), { ...(await body()), key: narrow });
        await send(at(`/stores/${shop.store.id}${own}`), {
          ...(await body()),
          headers: { authorization: `Basic ${key}` },
        });
        await send(at(`/stores/${shop.store.id}${own}`), { ...(await body()), headers: { authorization: key } });
        for (const name of ['the key revoked', 'the key that expires', 'the key of the command line']) {
          await ofStore(at(never), { ...(await body()), key: secrets.get(name) ?? '' });
        }
        for (const header of 'if-match if-none-match range accept-encoding origin cookie x-forwarded-host'.split(' ')) {
          await ofStore(at(never), { ...(await body()), headers: { [header]: key } });
        }
        // The earlier requests can already have used all places for waiting ones.
        if (path === '/imports') {
          await until(
            'imports are done',
            async () => !/"status":"(?:waiting|running)"/.test((await ofStore('GET /imports')).text),
          );
        }
        // A new one, because the one above can already be deleted.
        const another = pathWith(path, (await fixture.own?.(shop)) ?? {});
        const good = await ofStore(at(another), await body());
        expect([`${method} ${path}`, good.status < 300, good.text]).toEqual([
          `${method} ${path}`,
          true,
          expect.any(String),
        ]);
      }
      for (const path of [
        `/${key}`,
        `/api/${key}`,
        `/media/${key}/${key}.png`,
        `/healthz/${key}`,
        `/api/webhooks/${key}`,
      ]) {
        await send(`GET ${path}`, { key });
        await send(`POST ${path}`, { key });
      }
      // The fixtures have set up their own provider.
      await configureStripe();
      const statuses = new Set(exchanges.map(({ status }) => status));
      for (const status of [200, 201, 204, 400, 401, 403, 404, 405, 409, 413, 415]) {
        expect([status, statuses.has(status)]).toEqual([status, true]);
      }
    });

    it('by deliveries to a subscriber that fails', async () => {
      await until(
        'both subscriptions were tried',
        () => new Set(subscriber.received.map(({ path }) => path)).size === 2,
      );
      await until('an attempt was noted', async () => {
        const rows = await commerce.engine.storage.db.selectFrom('deliveries').select('log').execute();
        return rows.some(({ log }) => log.includes('"responseCode":500'));
      });
    });

    it('by a fault of our own', async () => {
      await rename('pages', 'pages_away');
      const answer = await ofStore('GET /pages?limit=1');
      await ofStore('POST /pages', { body: { title: key, slug: 'a' } });
      await rename('pages_away', 'pages');
      expect(answer.status).toBe(500);
      await until('the fault stands in the log', () => server.stderr().includes('"level":"error"'));
    });
  });

  describe('stand', () => {
    /** Names of the secrets in a text. */
    const foundIn = (text: string, some: Iterable<[string, string]> = [...secrets, ...webhookSecrets]) =>
      [...some].filter(([, secret]) => formsOf(secret).some((form) => text.includes(form))).map(([name]) => name);

    it('in no line of the log', async () => {
      const { length } = exchanges;
      expect(length).toBeGreaterThan(1000);
      await until('the log holds the last request', () => server.stderr().split('\n').length > length);
      expect(foundIn(server.stderr())).toEqual([]);
      // The log contains the beginnings of keys, so it is the log of these requests.
      expect(server.stderr()).toContain(`"key":"${key.slice(0, 12)}"`);
    });

    it('in no answer but those that show them once, and to those who may write subscriptions', () => {
      const mayShow = (line: string, status: number) =>
        status < 300 &&
        (/^POST .*\/api-keys/.test(line) || /^\w+ \/stores\/[^/]+\/webhooks(?!.*deliver)(?:[/?]|$)/.test(line));
      const told = exchanges.flatMap(({ line, status, headers, text }) => {
        const found = foundIn(text + JSON.stringify(headers), mayShow(line, status) ? [] : undefined);
        return found.length === 0 ? [] : [{ line: line.slice(0, 100), status, text: text.slice(0, 200), found }];
      });
      expect(told).toEqual([]);
    });

    it('in no page of metrics, no entry of the audit log, no list and no document', async () => {
      const reader = secrets.get('the key of the command line');
      for (const path of ['/metrics', '/openapi.json', '/readyz']) {
        const { status, text } = await send(`GET ${path}`);
        expect([path, status, foundIn(text)]).toEqual([path, 200, []]);
      }
      let read = 0;
      for (let total = 1; read < total; ) {
        const { text } = await ofStore(`GET /audit-logs?limit=200&offset=${read}`, { key: reader as string });
        expect(foundIn(text)).toEqual([]);
        const page = JSON.parse(text) as { items: unknown[]; total: number };
        read += page.items.length;
        total = page.total;
      }
      expect(read).toBeGreaterThan(50);
      for (const path of ['/api-keys', '/orders', '/products']) {
        expect(foundIn((await ofStore(`GET ${path}?limit=200`, { key: reader as string })).text)).toEqual([]);
      }
    });

    it('in nothing that a command printed later', () => {
      expect(printed.length).toBeGreaterThan(6);
      expect(foundIn(printed.join('\n'))).toEqual([]);
    });

    it('in no table', async () => {
      const tables = await snapshot(commerce);
      const places = Object.entries(tables).flatMap(([table, rows]) =>
        foundIn(rows.join('\n')).map((name) => [table, name]),
      );
      expect(places).toEqual([]);
      expect(tables.idempotent_requests?.length).toBeGreaterThan(5);
      expect(tables.payment_providers?.length).toBe(3);
      expect(tables.webhooks?.length).toBeGreaterThan(2);
    });

    it('in no byte of the files, after the server has stopped too', async () => {
      expect(await server.stop()).toBe(0);
      expect(foundIn(server.stderr())).toEqual([]);
      if (dialect === 'postgres') return;
      const files = ['', '-wal'].map((ending) => database.address + ending).filter(existsSync);
      expect(files.length).toBe(2);
      for (const file of files) {
        const bytes = readFileSync(file, 'latin1');
        expect([file.length > 0, foundIn(bytes)]).toEqual([true, []]);
      }
      await openStorage(database.address).close();
    });
  });
});

/** A body with that value in every field that can be refused. */
function fieldsWith(value: unknown): object {
  const names = 'title name slug email price status url events secret scopes expiresAt amount'.split(' ');
  const more = ['since', 'items', 'customerId', 'addresses', 'categoryIds', 'parentId', 'attributes', 'refundId'];
  return Object.fromEntries([...names, ...more].map((name) => [name, name === 'name' || name === 'title' ? 7 : value]));
}
