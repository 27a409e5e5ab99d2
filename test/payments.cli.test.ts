import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { client, sendStripe } from '@commerce/test-support/fixtures/served-shop';
import { payment } from '@commerce/test-support/fixtures/stripe';
import { commerce, commerceJson, type RunningServer, startServer } from '@commerce/test-support/harness/processes';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'commerce-payments-cli-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;
const newFile = () => join(folder, `shop-${++files}.db`);
const notificationUrl = 'https://shop.example.com/api/webhooks/square/1';

/** A port on which nobody listens. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function initStore(address: string) {
  const { store, apiKey } = await commerceJson(['init', '--db', address, '--name', 'Shop', '--currency', 'EUR']);
  return { storeId: store.id as string, key: apiKey.key as string };
}

/** What follows `payments configure` for each provider. */
const settings = (paypalBase: string, squareBase: string): Record<string, string[]> => ({
  stripe: ['--webhook-secret', 'whsec_word'],
  paypal: ['--client-id', 'id_word', '--client-secret', 'secret_word', '--webhook-id', 'WH', '--api-base', paypalBase],
  square: [
    ...['--signature-key', 'key_word', '--notification-url', notificationUrl],
    ...['--access-token', 'token_word', '--api-base', squareBase],
  ],
});

forEachStorage('commerce payments', (database) => {
  const db = ['--db', database.address];
  let server: RunningServer;
  let shop: { storeId: string; key: string };
  let api: ReturnType<typeof client>;
  const providers = ['stripe', 'paypal', 'square'];

  const simulate = (provider: string, ...args: string[]) =>
    commerce(['payments', 'simulate', '--provider', provider, ...args, '--url', server.url, '--json', ...db]);
  const answersOf = ({ stdout }: { stdout: string }) => JSON.parse(stdout).answers;
  const stock = async () => (await api('GET', '/products?sku=MUG')).body.items[0].stock as number;
  const newOrder = async () =>
    (
      await commerceJson(
        ['orders', 'create', '--file', '-', ...db],
        JSON.stringify({ items: [{ sku: 'MUG', quantity: 1 }] }),
      )
    ).item;
  const orderNow = async (id: string) => (await api('GET', `/orders/${id}`)).body.item;

  beforeAll(async () => {
    shop = await initStore(database.address);
    server = await startServer(database.address);
    api = client(server.url, shop);
    const mug = {
      title: 'Mug',
      slug: 'mug',
      sku: 'MUG',
      price: '12.50',
      status: 'published',
      trackStock: true,
      stock: 100,
    };
    expect((await api('POST', '/products', mug)).status).toBe(201);
  });
  afterAll(async () => {
    await server?.stop();
  });

  it('configures each provider, which a running server uses at once, and repeats no secret', async () => {
    const [paypalBase, squareBase] = [`http://127.0.0.1:${await freePort()}`, `http://127.0.0.1:${await freePort()}`];
    for (const [provider, flags] of Object.entries(settings(paypalBase, squareBase))) {
      const { code, stdout, stderr } = await commerce([
        ...['payments', 'configure', '--provider', provider, '--make-orders', ...flags, ...db, '--json'],
      ]);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(JSON.parse(stdout)).toEqual({
        item: { storeId: shop.storeId, provider, makeOrders: true, updatedAt: expect.stringMatching(/^\d{4}-.*Z$/) },
      });
      expect(stdout).not.toMatch(/_word/);
    }
    const text = await commerce([
      'payments',
      'configure',
      '--provider',
      'stripe',
      '--webhook-secret',
      'whsec_word',
      ...db,
    ]);
    expect(text).toMatchObject({
      code: 0,
      stdout: `stripe is set up; send its notifications to /api/webhooks/stripe/${shop.storeId}\n`,
    });
  });

  it('simulates a payment of items, twice: an order is made and paid once, over each provider', async () => {
    for (const provider of providers) {
      const before = await stock();
      const { code, stdout, stderr } = await simulate(provider, '--items', 'MUG:2', '--duplicate');
      expect({ provider, code, stderr }).toEqual({ provider, code: 0, stderr: '' });
      expect(JSON.parse(stdout)).toEqual({
        answers: [
          { status: 200, body: { received: true, outcome: 'paid' } },
          { status: 200, body: { received: true, outcome: 'unchanged' } },
        ],
      });
      expect(await stock()).toBe(before - 2);
      const { items } = await commerceJson(['orders', 'list', '--status', 'paid', '--limit', '1', ...db]);
      expect(items[0]).toMatchObject({ paymentProvider: provider, total: '25.00', items: [{ quantity: 2 }] });
    }
  });

  it('simulates what happens to an order: failed, then paid, then refunded, each twice, over each provider', async () => {
    await Promise.all(
      providers.map(async (provider) => {
        const { id } = await newOrder();
        const rows: [string[], string, object][] = [
          [['--event', 'failed'], 'recorded', { status: 'pending', paymentStatus: 'failed' }],
          [[], 'paid', { status: 'paid', paymentStatus: 'succeeded', paymentProvider: provider }],
          [
            ['--event', 'refunded'],
            'recorded',
            { status: 'refunded', paymentStatus: 'refunded', refundedAmount: '12.50' },
          ],
        ];
        for (const [flags, outcome, order] of rows) {
          const ran = await simulate(provider, '--order', id, ...flags, '--duplicate');
          expect([provider, ran.code, answersOf(ran)]).toEqual([
            provider,
            0,
            [
              { status: 200, body: { received: true, outcome } },
              { status: 200, body: { received: true, outcome: 'unchanged' } },
            ],
          ]);
          expect(await orderNow(id)).toMatchObject(order);
        }
        expect(await simulate(provider, '--order', id, '--event', 'refunded')).toMatchObject({
          code: 1,
          stdout: '',
          stderr: expect.stringMatching(/^error: order ORD-\d+ is already refunded in full\n$/),
        });
      }),
    );
  });

  it('simulates a payment of items that failed: no order is made of it', async () => {
    const total = async () => (await commerceJson(['orders', 'list', ...db])).total;
    const before = await total();
    const answers = await Promise.all(
      providers.map((provider) => simulate(provider, '--items', 'MUG:1', '--event', 'failed')),
    );
    for (const answer of answers) {
      expect(answer.code).toBe(0);
      expect(answersOf(answer)).toMatchObject([{ status: 200, body: { outcome: 'order_not_found' } }]);
    }
    expect(await total()).toBe(before);
  });

  it('says so, with a code, when the server refuses what was simulated', async () => {
    const cup = { title: 'Cup', slug: 'cup', sku: 'CUP', price: '1', status: 'published', trackStock: true, stock: 1 };
    await api('POST', '/products', cup);
    const ran = await simulate('stripe', '--items', 'CUP:2');
    expect(ran.code).toBe(1);
    expect(answersOf(ran)).toMatchObject([{ status: 500, body: { error: { code: 'INSUFFICIENT_STOCK' } } }]);
    const text = await commerce([
      'payments',
      'simulate',
      '--provider',
      'stripe',
      '--items',
      'MUG:1',
      '--url',
      server.url,
      ...db,
    ]);
    expect(text).toMatchObject({ code: 0, stdout: '200 {"received":true,"outcome":"paid"}\n', stderr: '' });
  });

  it('lists what came, shows one with its body, and looks at it again', async () => {
    const order = await newOrder();
    const event = payment(order.id, 1249).intentSucceeded() as { id: string };
    const sent = await sendStripe(server.url, event, {
      secret: 'whsec_word',
      path: `/api/webhooks/stripe/${shop.storeId}`,
    });
    expect(sent.body).toMatchObject({ outcome: 'amount_mismatch' });

    const all = await commerceJson(['payments', 'inbox', ...db]);
    expect(all.total).toBe(all.items.length);
    const unmatched = await commerceJson(['payments', 'inbox', '--unmatched', ...db]);
    expect(unmatched.total).toBeLessThan(all.total);
    const [kept] = unmatched.items;
    expect(kept).toMatchObject({
      provider: 'stripe',
      outcome: 'amount_mismatch',
      orderId: order.id,
      eventId: event.id,
    });
    const page = await commerceJson(['payments', 'inbox', '--limit', '1', '--offset', '1', ...db]);
    expect(page).toEqual({ items: all.items.slice(1, 2), total: all.total });

    const shown = { item: { ...kept, payload: JSON.stringify(event) } };
    expect(await commerceJson(['payments', 'show', kept.id, ...db])).toEqual(shown);
    // Nothing changed for it; that it was looked at is noted.
    const replayed = await commerceJson(['payments', 'replay', kept.id, ...db]);
    expect(replayed).toEqual({ item: { ...kept, updatedAt: expect.any(String) } });
    const { stdout } = await commerce(['payments', 'show', kept.id, ...db]);
    for (const text of [kept.id, event.id, '12.49 EUR was paid', JSON.stringify(event)]) expect(stdout).toContain(text);
    expect((await commerce(['payments', 'inbox', '--unmatched', ...db])).stdout).toContain('amount_mismatch');
    for (const command of ['show', 'replay']) {
      expect(await commerce(['payments', command, 'x', ...db])).toEqual({
        code: 1,
        stdout: '',
        stderr: 'error: no payment notification "x" in this store\n',
      });
    }
  });

  it('applies a payment by replay once there is stock again', async () => {
    const { id } = (await api('GET', '/products?sku=CUP')).body.items[0];
    const [short] = (await commerceJson(['payments', 'inbox', '--unmatched', ...db])).items.filter(
      (one: { outcome: string }) => one.outcome === 'insufficient_stock',
    );
    await api('PUT', `/products/${id}`, { stock: 5 });
    expect(await commerceJson(['payments', 'replay', short.id, ...db])).toMatchObject({
      item: { id: short.id, outcome: 'paid', warning: null },
    });
    expect(await orderNow(short.orderId)).toMatchObject({ status: 'paid' });
    expect((await api('GET', `/products/${id}`)).body.item.stock).toBe(3);
  });

  it('lists payments, by what became of them, and dismisses one', async () => {
    const [lost] = (await commerceJson(['payments', 'list', '--matched', 'mismatch', ...db])).items;
    expect(lost).toMatchObject({ provider: 'stripe', status: 'succeeded', amount: '12.49', matched: 'mismatch' });
    expect((await commerceJson(['payments', 'show', lost.id, ...db])).item).toEqual(lost);
    expect((await commerceJson(['payments', 'list', '--unmatched', ...db])).items).toContainEqual(lost);
    expect((await commerce(['payments', 'list', '--order', lost.orderId, ...db])).stdout).toContain('12.49 EUR');
    const applied = await commerce(['payments', 'apply', lost.id, '--order', lost.orderId, ...db]);
    expect(applied).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(/12\.49 EUR.*12\.50 EUR/) });
    const dismissed = await commerceJson(['payments', 'dismiss', lost.id, '--reason', 'sent back', ...db]);
    expect(dismissed.item).toMatchObject({ id: lost.id, matched: 'dismissed' });
    expect((await commerceJson(['payments', 'list', '--unmatched', ...db])).items).not.toContainEqual(lost);
    expect(await commerce(['payments', 'list', '--matched', 'lost', ...db])).toMatchObject({ code: 2 });
  });

  it('records a payment by hand where the store allows it, and applies one to another order', async () => {
    const { id } = await newOrder();
    const record = [
      'payments',
      'record',
      '--order',
      id,
      '--method',
      'transfer',
      '--amount',
      '12.50',
      '--reference',
      'no. 7',
    ];
    expect(await commerce([...record, ...db])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/manualPayments/),
    });
    await commerceJson(['stores', 'update', shop.storeId, '--manual-payments', ...db]);
    const { item } = await commerceJson([...record, ...db]);
    expect(item).toMatchObject({
      provider: 'manual',
      method: 'transfer',
      reference: 'no. 7',
      matched: 'paid',
      orderId: id,
    });
    expect(await orderNow(id)).toMatchObject({ status: 'paid', paymentProvider: 'manual', paymentMethod: 'transfer' });

    const event = payment(null, 1250).intentSucceeded();
    await sendStripe(server.url, event, { secret: 'whsec_word', path: `/api/webhooks/stripe/${shop.storeId}` });
    const [none] = (await commerceJson(['payments', 'list', '--matched', 'none', ...db])).items;
    const other = await newOrder();
    const applied = await commerceJson(['payments', 'apply', none.id, '--order', other.id, ...db]);
    expect(applied.item).toMatchObject({ id: none.id, matched: 'paid', orderId: other.id });
    expect(await orderNow(other.id)).toMatchObject({ status: 'paid', paymentId: none.providerPaymentId });
  });

  it('lets the replaced secret count for some hours, and no more without being told so', async () => {
    const configure = ['payments', 'configure', '--provider', 'stripe', '--webhook-secret'];
    const to = async (secret: string) =>
      (
        await sendStripe(server.url, payment(null, 1).sessionCompleted({ mode: 'setup' }), {
          secret,
          path: `/api/webhooks/stripe/${shop.storeId}`,
        })
      ).status;
    await commerceJson([...configure, 'whsec_new', '--keep-previous', '24', ...db]);
    expect([await to('whsec_word'), await to('whsec_new')]).toEqual([200, 200]);
    await commerceJson([...configure, 'whsec_newer', ...db]);
    expect([await to('whsec_word'), await to('whsec_new'), await to('whsec_newer')]).toEqual([400, 400, 200]);
  });
});

