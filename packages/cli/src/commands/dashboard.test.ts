import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { openCommerce } from '@commerce/core';
import { openSqlite } from '@commerce/core/sqlite';
import { newShop } from '@commerce/test-support/fixtures/shop';
import { until } from '@commerce/test-support/harness/until';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { addressOf, noteAddress } from '../serve/address-file.ts';
import { dashboardCommand, openCommand } from './dashboard.ts';

describe.runIf(process.platform === 'linux')('a link that signs in', () => {
  const folder = mkdtempSync(join(tmpdir(), 'commerce-link-'));
  const db = join(folder, 'shop.db');
  const seen = join(folder, 'arguments');
  const path = process.env.PATH;
  let printed = '';
  beforeAll(async () => {
    const commerce = await openCommerce({ storage: openSqlite({ file: db }) });
    await newShop(commerce);
    await commerce.close();
    writeFileSync(join(folder, 'xdg-open'), `#!/bin/sh\nprintf '%s\\n' "$@" > ${seen}\n`, { mode: 0o755 });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  beforeEach(() => {
    printed = '';
    process.env.PATH = `${folder}:${path}`;
    vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
      printed += text;
      return true;
    });
  });
  afterEach(() => {
    vi.restoreAllMocks();
    process.env.PATH = path;
    rmSync(`${db}.address`, { force: true });
  });

  const address = 'http://127.0.0.1:4321';

  it('leads to the address that the service has noted, and to none that another could have', async () => {
    const give = () => dashboardCommand().parseAsync(['--db', db], { from: 'user' });
    await expect(give()).rejects.toThrow(
      /no running server was found for .*: start one, or give its address, such as --server/,
    );
    const forget = noteAddress(db, address);
    expect(statSync(`${db}.address`).mode & 0o777).toBe(0o600);
    await give();
    expect(printed).toMatch(/^http:\/\/127\.0\.0\.1:4321\/dashboard#code=\S+\n$/);
    chmodSync(`${db}.address`, 0o666);
    expect(addressOf(db)).toBeUndefined();
    chmodSync(`${db}.address`, 0o600);
    expect(addressOf(db)).toBe(address);
    forget();
    expect(addressOf(db)).toBeUndefined();
    const noted = (text: string) => {
      writeFileSync(`${db}.address`, text, { mode: 0o600 });
      return addressOf(db);
    };
    expect(noted(`http://[::1]:8080\n${process.pid}\n`)).toBe('http://[::1]:8080');
    // A service that was killed leaves its record.
    const { pid } = spawnSync('true');
    for (const text of [
      `${address}\n${pid}\n`,
      `${address}\n`,
      address,
      `http://evil.example:80\n${process.pid}\n`,
      `http://127.0.0.1.evil.example:80\n${process.pid}\n`,
      `http://127.0.0.1:80/#\n${process.pid}\n`,
      `http://x@127.0.0.1:80\n${process.pid}\n`,
    ]) {
      expect([text, noted(text)]).toEqual([text, undefined]);
    }
    // After a while, its number is that of another process, which another user can arrange, along with the port.
    const kill = vi.spyOn(process, 'kill').mockImplementation(() => {
      throw Object.assign(new Error('kill EPERM'), { code: 'EPERM' });
    });
    expect(noted(`${address}\n${pid}\n`)).toBeUndefined();
    kill.mockRestore();
    rmSync(`${db}.address`);
    writeFileSync(join(folder, 'elsewhere'), `${address}\n${process.pid}\n`, { mode: 0o600 });
    symlinkSync(join(folder, 'elsewhere'), `${db}.address`);
    expect(addressOf(db)).toBeUndefined();
  });

  it('is no argument of the program that opens it: a page that only this user can read leads there', async () => {
    noteAddress(db, address);
    await openCommand().parseAsync(['--db', db], { from: 'user' });
    let page = '';
    await until('it is opened', () => {
      page = statSync(seen, { throwIfNoEntry: false }) ? readFileSync(seen, 'utf8').trim() : '';
      return page !== '';
    });
    const url = printed.trim();
    expect(url).toContain('#code=');
    expect(page).toMatch(/^\/.*\.html$/);
    expect([page, dirname(page)].map((one) => statSync(one).mode & 0o777)).toEqual([0o600, 0o700]);
    expect(readFileSync(page, 'utf8')).toContain(`0;url=${url}"`);
    rmSync(dirname(page), { recursive: true });
  });
});
