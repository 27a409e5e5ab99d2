import { execFile, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { readdir, readFile, rm, stat, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Media, openCommerce, openMediaBucket, openMediaFolder } from '@commerce/core';
import { picture } from '@commerce/test-support/fixtures/media-images';
import { placeOf, type S3Server, s3Bucket, s3Keys, startS3 } from '@commerce/test-support/fixtures/media-places';
import { initShop } from '@commerce/test-support/fixtures/served-shop';
import {
  commerce,
  commerceJson,
  inParallel,
  type RunningServer,
  startServer,
} from '@commerce/test-support/harness/processes';
import { repeats } from '@commerce/test-support/harness/repeats';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { until } from '@commerce/test-support/harness/until';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

const runFile = promisify(execFile);

async function upload(
  url: string,
  { storeId, key }: { storeId: string; key: string },
  ...contents: Buffer[]
): Promise<Media[]> {
  const body = new FormData();
  contents.forEach((content, i) => {
    body.append('files', new Blob([new Uint8Array(content)], { type: 'image/png' }), `${i}.png`);
  });
  const headers = { authorization: `Bearer ${key}` };
  const answer = await fetch(`${url}/stores/${storeId}/media`, { method: 'POST', headers, body });
  const text = await answer.text();
  if (answer.status !== 201) throw new Error(`${answer.status} ${text}`);
  return JSON.parse(text).items;
}

function rowsWithoutFile(rows: readonly string[], kept: readonly string[]): string[] {
  const files = new Set(kept);
  return rows.filter((name) => !files.has(name));
}

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'commerce-media-'));
  afterAll(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

let server: RunningServer | undefined;
afterEach(async () => {
  await server?.stop();
  server = undefined;
});

forEachStorage('a server that is killed while images are uploaded', (database, dialect) => {
  const rounds = repeats(dialect === 'sqlite' ? { suite: 12, nightly: 50 } : { suite: 4, nightly: 25 });
  const directory = join(newFolder(), 'media');
  const place = placeOf(() => openMediaFolder({ directory }));

  it(`has no row without its file, ${rounds} times over, and the sweep removes the rest`, {
    timeout: 60_000 + rounds * 20_000,
  }, async () => {
    const shop = await initShop(database.address);
    const small = await picture('png', { width: 80, height: 60, noise: true });
    const large = await picture('png', { width: 400, height: 300, noise: true });
    const watching = await openCommerce({ storage: database.open() });
    const names = async () => {
      const rows = await watching.engine.storage.db
        .selectFrom('media')
        .select('id')
        .where('store_id', '=', shop.storeId)
        .execute();
      return rows.map((row) => `${shop.storeId}/${row.id}.png`).sort();
    };
    const answered = new Set<string>();
    for (let round = 0; round < rounds; round++) {
      server = await startServer(database.address, ['--media-dir', directory]);
      const { url } = server;
      let killed = false;
      const uploading = inParallel(Array.from({ length: 200 }), 4, async (_, i) => {
        if (killed) return;
        try {
          const made = await upload(url, shop, ...(i % 2 ? [small] : [small, large, small]));
          for (const media of made) answered.add(`${shop.storeId}/${media.id}.png`);
        } catch (error) {
          if (!killed) throw error;
        }
      });
      // Every second kill comes after the first answer, so that there is a promise to check.
      const before = answered.size;
      if (round % 2) await until('an upload is answered', () => answered.size > before);
      await sleep(randomInt(1, 300));
      killed = true;
      await server.kill();
      await uploading;
      expect(rowsWithoutFile(await names(), await place.kept(shop.storeId))).toEqual([]);
    }
    const rows = await names();
    await watching.close();
    expect(answered.size).toBeGreaterThanOrEqual(rounds / 2);
    expect([...answered].filter((name) => !rows.includes(name))).toEqual([]);
    // Nothing is young any longer, so everything without a row is deleted.
    const left = [...(await place.kept(shop.storeId)), ...(await place.staged()).map((name) => `.staging/${name}`)];
    const longAgo = new Date(Date.now() - 7_200_000);
    for (const name of left) await utimes(join(directory, name), longAgo, longAgo);
    const orphans = left.filter((name) => !rows.includes(name)).sort();
    const sweep = ['media', 'sweep', '--db', database.address, '--media-dir', directory];
    const dry = await commerceJson([...sweep, '--dry-run']);
    expect({ ...dry, files: dry.files.sort() }).toMatchObject({ dryRun: true, files: orphans });
    const swept = await commerceJson(sweep);
    expect({ ...swept, files: swept.files.sort() }).toEqual({ ...dry, dryRun: false });
    expect(await place.kept(shop.storeId)).toEqual(rows);
    expect(await place.staged()).toEqual([]);
    const { stdout } = await commerce(sweep);
    expect(stdout).toBe('removed 0 files, 0 bytes\n');
  });

  it('would notice a server that writes the row first', async () => {
    const storage = database.open();
    await storage.db.transaction().execute((db) => sql`create table naive (name text not null)`.execute(db));
    const naive = [fileURLToPath(new URL('support/controls/naive-uploader.mjs', import.meta.url)), database.address];
    const storeId = 'naive';
    let missing: string[] = [];
    for (let round = 0; round < 100 && missing.length === 0; round++) {
      const child = spawn(process.execPath, [...naive, directory, storeId]);
      await once(child.stdout, 'data');
      await sleep(randomInt(1, 30));
      child.kill('SIGKILL');
      await once(child, 'exit');
      const { rows } = await sql<{ name: string }>`select name from naive`.execute(storage.db);
      missing = rowsWithoutFile(
        rows.map((row) => row.name),
        await place.kept(storeId),
      );
    }
    await storage.close();
    expect(missing.length).toBeGreaterThan(0);
  });
});

describe('commerce serve', () => {
  const folder = newFolder();
  let files = 0;
  const newFile = () => join(folder, `shop-${++files}.db`);

  it('needs no more memory for large files than for small ones', { timeout: 120_000 }, async () => {
    const address = newFile();
    const shop = await initShop(address);
    const directory = join(folder, 'large');
    server = await startServer(address, ['--media-dir', directory]);
    const { url, child } = server;
    // Just under 10 MiB of noise.
    const image = await picture('png', { width: 1800, height: 1850, noise: true });
    const rss = async () => Number((await runFile('ps', ['-o', 'rss=', '-p', String(child.pid)])).stdout) * 1024;
    // From here on the decoder is loaded, and the pools have their full size.
    for (let i = 0; i < 3; i++) await upload(url, shop, image);
    const before = await rss();
    let most = before;
    let done = false;
    const watching = (async () => {
      while (!done) {
        most = Math.max(most, await rss());
        await sleep(100);
      }
    })();
    const requests = 12;
    await inParallel(Array.from({ length: requests }), 3, () => upload(url, shop, image, image, image, image, image));
    done = true;
    await watching;
    const sent = requests * 5 * image.length;
    expect(sent).toBeGreaterThan(500 * 1024 * 1024);
    expect(most - before).toBeLessThan(sent / 3);
    await rm(directory, { recursive: true, force: true });
  });

  it('makes the folder with the first image, and its addresses from where it is reached', async () => {
    const address = newFile();
    const shop = await initShop(address);
    const directory = join(folder, 'later', 'media');
    const image = await picture('png');
    server = await startServer(address, ['--media-dir', directory]);
    await expect(stat(directory)).rejects.toThrow(/ENOENT/);
    const [media] = await upload(server.url, shop, image);
    const path = `${shop.storeId}/${media?.id}.png`;
    expect(media?.url).toBe(`${server.url}/media/${path}`);
    expect(Buffer.from(await (await fetch(media?.url ?? '')).arrayBuffer()).equals(image)).toBe(true);
    expect((await readFile(join(directory, path))).equals(image)).toBe(true);
    expect((await readdir(directory)).sort()).toEqual(['.staging', shop.storeId]);
    expect(await server.stop()).toBe(0);

    const get = async (running: RunningServer) => {
      const headers = { authorization: `Bearer ${shop.key}` };
      const answer = await fetch(`${running.url}/stores/${shop.storeId}/media/${media?.id}`, { headers });
      return ((await answer.json()) as { item: Media }).item.url;
    };
    server = await startServer(address, ['--media-dir', directory, '--public-url', 'https://shop.example.com/api/']);
    expect(await get(server)).toBe(`https://shop.example.com/api/media/${path}`);
    expect(await server.stop()).toBe(0);
    server = await startServer(address, ['--public-url', 'https://a.example', '--cdn-url', 'https://cdn.example.com']);
    expect(await get(server)).toBe(`https://cdn.example.com/${path}`);
  });

  const s3 = ['--media-s3-endpoint', 'http://127.0.0.1:9', '--media-s3-bucket', 'b'];
  const wrong: [string, string[], Record<string, string>, RegExp][] = [
    [
      'a public address that is none',
      ['--public-url', 'shop.example.com'],
      {},
      /'shop.example.com' is invalid.*http or https/,
    ],
    ['one of another scheme', ['--public-url', 'ftp://x'], {}, /'ftp:\/\/x' is invalid/],
    ['one with a query', ['--cdn-url', 'https://x/?a=b'], {}, /is invalid/],
    [
      'one that is none, from the environment',
      [],
      { COMMERCE_CDN_URL: 'x' },
      /'x' from env 'COMMERCE_CDN_URL' is invalid/,
    ],
    ['an endpoint without a bucket', s3.slice(0, 2), {}, /--media-s3-endpoint requires --media-s3-bucket/],
    ['a bucket without an endpoint', s3.slice(2), {}, /--media-s3-bucket requires --media-s3-endpoint/],
    ['a bucket without keys', s3, {}, /COMMERCE_MEDIA_S3_ACCESS_KEY_ID and COMMERCE_MEDIA_S3_SECRET_ACCESS_KEY/],
    ['an endpoint that is none', ['--media-s3-endpoint', 'x', '--media-s3-bucket', 'b'], {}, /'x' is invalid/],
  ];
  it.each(wrong)('ends with 2 and one clear line for %s', async (_, flags, env, message) => {
    const { code, stderr } = await commerce(['serve', '--db', newFile(), ...flags], '', env);
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
    expect(stderr.split('\n').filter((line) => line.startsWith('error:'))).toHaveLength(1);
  });

  it('says at the sweep when the database is not there, instead of taking every file for an orphan', async () => {
    const result = await commerce(['media', 'sweep', '--db', join(folder, 'typo.db'), '--media-dir', folder]);
    expect(result).toMatchObject({ code: 1, stderr: expect.stringMatching(/typo\.db: the file does not exist/) });
  });

  describe('with a bucket', () => {
    let bucket: S3Server;
    let address: string;
    let shop: Awaited<ReturnType<typeof initShop>>;
    const keyNames = ['COMMERCE_MEDIA_S3_ACCESS_KEY_ID', 'COMMERCE_MEDIA_S3_SECRET_ACCESS_KEY'] as const;
    beforeAll(async () => {
      bucket = await startS3();
      address = newFile();
      shop = await initShop(address);
    });
    afterAll(async () => {
      for (const name of keyNames) delete process.env[name];
      await bucket.stop();
    });
    const start = (secret = s3Keys.secretAccessKey, endpoint = bucket.endpoint) => {
      // The keys are read only from the environment.
      process.env[keyNames[0]] = s3Keys.accessKeyId;
      process.env[keyNames[1]] = secret;
      const flags = ['--media-s3-endpoint', endpoint, '--media-s3-bucket', s3Bucket, '--media-s3-prefix', 'shop/'];
      return startServer(address, flags);
    };
    const place = placeOf(() =>
      openMediaBucket({ endpoint: bucket.endpoint, bucket: s3Bucket, region: 'us-east-1', prefix: 'shop/', ...s3Keys }),
    );
    const listed = async (running: RunningServer) => {
      const headers = { authorization: `Bearer ${shop.key}` };
      return (await (await fetch(`${running.url}/stores/${shop.storeId}/media`, { headers })).json()) as {
        total: number;
      };
    };

    it('answers 500 where its keys are wrong and 503 where the bucket is down, and does nothing by halves', async () => {
      const image = await picture('png');
      server = await start();
      const [there] = await upload(server.url, shop, image);
      await server.stop();
      const path = new URL(there?.url ?? '').pathname;
      const kept = await place.kept(shop.storeId);
      const cases = [
        {
          running: await start('wrong'),
          status: 500,
          message: /an internal error occurred/,
          log: /403 SignatureDoesNotMatch/,
        },
        {
          running: await start('x', 'http://127.0.0.1:9'),
          status: 503,
          message: /storage of media files does not answer/,
          log: /ECONNREFUSED/,
        },
      ];
      for (const { running, status, message, log } of cases) {
        server = running;
        const refusal = await upload(running.url, shop, image, image).catch((error: Error) => error);
        expect(refusal).toBeInstanceOf(Error);
        expect((refusal as Error).message).toMatch(new RegExp(`^${status} `));
        expect((refusal as Error).message).toMatch(message);
        const served = await fetch(running.url + path);
        expect(served.status).toBe(status);
        expect(served.headers.get('cache-control')).toBe('no-store');
        expect(running.stderr()).toMatch(log);
        expect((await listed(running)).total).toBe(kept.length);
        expect(await running.stop()).toBe(0);
      }
      expect(await place.kept(shop.storeId)).toEqual(kept);
    });
  });
});
