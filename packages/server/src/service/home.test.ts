import { mkdtempSync, rmSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApp, createServer } from '@commerce/server';
import { useCommerce } from '@commerce/test-support/fixtures/shop';
import { openStorage } from '@commerce/test-support/harness/storages';
import { afterAll, describe, expect, it } from 'vitest';

// The information about the service does not depend on the database, so one database is enough.
describe('the root of a service', () => {
  const folder = mkdtempSync(join(tmpdir(), 'commerce-home-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const address = join(folder, 'shop.db');
  const commerce = useCommerce({ address, open: () => openStorage(address) });

  /** A request that follows no redirects. */
  const ask = async (port: number, path: string, accept?: string) => {
    const headers = accept === undefined ? {} : { accept };
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      request({ port, path, headers }, resolve).on('error', reject).end();
    });
    let text = '';
    for await (const chunk of response.setEncoding('utf8')) text += chunk;
    return { status: response.statusCode, headers: response.headers, text };
  };

  it('answers a browser with a page and everybody else with JSON, and leads to the reference with a slash too many', async () => {
    const server = createServer(commerce());
    const { port } = await server.listen({ port: 0 });
    try {
      const page = await ask(port, '/', 'text/html,application/xhtml+xml,*/*;q=0.8');
      expect(page).toMatchObject({
        status: 200,
        headers: { 'content-type': 'text/html; charset=utf-8', vary: 'Accept' },
        text: expect.stringMatching(/<a href="docs">/),
      });
      expect(page.headers['content-security-policy']).toMatch(/^default-src 'none'/);
      for (const accept of [undefined, '*/*', 'application/json']) {
        const { status, headers, text } = await ask(port, '/', accept);
        expect([status, headers['content-type'], headers.vary]).toEqual([
          200,
          'application/json; charset=utf-8',
          'Accept',
        ]);
        expect(JSON.parse(text)).toMatchObject({ name: 'Commerce', docs: '/docs', document: '/openapi.json' });
      }
      const moved = await ask(port, '/docs/');
      expect(moved).toMatchObject({ status: 308, headers: { location: '../docs' } });
      expect(new URL('../docs', 'https://shop.example/prefix/docs/').pathname).toBe('/prefix/docs');
    } finally {
      await server.stop();
    }
  });

  it('is that of the application where the service is mounted into one', () => {
    const app = createApp(commerce());
    expect(app.owns('/')).toBe(false);
    expect(app.owns('/healthz')).toBe(true);
    expect(createApp(commerce(), { pages: [] }).owns('/healthz')).toBe(false);
  });
});
