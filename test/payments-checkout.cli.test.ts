import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Commerce, type Context, createOrder, createProduct, getOrder, openCommerce } from '@commerce/core';
import { openSqlite } from '@commerce/core/sqlite';
import { pageRequest } from '@commerce/test-support/fixtures/page-requests';
import { initStore } from '@commerce/test-support/fixtures/payments-cli';
import {
  bin,
  commerce,
  commerceJson,
  type RunningServer,
  root,
  startServer,
} from '@commerce/test-support/harness/processes';
import { until } from '@commerce/test-support/harness/until';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pagesOf, providerSettings } from '../packages/core/src/payments/settings.ts';

const folder = mkdtempSync(join(tmpdir(), 'commerce-checkout-cli-'));
const file = join(folder, 'shop.db');
const db = ['--db', file];
let server: RunningServer;
let core: Commerce;
let shop: Context;

beforeAll(async () => {
  const { storeId } = await initStore(file);
  server = await startServer(file);
  core = await openCommerce({ storage: openSqlite({ file }) });
  shop = await core.store(storeId);
  await createProduct(shop, { title: 'Mug', slug: 'mug', sku: 'MUG', price: '12.50', status: 'published' });
});
afterAll(async () => {
  await core?.close();
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Starts the command and waits until it plays the provider. */
async function play(provider: string, ...flags: string[]) {
  const args = ['payments', 'simulate', 'checkout', '--provider', provider, '--port', '0'];
  const child = spawn(process.execPath, [bin, ...args, '--json', ...db, ...flags], { cwd: root });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text));
  const ended = once(child, 'exit') as Promise<[number | null]>;
  await until('it plays', () => output.includes('"url"') || child.exitCode !== null);
  if (child.exitCode !== null) throw new Error(output);
  return {
    said: JSON.parse(output.split('\n')[0] ?? ''),
    output: () => output,
    async stop() {
      child.kill('SIGINT');
      return (await ended)[0];
    },
  };
}

/** Opens a page for a new order, like a checkout. */
async function checkout(provider: string) {
  const order = await createOrder(shop, { items: [{ sku: 'MUG', quantity: 2 }] });
  const [configured] = await providerSettings(shop.engine, provider as 'stripe', shop.store.id);
  const pages = pagesOf(provider);
  const settings = configured?.settings;
  expect(pages.ready(settings)).toBe(true);
  const now = Date.now();
  const lines = [{ name: 'Mug', sku: 'MUG', quantity: 2, unitPrice: 1250n, total: 2500n }];
  const request = pageRequest({
    ...{ orderId: order.id, checkoutId: order.id, orderNumber: order.orderNumber, lines, shipping: 0n, tax: 0n },
    ...{ createdAt: now, expiresAt: now + 35 * 60_000, now },
  });
  const page = await pages.open(request, settings);
  expect(page.amount).toBe(2500n);
  const paid = async () => (await getOrder(shop, order.id)).status === 'paid';
  return { order, page, pages, settings, paid };
}

const press = (url: string, action: string) => fetch(`${url}/${action}`, { method: 'POST', redirect: 'manual' });

