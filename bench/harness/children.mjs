import { fork, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const command = fileURLToPath(new URL('../../packages/cli/bin/commerce.js', import.meta.url));
const limits = fileURLToPath(new URL('./limits.mjs', import.meta.url));
const serverLog = join(tmpdir(), `commerce-bench-${process.pid}.log`);
const loader = fileURLToPath(new URL('./loader.mjs', import.meta.url));

/** Running processes, so that none outlives the run. */
const running = new Set();

function started(child) {
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

/** Runs a command of the built command line and returns its printed JSON, parsed. */
export async function commerce(...args) {
  const child = started(
    spawn(process.execPath, [command, ...args, '--json'], { stdio: ['ignore', 'pipe', 'inherit'] }),
  );
  const printed = await firstOutput(child);
  await ended(child);
  if (child.exitCode !== 0) throw new Error(`commerce ${args[0]} ended with ${child.exitCode}`);
  return JSON.parse(printed);
}

/**
 * Starts `commerce serve` on a free port. It logs every request to a file, as it does by default.
 * @param nodeOptions options of Node.js itself, such as those of its profiler
 * @param flags options of `serve`
 * @param env variables in addition to those of this process
 */
export async function startServer(file, nodeOptions = [], flags = [], env = {}) {
  const args = [...nodeOptions, command, 'serve', '--db', file, '--port', '0', '--json', ...flags];
  const log = openSync(serverLog, 'w');
  const child = started(
    spawn(process.execPath, args, { stdio: ['ignore', 'pipe', log], env: { ...process.env, ...env } }),
  );
  closeSync(log);
  try {
    const { url } = JSON.parse(await firstOutput(child));
    return { child, url };
  } catch (error) {
    throw new Error(`the server did not start: ${readFileSync(serverLog, 'utf8')}`, { cause: error });
  }
}

/** Starts the process that measures a limit; `ask` sends it one task and returns its answer. */
export function startLimit(kind, file = '', env = {}) {
  return conversation(started(fork(limits, [kind, file], { env: { ...process.env, ...env } })), `the ${kind} limit`);
}

/** Starts a process that sends a load. It answers once when the clock starts, and once with its measurements. */
export function startLoader() {
  return conversation(started(fork(loader, { serialization: 'advanced' })), 'the load generator');
}

/** Starts a script; `ask` sends it one task and returns its answer. */
export function startTalking(script, name) {
  return conversation(started(fork(fileURLToPath(script), { serialization: 'advanced' })), name);
}

function conversation(child, name) {
  const answer = () =>
    new Promise((resolve, reject) => {
      const gone = () => reject(new Error(`${name} ended`));
      child.once('exit', gone);
      child.once('message', (message) => {
        child.off('exit', gone);
        resolve(message);
      });
    });
  const ask = (task) => {
    child.send(task);
    return answer();
  };
  return { child, ask, answer };
}

/** Starts a Node.js process that does nothing, and waits until it has reported that it runs. */
export async function startEmpty() {
  const child = started(
    spawn(process.execPath, ['-e', 'console.log(1); setInterval(() => {}, 1e6)'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    }),
  );
  await firstOutput(child);
  return child;
}

/** Ends a process and waits for it; kills it if it does not end. */
export async function stop(child) {
  if (!running.has(child)) return;
  child.kill('SIGTERM');
  const killing = setTimeout(() => child.kill('SIGKILL'), 20_000);
  await ended(child);
  clearTimeout(killing);
}

export async function stopAll() {
  await Promise.all([...running].map(stop));
  rmSync(serverLog, { force: true });
}

function ended(child) {
  return running.has(child) ? new Promise((resolve) => child.once('exit', resolve)) : Promise.resolve();
}

/** The first line a process prints. */
function firstOutput(child) {
  return new Promise((resolve, reject) => {
    let text = '';
    child.stdout.on('data', (chunk) => {
      text += chunk;
      if (text.includes('\n')) resolve(text);
    });
    child.once('exit', (code) => reject(new Error(`process ended with ${code} before it answered`)));
  });
}

/** Sends one request on its own connection; returns status, raw headers and body unchanged. */
export function ask(url, headers = {}) {
  return new Promise((resolve, reject) => {
    const asking = request(url, { headers, agent: false }, (response) => {
      const chunks = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('end', () =>
        resolve({ status: response.statusCode, headers: response.rawHeaders, body: Buffer.concat(chunks) }),
      );
    });
    asking.on('error', reject);
    asking.end();
  });
}

/** Resident memory of a process in MB. */
export async function residentMemory(child) {
  // Linux provides this without another process; other systems need `ps`.
  try {
    const [, kilobytes] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8')) ?? [];
    return Number(kilobytes) / 1024;
  } catch {
    const ps = spawn('ps', ['-o', 'rss=', '-p', String(child.pid)], { stdio: ['ignore', 'pipe', 'inherit'] });
    return Number(await firstOutput(ps)) / 1024;
  }
}

/**
 * Processor time that a process has used, in milliseconds; undefined if the system does not report it.
 * @param {{ pid?: number | undefined }} child
 */
export const processorTime = ({ pid }) => timeIn(`/proc/${pid}/stat`);

/**
 * The same of its thread that runs JavaScript.
 * @param {{ pid?: number | undefined }} child
 */
export const mainThreadTime = ({ pid }) => timeIn(`/proc/${pid}/task/${pid}/stat`);

function timeIn(file) {
  try {
    // The fields after the name, which is in parentheses and can contain blanks. Times are in hundredths of a second.
    const stat = readFileSync(file, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * 10;
  } catch {
    return undefined;
  }
}

export const settle = (ms) => sleep(ms);
