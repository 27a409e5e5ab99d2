import { CommerceError } from '@commerce/core';
import { isJson } from '../../bodies/input.ts';
import { plain } from '../answers.ts';
import { type ClosedRoute, type Exchange, type Route, route } from '../router.ts';
import { toolsOf } from './tools.ts';

/** What the route of assistants must know of its service. */
export interface McpOptions {
  /** Called for an error that is not the caller's. */
  onError?: ((error: unknown, requestId: string) => void) | undefined;
}

/** The path of messages of assistants. */
const mcpPath = /^(?:\/api)?\/stores\/[^/?]+\/mcp$/;

/**
 * Refuses messages of a page in a browser whose origin the service does not name: a page can guess the address of a service in its reader's
 * network, and have a name of its own lead there.
 * @param cors origins of pages that can call the service from a browser; `*` means all
 * @throws CommerceError `forbidden`
 */
export function refuseOrigin(path: string, origin: string | undefined, cors: readonly string[]): void {
  if (origin === undefined || cors.includes('*') || cors.includes(origin) || !mcpPath.test(path)) return;
  throw new CommerceError('forbidden', `pages of ${origin.slice(0, 200)} cannot call this service from a browser`);
}

/** The route for assistants: messages of the Model Context Protocol, whose tools are operations of the other routes. */
export function mcpRoute(routes: readonly (Route | ClosedRoute)[], { onError }: McpOptions): Route {
  const exchange = (): Exchange => {
    // The library is loaded by the first request.
    const opening = import('./http.ts').then(({ McpOverHttp }) => new McpOverHttp(toolsOf(routes)));
    return async (ctx, asked) => {
      const onFault = (error: unknown) => onError?.(error, ctx.requestId ?? '');
      return (await opening).answer(ctx, asked, onFault);
    };
  };
  let opened: Exchange | undefined;
  return {
    ...route('POST', '/mcp', null, {
      name: 'callAgentTool',
      summary: 'Send a message of the Model Context Protocol',
      description:
        'For assistants, see the guide "Assistants". Each tool is an operation of this interface, and needs its scope; `tools/list` has those of the key. One message a request, each answered in plain JSON: both clients that begin with `initialize` and those of the revision 2026-07-28, without a session. A refusal of a tool is a result with `isError`, and the usual error in `structuredContent`. Pages of an origin that the service does not name get 403.',
      body: 'McpMessage',
      answer: plain('McpAnswer'),
      run: () => Promise.reject(new Error('messages are exchanged')),
    }),
    exchange: async (ctx, asked) => {
      const { actor } = ctx;
      if (actor.isPublic || actor.type !== 'apiKey') {
        throw new CommerceError('forbidden', 'insufficient permissions: assistants need a secret API key of their own');
      }
      if (!isJson(asked.request)) {
        throw new CommerceError('unsupportedMediaType', 'a message must be sent as application/json');
      }
      opened ??= exchange();
      return opened(ctx, asked);
    },
  };
}
