import type { Server } from '@modelcontextprotocol/server';
import type { Answer, AppRequest } from '../http.ts';

/** The library of the protocol, which is loaded with the first request that needs it. */
export type McpLibrary = typeof import('@modelcontextprotocol/server');

/** What an endpoint makes for each request. */
export type MakeServer = (library: McpLibrary) => Server;

/** Codes of JSON-RPC, and of the Model Context Protocol. */
export const rpcCodes = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  refused: -32000,
} as const;

/** An error of JSON-RPC. @param id of the request; null if it could not be read */
export function rpcError(status: number, code: number, message: string, data?: object, id: RpcId = null): Answer {
  const error = { code, message, ...(data && { data }) };
  return { status, headers: jsonType, body: JSON.stringify({ jsonrpc: '2.0', id, error }) };
}

type RpcId = string | number | null;

const jsonType = { 'Content-Type': 'application/json; charset=utf-8' };

/** The method whose answer would stay open. It is refused, because nothing is pushed. */
const endless = 'subscriptions/listen';

let loading: Promise<McpLibrary> | undefined;

/**
 * Answers one message of the Model Context Protocol, without a session: of the revision 2026-07-28, and of clients that begin with
 * `initialize`. A server is made for each message. Every answer is JSON of one piece.
 * @param message the parsed body; the caller has checked its type, its size and its depth
 */
export async function answerMcp(request: AppRequest, message: unknown, make: MakeServer): Promise<Answer> {
  // A batch would be many requests that count as one.
  if (Array.isArray(message) || typeof message !== 'object' || message === null) {
    return rpcError(400, rpcCodes.invalidRequest, 'the body must be one JSON-RPC message, not a batch');
  }
  const { method, id } = message as { method?: unknown; id?: unknown };
  const asked: RpcId = typeof id === 'string' || typeof id === 'number' ? id : null;
  if (method === endless)
    return rpcError(404, rpcCodes.methodNotFound, `${endless} is not supported`, undefined, asked);
  loading ??= import('@modelcontextprotocol/server').catch((error) => {
    loading = undefined;
    throw error;
  });
  const library = await loading;
  const headers = new Headers({
    'content-type': 'application/json',
    // Whatever a client accepts, it gets JSON: the older revision would refuse clients that accept nothing else.
    accept: 'application/json, text/event-stream',
  });
  // Those of the protocol, which the library compares with the message.
  for (const [name, value] of Object.entries(request.headers)) {
    if (name.startsWith('mcp-') && name !== 'mcp-session-id' && typeof value === 'string') headers.set(name, value);
  }
  // The library asks for the method and the headers alone.
  const web = new Request('http://localhost/', { method: 'POST', headers });
  const response = (await library.isLegacyRequest(web, message))
    ? await answerLegacy(library, web, message, make(library))
    : await library.createMcpHandler(() => make(library), { legacy: 'reject' }).fetch(web, { parsedBody: message });
  const body = await response.text();
  return { status: response.status, ...(body !== '' && { headers: jsonType, body }) };
}

/** An answer to a client of a revision with sessions, which can do without one. */
async function answerLegacy(library: McpLibrary, web: Request, message: object, server: Server): Promise<Response> {
  const transport = new library.WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    return await transport.handleRequest(web, { parsedBody: message });
  } finally {
    await server.close();
  }
}