describe('the secrets of providers at the command line', () => {
  afterEach(() => vi.unstubAllEnvs());

  it('may come from the environment, which no list of processes shows', async () => {
    const file = newFile();
    await initStore(file);
    const configure = (provider: string, env: Record<string, string>, ...flags: string[]) =>
      commerce(['payments', 'configure', '--provider', provider, ...flags, '--db', file], '', env);
    const ran = await Promise.all([
      configure('stripe', { COMMERCE_WEBHOOK_SECRET: 'whsec_env' }),
      configure('paypal', { COMMERCE_PAYPAL_CLIENT_ID: 'id', COMMERCE_PAYPAL_CLIENT_SECRET: 's' }, '--webhook-id', 'W'),
      configure('square', { COMMERCE_SQUARE_SIGNATURE_KEY: 'k' }, '--notification-url', notificationUrl),
      // What belongs to another provider is no mistake in the environment.
      configure(
        'square',
        { COMMERCE_SQUARE_SIGNATURE_KEY: 'k', COMMERCE_WEBHOOK_SECRET: 'w' },
        '--notification-url',
        notificationUrl,
      ),
    ]);
    for (const { code, stderr } of ran) expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });

  it('are not in the files of the database with COMMERCE_SECRET_KEY, and work with the same key alone', async () => {
    const file = newFile();
    await initStore(file);
    const secretKey = 'the key of this test, long enough';
    const env = { COMMERCE_SECRET_KEY: secretKey };
    const configure = (provider: string, ...flags: string[]) =>
      commerce(['payments', 'configure', '--provider', provider, ...flags, '--db', file], '', env);
    for (const [provider, flags] of Object.entries(settings('https://example.com', 'https://example.com'))) {
      expect((await configure(provider, ...flags)).code).toBe(0);
    }
    await configure('stripe', '--webhook-secret', 'whsec_second_word', '--keep-previous', '1');
    const bytes = readdirSync(folder)
      .filter((name) => join(folder, name).startsWith(file))
      .map((name) => readFileSync(join(folder, name), 'latin1'))
      .join('');
    expect(bytes).toContain('sealed:1:');
    expect(bytes).not.toMatch(/_word|the key of this test/);

    const event = payment(null, 1).sessionCompleted({ mode: 'setup' });
    vi.stubEnv('COMMERCE_SECRET_KEY', secretKey);
    const server = await startServer(file);
    try {
      for (const secret of ['whsec_word', 'whsec_second_word']) {
        expect(await sendStripe(server.url, { ...event, id: secret }, { secret })).toMatchObject({ status: 200 });
      }
    } finally {
      await server.stop();
    }
    vi.stubEnv('COMMERCE_SECRET_KEY', undefined);
    const keyless = await startServer(file);
    try {
      const answer = await sendStripe(keyless.url, event, { secret: 'whsec_word' });
      expect(answer).toMatchObject({ status: 500, body: { error: { code: 'UNAVAILABLE' } } });
      expect(answer.body.error.message).toMatch(/set COMMERCE_SECRET_KEY/);
    } finally {
      await keyless.stop();
    }
    const simulated = ['payments', 'simulate', '--provider', 'stripe', '--items', 'X:1', '--db', file];
    expect(await commerce(simulated, '', { COMMERCE_SECRET_KEY: 'another key, long enough' })).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(
        /^error: the secrets in the database were encrypted with another COMMERCE_SECRET_KEY.*\n$/,
      ),
    });
    expect(await commerce(simulated)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/set COMMERCE_SECRET_KEY/),
    });
  });

  it('are not protected by a key that is too short: no command runs', async () => {
    const file = newFile();
    await initStore(file);
    for (const args of [
      ['stores', 'list'],
      ['serve', '--port', '0'],
    ]) {
      const result = await commerce([...args, '--db', file], '', { COMMERCE_SECRET_KEY: 'tooshort' });
      expect(result).toMatchObject({ code: 1, stdout: '' });
      expect(result.stderr).toMatch(/^error: secretKey: must have at least 16 characters/);
      expect(result.stderr).not.toContain('tooshort');
    }
  });
});

