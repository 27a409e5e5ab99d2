import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export const bin = fileURLToPath(new URL('../../../packages/cli/bin/commerce.js', import.meta.url));
export const root = fileURLToPath(new URL('../../..', import.meta.url));

export interface Finished {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs a program to its end. */
export async function run(
  command: string,
  args: string[],
  input = '',
  env: Record<string, string> = {},
): Promise<Finished> {
  const child = spawn(command, args, { cwd: root, env: { ...process.env, ...env } });
  const output = collect(child);
  // A program that does not read its input may have ended by then.
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, ...output };
}

/** The words of a line, such as a command and its options, none of which has a blank. */
export function words(line: string): string[] {
  return line.split(' ');
}

/** Runs the built command line to its end. */
export function commerce(args: string[], input = '', env: Record<string, string> = {}): Promise<Finished> {
  return run(process.execPath, [bin, ...args], input, env);
}

/** Runs a command with `--json` that has to succeed, and returns its output. */
// biome-ignore lint/suspicious/noExplicitAny: what JSON holds is for the test to say
export async function commerceJson(args: string[], input = ''): Promise<any> {
  const { code, stdout, stderr } = await commerce([...args, '--json'], input);
  if (code !== 0) throw new Error(`commerce ${args.join(' ')} ended with ${code}: ${stderr}`);
  return JSON.parse(stdout);
}

export interface RunningServer {
  url: string;
  /** Signs in to the dashboard of the store that this start created; undefined if a store existed. */
  signInCode: string | undefined;
  child: ChildProcess;
  /** Text that it wrote on standard error so far. */
  stderr(): string;
  /** Stops it, and returns its exit code. */
  stop(): Promise<number | null>;
  /** Kills it, as a power cut would. */
  kill(): Promise<void>;
}

/** Starts `commerce serve` on a free port and waits until it listens. @param program of another version */
export async function startServer(
  address: string,
  flags: string[] = [],
  npx = false,
  program = bin,
): Promise<RunningServer> {
  const args = ['serve', '--db', address, '--port', '0', '--json', ...flags];
  // Keeps standard error empty if nothing fails; `--log json` among the flags overrides it.
  const env = { COMMERCE_LOG: 'off', ...process.env };
  const child = npx
    ? spawn('npx', ['--no-install', 'commerce', ...args], { cwd: root, detached: true, env })
    : spawn(process.execPath, [program, ...args], { cwd: root, env });
  const output = collect(child);
  const ended = once(child, 'exit') as Promise<[number | null]>;
  await new Promise<void>((resolve, reject) => {
    child.stdout?.on('data', () => output.stdout.includes('\n') && resolve());
    void ended.then(([code]) => reject(new Error(`serve ended with ${code}: ${output.stderr}`)));
  });
  const { url, signInCode } = JSON.parse(output.stdout.split('\n')[0] ?? '') as { url: string; signInCode?: string };
  const signal = (name: NodeJS.Signals) => {
    // npx starts the program as a child process, so the signal goes to the process group.
    if (npx && child.pid) process.kill(-child.pid, name);
    else child.kill(name);
  };
  return {
    url,
    signInCode,
    child,
    stderr: () => output.stderr,
    async stop() {
      if (child.exitCode === null) signal('SIGTERM');
      const [code] = child.exitCode === null ? await ended : [child.exitCode];
      expectNoKey(output.stderr);
      return code;
    },
    async kill() {
      signal('SIGKILL');
      await ended;
      expectNoKey(output.stderr);
    },
  };
}

/** The log of a server must never contain an API key, whatever the test does. */
function expectNoKey(stderr: string): void {
  const [line] = /^.*ck_live_[0-9A-Za-z]{43}.*$/m.exec(stderr) ?? [];
  if (line !== undefined) throw new Error(`an API key stands in what the server wrote: ${line}`);
}

function collect(child: ChildProcess): { stdout: string; stderr: string } {
  const output = { stdout: '', stderr: '' };
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    output.stdout += chunk;
  });
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    output.stderr += chunk;
  });
  return output;
}

/** Does the work for each item, at most `connections` at once, and returns the results in order. */
export async function inParallel<T, R>(
  items: readonly T[],
  connections: number,
  work: (item: T, i: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const lanes = Array.from({ length: connections }, async () => {
    for (let i = next++; i < items.length; i = next++) results[i] = await work(items[i] as T, i);
  });
  await Promise.all(lanes);
  return results;
}
