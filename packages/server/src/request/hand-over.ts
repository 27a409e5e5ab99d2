import { Agent, type ClientRequest, type IncomingMessage, type OutgoingHttpHeaders, request as send } from 'node:http';
import { CommerceError } from '@commerce/core';
import type { Answer, AppRequest, Area, Call, RequestFacts } from '../http.ts';

/** Header in which a reader passes the client's network address to the writer. */
export const addressHeader = 'x-commerce-address';

/** Header in which the writer returns facts about the request. The reader logs and counts them. */
const factsHeader = 'x-commerce-facts';

/** Headers of a client that concern its own connection, or that the reader has processed itself. */
const notHandedOver = new Set([
  ...['connection', 'keep-alive', 'proxy-connection', 'te', 'trailer', 'upgrade', 'expect'],
  ...['transfer-encoding', 'accept-encoding', 'x-request-id'],
]);

/** Headers of the writer's answer that concern its connection, or that the reader writes itself. */
const notHandedBack = new Set([
  ...['connection', 'keep-alive', 'transfer-encoding', 'content-length', 'date', 'vary', 'x-request-id'],
]);

/** Milliseconds without a byte in either direction after which waiting for the writer ends. */
const patience = 120_000;

/** Maximum idle connections to the writer. */
const maxIdle = 64;

/** Maximum bytes of an answer; no write has one of that length. */
const maxAnswer = 64 * 1024 * 1024;

/** The headers in which the writer's answer carries the facts about its request. */
export function factsHeaders({ route, storeId, keyPrefix }: RequestFacts): Record<string, string> {
  // Encoded, because a header cannot hold characters beyond Latin-1.
  return { [factsHeader]: encodeURIComponent(JSON.stringify({ route, storeId, keyPrefix })) };
}

/**
 * Hands whole requests over to the writing process, and returns its answers. Bodies are passed on as they arrive, so that a slow client
 * costs the writer the same as any server. Answers to writes are short texts, which are read completely. They can then be compressed and
 * counted like all others, and an answer lost halfway becomes a clean refusal. The caller limits the running requests, and its connections
 * limit requests whose body is still arriving.
 */
export class HandOver implements Pick<Area, 'answer'> {
  readonly #socket: string;
  readonly #agent = new Agent({ keepAlive: true, maxFreeSockets: maxIdle, scheduling: 'lifo' });

  /** @param socket path of the socket on which the writer listens */
  constructor(socket: string) {
    this.#socket = socket;
  }

  /** @throws CommerceError `unavailable` when the writer does not answer; AbortedError when the client left */
  async answer({ request, requestId, facts }: Call): Promise<Answer> {
    const { method, url: path } = request;
    const headers = headersOf(request, requestId);
    const asking = send({ socketPath: this.#socket, agent: this.#agent, method, path, headers, timeout: patience });
    const answered = answerTo(asking, facts);
    if (!hasBody(request)) {
      asking.end();
      return answered;
    }
    // Either can come first: the end of the body, or an answer to its beginning.
    let clientLeft: (error: unknown) => void = () => {};
    const left = new Promise<never>((_, reject) => {
      clientLeft = reject;
    });
    passOn(request, asking).catch((error) => {
      asking.destroy();
      clientLeft(error);
    });
    return Promise.race([left, answered]);
  }

  close(): void {
    this.#agent.destroy();
  }
}

function headersOf(request: AppRequest, requestId: string): OutgoingHttpHeaders {
  const headers: OutgoingHttpHeaders = {};
  for (const name in request.headers) {
    if (!notHandedOver.has(name) && name !== addressHeader) headers[name] = request.headers[name];
  }
  if (request.headers['transfer-encoding'] !== undefined) headers['transfer-encoding'] = 'chunked';
  headers['x-request-id'] = requestId;
  if (request.address !== undefined) headers[addressHeader] = request.address;
  return headers;
}

function hasBody({ headers }: AppRequest): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/**
 * Passes the body on as fast as the writer reads it. The writer limits its size. If it answers early, the rest of the body is read and
 * dropped until the connection is closed.
 * @throws AbortedError when the client left
 */
async function passOn(request: AppRequest, asking: ClientRequest): Promise<void> {
  const body = request.openBody?.(Number.POSITIVE_INFINITY) ?? [await request.readBody()];
  for await (const part of body) {
    if (asking.destroyed || asking.write(part)) continue;
    await new Promise<void>((resolve) => {
      const go = () => {
        asking.off('drain', go).off('close', go);
        resolve();
      };
      asking.on('drain', go).on('close', go);
    });
  }
  asking.end();
}

/** The answer of the writer, once it is whole. */
function answerTo(asking: ClientRequest, facts: RequestFacts): Promise<Answer> {
  return new Promise((resolve, reject) => {
    let isSent = false;
    const fail = () => reject(isSent ? lost : unsent);
    asking.on('socket', (socket) => {
      // A kept connection can have been closed by a writer that has ended, and it is unknown how far the request got.
      if (socket.connecting) socket.once('connect', () => (isSent = true));
      else isSent = true;
    });
    asking.on('timeout', () => asking.destroy());
    asking.on('error', fail);
    asking.on('close', fail);
    asking.on('response', (response) => {
      // From here on the answer itself shows whether it is complete.
      asking.off('close', fail);
      readText(response).then((body) => {
        // The rest of the body is no longer read.
        if (!asking.writableEnded) asking.destroy();
        resolve(toAnswer(response, body, facts));
      }, fail);
    });
  });
}

async function readText(response: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of response as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > maxAnswer) throw new Error('the answer of the writer is too long');
    parts.push(part);
  }
  if (!response.complete) throw new Error('the answer of the writer is cut off');
  return (parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts)).toString();
}

function toAnswer({ statusCode = 500, rawHeaders }: IncomingMessage, body: string, facts: RequestFacts): Answer {
  const headers: Record<string, string> = {};
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const [name, value] = [rawHeaders[i] as string, rawHeaders[i + 1] as string];
    const lower = name.toLowerCase();
    if (lower === factsHeader) Object.assign(facts, JSON.parse(decodeURIComponent(value)));
    else if (!notHandedBack.has(lower)) headers[name] = value;
  }
  return { status: statusCode, headers, ...(body === '' ? {} : { body }) };
}

const unsent = new CommerceError('unavailable', 'the service cannot change anything at present; try again');
const lost = new CommerceError(
  'unavailable',
  'the answer was lost, and the change may have been made or not; try again, with the same Idempotency-Key if there is one',
);
