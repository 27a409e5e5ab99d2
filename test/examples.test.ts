import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root, run } from '@commerce/test-support/harness/processes';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/** Examples in TypeScript, as somebody uses them who has the published packages. */
const examples = ['express', 'migration', 'receiver'];

describe('an example, with the packages as they are published', () => {
  const folder = mkdtempSync(join(tmpdir(), 'commerce-examples-'));
  const modules = join(folder, 'node_modules');
  const children: ChildProcess[] = [];

  beforeAll(async () => {
    const packed = join(folder, 'packed');
    mkdirSync(packed);
    mkdirSync(modules);
    // Other packages are those of the workspace.
    const own = join(root, 'node_modules');
    for (const name of readdirSync(own))
      if (name !== '@commerce' && name !== '.cache') symlinkSync(join(own, name), join(modules, name));
    const script = `
      import { packAll } from ${JSON.stringify(join(root, 'release/packages.mjs'))};
      console.log(JSON.stringify(await packAll(${JSON.stringify(packed)})));`;
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script]);
    for (const { name, file } of JSON.parse(stdout) as { name: string; file: string }[]) {
      const place = join(modules, name);
      mkdirSync(place, { recursive: true });
      await run('tar', ['-xzf', file, '-C', place, '--strip-components', '1']);
    }
    for (const example of examples) cpSync(join(root, 'examples', example), join(folder, example), { recursive: true });
  });
  afterAll(() => {
    for (const child of children) child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });

  it.each(examples)('%s compiles in the strictest mode, and passes its own tests', async (example) => {
    const at = join(folder, example);
    const compiled = await run(process.execPath, [join(root, 'node_modules/typescript-7/bin/tsc'), '-p', at]);
    expect(compiled).toMatchObject({ code: 0, stdout: '' });
    const tested = await run(process.execPath, ['--test', join(at, 'app.test.ts')]);
    expect(tested, tested.stdout).toMatchObject({ code: 0 });
    expect(tested.stdout).toMatch(/\bpass [1-9]/);
  });

  it('express starts with one command, lets its user in, and ends when it is told to', async () => {
    const at = join(folder, 'express');
    const password = 'nine cups and a kettle';
    const child = spawn(process.execPath, ['main.ts', join(folder, 'shop.db')], {
      cwd: at,
      env: { ...process.env, ADMIN_PASSWORD: password, PORT: '0' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    children.push(child);
    const [line] = await once(child.stdout, 'data');
    const [, origin, store] = /^(http:\S+) for the store (\S+)/.exec(String(line)) ?? [];
    const answer = await fetch(`${origin}/sign-in`, {
      method: 'POST',
      body: new URLSearchParams({ email: 'admin@shop.example', password }),
      redirect: 'manual',
    });
    const cookie = (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
    const products = await fetch(`${origin}/shop/stores/${store}/products`, { headers: { cookie } });
    expect(await products.json()).toEqual({ items: [], total: 0 });
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
  });
});
