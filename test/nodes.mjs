// npm run test:nodes: runs a part of the tests, a browser included, on the other lines of Node.js that the packages support. Each comes as a
// package, into node_modules/.cache.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const versions = ['22.23.2', '24.21.0'];
const files = [
  'packages/core/src/storage',
  'test/cli.test.ts',
  'test/dashboard.journey.e2e.test.ts',
  'test/first-run.cli.test.ts',
  'test/payment.e2e.test.ts',
  'test/storefront.e2e.test.ts',
  'test/webhooks.tls.test.ts',
];

for (const version of versions) {
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  const folder = join(root, 'node_modules/.cache/nodes', version);
  const bin = join(folder, 'node_modules', name, 'bin');
  if (!existsSync(bin)) {
    run('npm', ['install', '--prefix', folder, '--no-save', '--no-audit', '--no-fund', `${name}@${version}`]);
  }
  console.log(`Node.js ${version}:`);
  run(join(bin, 'node'), [join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...files], {
    PATH: `${bin}${delimiter}${process.env.PATH}`,
  });
}

/** Runs a program to its end. Ends this one when that fails. */
function run(program, args, env = {}) {
  const { status } = spawnSync(program, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } });
  if (status !== 0) process.exit(status ?? 1);
}
