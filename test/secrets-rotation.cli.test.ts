import { mkdtempSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { initShop, sendStripe } from '@commerce/test-support/fixtures/served-shop';
import { bin, commerce, root, run, startServer, words } from '@commerce/test-support/harness/processes';
import { until } from '@commerce/test-support/harness/until';
import { afterAll, describe, expect, inject, it } from 'vitest';

const [first, second] = ['the first key of the tests', 'the second key of the tests'];

describe('secrets at the command line', () => {
  const folder = mkdtempSync(join(tmpdir(), 'commerce-test-'));
  const address = join(folder, 'commerce.db');
  afterAll(() => rm(folder, { recursive: true, force: true }));
  const rotate = (env: Record<string, string>) => commerce(['secrets', 'rotate', '--db', address, '--json'], '', env);
  const event = (id: string) => ({ id, type: 'balance.available', data: { object: {} } });

  it('are warned of in the log of a server while they stand in the clear, and encrypted by rotate', async () => {
    await initShop(address);
    const start = (env: Record<string, string>) => {
      Object.assign(process.env, env);
      return startServer(address, ['--log', 'json']).finally(() => {
        for (const name of Object.keys(env)) delete process.env[name];
      });
    };
    const clear = await start({});
    await until('it is told', () => /"level":"warn","event":"secrets.clear"/.test(clear.stderr()));
    await clear.stop();
    expect(await rotate({})).toMatchObject({ code: 1, stderr: expect.stringContaining('COMMERCE_SECRET_KEY') });
    const sealed = await rotate({ COMMERCE_SECRET_KEY: first });
    expect([sealed.code, sealed.stderr]).toEqual([0, '']);
    expect(JSON.parse(sealed.stdout)).toMatchObject({ paymentProviders: { total: 1, sealed: 1 } });
    // A server with both keys serves before, during and after the encryption with the other key.
    const server = await start({ COMMERCE_SECRET_KEY: second, COMMERCE_SECRET_KEY_PREVIOUS: first });
    expect(server.stderr()).not.toContain('secrets.clear');
    expect((await sendStripe(server.url, event('evt_1'))).status).toBe(200);
    const again = await rotate({ COMMERCE_SECRET_KEY: second, COMMERCE_SECRET_KEY_PREVIOUS: first });
    expect(JSON.parse(again.stdout)).toMatchObject({ paymentProviders: { total: 1, sealed: 1 } });
    expect((await sendStripe(server.url, event('evt_2'))).status).toBe(200);
    await server.stop();
    const wrong = await rotate({ COMMERCE_SECRET_KEY: first });
    expect(wrong).toMatchObject({ code: 1, stderr: expect.stringContaining('another secret key; ') });
    const none = await rotate({ COMMERCE_SECRET_KEY: second });
    expect(JSON.parse(none.stdout)).toMatchObject({ paymentProviders: { total: 1, sealed: 0 } });
  });

  it('keep a server from starting when its key opens none of them, and are named when it opens others', async () => {
    const serve = (key: string, flags: string[] = []) =>
      commerce(['serve', '--db', address, '--port', '0', ...flags], '', { COMMERCE_SECRET_KEY: key });
    for (const flags of [[], ['--workers', '2']]) {
      const { code, stdout, stderr } = await serve('a third key of the tests', flags);
      expect([code, stdout]).toEqual([1, '']);
      expect(stderr).toMatch(/none of the 1 secrets in the database can be read: .* another secret key/);
    }
    const url = 'https://shop.example/api/webhooks/square';
    const square = [...words('payments configure --provider square --signature-key of_the_tests --db'), address];
    square.push('--notification-url', url);
    expect((await commerce(square, '', { COMMERCE_SECRET_KEY: first })).stderr).toBe('');
    process.env.COMMERCE_SECRET_KEY = second;
    const starting = startServer(address, ['--log', 'json']);
    delete process.env.COMMERCE_SECRET_KEY;
    const server = await starting;
    const named = { of: 'square', storeId: expect.any(String) };
    expect(await (await fetch(`${server.url}/readyz`)).json()).toEqual({
      status: 'ready',
      unreadableSecrets: [named],
      storesWithoutMail: 1,
    });
    await expect.poll(server.stderr).toMatch(/"event":"secrets.unreadable","storeId":"[^"]+","of":"square"/);
    await server.stop();
  });

  it.runIf(process.platform !== 'win32')('are in a file that is for its owner alone', () => {
    expect(statSync(address).mode & 0o777).toBe(0o600);
  });

  it('do not include the password of a database that init refuses', async () => {
    const url = new URL(inject('postgresUrl'));
    url.pathname = '/postgres';
    expect(url.password).not.toBe('');
    const init = ['init', '--db', url.href, '--name', 'Shop', '--currency', 'EUR'];
    const results = [await commerce(init), await commerce(init)];
    expect(results[1]?.code).toBe(1);
    for (const { stdout, stderr } of results) expect(stdout + stderr).not.toContain(`:${url.password}@`);
  });

  it('show names without what a terminal would obey', async () => {
    const name = 'Ada\u001b[2J\u001b]0;owned\u0007\u202egnp\u009b31m';
    const made = await run(process.execPath, [
      bin,
      ...words('stores create --name'),
      name,
      ...words('--currency EUR --db'),
      address,
    ]);
    const list = await run(process.execPath, [bin, 'stores', 'list', '--db', address], '', { cwd: root });
    for (const { stdout } of [made, list]) {
      expect(stdout).toContain('Ada');
      for (const control of ['\u001b', '\u0007', '\u202e', '\u009b']) expect(stdout).not.toContain(control);
    }
  });
});
