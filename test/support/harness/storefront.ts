import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { root } from './processes.ts';
import { until } from './until.ts';

/** Starts the example shop in a folder, as `npm run storefront` does, and waits until it is open. */
export async function startShop(folder: string, ...flags: string[]) {
  const ports = ['--port', '0', '--service-port', '0', '--provider-port', '0'];
  // All buyers of a test share one network address, which sends more requests a minute than one buyer.
  const env = { ...process.env, COMMERCE_STOREFRONT_LIMITS: '60000,6000' };
  const program = join(root, 'examples/storefront/start.mjs');
  const child = spawn(process.execPath, [program, '--dir', folder, ...ports, ...flags], { env });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text));
  const ended = once(child, 'exit') as Promise<[number | null]>;
  await until('the shop is open', () => output.includes('Stop with Ctrl+C') || child.exitCode !== null, 60_000);
  if (child.exitCode !== null) throw new Error(output);
  return {
    base: /The shop\s+(?:is at )?(http:\/\/[\d.]+:\d+)/.exec(output)?.[1] ?? '',
    service: /its service\s+(\S+)/.exec(output)?.[1] ?? '',
    output: () => output,
    async stop() {
      child.kill('SIGTERM');
      return (await ended)[0];
    },
  };
}
