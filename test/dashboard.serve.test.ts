import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer as createHttpServer, type IncomingMessage, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { openMediaFolder } from '@commerce/core';
import { createApp, createListener } from '@commerce/server';
import { useCommerce } from '@commerce/test-support/fixtures/shop';
import { root, startServer } from '@commerce/test-support/harness/processes';
import { openStorage } from '@commerce/test-support/harness/storages';
import express from 'express';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { carriers } from '../packages/dashboard/src/screens/orders/carriers.ts';

// How the built pages are served; this does not depend on the database.

const built = join(root, 'packages/dashboard/dist');

describe('the files of the dashboard', () => {
  const folder = mkdtempSync(join(tmpdir(), 'commerce-dashboard-'));
  const address = join(folder, 'shop.db');
  const commerce = useCommerce(
    { address, open: () => openStorage(address) },
    { media: { files: openMediaFolder({ directory: folder }), url: 'https://cdn.example/media' } },
  );
  let server: Server | undefined;
  let port = 0;
  beforeAll(async () => {
    const app = express();
    app.use('/shop', createListener(commerce(), { dashboard: true, basePath: '/shop' }));
    app.use(createListener(commerce(), { dashboard: true }));
    server = createHttpServer(app);
    await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
    port = (server.address() as AddressInfo).port;
  });
  afterAll(async () => {
    await new Promise((resolve) => (server ? server.close(resolve) : resolve(undefined)));
    rmSync(folder, { recursive: true, force: true });
  });

  const ask = async (path: string, headers: Record<string, string> = {}, method = 'GET') => {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      request({ port, path, headers, method }, resolve).on('error', reject).end();
    });
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk as Buffer);
    const bytes = Buffer.concat(chunks);
    return { status: response.statusCode, headers: response.headers, bytes, text: bytes.toString() };
  };
  /** Addresses on a page, as a browser finds them. */
  const linked = (text: string, at: string) =>
    [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, to = '']) => new URL(to, `http://x${at}`).pathname);

  it('answers every address of a screen with the page, whose links lead to its files from wherever it is', async () => {
    for (const prefix of ['', '/shop']) {
      for (const path of ['/dashboard', '/dashboard/', '/dashboard/orders', '/dashboard/orders/1/slip?x=/a/b']) {
        const { status, headers, text } = await ask(prefix + path);
        expect([status, headers['cache-control']], path).toEqual([200, 'no-cache']);
        const files = linked(text, prefix + path);
        expect(files.length).toBeGreaterThan(3);
        for (const file of files) {
          expect(file).toMatch(new RegExp(`^${prefix}/dashboard/assets/[\\w-]+-[\\dA-Z]{8}\\.(?:js|css|svg)$`));
          expect((await ask(file)).status, file).toBe(200);
        }
      }
    }
  });

  it('has a policy that allows scripts and styles of its own alone, and pictures of the media', async () => {
    const { headers } = await ask('/dashboard');
    expect(headers).toMatchObject({
      'content-security-policy':
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: https://cdn.example; connect-src 'self'; " +
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types dompurify",
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'cross-origin-opener-policy': 'same-origin',
    });
    const { text } = await ask('/dashboard');
    expect(text).not.toMatch(/<style|<script>|\son\w+=|style=|https?:/);
  });

  it('answers files as they were compressed by the build, for good, and none that it has not', async () => {
    const names = readdirSync(join(built, 'assets')).filter((name) => !/\.(?:gz|br)$/.test(name));
    expect(names.length).toBeGreaterThan(5);
    for (const name of names) {
      const plain = readFileSync(join(built, 'assets', name));
      const file = `/dashboard/assets/${name}`;
      const asked = await Promise.all([
        ask(file),
        ask(file, { 'accept-encoding': 'gzip' }),
        ask(file, { 'accept-encoding': 'gzip, deflate, br' }),
        ask(file, { 'accept-encoding': 'br;q=0, gzip' }),
      ]);
      expect(asked.map(({ status, headers }) => [status, headers['content-encoding']])).toEqual([
        [200, undefined],
        [200, 'gzip'],
        [200, 'br'],
        [200, 'gzip'],
      ]);
      const [as, gz, br] = asked;
      expect(as?.bytes.equals(plain)).toBe(true);
      expect(gunzipSync(gz?.bytes ?? '').equals(plain)).toBe(true);
      expect(brotliDecompressSync(br?.bytes ?? '').equals(plain)).toBe(true);
      for (const { headers } of asked) {
        expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
        expect(headers.vary).toContain('Accept-Encoding');
        expect(headers['content-type']).toMatch(/^(?:text\/(?:javascript|css); charset=utf-8|image\/svg\+xml)$/);
      }
    }
    for (const path of ['none.js', '..%2fmanifest.json', '../manifest.json', 'main.js', '__proto__', 'toString']) {
      const { status, headers } = await ask(`/dashboard/assets/${path}`);
      expect([status, headers['content-type']], path).toEqual([404, 'application/json; charset=utf-8']);
    }
  });

  it('answers a page that has not changed with 304, and refuses what changes things', async () => {
    const { headers } = await ask('/dashboard');
    expect((await ask('/dashboard', { 'if-none-match': headers.etag ?? '' })).status).toBe(304);
    expect((await ask('/dashboard/x', { 'if-none-match': '"other"' })).status).toBe(200);
    const head = await ask('/dashboard', {}, 'HEAD');
    expect([head.status, head.text]).toEqual([200, '']);
    expect(await ask('/dashboard/orders', {}, 'POST')).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD' } });
  });

  it('is left out of an application that does not ask for it', () => {
    expect(createApp(commerce()).owns('/dashboard')).toBe(false);
    const app = createApp(commerce(), { dashboard: true });
    expect(['/dashboard', '/dashboard/', '/dashboard/x/y'].map((path) => app.owns(path))).toEqual([true, true, true]);
    expect(['/dashboards', '/dash'].map((path) => app.owns(path))).toEqual([false, false]);
  });

  it('loads less than 120 kB at first, and holds no address of elsewhere but those of payment providers and carriers', async () => {
    const { text: page } = await ask('/dashboard');
    const files = linked(page, '/dashboard').map((path) => path.replace('/dashboard/', ''));
    const sizes = files.map((file) => statSync(join(built, `${file}.gz`)).size);
    expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(120_000);
    const texts = readdirSync(join(built, 'assets'))
      .filter((name) => /\.(?:js|css)$/.test(name))
      .map((name) => readFileSync(join(built, 'assets', name), 'utf8'));
    // The GitHub address is where marked asks users to report bugs; the library of passkeys names its documentation in an error.
    const known =
      /^https?:\/\/(?:[\w.-]+\.(?:paypal|stripe|squareup|squareupsandbox)\.com|www\.|app\.squareup|www\.w3\.org|github\.com|simplewebauthn\.dev|[\w.-]*example(?:\.\w+)?)$/;
    const ofCarriers = carriers.map(({ link }) => new URL(link('1', { country: 'NL', postalCode: '1' }) ?? '').origin);
    for (const text of texts) {
      const elsewhere = [...text.matchAll(/https?:\/\/[\w.-]+/g)].map(([found]) => found);
      expect(elsewhere.filter((found) => !known.test(found) && !ofCarriers.includes(found))).toEqual([]);
      expect(text).not.toMatch(/\bck_live_\w{20}|\beval\(|new Function\(/);
    }
    const sources = join(root, 'packages/dashboard/src');
    for (const name of readdirSync(sources, { recursive: true, encoding: 'utf8' })) {
      if (!/\.tsx?$/.test(name)) continue;
      const text = readFileSync(join(sources, name), 'utf8');
      expect(text, name).not.toMatch(
        /innerHTML|outerHTML|insertAdjacentHTML|document\.write|dangerouslySet|createContextualFragment/i,
      );
    }
  });
});

describe('commerce serve', () => {
  const folder = mkdtempSync(join(tmpdir(), 'commerce-dashboard-serve-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  let stop: (() => Promise<unknown>) | undefined;
  afterEach(() => stop?.());

  it.each([
    ['answers the dashboard, by its workers, too', ['--workers', '2'], 200],
    ['leaves it out where one says so', ['--no-dashboard'], 404],
    ['leaves it out where the environment says so', ['--dashboard', 'no'], 404],
  ] as const)('%s', async (_, flags, status) => {
    const running = await startServer(join(folder, `${status}-${flags.length}.db`), [...flags]);
    stop = running.stop;
    const page = await fetch(`${running.url}/dashboard/orders`, { headers: { accept: 'text/html' } });
    expect(page.status).toBe(status);
    const home = await (await fetch(running.url, { headers: { accept: 'text/html' } })).text();
    expect(home.includes('href="dashboard"')).toBe(status === 200);
    if (status === 404) return;
    const [, script = ''] = /src="([^"]+)"/.exec(await page.text()) ?? [];
    expect((await fetch(new URL(script, `${running.url}/dashboard/orders`))).status).toBe(200);
  });
});
