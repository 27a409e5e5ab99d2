import { spawn, spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Whether `wrk` is installed, which costs a tenth of a load generator in JavaScript. */
export const hasWrk = spawnSync('wrk', ['-v']).error === undefined;

/**
 * Sends GETs with `wrk` for some seconds, one path after the other, and counts what comes back.
 * @param {object} task
 * @param {string} task.url
 * @param {string[]} task.paths
 * @param {Record<string, string>} task.headers
 * @param {number} task.seconds
 * @param {number} task.connections
 */
export async function runWrk({ url, paths, headers, seconds, connections }) {
  const script = join(tmpdir(), `commerce-bench-${process.pid}.lua`);
  const quoted = (/** @type {string} */ text) => JSON.stringify(text);
  writeFileSync(
    script,
    `${Object.entries(headers)
      .map(([name, value]) => `wrk.headers[${quoted(name)}] = ${quoted(value)}`)
      .join('\n')}
local paths = {${paths.map(quoted).join(',')}}
local next = 0
request = function()
  next = next % #paths + 1
  return wrk.format("GET", paths[next])
end
`,
  );
  const args = [
    '-t',
    '2',
    '-c',
    String(connections),
    '-d',
    `${seconds}s`,
    '--timeout',
    '60s',
    '--latency',
    '-s',
    script,
    url,
  ];
  const child = spawn('wrk', args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (part) => {
    text += part;
  });
  await new Promise((resolve) => child.once('close', resolve));
  rmSync(script, { force: true });
  if (/Non-2xx|Socket errors/.test(text)) throw new Error(`wrk met errors: ${text}`);
  const found = (/** @type {RegExp} */ pattern) => pattern.exec(text)?.[1] ?? '';
  const milliseconds = (/** @type {string} */ share) => {
    const [, value = 'NaN', unit = 'ms'] = new RegExp(`${share}%\\s+([\\d.]+)(us|ms|s)`).exec(text) ?? [];
    return Number(value) * ({ us: 0.001, ms: 1, s: 1000 }[unit] ?? Number.NaN);
  };
  return {
    answered: Number(found(/(\d+) requests in/)),
    rate: Number(found(/Requests\/sec:\s+([\d.]+)/)),
    p50: milliseconds('50'),
    p99: milliseconds('99'),
  };
}
