import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { PassThrough, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { CommerceError } from '@commerce/core';
import { describe, expect, it } from 'vitest';
import type { RequestEntry } from '../request/request-entry.ts';
import { faultLine, openLog, requestLine } from './log.ts';

const entry: RequestEntry = {
  time: Date.UTC(2026, 0, 2, 3, 4, 5, 6),
  method: 'GET',
  route: '/products/{id}',
  status: 200,
  ms: 1.23456,
  storeId: '0190f3a2-0000-7000-8000-000000000000',
  keyPrefix: 'ck_live_abcd',
  requestId: 'req_1.2:3-4',
  aborted: false,
};

const at = (time: number) => ({ ...entry, time });

describe('the line of a request', () => {
  it('is JSON with what is known', () => {
    expect(JSON.parse(requestLine(entry))).toEqual({
      time: '2026-01-02T03:04:05.006Z',
      level: 'info',
      method: 'GET',
      route: '/products/{id}',
      status: 200,
      ms: 1.2,
      storeId: entry.storeId,
      key: 'ck_live_abcd',
      requestId: 'req_1.2:3-4',
    });
  });

  it('leaves out what is not known, and says when the client left', () => {
    const bare = { ...entry, route: '', status: 499, storeId: undefined, keyPrefix: undefined, aborted: true };
    expect(JSON.parse(requestLine(bare))).toEqual({
      time: '2026-01-02T03:04:05.006Z',
      level: 'info',
      method: 'GET',
      route: '',
      status: 499,
      ms: 1.2,
      requestId: 'req_1.2:3-4',
      aborted: true,
    });
  });

  it('has the time of each request, and warns of those that failed', () => {
    const times = [1, 1, 2, 1].map((time) => JSON.parse(requestLine(at(time))).time);
    expect(times).toEqual([1, 1, 2, 1].map((time) => new Date(time).toISOString()));
    expect(JSON.parse(requestLine({ ...entry, status: 503 })).level).toBe('warn');
  });

  it('stays one line of JSON whatever it is given', () => {
    const foreign = '"}\n{"level":"info","storeId":"x';
    const given = { ...entry, route: foreign, storeId: foreign, keyPrefix: foreign, requestId: foreign };
    const line = requestLine(given);
    expect(line).not.toContain('\n');
    expect(JSON.parse(line)).toMatchObject({ route: foreign, storeId: foreign, key: foreign, requestId: foreign });
  });

  it('stays JSON whatever a method is called', () => {
    expect(JSON.parse(requestLine({ ...entry, method: '"\n' })).method).toBe('OTHER');
  });
});

describe('the line of a fault', () => {
  const fault = (error: unknown) => JSON.parse(faultLine(error, { requestId: 'r' }, 0));

  it('names the error, its code and where it happened', () => {
    const line = fault(Object.assign(new TypeError('x is\nnot "y"'), { code: 'ERR_X' }));
    expect(line).toMatchObject({ time: '1970-01-01T00:00:00.000Z', level: 'error', requestId: 'r' });
    expect(line).toMatchObject({ error: 'TypeError', message: 'x is\nnot "y"', code: 'ERR_X' });
    expect(line.stack).toMatch(/^at .*log\.test\.ts/);
  });

  it('names what happens in the background', () => {
    expect(JSON.parse(faultLine(new Error('x'), { task: 'delivery' }, 0))).toMatchObject({ task: 'delivery' });
  });

  it('never holds a value that a database puts beside its message', () => {
    const secret = 'jane@example.com';
    const properties = { detail: secret, where: secret, hint: secret, parameters: [secret], query: secret };
    const taken = Object.assign(new Error('duplicate key value violates unique constraint "x"'), {
      code: '23505',
      ...properties,
    });
    const unfit = Object.assign(new Error(`invalid input syntax for type uuid: "${secret}"`), {
      code: '22P02',
      ...properties,
    });
    const wrapped = new CommerceError('unavailable', 'no answer', { cause: unfit });
    for (const error of [taken, unfit, wrapped, secret, { secret }, null]) {
      expect(faultLine(error, { requestId: 'r' }, 0)).not.toContain(secret);
    }
    expect(fault(wrapped).cause).toMatchObject({ code: '22P02', message: 'invalid input syntax for type uuid' });
  });
});

describe('a log', () => {
  const lines = (text: string) =>
    text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));

  it('writes every line in order, joined', async () => {
    let text = '';
    const stream = new PassThrough().on('data', (chunk) => {
      text += chunk;
    });
    const log = openLog(stream);
    for (let i = 0; i < 1000; i++) log.request(at(i));
    log.fault(new Error('x'), { task: 'delivery' });
    await log.close();
    const written = lines(text);
    expect(written).toHaveLength(1001);
    expect(written[999].time).toBe(new Date(999).toISOString());
    expect(written[1000].level).toBe('error');
  });

  it('drops and counts lines while nobody reads, holding no more than a mebibyte, and goes on afterwards', async () => {
    let take: () => void = () => {};
    let text = '';
    const stuck = new Writable({
      highWaterMark: 1,
      write(chunk, _encoding, done) {
        text += chunk;
        take = done;
      },
    });
    const log = openLog(stuck);
    const sent = 20_000;
    for (let i = 0; i < sent; i++) log.request(at(i));
    await new Promise((resolve) => setTimeout(resolve, 10));
    const held = Buffer.byteLength(text);
    expect(held).toBeLessThan(200_000);
    const reading = setInterval(() => take(), 1);
    await log.close();
    clearInterval(reading);
    const written = lines(text);
    const dropped = written.filter((line) => 'dropped' in line);
    expect(dropped).toHaveLength(1);
    expect(dropped[0].level).toBe('warn');
    expect(dropped[0].dropped).toBeGreaterThan(1000);
    expect(written.length - 1 + dropped[0].dropped).toBe(sent);
    expect(text.length).toBeLessThan(1.3 * 1024 * 1024);
  });

  it('is closed in a moment although nobody reads', async () => {
    const log = openLog(new Writable({ write: () => {} }));
    for (let i = 0; i < 10; i++) log.request(at(i));
    await log.close();
    log.request(entry);
  });

  it('survives a reader that goes away', async () => {
    const stream = new PassThrough();
    const log = openLog(stream);
    stream.destroy(new Error('EPIPE'));
    log.request(entry);
    await new Promise((resolve) => setTimeout(resolve, 80));
    log.request(entry);
    await log.close();
  });

  const logModule = fileURLToPath(new URL('./log.ts', import.meta.url));
  /** Runs a program that logs; its standard error is read only when `read` says so. */
  async function run(script: string, read: boolean) {
    const program = `import { openLog } from ${JSON.stringify(logModule)};
      const entry = ${JSON.stringify(entry)};
      const log = openLog();
      ${script}`;
    const built = await (await import('esbuild')).build({
      stdin: { contents: program, resolveDir: fileURLToPath(new URL('.', import.meta.url)), loader: 'ts' },
      bundle: true,
      write: false,
      platform: 'node',
      format: 'esm',
    });
    const child = spawn(process.execPath, ['--input-type=module', '-e', built.outputFiles[0]?.text ?? '']);
    let stderr = '';
    if (read) child.stderr.on('data', (chunk) => (stderr += chunk));
    let stdout = '';
    child.stdout.on('data', (chunk) => (stdout += chunk));
    const [code] = await once(child, read ? 'close' : 'exit');
    return { code, stdout, stderr };
  }

  it('loses nothing when the process ends', async () => {
    const { code, stderr } = await run('for (let i = 0; i < 10; i++) log.request(entry); process.exit(3);', true);
    expect(code).toBe(3);
    expect(lines(stderr)).toHaveLength(10);
  });

  it('does not hold up the process when its pipe is full, nor its end', async () => {
    const script = `for (let i = 0; i < 3000; i++) log.request(entry);
      setTimeout(() => {
        for (let i = 0; i < 3000; i++) log.request(entry);
        console.log('goes on');
        setTimeout(() => process.exit(4), 200);
      }, 200);`;
    expect(await run(script, false)).toMatchObject({ code: 4, stdout: 'goes on\n' });
  });
});
