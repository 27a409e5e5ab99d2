import { execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { jpegOfScans, picture } from '@commerce/test-support/fixtures/media-images';
import { until } from '@commerce/test-support/harness/until';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ownFile } from '../kernel/files/own-file.ts';
import { DecoderEnded, type DecoderLimits, Decoders } from './decoders.ts';

describe('the processes that decode pictures', () => {
  const folder = mkdtempSync(join(tmpdir(), 'commerce-decoders-'));
  const small = join(folder, 'small');
  const large = join(folder, 'large');
  beforeAll(async () => {
    writeFileSync(small, await picture('png'));
    writeFileSync(large, await jpegOfScans(30, { width: 6000, height: 6000 }));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const open = (limits: Partial<DecoderLimits> = {}) =>
    new Decoders({ milliseconds: 60_000, bytes: 2 ** 30, processes: 2, idle: 100, ...limits });
  const inspect = (decoders: Decoders, path: string) => decoders.run({ kind: 'inspect', path, maxPixels: 40_000_000 });
  const found = { kind: 'inspected', format: 'png', width: 40, height: 30 };

  it('are two at most, are reused, and end when idle', async () => {
    const decoders = open({ idle: 1000 });
    expect(decoders.alive.size).toBe(0);
    expect(await inspect(decoders, small)).toEqual(found);
    const [first] = decoders.alive;
    expect(await inspect(decoders, small)).toEqual(found);
    expect([...decoders.alive]).toEqual([first]);
    expect(await Promise.all(Array.from({ length: 12 }, () => inspect(decoders, small)))).toEqual(
      Array(12).fill(found),
    );
    expect(decoders.alive.size).toBe(2);
    await until('they are gone', () => decoders.alive.size === 0);
    expect(await inspect(decoders, small)).toEqual(found);
  });

  // Reading a pipe without a writer never ends.
  it.skipIf(process.platform === 'win32')(
    'end with a picture that takes too long, and do not hold up the next one',
    async () => {
      const endless = join(folder, 'endless');
      execFileSync('mkfifo', [endless]);
      const decoders = open({ milliseconds: 3000, processes: 1 });
      const [late, next] = await Promise.allSettled([inspect(decoders, endless), inspect(decoders, small)]);
      expect(late).toMatchObject({ status: 'rejected', reason: { message: 'takes more than 3 s to decode' } });
      expect(next).toEqual({ status: 'fulfilled', value: found });
      await until('that one is gone', () => decoders.alive.size <= 1);
    },
  );

  it('end with a picture that takes too much memory', async () => {
    const decoders = open({ bytes: 120 * 1024 * 1024, processes: 1 });
    const refused = inspect(decoders, large);
    await expect(refused).rejects.toThrow(DecoderEnded);
    await expect(refused).rejects.toThrow('takes too much memory to decode');
    expect(await inspect(decoders, small)).toEqual(found);
  });

  describe('that do not answer say why', () => {
    const limits = { milliseconds: 60_000, bytes: 2 ** 30, processes: 1, idle: 100 };
    const program = (name: string, text: string) => {
      const path = join(folder, name);
      writeFileSync(path, text);
      return () => path;
    };
    const errorOf = (path: () => string) => inspect(new Decoders(limits, path), small).catch((error) => error);

    it('without their file', async () => {
      const missing = () => ownFile({ name: 'none.js', beside: import.meta.url, of: '@commerce/core' });
      const error = await errorOf(missing);
      expect(error).toMatchObject({ kind: 'internal', message: expect.stringMatching(/^the file none\.js of @comm/) });
      expect(error.cause.message).toContain(fileURLToPath(new URL('.', import.meta.url)).slice(0, -1));
    });

    it('without one of their packages', async () => {
      const error = await errorOf(program('no-package.mjs', "import 'a-package-that-is-not-installed';"));
      const message = 'images cannot be decoded here: the decoder ended with code 1';
      expect(error).toMatchObject({ kind: 'internal', message });
      expect(error.cause.message).toContain("Cannot find package 'a-package-that-is-not-installed'");
    });

    it('if they cannot be started', async () => {
      const { execPath } = process;
      process.execPath = join(folder, 'no-node');
      try {
        const error = await errorOf(program('fine.mjs', ''));
        const message = 'images cannot be decoded here: the decoder did not start (ENOENT)';
        expect(error).toMatchObject({ kind: 'internal', message, cause: { code: 'ENOENT' } });
      } finally {
        process.execPath = execPath;
      }
    });

    // Signals of this kind exist only there.
    it.skipIf(process.platform === 'win32')('if they crash, or are ended by another program', async () => {
      const ended = (signal: string) =>
        errorOf(program(`${signal}.mjs`, `process.on('message', () => process.kill(process.pid, '${signal}'));`));
      const crashed = await ended('SIGSEGV');
      expect(crashed).toBeInstanceOf(DecoderEnded);
      expect(crashed.message).toBe('makes the decoder crash (SIGSEGV)');
      expect(await ended('SIGKILL')).toMatchObject({
        kind: 'unavailable',
        message: expect.stringMatching(/^the decoder of images was ended from outside \(SIGKILL\)/),
      });
    });
  });

  it('are replaced when they are killed, and report files they cannot read', async () => {
    const decoders = open({ idle: 60_000 });
    expect(await inspect(decoders, small)).toEqual(found);
    for (const child of decoders.alive) child.kill('SIGKILL');
    await until('it is gone', () => decoders.alive.size === 0);
    expect(await inspect(decoders, small)).toEqual(found);
    expect(await inspect(decoders, join(folder, 'missing'))).toMatchObject({ kind: 'failed' });
    for (const child of decoders.alive) child.kill();
  });

  // Only on systems that show the environment of a process.
  it.runIf(process.platform === 'linux')('receive no secret of their parent', async () => {
    process.env.COMMERCE_SECRET_KEY = 'a key of the tests, long enough';
    try {
      const decoders = open({ idle: 60_000 });
      await inspect(decoders, small);
      const [child] = decoders.alive;
      const environment = readFileSync(`/proc/${child?.pid}/environ`, 'utf8');
      expect(environment).toContain('PATH=');
      expect(environment).not.toContain('COMMERCE');
      child?.kill();
    } finally {
      delete process.env.COMMERCE_SECRET_KEY;
    }
  });

  it('end with the process that started them, also when that dies before they have loaded', async () => {
    const program = fileURLToPath(new URL('./decoder.js', import.meta.url));
    const child = fork(program, [], { execArgv: [], stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
    const ended = once(child, 'exit');
    child.disconnect();
    expect(await ended).toEqual([0, null]);
  });
});
