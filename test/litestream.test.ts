import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { commerce, commerceJson, inParallel, root, run, startServer } from '@commerce/test-support/harness/processes';
import { until } from '@commerce/test-support/harness/until';
import { afterAll, describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';

const config = parse(readFileSync(join(root, 'deploy/litestream.yml'), 'utf8')) as {
  dbs: { path: string; replicas: Record<string, string>[] }[];
};
const folder = mkdtempSync(join(tmpdir(), 'commerce-litestream-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const litestream = (process.env.PATH ?? '')
  .split(delimiter)
  .map((path) => join(path, 'litestream'))
  .find(existsSync);

describe('deploy/litestream.yml', () => {
  it('copies the file that the unit of systemd serves, to one place', () => {
    expect(config.dbs).toHaveLength(1);
    expect(readFileSync(join(root, 'deploy/commerce.service'), 'utf8')).toContain(
      `COMMERCE_DB=${config.dbs[0]?.path}\n`,
    );
    expect(config.dbs[0]?.replicas).toHaveLength(1);
    expect(JSON.stringify(config)).not.toMatch(/key|secret/i);
  });

  it.skipIf(!litestream)(
    'restores what was answered before the service was killed (skipped without litestream)',
    async () => {
      const file = join(folder, 'shop.db');
      const { store, apiKey } = await commerceJson(['init', '--db', file, '--name', 'Copied', '--currency', 'EUR']);
      const server = await startServer(file);
      const place = join(folder, 'litestream.yml');
      const replica = {
        type: 'file',
        path: join(folder, 'copy'),
        'sync-interval': config.dbs[0]?.replicas[0]?.['sync-interval'],
      };
      writeFileSync(place, stringify({ dbs: [{ path: file, replicas: [replica] }] }));
      const copier = spawn(litestream as string, ['replicate', '-config', place], {
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      const ended = once(copier, 'exit');
      let log = '';
      for (const stream of [copier.stdout, copier.stderr])
        stream.setEncoding('utf8').on('data', (text: string) => (log += text));
      try {
        await until('it copies', () => log.includes('write snapshot') || log.includes('snapshot written'));
        const headers = { authorization: `Bearer ${apiKey.key}`, 'content-type': 'application/json' };
        const statuses = await inParallel([...Array(1500).keys()], 16, async (i) => {
          const body = JSON.stringify({
            title: `Mug ${i}`,
            slug: `mug-${i}`,
            price: '12.50',
            description: 'x'.repeat(3000),
          });
          return (await fetch(`${server.url}/stores/${store.id}/products`, { method: 'POST', headers, body })).status;
        });
        expect(new Set(statuses)).toEqual(new Set([201]));
        await server.kill();
        // The copy can be a second behind; its contents are consistent at every moment.
        const restored = async (name: string) => {
          const copy = join(folder, name);
          const { code } = await run(litestream as string, ['restore', '-config', place, '-o', copy, file]);
          if (code !== 0) return undefined;
          return (await commerceJson(['products', 'list', '--db', copy, '--limit', '1'])).total as number;
        };
        let tries = 0;
        await until('the copy has all of it', async () => (await restored(`copy-${++tries}.db`)) === 1500, 30_000);
        expect((await commerce(['doctor', '--db', join(folder, `copy-${tries}.db`)])).code).toBe(0);
      } finally {
        await server.kill();
        copier.kill('SIGTERM');
        await ended;
      }
    },
    120_000,
  );
});
