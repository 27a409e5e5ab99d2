// Runs scripts of package.json at the same time, prints what each has printed when it ends, and fails when one fails:
// node test/together.mjs lint build
import { spawn } from 'node:child_process';
import { performance } from 'node:perf_hooks';

const results = await Promise.all(process.argv.slice(2).map(run));
process.exitCode = results.find((code) => code !== 0) ?? 0;

/** @param {string} script @returns {Promise<number>} its exit code; 1 for one that a signal has ended */
function run(script) {
  const start = performance.now();
  const child = spawn('npm', ['run', '--silent', script], { shell: process.platform === 'win32' });
  /** @type {Buffer[]} */
  const output = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => output.push(part));
  return new Promise((resolve) => {
    child.on('error', (error) => {
      console.error(`${script}: ${error.message}`);
      resolve(1);
    });
    child.on('close', (code) => {
      process.stdout.write(Buffer.concat(output));
      const seconds = ((performance.now() - start) / 1000).toFixed(0);
      console.log(`${script}: ${code === 0 ? 'good' : 'failed'} after ${seconds} s`);
      resolve(code ?? 1);
    });
  });
}
