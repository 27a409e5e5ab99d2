import { execFileSync, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Commerce, getImport, listProducts, openCommerce } from '@commerce/core';
import { newShop } from '@commerce/test-support/fixtures/shop';
import { bin, commerce as cli, root, words } from '@commerce/test-support/harness/processes';
import { repeats } from '@commerce/test-support/harness/repeats';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { afterAll, expect, it } from 'vitest';

const header = 'slug,title,price,sku,attribute.color\n';
const line = (i: number) => `mug-${i},Mug ${i},${i + 1},SKU-${i},${i % 2 ? 'red' : 'blue'}\n`;

/** Kills of each database: a few in every run, and more in a long run, which sets the variable. */
const rounds = repeats({ suite: 4, nightly: 50 });

forEachStorage('imports of the command line', (database, dialect) => {
  const folder = mkdtempSync(join(tmpdir(), 'commerce-transfer-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const path = (name: string) => join(folder, name);
  const run = (...args: string[]) => cli([...args, '--db', database.address]);
  /** A new store, so that each test has its own. */
  async function makeStore(): Promise<{ storeId: string }> {
    const commerce = await open();
    const { store } = await newShop(commerce);
    await commerce.close();
    return { storeId: store.id };
  }
  const open = (): Promise<Commerce> => openCommerce({ storage: database.open() });

  it('and exports are written and read as Excel of a language does, which must be one', async () => {
    const { storeId } = await makeStore();
    const store = ['--store', storeId];
    const [written, out] = [path('written.csv'), path('excel.csv')];
    writeFileSync(written, '\ufefftitle;slug;price\r\nPan;pan;1.800\r\n');
    expect((await run('products', 'import', written, ...store)).stderr).toMatch(/line 2, price: is ambiguous/);
    const read = await run('products', 'import', written, ...store, '--excel', 'de');
    expect([read.code, read.stdout]).toEqual([0, expect.stringMatching(/created +1/)]);
    expect((await run('products', 'export', out, ...store, '--excel', 'de')).code).toBe(0);
    const text = readFileSync(out, 'utf8');
    expect(text).toMatch(/^\ufeffid;title;slug;/);
    expect(text).toContain(';"1800,00";');
    const back = await run('products', 'import', out, ...store, '--excel', 'de');
    expect([back.code, back.stdout]).toEqual([0, expect.stringMatching(/unchanged +1/)]);
    for (const args of [
      ['import', written],
      ['export', out],
    ]) {
      const wrong = await run('products', ...args, ...store, '--excel', 'german');
      expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining("'german' is invalid")]);
      expect(wrong.stderr).toContain('must be a language such as de or en-GB');
    }
  });

  it('and exports do what they say, with exit codes for scripts', async () => {
    const shop = await makeStore();
    const store = ['--store', shop.storeId];
    writeFileSync(path('bad.csv'), `${header}${line(1)}bad,,1,,\n${line(2)}`);
    const stopped = await run('products', 'import', path('bad.csv'), ...store);
    expect([stopped.code, stopped.stderr]).toEqual([
      1,
      expect.stringMatching(/^error: stopped at a rejected row: line 3, title: must not be blank/m),
    ]);
    const dry = await run('products', 'import', path('bad.csv'), ...store, '--on-error', 'skip', '--dry-run');
    expect([dry.code, dry.stdout]).toEqual([0, expect.stringMatching(/dry run +nothing was written/)]);
    const report = ['--report', path('report.csv')];
    const skipped = await run(
      'products',
      'import',
      path('bad.csv'),
      ...store,
      '--on-error',
      'skip',
      ...report,
      '--quiet',
    );
    expect([skipped.code, skipped.stderr]).toEqual([0, '']);
    expect(skipped.stdout).toMatch(/created +1\n.*\nunchanged +1\nrefused +1\n/);
    expect(readFileSync(path('report.csv'), 'utf8')).toBe(
      'line,column,value,reason,kind\n3,title,,must not be blank,refused\n',
    );
    const mapped = await cli(
      [
        ...words('products import - --db'),
        database.address,
        ...store,
        ...words('--map Nome=title --map Codice=slug --map Prezzo=price --json'),
      ],
      'Codice;Nome;Prezzo\ntazza;Tazza;9,50\n',
    );
    expect(JSON.parse(mapped.stdout).item).toMatchObject({ status: 'completed', created: 1 });
    expect(await run('products', 'export', path('out.csv'), ...store)).toMatchObject({
      code: 0,
      stdout: `3 products in ${path('out.csv')}\n`,
    });
    const jsonl = await run('products', 'export', '-', ...store, '--format', 'jsonl', '--quiet');
    expect(
      jsonl.stdout
        .trimEnd()
        .split('\n')
        .map((one) => JSON.parse(one).slug),
    ).toEqual(['mug-1', 'mug-2', 'tazza']);
    expect((await run('orders', 'export', '-', ...store)).stdout).toMatch(/^id,orderNumber,/);
    const lines = await run('orders', 'export', '-', ...store, '--lines', 'items', '--until', '2026-10-31');
    expect(lines.stdout).toContain(',item.skuSnapshot,');
    expect(await run('orders', 'export', '-', ...store, '--customer', 'nobody@example.com')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('no customer "nobody@example.com"'),
    });
    const one = await run('products', 'export', '-', ...store, '--format', 'jsonl', '--quiet', '--slug', 'none');
    expect(one).toMatchObject({ code: 0, stdout: '' });
    expect(await run('customers', 'export', '-', ...store)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^id,email/),
    });
    for (const [args, code, message] of [
      [['products', 'import', path('none.csv')], 1, /cannot read .*none\.csv/],
      [['products', 'import', path('bad.csv'), '--match', 'email'], 2, /--match/],
      [['products', 'import', path('bad.csv'), '--map', 'nothing'], 2, /Their column=ourColumn/],
      [['orders', 'import', path('bad.csv')], 2, /unknown command|too many arguments|import/],
      [['products', 'export', join(folder, 'none', 'x.csv')], 1, /cannot write/],
    ] as const) {
      const answer = await run(...args, ...(args[0] === 'orders' ? [] : store));
      expect([args.slice(0, 3), answer.code, answer.stderr]).toEqual([
        args.slice(0, 3),
        code,
        expect.stringMatching(message),
      ]);
    }
  });

  it('end after the batch in hand on Ctrl-C, and go on with the same command', async () => {
    const shop = await makeStore();
    const count = 6000;
    writeFileSync(path('long.csv'), header + Array.from({ length: count }, (_, i) => line(i)).join(''));
    const args = ['products', 'import', path('long.csv'), '--db', database.address, '--store', shop.storeId, '--json'];
    const child = spawn(process.execPath, [bin, ...args], { cwd: root });
    let [out, err] = ['', ''];
    child.stdout.on('data', (chunk) => (out += chunk));
    child.stderr.on('data', (chunk) => (err += chunk));
    const ended = once(child, 'close');
    const commerce = await open();
    const ctx = await commerce.store(shop.storeId);
    while ((await listProducts(ctx, { limit: 1 })).total === 0) await sleep(5);
    child.kill('SIGINT');
    const [code] = (await ended) as [number];
    const first = JSON.parse(out).item;
    expect([code, first.status, err]).toEqual([
      130,
      'interrupted',
      expect.stringMatching(/run the same command again to continue/),
    ]);
    expect((await listProducts(ctx, { limit: 1 })).total).toBe(first.created);
    expect(first.created).toBeLessThan(count);
    const second = await cli(args);
    expect(second.stderr).toMatch(new RegExp(`continuing after line ${first.created + 1}: ${first.created} created`));
    expect(JSON.parse(second.stdout).item).toMatchObject({
      id: first.id,
      status: 'completed',
      created: count,
      unchanged: 0,
    });
    expect((await listProducts(ctx, { limit: 1 })).total).toBe(count);
    await commerce.close();
  });

  // SQLite runs in the process itself.
  it.skipIf(dialect === 'sqlite')('say how far they have come where the database goes away, and go on', async () => {
    const shop = await makeStore();
    const count = 6000;
    writeFileSync(path('cut.csv'), header + Array.from({ length: count }, (_, i) => line(i)).join(''));
    const there = new URL(database.address);
    const { port } = there;
    const sockets = new Set<Socket>();
    const way = createServer((socket) => {
      const onward = connect(Number(port), '127.0.0.1');
      for (const end of [socket, onward]) sockets.add(end.on('error', () => {}));
      socket.pipe(onward).pipe(socket);
    });
    await once(way.listen(0, '127.0.0.1'), 'listening');
    there.port = String((way.address() as AddressInfo).port);
    // Not through the server's socket.
    there.search = '';
    const args = ['products', 'import', path('cut.csv'), '--store', shop.storeId, '--json'];
    const running = cli([...args, '--db', there.href]);
    const commerce = await open();
    const ctx = await commerce.store(shop.storeId);
    while ((await listProducts(ctx, { limit: 1 })).total === 0) await sleep(5);
    await commerce.close();
    way.close();
    for (const socket of sockets) socket.destroy();
    const cut = await running;
    expect([cut.code, cut.stdout]).toEqual([1, '']);
    const { error } = JSON.parse(cut.stderr.trim().split('\n').at(-1) ?? '');
    expect(error.message).toMatch(
      /^the database does not answer; .*\d+ created, 0 updated, 0 unchanged, 0 refused so far; run the same command again to continue/,
    );
    const second = await cli([...args, '--db', database.address]);
    const told = Number(/; (\d+) created/.exec(error.message)?.[1]);
    const found = Number(/^continuing after line \d+: (\d+) created/m.exec(second.stderr)?.[1]);
    expect(told).toBeGreaterThan(0);
    // A batch can be committed although its commit was not answered.
    expect([0, 250]).toContain(found - told);
    expect(JSON.parse(second.stdout).item).toMatchObject({ status: 'completed', created: count, unchanged: 0 });
  });

  it(`that are killed ${rounds} times at any moment do nothing twice and nothing by halves`, {
    timeout: 60_000 + rounds * 30_000,
  }, async () => {
    const shop = await makeStore();
    // More batches than fit between the kills, so that each kill interrupts one.
    const count = Math.max(dialect === 'sqlite' ? 6000 : 4000, rounds * 400);
    const bad = new Set(Array.from({ length: 40 }, () => randomInt(count)));
    const rows = Array.from({ length: count }, (_, i) => (bad.has(i) ? `bad-${i},,1,,\n` : line(i)));
    writeFileSync(path('killed.csv'), header + rows.join(''));
    rmSync(path('killed-report.csv'), { force: true });
    const args = [
      'products',
      'import',
      path('killed.csv'),
      '--on-error',
      'skip',
      '--report',
      path('killed-report.csv'),
    ];
    const all = [...args, '--db', database.address, '--store', shop.storeId];
    const commerce = await open();
    const ctx = await commerce.store(shop.storeId);
    let before = 0;
    for (let round = 0; round < rounds; round++) {
      const child = spawn(process.execPath, [bin, ...all], { cwd: root, stdio: 'ignore' });
      const ended = once(child, 'exit');
      // Waits for progress that even a slow machine makes, and then kills at any moment of the next batches.
      const more = before + randomInt(1, Math.max(2, Math.floor(count / (rounds + 2))));
      while (child.exitCode === null && (await listProducts(ctx, { limit: 1 })).total < more) await sleep(10);
      await sleep(randomInt(0, 40));
      child.kill('SIGKILL');
      await ended;
      const { total } = await listProducts(ctx, { limit: 1 });
      expect(total).toBeGreaterThanOrEqual(before);
      before = total;
    }
    const done = JSON.parse((await cli([...all, '--json'])).stdout).item;
    // The last run can have finished before its kill: then every row is found unchanged.
    expect(done).toMatchObject({ status: 'completed', refused: bad.size, rows: count });
    expect(done.created + done.unchanged).toBe(count - bad.size);
    expect((await listProducts(ctx, { limit: 1 })).total).toBe(count - bad.size);
    expect((await listProducts(ctx, { search: 'mug', limit: 1 })).total).toBe(count - bad.size);
    const events = await commerce.engine.storage.db
      .selectFrom('events')
      .select('resource_id')
      .where('store_id', '=', shop.storeId)
      .where('type', '=', 'product.created')
      .execute();
    expect([events.length, new Set(events.map(({ resource_id }) => resource_id)).size]).toEqual(
      Array(2).fill(count - bad.size),
    );
    // The report contains every refused row once.
    const reported = readFileSync(path('killed-report.csv'), 'utf8').trimEnd().split('\n').slice(1);
    const lines = reported.map((text) => Number(text.split(',')[0]));
    expect(lines.sort((a, b) => a - b)).toEqual([...bad].map((i) => i + 2).sort((a, b) => a - b));
    expect(await getImport(ctx, done.id)).toMatchObject({ status: 'completed' });
    await commerce.close();
  });

  it('end an export without a word when its reader has read enough', async () => {
    const shop = await makeStore();
    const rows = Array.from({ length: 400 }, (_, i) => `mug-${i},Mug,1,${'words '.repeat(300)}\n`);
    writeFileSync(path('long.csv'), `slug,title,price,description\n${rows.join('')}`);
    expect((await run('products', 'import', path('long.csv'), '--store', shop.storeId, '--quiet')).code).toBe(0);
    const args = ['products', 'export', '-', '--store', shop.storeId, '--db', database.address];
    const child = spawn(process.execPath, [bin, ...args], { cwd: root });
    child.stdout.once('data', () => child.stdout.destroy());
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      stderr += chunk;
    });
    expect(await once(child, 'close')).toEqual([0, null]);
    expect(stderr).toBe('');
  });

  it('report their own problems, once each, and never over the file that is imported', async () => {
    const shop = await makeStore();
    const store = ['--store', shop.storeId];
    const told = () => readFileSync(path('told.csv'), 'utf8').trimEnd().split('\n').slice(1);
    const load = (file: string, ...more: string[]) =>
      run('products', 'import', path(file), ...store, '--report', path('told.csv'), ...more);
    writeFileSync(path('wrong.csv'), `${header}${line(1)}no slug!,Mug,1,,\n${line(2)}`);
    for (let i = 0; i < 2; i++) {
      expect((await load('wrong.csv')).code).toBe(1);
      expect(told()).toEqual([expect.stringMatching(/^3,slug,no slug!,.*,refused$/)]);
    }
    writeFileSync(path('right.csv'), `${header}${line(1)}`);
    expect((await load('right.csv')).code).toBe(0);
    expect(told()).toEqual([]);
    const same = await run('products', 'import', path('wrong.csv'), ...store, '--report', path('wrong.csv'));
    expect([same.code, same.stderr]).toEqual([
      2,
      expect.stringContaining(`--report: ${path('wrong.csv')} is the imported file; use another one`),
    ]);
    expect(readFileSync(path('wrong.csv'), 'utf8')).toContain('no slug!');
  });

  it('export behind links and into pipes', async () => {
    const shop = await makeStore();
    writeFileSync(path('real.csv'), 'old');
    symlinkSync(path('real.csv'), path('link.csv'));
    expect((await run('products', 'export', path('link.csv'), '--store', shop.storeId)).code).toBe(0);
    expect(readlinkSync(path('link.csv'))).toBe(path('real.csv'));
    expect(readFileSync(path('real.csv'), 'utf8')).toMatch(/^id,title,slug,/);
    execFileSync('mkfifo', [path('pipe')]);
    const reader = readFile(path('pipe'), 'utf8');
    expect((await run('products', 'export', path('pipe'), '--store', shop.storeId)).code).toBe(0);
    expect(await reader).toMatch(/^id,title,slug,/);
  });

  it('take the export of a list of nothing', async () => {
    const shop = await makeStore();
    for (const name of ['none.jsonl', 'none.csv']) {
      expect((await run('pages', 'export', path(name), '--store', shop.storeId)).code).toBe(0);
      const imported = await run('pages', 'import', path(name), '--store', shop.storeId, '--quiet');
      expect(imported, imported.stderr).toMatchObject({ code: 0 });
    }
    writeFileSync(path('cut-off.csv'), '');
    const refused = await run('pages', 'import', path('cut-off.csv'), '--store', shop.storeId, '--quiet');
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('it is empty') });
  });
});
