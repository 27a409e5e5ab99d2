import type { Agent } from 'undici';

/** An answer from outside; of its body at most the limit was read. */
export interface OutboundAnswer {
  status: number;
  body: Buffer;
}

export interface OutboundRequest {
  url: string;
  headers: Record<string, string>;
  body: Buffer;
  /** Milliseconds for the whole exchange, name lookup to last byte. */
  timeout: number;
  /** Bytes of the answer that are read; the rest is left. */
  maxAnswer: number;
  /** Gives the exchange up from outside. */
  signal?: AbortSignal;
}

let agent: Promise<Agent> | undefined;

/**
 * The one place that opens connections to other machines. Follows no redirect and inflates nothing.
 * @throws Error in words for a log: what the network or the other side did wrong.
 */
export async function postOutbound(request: OutboundRequest): Promise<OutboundAnswer> {
  // Loaded with the first request: a server without subscribers should not pay for the client.
  const undici = await import('undici');
  agent ??= Promise.resolve(
    new undici.Agent({ keepAliveTimeout: 10_000, maxHeaderSize: 16_384, headersTimeout: 0, bodyTimeout: 0 }),
  );
  const deadline = AbortSignal.timeout(request.timeout);
  const signal = request.signal ? AbortSignal.any([deadline, request.signal]) : deadline;
  try {
    const answer = await undici.request(request.url, {
      method: 'POST',
      headers: request.headers,
      body: request.body,
      dispatcher: await agent,
      signal,
    });
    return { status: answer.statusCode, body: await readSome(answer.body, request.maxAnswer) };
  } catch (error) {
    if (deadline.aborted) throw new Error(`no complete answer within ${request.timeout / 1000} s`, { cause: error });
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
