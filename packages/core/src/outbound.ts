import type { Readable } from 'node:stream';
import type { Agent } from 'undici';
import type { AddressGuard } from './address-guard.ts';
import { asLookupFunction, openNames } from './names.ts';

/** An answer from outside; of its body at most the limit was read. */
export interface OutboundAnswer {
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: Buffer;
}

export interface OutboundRequest {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  url: string;
  headers: Record<string, string>;
  body: Buffer | undefined;
  /** Milliseconds for the whole exchange, name lookup to last byte. */
  timeout: number;
  /** Bytes of the answer that are read; the rest is left. */
  maxAnswer: number;
  /** For addresses that a client named; where the operator named it, none is needed. */
  guard?: AddressGuard | null;
  /** Gives the exchange up from outside. */
  signal?: AbortSignal;
}

/** The bounds on headers, preliminary answers and bodies below are those of HTTP/1.1; undici would offer HTTP/2 as well. */
const onlyHttp1 = { allowH2: false };

/** Answers of 1xx before the one that counts. */
const maxPreliminary = 20;

/** For addresses that the operator named; a guard has its own. */
const lookup = asLookupFunction(openNames());

/** Stands for no guard. */
const anywhere = {};
const agents = new WeakMap<object, Promise<Agent>>();

/** One agent for each guard: a connection that is kept open was checked when it was made. */
function agentFor(guard: AddressGuard | null): Promise<Agent> {
  const known = agents.get(guard ?? anywhere) ?? openAgent(guard);
  agents.set(guard ?? anywhere, known);
  return known;
}

async function openAgent(guard: AddressGuard | null): Promise<Agent> {
  // Loaded with the first request: a server without subscribers should not pay for the client.
  const undici = await import('undici');
  const options = {
    ...onlyHttp1,
    keepAliveTimeout: 10_000,
    maxHeaderSize: 16_384,
    headersTimeout: 0,
    bodyTimeout: 0,
  };
  if (!guard) return new undici.Agent({ ...options, connect: { lookup } });
  const connect = undici.buildConnector({ ...onlyHttp1, lookup: guard.lookup });
  return new undici.Agent({
    ...options,
    connect(target, callback) {
      // node:net looks up names only; an address in the URL would go past the guard's look-up.
      const refused = guard.refuseHost(target.hostname);
      if (refused === undefined) connect(target, callback);
      else callback(new Error(refused.reason), null);
    },
  });
}

/**
 * The one place that opens connections to other machines. Follows no redirect and inflates nothing.
 * @throws Error in words for a log: what the network or the other side did wrong.
 */
export async function callOutbound(request: OutboundRequest): Promise<OutboundAnswer> {
  const dispatcher = await agentFor(request.guard ?? null);
  // Not `AbortSignal.any`: every call would leave something behind on a signal that lives as long as the process.
  const ending = new AbortController();
  const giveUp = () => ending.abort();
  let isLate = false;
  const deadline = setTimeout(() => {
    isLate = true;
    giveUp();
  }, request.timeout);
  request.signal?.addEventListener('abort', giveUp);
  if (request.signal?.aborted) giveUp();
  let preliminary = 0;
  try {
    const answer = await dispatcher.request({
      ...originAndPath(request.url),
      method: request.method,
      headers: request.headers,
      body: request.body ?? null,
      signal: ending.signal,
      onInfo() {
        // No limit on headers holds for these, as each is complete in itself.
        if (++preliminary > maxPreliminary) throw new Error(`more than ${maxPreliminary} preliminary answers`);
      },
    });
    const { statusCode: status, headers } = answer;
    return { status, headers, body: await readSome(answer.body, request.maxAnswer) };
  } catch (error) {
    if (isLate) throw new Error(`no complete answer within ${request.timeout / 1000} s`, { cause: error });
    throw new Error(describe(error), { cause: error });
  } finally {
    clearTimeout(deadline);
    request.signal?.removeEventListener('abort', giveUp);
  }
}

function originAndPath(url: string): { origin: string; path: string } {
  const { origin, pathname, search } = new URL(url);
  return { origin, path: pathname + search };
}

/** An exchange whose bytes, either way, are not held in memory. */
export interface OutboundTransfer {
  method: 'GET' | 'HEAD' | 'PUT' | 'DELETE';
  url: string;
  headers: Record<string, string>;
  body?: Readable;
}

export interface OutboundStream {
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** To be read to its end or destroyed. */
  body: Readable;
}

/** Milliseconds in which a transfer must get on: to connect, to begin the answer, between two parts of it. */
const transferPause = 30_000;

let transferAgent: Promise<Agent> | undefined;

/**
 * Exchanges with a service that the operator chose, such as the bucket of media files: on this machine or in this network,
 * too. Follows no redirect.
 * @throws Error in words for a log.
 */
export async function openOutbound({ method, url, headers, body }: OutboundTransfer): Promise<OutboundStream> {
  const undici = await import('undici');
  transferAgent ??= Promise.resolve(
    new undici.Agent({
      ...onlyHttp1,
      connectTimeout: transferPause,
      headersTimeout: transferPause,
      bodyTimeout: transferPause,
      connect: { lookup },
    }),
  );
  try {
    const dispatcher = await transferAgent;
    const answer = await undici.request(url, {
      method,
      headers,
      body: body ?? null,
      dispatcher,
    });
    return { status: answer.statusCode, headers: answer.headers, body: answer.body };
  } catch (error) {
    throw new Error(describe(error), { cause: error });
  }
}

async function readSome(
  stream: AsyncIterable<Buffer> & { destroy(): void; on(event: 'error', listener: () => void): void },
  max: number,
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= max) {
      // Leaving the loop destroys the stream; the connection goes with it, which is right for an answer this long.
      break;
    }
  }
  return Buffer.concat(chunks).subarray(0, max);
}

function describe(error: unknown): string {
  const { code, message } = (error ?? {}) as { code?: string; message?: string };
  return [code, message].filter(Boolean).join(': ') || String(error);
}
