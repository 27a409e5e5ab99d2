import { execFile } from 'node:child_process';
import { type IncomingHttpHeaders, request as send } from 'node:http';
import { promisify } from 'node:util';
import { expectDocumented } from './contract.ts';
import type { RunningServer } from './processes.ts';

const runFile = promisify(execFile);

/** Live processes of a service with several workers. */
export interface ServiceProcesses {
  writers: number[];
  readers: number[];
}

/** The processes that a service has started. */
export async function processesOf({ child }: RunningServer): Promise<ServiceProcesses> {
  const { stdout } = await runFile('ps', ['-A', '-o', 'pid=,ppid=,stat=,args=']);
  const found: ServiceProcesses = { writers: [], readers: [] };
  for (const line of stdout.split('\n')) {
    const [, pid, parent, state = '', args = ''] = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? [];
    if (Number(parent) !== child.pid || state.startsWith('Z')) continue;
    if (args.startsWith('commerce writer')) found.writers.push(Number(pid));
    if (args.startsWith('commerce reader')) found.readers.push(Number(pid));
  }
  return found;
}

/** The processes that still live; a process that has ended counts as dead even before its parent has collected its status. */
export async function livingOf(pids: readonly number[]): Promise<number[]> {
  const { stdout } = await runFile('ps', ['-A', '-o', 'pid=,stat=']);
  const living = new Set<number>();
  for (const line of stdout.split('\n')) {
    const [, pid, state = ''] = /^\s*(\d+)\s+(\S+)/.exec(line) ?? [];
    if (!state.startsWith('Z')) living.add(Number(pid));
  }
  return pids.filter((pid) => living.has(pid));
}

export interface FreshAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: what the service answers is for the test to say
  json: any;
}

/** Sends one request on a new connection, which goes to the next worker in turn; its answer has to be documented. */
export async function sendFresh(
  base: string,
  method: string,
  path: string,
  { headers = {}, body }: { headers?: Record<string, string>; body?: string | Buffer } = {},
): Promise<FreshAnswer> {
  const answer = await new Promise<FreshAnswer>((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const options = { method, agent: false as const, headers: { ...length, ...headers } };
    const asking = send(base + path, options, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.once('error', reject);
      response.once('end', () => {
        const text = Buffer.concat(parts).toString();
        const isJson = response.headers['content-type']?.startsWith('application/json') && text !== '';
        const json = isJson ? JSON.parse(text) : undefined;
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text, json });
      });
    });
    asking.once('error', reject);
    asking.end(body);
  });
  const { status, headers: given, text } = answer;
  const isImage = given['content-type']?.startsWith('image/');
  if (!isImage) await expectDocumented(method, path, status, given as Record<string, string>, text);
  return answer;
}
