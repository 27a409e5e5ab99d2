import type { Readable } from 'node:stream';
import type { Agent } from 'undici';
import { asLookupFunction, openNames } from '../kernel/names.ts';
import type { AddressGuard } from './address-guard.ts';

/** An answer from another machine, with its body read up to the limit. */
export interface OutboundAnswer {
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: Buffer;
}

export interface OutboundRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  url: string;
  headers: Record<string, string>;
  body: Buffer | undefined;
  /** Milliseconds for the whole exchange, from name lookup to the last byte. */
  timeout: number;
  /** Bytes of the answer that are read; the rest is ignored. */
  maxAnswer: number;
  /** For addresses that a client named; not needed if the operator named the address. */
  guard?: AddressGuard | null;
  /** Aborts the exchange. */
  signal?: AbortSignal;
}

/** The limits on headers, preliminary answers and bodies below are for HTTP/1.1; undici would also offer HTTP/2. */
const onlyHttp1 = { allowH2: false };

/** Maximum number of 1xx answers before the final one. */
const maxPreliminary = 20;

/** For addresses that the operator named; a guard has its own lookup. */
const lookup = asLookupFunction(openNames());

/** Key of the agent without a guard. */
const anywhere = {};
const agents = new WeakMap<object, Promise<Agent>>();

/** One agent for each guard, because a reused connection was checked only when it was opened. */
function agentFor(guard: AddressGuard | null): Promise<Agent> {
  const known = agents.get(guard ?? anywhere) ?? openAgent(guard);
  agents.set(guard ?? anywhere, known);
  return known;
}

async function openAgent(guard: AddressGuard | null): Promise<Agent> {
  // Loaded with the first request, because a server without subscribers does not need the client.
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
      // node:net looks up only names; an IP address in the URL would bypass the guard's lookup.
      const refused = guard.refuseHost(target.hostname);
      if (refused === undefined) connect(target, callback);
      else callback(new Error(refused.reason), null);
    },
  });
}

/**
 * The only place that opens connections to other machines. Follows no redirect and decompresses nothing.
 * @throws Error in words for a log: the failure of the network or the other side
 */
export async function callOutbound(request: OutboundRequest): Promise<OutboundAnswer> {
  const dispatcher = await agentFor(request.guard ?? null);
  // Not `AbortSignal.any`: every call would leak on a signal that lives as long as the process.
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
        // Limits on headers do not cover these, because each is complete in itself.
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

/** An exchange whose bytes are not held in memory in either direction. */
export interface OutboundTransfer {
  method: 'GET' | 'HEAD' | 'PUT' | 'DELETE';
  url: string;
  headers: Record<string, string>;
  body?: Readable;
}

export interface OutboundStream {
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Must be read to its end or destroyed. */
  body: Readable;
}

/** Maximum pause of a transfer in milliseconds: to connect, before the answer begins, and between two parts of it. */
const transferPause = 30_000;

let transferAgent: Promise<Agent> | undefined;

/**
 * Exchanges data with a service that the operator chose, such as the bucket of media files. It can be on this machine or in this network.
 * Follows no redirect.
 * @throws Error in words for a log
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
      // Leaving the loop destroys the stream and its connection, which is right for an answer this long.
      break;
    }
  }
  return Buffer.concat(chunks).subarray(0, max);
}

function describe(error: unknown): string {
  const { code, message } = (error ?? {}) as { code?: string; message?: string };
  return [code, message].filter(Boolean).join(': ') || String(error);
}
