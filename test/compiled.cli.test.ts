import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { commerce, startServer } from '@commerce/test-support/harness/processes';
import { afterAll, describe, expect, it, vi } from 'vitest';

const base = mkdtempSync(join(tmpdir(), 'commerce-compiled-test-'));
afterAll(() => rmSync(base, { recursive: true, force: true }));

let made = 0;
/** An empty folder for temporary files, and what the program keeps in it. */
function temporary() {
  const place = join(base, `${++made}`);
  mkdirSync(place);
  const folder = join(place, `commerce-compiled-${process.getuid?.()}`);
  const kept = () => (existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : []);
  const version = (env: Record<string, string> = {}) => commerce(['--version'], '', { TMPDIR: place, ...env });
  return { place, folder, kept, version };
}

const printed = { code: 0, stdout: '0.1.0\n', stderr: '' };

describe.skipIf(process.platform === 'win32')('the compiled program', () => {
  it('is kept for the next start of the same command, for nobody else to write', async () => {
    const { place, folder, kept, version } = temporary();
    expect(await version()).toEqual(printed);
    const [file = '', ...others] = kept();
    expect(others).toEqual([]);
    expect([statSync(folder).mode & 0o777, statSync(file).mode & 0o777]).toEqual([0o700, 0o600]);
    const { ino } = statSync(file);
    expect(await version()).toEqual(printed);
    // Read, and not written again.
    expect([kept(), statSync(file).ino]).toEqual([[file], ino]);
    expect(await commerce(['stores', '--help'], '', { TMPDIR: place })).toMatchObject({ code: 0, stderr: '' });
    expect(kept()).toHaveLength(2);
  });

  it('is not kept of a command that fails, nor where the environment says so', async () => {
    const { place, kept, version } = temporary();
    expect(await commerce(['stores', 'lsit'], '', { TMPDIR: place })).toMatchObject({ code: 2 });
    expect(await commerce(['prodcts'], '', { TMPDIR: place })).toMatchObject({ code: 2 });
    expect(await commerce(['../../x'], '', { TMPDIR: place })).toMatchObject({ code: 2 });
    expect(await version({ NODE_DISABLE_COMPILE_CACHE: '1' })).toEqual(printed);
    expect(kept()).toEqual([]);
  });

  it.each([
    ['nothing', () => Buffer.alloc(0)],
    ['other bytes', () => Buffer.alloc(5000, 'x')],
    ['its first half', (whole: Buffer) => whole.subarray(0, whole.length / 2)],
  ])('is compiled again where its file holds %s', async (_, damaged) => {
    const { kept, version } = temporary();
    await version();
    const [file = ''] = kept();
    const whole = readFileSync(file);
    writeFileSync(file, damaged(whole));
    expect(await version()).toEqual(printed);
    expect(kept()).toEqual([file]);
    expect(statSync(file).size).toBeGreaterThan(whole.length / 2);
  });

  it.each<[string, (folder: string) => void]>([
    ['that all may write', (folder) => chmodSync(mkdirSync(folder, { recursive: true }) ?? '', 0o777)],
    [
      'that a link leads to',
      (folder) => symlinkSync(mkdirSync(`${folder}-own`, { recursive: true, mode: 0o700 }) ?? '', folder),
    ],
    ['that is a file', (folder) => writeFileSync(folder, '')],
  ])('is neither read from nor written to a folder %s', async (_, prepare) => {
    const { place, folder, version } = temporary();
    prepare(folder);
    expect(await version()).toEqual(printed);
    expect(readdirSync(place, { recursive: true }).filter((name) => String(name).includes('none-'))).toEqual([]);
  });

  // Nobody but root gives files to another user.
  describe.skipIf(process.getuid?.() !== 0)('that another user could have written', () => {
    const another = 12_345;

    it('is not run: its file is written again', async () => {
      const { kept, version } = temporary();
      await version();
      const [file = ''] = kept();
      const { ino } = statSync(file);
      chownSync(file, another, another);
      expect(await version()).toEqual(printed);
      expect(kept()).toEqual([file]);
      expect(statSync(file)).toMatchObject({ uid: 0 });
      expect(statSync(file).ino).not.toBe(ino);
    });

    it('is neither read from nor written to the folder of that user', async () => {
      const { folder, kept, version } = temporary();
      await version();
      const [file = ''] = kept();
      const damaged = readFileSync(file).subarray(0, 100);
      writeFileSync(file, damaged);
      chownSync(folder, another, another);
      expect(await version()).toEqual(printed);
      expect(kept()).toEqual([file]);
      expect(readFileSync(file)).toEqual(damaged);
    });
  });

  it('is kept of the newest builds alone', async () => {
    const { folder, kept, version } = temporary();
    mkdirSync(folder, { mode: 0o700 });
    const older = Array.from({ length: 6 }, (_, i) => join(folder, `none-${i}`));
    for (const [i, file] of older.entries()) {
      writeFileSync(file, '');
      utimesSync(file, 1000 + i, 1000 + i);
    }
    const another = join(folder, 'stores-0');
    writeFileSync(another, '');
    expect(await version()).toEqual(printed);
    const left = kept();
    expect(left).toHaveLength(5);
    expect(left).toEqual(expect.arrayContaining([...older.slice(3), another]));
  });

  it('holds what a service starts with, of which V8 forgets most later, and not what it did since', async () => {
    const sizes: number[] = [];
    for (const path of ['/healthz', '/openapi.json']) {
      const { place, kept } = temporary();
      vi.stubEnv('TMPDIR', place);
      const server = await startServer(join(place, 'shop.db')).finally(() => vi.unstubAllEnvs());
      await sleep(1500);
      expect((await fetch(`${server.url}${path}`)).status).toBe(200);
      expect(await server.stop()).toBe(0);
      const [file = ''] = kept();
      sizes.push(statSync(file).size);
    }
    const [atRest = 0, writing = 0] = sizes;
    expect(Math.abs(writing / atRest - 1)).toBeLessThan(0.01);
  });

  it('is of each kind of process that a service consists of', async () => {
    const { place, kept } = temporary();
    vi.stubEnv('TMPDIR', place);
    const flags = ['--workers', '2'];
    const server = await startServer(join(place, 'shop.db'), flags).finally(() => vi.unstubAllEnvs());
    expect(await server.stop()).toBe(0);
    const sizes = Object.fromEntries(kept().map((file) => [/serve\.(\w+)-/.exec(file)?.[1], statSync(file).size]));
    expect(sizes).toEqual({ supervisor: expect.any(Number), worker: expect.any(Number) });
    expect(sizes.worker).toBeGreaterThan(1.2 * (sizes.supervisor ?? 0));
  });

  it('is not needed where there is no place for it', async () => {
    const { place, version } = temporary();
    expect(await version({ TMPDIR: join(place, 'missing/below') })).toEqual(printed);
    expect(await version({ TMPDIR: '/proc/self' })).toEqual(printed);
  });
});
