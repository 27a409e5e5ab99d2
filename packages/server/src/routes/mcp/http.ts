import { randomUUID } from 'node:crypto';
import { CommerceError, type Context, maxUnverifiedDepth } from '@commerce/core';
import { refuseUnknownInBody } from '@commerce/core/schemas';
import { parseJson } from '../../bodies/input.ts';
import { withoutKeys } from '../../errors.ts';
import type { Answer } from '../../http.ts';
import { answerMcp, rpcCodes, rpcError } from '../../mcp/transport.ts';
import type { ExchangeRequest } from '../router.ts';
import type { CallPlace } from './call.ts';
import { type Held, serverOf, Toolbox } from './server.ts';
import type { Tool } from './tools.ts';

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

  constructor(tools: ReadonlyMap<string, Tool>) {
    this.#toolbox = new Toolbox(tools);
  }

  /** @throws CommerceError `tooLarge`; `validation` for fields that a message does not have */
  async answer(ctx: Context, { request, position }: ExchangeRequest, onFault: CallPlace['onFault']): Promise<Answer> {
    let message: unknown;
    try {
      message = parseJson(await request.readBody(), maxUnverifiedDepth);
    } catch (error) {
      if (!(error instanceof CommerceError) || error.kind !== 'validation') throw error;
      return withBody(rpcError(400, rpcCodes.parseError, error.message), withoutKeys);
    }
    if (message !== null && typeof message === 'object' && !Array.isArray(message)) {
      refuseUnknownInBody('McpMessage', message);
    }
    const held = new HeldText();
    const answer = await answerMcp(request, message, () =>
      serverOf(this.#toolbox, ctx, { position, onFault }, (text) => held.hold(text)),
    );
    return withBody(answer, (body) => held.putInto(body));
  }
}

function withBody(answer: Answer, change: (body: string) => string): Answer {
  return answer.body === undefined ? answer : { ...answer, body: change(answer.body) };
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