describe('what is wrong with a call of commerce payments', () => {
  const file = newFile();
  beforeAll(async () => {
    await initStore(file);
    await commerceJson(['payments', 'configure', '--provider', 'stripe', '--webhook-secret', 'w', '--db', file]);
  });
  const configure = (...flags: string[]) => ['configure', '--provider', ...flags];
  const simulate = (...flags: string[]) => ['simulate', '--provider', 'stripe', ...flags];
  const order = '0190a5c8-0000-7000-8000-00000000dead';

  const wrong: [string, string[], number, RegExp][] = [
    ['no provider', ['configure', '--webhook-secret', 's'], 2, /'--provider <name>' not specified/],
    ['an unknown provider', configure('cash'), 2, /'cash' is invalid.*stripe, paypal, square/],
    ['Stripe without its secret', configure('stripe'), 2, /stripe needs --webhook-secret/],
    [
      'PayPal without its id',
      configure('paypal', '--client-secret', 's', '--webhook-id', 'w'),
      2,
      /paypal needs --client-id/,
    ],
    [
      'PayPal without its secret',
      configure('paypal', '--client-id', 'c', '--webhook-id', 'w'),
      2,
      /paypal needs --client-secret/,
    ],
    [
      'PayPal without its webhook',
      configure('paypal', '--client-id', 'c', '--client-secret', 's'),
      2,
      /paypal needs --webhook-id/,
    ],
    [
      'Square without its key',
      configure('square', '--notification-url', notificationUrl),
      2,
      /square needs --signature-key/,
    ],
    ['Square without its address', configure('square', '--signature-key', 'k'), 2, /square needs --notification-url/],
    [
      'an option of PayPal for Stripe',
      configure('stripe', '--webhook-secret', 's', '--client-id', 'c'),
      2,
      /--client-id is not an option of stripe/,
    ],
    [
      'an interface for Stripe',
      configure('stripe', '--webhook-secret', 's', '--api-base', 'https://x.example'),
      2,
      /--api-base is not an option of stripe/,
    ],
    [
      'an option of Stripe for Square',
      configure('square', '--webhook-secret', 's'),
      2,
      /--webhook-secret is not an option of square/,
    ],
    [
      'an option of Square for PayPal',
      configure('paypal', '--client-id', 'c', '--client-secret', 's', '--webhook-id', 'w', '--signature-key', 'k'),
      2,
      /--signature-key is not an option of paypal/,
    ],
    [
      'hours that are none',
      configure('stripe', '--webhook-secret', 's', '--keep-previous', '1d'),
      2,
      /'1d' is invalid.*whole number of hours/,
    ],
    [
      'a secret with a blank',
      configure('stripe', '--webhook-secret', 'hunter2 '),
      1,
      /webhookSecret: must be the secret without/,
    ],
    [
      'an address that is none',
      configure('square', '--signature-key', 'k', '--notification-url', 'shop'),
      1,
      /notificationUrl: must be the address/,
    ],
    [
      'an interface without TLS',
      configure(
        'square',
        '--signature-key',
        'k',
        '--notification-url',
        notificationUrl,
        '--api-base',
        'http://example.com',
      ),
      1,
      /apiBase: must be an https:\/\/ origin/,
    ],
    ['a limit that is no number', ['list', '--limit', 'ten'], 2, /'ten' is invalid/],
    ['a limit that is too high', ['list', '--limit', '201'], 1, /limit: must be/],
    ['nothing to show', ['show'], 2, /missing required argument 'id'/],
    ['nothing to replay', ['replay'], 2, /missing required argument 'id'/],
    ['an unknown id to replay', ['replay', order], 1, /no payment notification/],
    ['a simulation of nothing', simulate(), 2, /one of --order and --items is needed/],
    ['a simulation of both', simulate('--order', order, '--items', 'MUG:1'), 2, /cannot be used with/],
    ['items without a number', simulate('--items', 'MUG'), 2, /'MUG' is invalid.*SKU:number/],
    ['no items', simulate('--items', 'MUG:0'), 2, /invalid/],
    [
      'an event that there is none',
      simulate('--order', order, '--event', 'paid'),
      2,
      /'paid' is invalid.*succeeded, failed, refunded/,
    ],
    ['an unknown order', simulate('--order', order), 1, /no order/],
    ['an order that is none', simulate('--order', 'x'), 1, /orderId: must be the id of an order/],
    ['items of nothing', simulate('--items', 'NONE:1'), 1, /no product with the SKU "NONE"/],
    [
      'items that are refunded',
      simulate('--items', 'MUG:1', '--event', 'refunded'),
      1,
      /cannot be refunded before they are paid/,
    ],
    [
      'a provider that is not set up',
      ['simulate', '--provider', 'square', '--order', order],
      1,
      /square is not configured/,
    ],
  ];
  it.each(wrong)('%s', async (_, args, code, message) => {
    const before = readFileSync(file);
    const result = await commerce(['payments', ...args, '--db', file]);
    expect({ code: result.code, stdout: result.stdout }).toEqual({ code, stdout: '' });
    expect(result.stderr).toMatch(message);
    expect(result.stderr).not.toMatch(/^ {4}at |hunter2/m);
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  it('a server that is not running', async () => {
    const product = { title: 'Mug', slug: 'mug', sku: 'MUG', price: '1' };
    const other = newFile();
    const shop = await initStore(other);
    const server = await startServer(other);
    await client(server.url, shop)('POST', '/products', product);
    await server.stop();
    await commerceJson([
      'payments',
      'configure',
      '--provider',
      'stripe',
      '--webhook-secret',
      'w',
      '--make-orders',
      '--db',
      other,
    ]);
    const result = await commerce([
      'payments',
      'simulate',
      '--provider',
      'stripe',
      '--items',
      'MUG:1',
      '--url',
      server.url,
      '--db',
      other,
    ]);
    expect(result).toEqual({
      code: 1,
      stdout: '',
      stderr: `error: no server answers at ${server.url}; is \`commerce serve\` running there?\n`,
    });
  });
});