describe('commerce payments simulate checkout', () => {
  it.each(['stripe', 'square', 'paypal'])('plays %s: a buyer is declined, then pays on its page', async (provider) => {
    const played = await play(provider);
    try {
      expect(played.said).toMatchObject({ provider, server: server.url, storeId: shop.store.id });
      const { order, page, pages, settings, paid } = await checkout(provider);
      expect(page.url.startsWith(`${played.said.url}/buyer/${provider}/`)).toBe(true);
      const now = Date.now();
      expect((await press(page.url, 'decline')).status).toBe(303);
      if (provider === 'paypal') expect(await pages.capture?.(page, 1, settings, now)).toEqual({ outcome: 'declined' });
      else expect((await getOrder(shop, order.id)).paymentStatus).toBe('failed');
      const { headers } = await press(page.url, 'pay');
      expect(headers.get('location')).toMatch(/^https:\/\/shop\.example\/thanks/);
      if (provider === 'paypal') {
        expect(await pages.capture?.(page, 2, settings, now)).toMatchObject({ outcome: 'captured' });
      }
      await until('the order is paid', paid);
      expect(await getOrder(shop, order.id)).toMatchObject({ paymentProvider: provider, paymentStatus: 'succeeded' });
    } finally {
      expect(await played.stop()).toBe(0);
    }
  });

  it('pays at once for an impatient buyer, and nothing any more once it has ended', async () => {
    const played = await play('stripe', '--pay');
    try {
      await until('the order is paid', (await checkout('stripe')).paid);
      await until('it says so', () => played.output().includes('checkout.session.completed: 200'));
    } finally {
      expect(await played.stop()).toBe(0);
    }
    await expect(checkout('stripe')).rejects.toMatchObject({ kind: 'unavailable' });
  });

  it('leaves settings alone that lead to a provider, unless it may replace them', async () => {
    const real = ['--webhook-secret', 'whsec_of_the_shop', '--secret-key', 'sk_live_of_the_shop'];
    await commerceJson(['payments', 'configure', '--provider', 'stripe', ...real, ...db]);
    const stored = async () => (await providerSettings(shop.engine, 'stripe', shop.store.id))[0]?.settings;
    const before = await stored();
    const refused = await commerce(['payments', 'simulate', 'checkout', '--port', '0', ...db]);
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/stripe is set up in this store with .*; use `--replace` to allow it/),
    });
    expect(await stored()).toEqual(before);
    const played = await play('stripe', '--replace');
    expect(await stored()).toMatchObject({ apiBase: played.said.url });
    expect(await played.stop()).toBe(0);
  });

  it.each<[string, string[], RegExp]>([
    ['paying and declining', ['--pay', '--decline'], /cannot be used with/],
    ['an unknown provider', ['--provider', 'cash'], /'cash' is invalid/],
    ['a server that is no address', ['--server', 'shop'], /must be an http or https address/],
  ])('refuses %s', async (_, flags, message) => {
    const ran = await commerce(['payments', 'simulate', 'checkout', ...flags, ...db]);
    expect(ran).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(message) });
  });

  it('says how to try it', async () => {
    const child = spawn(process.execPath, [bin, 'payments', 'simulate', 'checkout', '--port', '0', ...db], {
      cwd: root,
    });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text) => (output += text));
    await until('it says so', () => output.includes('Ctrl+C'));
    child.kill('SIGTERM');
    await once(child, 'exit');
    expect(output).toMatch(/^stripe is simulated at http:\/\/127\.0\.0\.1:\d+/);
    expect(output).toContain(`curl ${server.url}/stores/${shop.store.id}/checkouts`);
    expect(output).toContain('"items":[{"sku":"MUG","quantity":1}]');
  });
});

describe('commerce payments simulate', () => {
  it('finds the running server of its file', async () => {
    await commerceJson([
      'payments',
      'configure',
      '--provider',
      'stripe',
      '--webhook-secret',
      'whsec_word',
      '--make-orders',
      ...db,
    ]);
    const sent = ['payments', 'simulate', '--provider', 'stripe', '--items', 'MUG:1', ...db];
    expect((await commerceJson(sent)).answers).toMatchObject([{ status: 200, body: { outcome: 'paid' } }]);
  });

  it('sends notifications below the path of the address, and names what is not the service', async () => {
    const asked: (string | undefined)[] = [];
    const page = createServer((request, response) => {
      asked.push(request.url);
      response.writeHead(404, { 'Content-Type': 'text/html' }).end('<h1>Not here</h1>');
    });
    await once(page.listen(0, '127.0.0.1'), 'listening');
    try {
      const { port } = page.address() as AddressInfo;
      const sent = ['payments', 'simulate', '--provider', 'stripe', '--items', 'MUG:1', ...db];
      const { code, stdout, stderr } = await commerce([...sent, '--server', `http://127.0.0.1:${port}/shop/`]);
      const path = `/shop/api/webhooks/stripe/${shop.store.id}`;
      expect(asked).toEqual([path]);
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toBe(
        `error: http://127.0.0.1:${port}${path} answered 404 with text/html, not with JSON: --server must be the address of a running Commerce, with its path\n`,
      );
    } finally {
      page.close();
    }
  });
});
