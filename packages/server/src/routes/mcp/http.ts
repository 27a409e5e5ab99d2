import { randomUUID } from 'node:crypto';
import { CommerceError, type Context, maxUnverifiedDepth } from '@commerce/core';
import { refuseUnknownInBody } from '@commerce/core/schemas';
import {
  createMcpHandler,
  isLegacyRequest,
  type McpHttpHandler,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { parseJson } from '../../bodies/input.ts';
import { withoutKeys } from '../../errors.ts';
import type { Answer, AppRequest } from '../../http.ts';
import type { ExchangeRequest } from '../router.ts';
import type { CallPlace } from './call.ts';
import { type Held, serverOf, Toolbox } from './server.ts';
import type { Tool } from './tools.ts';

/** What a request of the library is answered for. */
interface Asked {
  ctx: Context;
  place: CallPlace;
  held: HeldText;
}

/**
 * The text of a result, outside of the library: a list has up to 4 MiB, and the library would parse, check and print all of it, which takes
 * five times as long as what is needed.
 */
class HeldText {
  /** In the place of the text; unguessable, so that no other text contains it. */
  readonly #mark = randomUUID();
  #text = '';

  hold(text: string): Held {
    this.#text = text;
    return { text: this.#mark, structured: { [this.#mark]: true } };
  }

  /** The answer of the library, with the text in its two places. */
  putInto(body: string): string {
    const text = this.#text;
    return withoutKeys(withoutSchemas(body))
      .replace(`{"${this.#mark}":true}`, () => text)
      .replace(`"${this.#mark}"`, () => JSON.stringify(text));
  }
}

/** Answers messages over HTTP, each on its own: nothing is kept between two requests, and every answer is plain JSON. */
export class McpOverHttp {
  readonly #toolbox: Toolbox;
  readonly #asked = new WeakMap<Request, Asked>();
  readonly #handler: McpHttpHandler;

  constructor(tools: ReadonlyMap<string, Tool>) {
    this.#toolbox = new Toolbox(tools);
    this.#handler = createMcpHandler(({ requestInfo }) => this.#serverFor(requestInfo), { legacy: 'reject' });
  }

  /** @throws CommerceError `tooLarge`; `validation` for fields that a message does not have */
  async answer(ctx: Context, { request, position }: ExchangeRequest, onFault: CallPlace['onFault']): Promise<Answer> {
    let message: unknown;
    try {
      message = parseJson(await request.readBody(), maxUnverifiedDepth);
    } catch (error) {
      if (error instanceof CommerceError && error.kind === 'validation') return refusal(400, -32700, error.message);
      throw error;
    }
    if (message === null || typeof message !== 'object' || Array.isArray(message)) {
      return refusal(400, -32600, 'a request has one message, which is an object');
    }
    refuseUnknownInBody('McpMessage', message);
    const { id, method } = message as { id?: unknown; method?: unknown };
    // It would be answered by a stream without end, which has nothing to say: the tools of a key do not change.
    if (method === 'subscriptions/listen') return refusal(404, -32601, 'Method not found', id);
    const asked = requestOf(request, message);
    const held = new HeldText();
    this.#asked.set(asked, { ctx, place: { position, onFault }, held });
    const response = (await isLegacyRequest(asked, message))
      ? await this.#answerLegacy(asked, message)
      : await this.#handler.fetch(asked, { parsedBody: message });
    const body = held.putInto(await response.text());
    return { status: response.status, ...(body === '' ? {} : { body }) };
  }

  /** Clients that begin with `initialize`: each request is answered by a server of its own, without a session. */
  async #answerLegacy(request: Request, message: unknown): Promise<Response> {
    const server = this.#serverFor(request);
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    await server.connect(transport);
    try {
      return await transport.handleRequest(request, { parsedBody: message });
    } finally {
      await server.close();
    }
  }

  #serverFor(request: Request | undefined) {
    const asked = request && this.#asked.get(request);
    if (!asked) throw new Error('the library asks for a server without its request');
    return serverOf(this.#toolbox, asked.ctx, asked.place, (text) => asked.held.hold(text));
  }
}

/** A refusal of the library without what its schemas say of the message, which is written for programmers of JavaScript. */
function withoutSchemas(body: string): string {
  if (!body.includes('"error":{"code":')) return body;
  const answer = JSON.parse(body);
  if (typeof answer.error?.message !== 'string') return body;
  const [what = ''] = answer.error.message.split(': [\n');
  answer.error.message = what;
  return JSON.stringify(answer);
}

/** A refusal of JSON-RPC. */
function refusal(status: number, code: number, message: string, id: unknown = null): Answer {
  const known = typeof id === 'string' || typeof id === 'number' ? id : null;
  return { status, body: withoutKeys(JSON.stringify({ jsonrpc: '2.0', error: { code, message }, id: known })) };
}

/** The request in the form of the library, with only the headers that the protocol defines. */
function requestOf({ headers }: AppRequest, message: unknown): Request {
  const own = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    name.startsWith('mcp-') && name !== 'mcp-session-id' && typeof value === 'string' ? [[name, value]] : [],
  );
  return new Request('http://localhost/mcp', {
    method: 'POST',
    headers: {
      ...Object.fromEntries(own),
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify(message),
  });
}
