import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { initShop } from '@commerce/test-support/fixtures/served-shop';
import { commerce, type RunningServer, startServer } from '@commerce/test-support/harness/processes';
import { dial, parseAnswers } from '@commerce/test-support/harness/sockets';
import { until } from '@commerce/test-support/harness/until';
import { livingOf, processesOf, sendFresh } from '@commerce/test-support/harness/workers';
import Database from 'better-sqlite3';
import { afterAll, afterEach, describe, expect, it } from 'vitest';

/** Files in a folder of temporary files. */
function leftIn(folder: string): string[] {
  return readdirSync(folder);
}

describe('the processes of commerce serve --workers', () => {
  const folder = mkdtempSync(join(tmpdir(), 'commerce-life-'));
  let files = 0;
  const newFile = () => join(folder, `${++files}.db`);
  let server: RunningServer | undefined;
  afterEach(async () => {
    if (server?.child.exitCode === null && server.child.signalCode === null) await server.kill();
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** Starts a service with its own folder for temporary files, which is returned too. */
  async function start(file: string, ...flags: string[]) {
    const temporary = mkdtempSync(join(folder, 'tmp-'));
    const before = process.env.TMPDIR;
    process.env.TMPDIR = temporary;
    try {
      server = await startServer(file, ['--workers', '2', ...flags]);
    } finally {
      if (before === undefined) delete process.env.TMPDIR;
      else process.env.TMPDIR = before;
    }
    const { writers, readers } = await processesOf(server);
    expect([writers.length, readers.length]).toEqual([1, 2]);
    const pids = [...writers, ...readers];
    return { server, temporary, pids, writer: writers[0] as number, readers };
  }

  const isFree = (port: number) =>
    new Promise<boolean>((resolve) => {
      const probe = createServer();
      probe.once('error', () => resolve(false));
      probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
    });

  it('all end when the one that was started is killed, and leave nothing behind', async () => {
    const { server, pids, temporary } = await start(newFile());
    const port = Number(new URL(server.url).port);
    expect(leftIn(temporary)).toHaveLength(1);
    await server.kill();
    await until('no process is left', async () => (await livingOf(pids)).length === 0, 5000);
    expect(await isFree(port)).toBe(true);
    expect(leftIn(temporary)).toEqual([]);
  });

  it.each(['SIGTERM', 'SIGINT'] as const)(
    'answer what is under way when a %s comes, also to all of them',
    async (signal) => {
      const file = newFile();
      const { storeId, key } = await initShop(file);
      const { server, pids, temporary } = await start(file);
      const port = Number(new URL(server.url).port);
      const late = await Promise.all(
        Array.from({ length: 4 }, async (_, i) => {
          const connection = await dial(port);
          const body = JSON.stringify({ title: 'Late', slug: `late-${i}`, price: '1' });
          const head = [`POST /stores/${storeId}/products HTTP/1.1`, 'Host: x', `Authorization: Bearer ${key}`];
          head.push('Content-Type: application/json', `Content-Length: ${body.length}`);
          connection.write(`${head.join('\r\n')}\r\n\r\n${body.slice(0, 10)}`);
          return { connection, rest: body.slice(10) };
        }),
      );
      // Connections are assigned in turn, so the earlier ones have reached their processes.
      for (let time = 0; time < 8; time++) expect((await sendFresh(server.url, 'GET', '/healthz')).status).toBe(200);
      // A terminal sends it to every process, and so does systemd.
      for (const pid of pids) process.kill(pid, signal);
      server.child.kill(signal);
      await until('nothing more is accepted', () => isFree(port), 5000);
      for (const { connection, rest } of late) connection.write(rest);
      for (const { connection } of late) {
        const [answer] = parseAnswers(await connection.received());
        expect(answer?.status).toBe(201);
      }
      await until('it has ended', () => server.child.exitCode !== null);
      expect([server.child.exitCode, server.stderr()]).toEqual([0, '']);
      expect(await livingOf(pids)).toEqual([]);
      expect(leftIn(temporary)).toEqual([]);
    },
  );

  it('do not wait after a second signal', async () => {
    const file = newFile();
    const { storeId, key } = await initShop(file);
    const { server, pids } = await start(file);
    const connection = await dial(Number(new URL(server.url).port));
    connection.write(`POST /stores/${storeId}/products HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n`);
    connection.write('Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{');
    for (let time = 0; time < 4; time++) await sendFresh(server.url, 'GET', '/healthz');
    server.child.kill('SIGTERM');
    const port = Number(new URL(server.url).port);
    await until('nothing more is accepted', () => isFree(port), 5000);
    server.child.kill('SIGTERM');
    await until('it has ended', () => server.child.exitCode !== null, 3000);
    expect(server.child.exitCode).toBe(1);
    await until('no process is left', async () => (await livingOf(pids)).length === 0, 5000);
    await connection.received();
  });

  it('answer reads while nobody writes, and say that they are not ready', async () => {
    const file = newFile();
    const { storeId, key } = await initShop(file);
    const { server, writer } = await start(file);
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const path = `/stores/${storeId}/products`;
    const create = (slug: string) => {
      const body = JSON.stringify({ title: 'Mug', slug, price: '1' });
      return sendFresh(server.url, 'POST', path, { headers, body });
    };
    expect((await create('first')).status).toBe(201);
    // Paused instead of ended, so that no other process replaces it.
    process.kill(writer, 'SIGSTOP');
    const held = create('held');
    try {
      for (let time = 0; time < 6; time++) {
        expect((await sendFresh(server.url, 'GET', path, { headers })).status).toBe(200);
        expect((await sendFresh(server.url, 'GET', '/healthz')).status).toBe(200);
      }
      const { status, text } = await sendFresh(server.url, 'GET', '/readyz');
      expect([status, text]).toEqual([
        503,
        expect.stringMatching(/the process that writes has not answered within 3 s/),
      ]);
    } finally {
      process.kill(writer, 'SIGKILL');
    }
    const lost = await held;
    expect([lost.status, lost.headers['retry-after'], lost.json.error.code]).toEqual([503, '1', 'UNAVAILABLE']);
    await until('it writes again', async () => (await create('again')).status === 201);
    expect((await sendFresh(server.url, 'GET', '/readyz')).status).toBe(200);
    const { writers } = await processesOf(server);
    expect(writers).toHaveLength(1);
    expect(writers).not.toContain(writer);
    expect(await server.stop()).toBe(0);
  });

  it('refuse changes at once while the writer is away, payments with the status at which they are sent again', async () => {
    const file = newFile();
    const { storeId, key } = await initShop(file);
    const { server, writer } = await start(file);
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const seen = new Set<string>();
    process.kill(writer, 'SIGKILL');
    await until('it writes again', async () => {
      const [create, pay] = await Promise.all([
        sendFresh(server.url, 'POST', `/stores/${storeId}/products`, { headers, body: '{}' }),
        sendFresh(server.url, 'POST', `/api/webhooks/stripe/${storeId}`, { headers, body: '{}' }),
      ]);
      seen.add(`${create.status} ${create.headers['retry-after'] ?? ''}`).add(`${pay.status} payment`);
      return create.status === 400 && pay.status === 400;
    });
    expect([...seen].sort()).toEqual(['400 ', '400 payment', '500 payment', '503 1']);
    expect(await server.stop()).toBe(0);
  });

  it('end with the reason when one cannot be started any more', async () => {
    const file = newFile();
    const { server, pids, writer } = await start(file);
    // The next writer opens a file that is not a database.
    for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true });
    writeFileSync(
      file,
      'notes, and no database at all, in a file of more than a hundred characters, which is what SQLite reads at first',
    );
    process.kill(writer, 'SIGKILL');
    await until('it gives up', () => server.child.exitCode !== null, 20_000);
    expect(server.child.exitCode).toBe(1);
    const lines = server.stderr().trim().split('\n');
    expect(lines.slice(0, -1).every((line) => line.includes('it is not a SQLite database'))).toBe(true);
    expect(lines.at(-1)).toMatch(/^error: the writer exited 5 times in a row during its start, last with exit code 1$/);
    await until('no process is left', async () => (await livingOf(pids)).length === 0, 5000);
  });

  it('tell no less of what they have done when one is replaced, and when a key was used', async () => {
    const file = newFile();
    const { storeId, key } = await initShop(file);
    const { server, readers } = await start(file, '--metrics');
    const headers = { authorization: `Bearer ${key}` };
    const count = async () => {
      const { text } = await sendFresh(server.url, 'GET', '/metrics');
      const found = /^commerce_http_requests_total\{method="GET",route="\/products",status="200"\} (\d+)$/m.exec(text);
      return Number(found?.[1]);
    };
    const read = () => sendFresh(server.url, 'GET', `/stores/${storeId}/products`, { headers });
    for (let time = 0; time < 8; time++) expect((await read()).status).toBe(200);
    expect(await count()).toBe(8);
    for (const [n, reader] of readers.entries()) {
      process.kill(reader, 'SIGKILL');
      await until('another one reads', async () => {
        const { readers: now } = await processesOf(server);
        return now.length === 2 && !now.includes(reader);
      });
      await until('it answers', async () => (await read().catch(() => undefined))?.status === 200);
      expect(await count()).toBeGreaterThanOrEqual(9 + n);
    }
    expect(await server.stop()).toBe(0);
    const opened = new Database(file, { readonly: true });
    const lastUse = opened.prepare('select last_used_at from api_keys').pluck().get();
    opened.close();
    expect(Math.abs(Number(lastUse) - Date.now())).toBeLessThan(60_000);
  });

  it('write whole lines into the one log', async () => {
    const file = newFile();
    const { storeId, key } = await initShop(file);
    const { server } = await start(file, '--log', 'json');
    const headers = { authorization: `Bearer ${key}` };
    const path = `/stores/${storeId}/products`;
    const count = 400;
    await Promise.all(
      Array.from({ length: 8 }, async (_, lane) => {
        for (let i = lane; i < count; i += 8) {
          const id = `line-${i}`;
          const sending = { headers: { ...headers, 'x-request-id': id } };
          await sendFresh(server.url, i % 4 === 0 ? 'DELETE' : 'GET', `${path}${i % 4 === 0 ? '/x' : ''}`, sending);
        }
      }),
    );
    expect(await server.stop()).toBe(0);
    const lines = server
      .stderr()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const requests = lines.filter(({ requestId }) => requestId?.startsWith('line-'));
    expect(requests).toHaveLength(count);
    expect(new Set(requests.map(({ requestId }) => requestId)).size).toBe(count);
    expect(requests.filter(({ method, route }) => method === 'DELETE' && route === '/products/{id}')).toHaveLength(
      count / 4,
    );
    expect(requests.every((line) => line.storeId === storeId && line.key === key.slice(0, 12))).toBe(true);
  });

  it('accept as many connections together as one would, and close those above', async () => {
    const { server } = await start(newFile(), '--max-connections', '10');
    const port = Number(new URL(server.url).port);
    // In turn means similar numbers, so both get more than their share of ten.
    const connections = await Promise.all(Array.from({ length: 60 }, () => dial(port)));
    const open = () => connections.filter(({ socket }) => !socket.destroyed).length;
    await until('those above are closed', () => open() === 10, 5000);
    for (const { socket } of connections) socket.destroy();
    await until('there is room again', async () => {
      return (await sendFresh(server.url, 'GET', '/healthz').catch(() => undefined))?.status === 200;
    });
  });

  it.each([
    ['0', /from 1 to 64/],
    ['65', /from 1 to 64/],
    ['two', /from 1 to 64/],
  ])('are not started for --workers %s', async (workers, message) => {
    const { code, stderr } = await commerce(['serve', '--db', newFile(), '--port', '0', '--workers', workers]);
    expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
  });

  it('are not started where the port is in use, the file is foreign or an option is missing', async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    const { port } = taken.address() as { port: number };
    const file = newFile();
    const serve = (...args: string[]) => commerce(['serve', '--workers', '2', ...args]);
    const inUse = await serve('--db', file, '--port', String(port));
    taken.close();
    expect([inUse.code, inUse.stderr]).toEqual([
      1,
      expect.stringMatching(/^error: port \d+ on 127\.0\.0\.1 is in use; .*\n$/),
    ]);
    const foreign = newFile();
    new Database(foreign).exec('create table cats (name text)').close();
    const refused = await serve('--db', foreign, '--port', '0');
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringMatching(/^error: .* of another program, .*\n$/)]);
    const wrong = await serve('--db', newFile(), '--port', '0', '--media-s3-bucket', 'b');
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringMatching(/^error: .*requires --media-s3-endpoint\n/)]);
  });

  it('take their number from the environment, and make one first store', async () => {
    const file = newFile();
    process.env.COMMERCE_WORKERS = '3';
    try {
      server = await startServer(file);
    } finally {
      delete process.env.COMMERCE_WORKERS;
    }
    expect((await processesOf(server)).readers).toHaveLength(3);
    expect(await server.stop()).toBe(0);
    const opened = new Database(file, { readonly: true });
    expect(opened.prepare('select count(*) from stores').pluck().get()).toBe(1);
    opened.close();
  });
});
