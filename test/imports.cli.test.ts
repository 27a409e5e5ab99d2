import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { initShop } from '@commerce/test-support/fixtures/served-shop';
import { bin, commerce, commerceJson } from '@commerce/test-support/harness/processes';
import { until } from '@commerce/test-support/harness/until';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

describe('commerce imports', () => {
  const folder = mkdtempSync(join(tmpdir(), 'commerce-imports-'));
  const db = join(folder, 'shop.db');
  const at = ['--db', db];
  beforeAll(() => initShop(db));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('stop ends one that is under way in another process, and keeps what it wrote', async () => {
    const rows = Array.from({ length: 60_000 }, (_, i) => `Mug ${i},mug-${i},10\n`);
    const big = join(folder, 'big.csv');
    writeFileSync(big, `title,slug,price\n${rows.join('')}`);
    const child = spawn(process.execPath, [bin, 'products', 'import', big, '--json', ...at], { stdio: 'ignore' });
    const ended = once(child, 'exit');
    const imports = async () => (await commerceJson(['imports', 'list', ...at])).items;
    await until('it has written rows', async () => (await imports())[0]?.rows > 0);
    const [{ id }] = await imports();
    expect(await commerce(['imports', 'stop', id, '--resource', 'pages', ...at])).toMatchObject({
      code: 1,
      stdout: '',
    });
    expect((await imports())[0].status).toBe('running');
    expect(await commerceJson(['imports', 'stop', id, ...at])).toEqual({ stopped: id });
    expect((await ended)[0]).not.toBe(0);
    const [stopped] = await imports();
    expect(stopped).toMatchObject({ id, status: 'stopped' });
    expect(stopped.rows).toBeLessThan(rows.length);
    expect((await commerceJson(['products', 'list', '--limit', '1', ...at])).total).toBe(stopped.created);
    // An import that has ended stays unchanged.
    expect(await commerceJson(['imports', 'stop', id, ...at])).toEqual({ stopped: id });
    expect(await imports()).toEqual([stopped]);
    expect((await commerce(['imports', 'list', ...at])).stdout).toMatch(new RegExp(`${id} +stopped`));
  });

  it.runIf(process.platform !== 'win32')('and exports write files that only their owner reads', async () => {
    const [refused, report, products] = ['in.csv', 'refused.csv', 'out.csv'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    writeFileSync(refused, 'title,slug,price\nCup,cup,much\n');
    await commerce(['products', 'import', refused, '--on-error', 'skip', '--report', report, ...at]);
    await commerceJson(['products', 'export', products, ...at]);
    for (const file of [report, products]) expect([file, statSync(file).mode & 0o777]).toEqual([file, 0o600]);
  });
});
