import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { form, formType } from '@commerce/test-support/fixtures/media-forms';
import { picture } from '@commerce/test-support/fixtures/media-images';
import { initShop } from '@commerce/test-support/fixtures/served-shop';
import { commerceJson, type RunningServer, root, startServer } from '@commerce/test-support/harness/processes';
import { freePort } from '@commerce/test-support/harness/sockets';
import { until } from '@commerce/test-support/harness/until';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';

interface Balancer {
  program: string;
  file: string;
  /** Arguments that run a file in the foreground. */
  run(file: string, folder: string): string[];
  /** Arguments that check a file. */
  check(file: string, folder: string): string[];
}

const balancers: Balancer[] = [
  {
    program: 'nginx',
    file: 'nginx.conf',
    run: (file, folder) => ['-c', file, '-p', folder, '-g', 'daemon off;'],
    check: (file, folder) => ['-t', '-c', file, '-p', folder],
  },
  {
    program: 'caddy',
    file: 'Caddyfile',
    run: (file) => ['run', '--adapter', 'caddyfile', '--config', file],
    check: (file) => ['validate', '--adapter', 'caddyfile', '--config', file],
  },
];

const isInstalled = (program: string) => spawnSync(program, ['-v'], { stdio: 'ignore' }).error === undefined;
const read = (file: string) => readFileSync(join(root, 'deploy', file), 'utf8');

/** Every address in a file, which its test replaces. */
const portsIn = (text: string) =>
  [...new Set(text.replace(/#.*$/gm, '').match(/(?<=127\.0\.0\.1:|listen |^:)\d{4}\b/gm))].sort();

describe.each(balancers)('the configuration of $program', ({ program, file, run, check }) => {
  it('has its braces in pairs, two servers, and no cookie that keeps a client at one', () => {
    const text = read(file).replace(/#.*$/gm, '');
    expect(text.match(/\{(?!\w+\})/g)?.length).toBe(text.match(/(?<!\{\w+)\}/g)?.length);
    expect(portsIn(read(file))).toEqual(['3001', '3002', '8080', ...(program === 'nginx' ? ['8081'] : [])]);
    expect(text).not.toMatch(/cookie|ip_hash|sticky|^\s*hash /m);
  });

  const reason = isInstalled(program) ? '' : ` (skipped: the program ${program} is not installed)`;
  describe.skipIf(reason !== '' || process.env.TEST_QUICK !== undefined)(`as it runs${reason}`, () => {
    const folder = mkdtempSync(join(tmpdir(), `commerce-${program}-`));
    const database = `balanced_${program}_${process.pid}`;
    const address = `${inject('postgresUrl')}/${database}`;
    const flags = (port: number) => [
      ...['--port', String(port), '--trust-proxy', '--media-dir', join(folder, 'media')],
      ...['--storefront-limits', '30,30', '--stop-delay', '8'],
    ];
    let ports: number[];
    let servers: RunningServer[];
    let balancer: ChildProcess;
    let url: string;
    let shop: { storeId: string; key: string };
    const errors: string[] = [];

    const administer = async (statement: string) => {
      const client = new pg.Client({ connectionString: `${inject('postgresUrl')}/postgres` });
      await client.connect();
      await client.query(statement);
      await client.end();
    };

    beforeAll(async () => {
      await administer(`create database ${database}`);
      shop = await initShop(address);
      ports = [await freePort(), await freePort(), await freePort(), await freePort()];
      const text = read(file)
        .replace(/(?<=127\.0\.0\.1:)3001/g, String(ports[0]))
        .replace(/(?<=127\.0\.0\.1:)3002/g, String(ports[1]))
        .replace(/(?<=listen |^:)8080/m, `${program === 'nginx' ? '127.0.0.1:' : ''}${ports[2]}`)
        .replace(/(?<=listen )8081/, `127.0.0.1:${ports[3]}`)
        .replace('/run/nginx.pid', join(folder, 'nginx.pid'));
      const config = join(folder, file);
      writeFileSync(config, text);
      const checked = spawnSync(program, check(config, folder), { encoding: 'utf8' });
      expect([checked.status, checked.stderr]).toEqual([0, expect.anything()]);
      servers = await Promise.all(ports.slice(0, 2).map((port) => startServer(address, flags(port))));
      balancer = spawn(program, run(config, folder), { env: { ...process.env, XDG_DATA_HOME: folder, HOME: folder } });
      balancer.stderr?.setEncoding('utf8').on('data', (part: string) => errors.push(part));
      url = `http://127.0.0.1:${ports[2]}`;
      await until(`${program} answers`, () =>
        fetch(`${url}/readyz`).then(
          ({ ok }) => ok,
          () => false,
        ),
      );
    });
    afterAll(async () => {
      if (balancer?.exitCode === null) {
        balancer.kill('SIGTERM');
        await once(balancer, 'exit');
      }
      await Promise.all((servers ?? []).map((server) => server.stop()));
      await administer(`drop database if exists ${database} with (force)`);
      rmSync(folder, { recursive: true, force: true });
    });

    const send = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
      fetch(`${url}/stores/${shop.storeId}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${shop.key}`,
          ...(body === undefined || Buffer.isBuffer(body) ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: Buffer.isBuffer(body) ? new Uint8Array(body) : JSON.stringify(body) }),
      });

    it('fails no request while one server after the other is stopped and started anew', async () => {
      const product = (await (await send('POST', '/products', { title: 'Mug', slug: 'mug', price: '10' })).json()) as {
        item: { id: string };
      };
      const answers = new Map<string, number>();
      let isRunning = true;
      let made = 0;
      const clients = Array.from({ length: 9 }, async (_, i) => {
        while (isRunning) {
          const [method, path, body] = (
            [
              ['GET', `/products/${product.item.id}`, undefined],
              ['PUT', `/products/${product.item.id}`, { title: 'Mug' }],
              ['POST', '/products', { title: 'Cup', slug: `cup-${++made}`, price: '5' }],
            ] as const
          )[i % 3] as [string, string, unknown];
          const answer = await send(method, path, body).then(
            async (got) => {
              const text = await got.text();
              return got.ok ? `${method} ${got.status}` : `${method} ${got.status} ${text.slice(0, 200)}`;
            },
            (error) => `${method} ${error.cause ?? error}`,
          );
          answers.set(answer, (answers.get(answer) ?? 0) + 1);
          // A few requests are always under way. At the machine's full capacity, the test would show nothing more.
          await sleep(60);
        }
      });
      try {
        for (const i of [0, 1]) {
          await sleep(1000);
          expect(await servers[i]?.stop()).toBe(0);
          servers[i] = await startServer(address, flags(ports[i] as number));
          // Waits until the balancer has found it again.
          await sleep(6000);
        }
      } finally {
        isRunning = false;
        await Promise.all(clients);
      }
      expect([...answers.keys()].sort(), errors.join('').slice(-3000)).toEqual(['GET 200', 'POST 201', 'PUT 200']);
      const { total } = (await (await send('GET', '/products?limit=1')).json()) as { total: number };
      expect(total).toBe(1 + (answers.get('POST 201') ?? 0));
    });

    it('passes uploads and long answers on, and keeps connections', async () => {
      const uploaded = await send('POST', '/media', form({ content: await picture('png') }), {
        'content-type': formType,
      });
      expect(uploaded.status).toBe(201);
      const exported = await send('GET', '/exports/products.jsonl');
      const text = await exported.text();
      const direct = await fetch(`http://127.0.0.1:${ports[0]}/stores/${shop.storeId}/exports/products.jsonl`, {
        headers: { authorization: `Bearer ${shop.key}` },
      });
      expect(text).toBe(await direct.text());
      expect(text.length).toBeGreaterThan(1000);
      expect((await fetch(`${url}/metrics`)).status).toBe(404);
    });

    // Caddy does this itself if it has a name, which requires a certificate.
    it.runIf(program === 'nginx')('leads plain HTTP to TLS, with the method and the path', async () => {
      for (const method of ['GET', 'POST']) {
        const answer = await fetch(`http://127.0.0.1:${ports[3]}/dashboard/sign-in?a=b`, {
          method,
          redirect: 'manual',
        });
        expect([answer.status, answer.headers.get('location')]).toEqual([
          308,
          'https://127.0.0.1/dashboard/sign-in?a=b',
        ]);
      }
    });

    it("counts clients by their own address, whatever they write into the proxy's header", async () => {
      const { item } = await commerceJson([
        'keys',
        'create',
        '--name',
        'page',
        '--preset',
        'storefront',
        '--db',
        address,
      ]);
      const statuses: number[] = [];
      const start = performance.now();
      for (let i = 0; i < 150; i++) {
        const { status } = await send('GET', '/products?limit=1', undefined, {
          authorization: `Bearer ${item.key}`,
          'x-forwarded-for': `203.0.113.${i}`,
          'x-request-id': randomUUID(),
        });
        statuses.push(status);
      }
      // Each of the two servers counts separately, and refills part of the limit while a busy machine is slow.
      const seconds = (performance.now() - start) / 1000;
      expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(60 + 2 * seconds);
      expect(statuses).toContain(429);
    });
  });
});
