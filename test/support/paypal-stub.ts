import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A call that PayPal got. */
export interface Asked {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** What it answers instead of what it would; `hang` never answers. */
export type Reply = 'hang' | { status?: number; headers?: Record<string, string>; body?: unknown };

type Endpoint = 'token' | 'verify' | 'order';

/**
 * PayPal's interface on loopback: it gives tokens, calls genuine what it was not told to refuse, and shows the orders that
 * were put into it.
 */
export async function startPayPal() {
  const asked: Asked[] = [];
  const planned = new Map<Endpoint, Reply[]>();
  const orders = new Map<string, object>();
  /** Webhook ids that it knows nothing of. */
  const strangers = new Set<string>();
  let issued = 0;
  const live = new Set<string>();
  let lifetime = 32_400;

  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => {
      body += chunk;
    });
    request.on('end', () => {
      const { method = '', url: path = '', headers } = request;
      const one = { method, path, headers, body };
      asked.push(one);
      const endpoint = endpointOf(path);
      answer(response, planned.get(endpoint)?.shift() ?? usual(endpoint, one));
    });
  });

  function usual(endpoint: Endpoint, { headers, path, body }: Asked): Reply {
    if (endpoint === 'token') {
      const token = `token-${++issued}`;
      live.add(token);
      return { body: { access_token: token, token_type: 'Bearer', expires_in: lifetime } };
    }
    if (!live.has(headers.authorization?.replace('Bearer ', '') ?? ''))
      return { status: 401, body: { error: 'invalid_token' } };
    if (endpoint === 'verify') {
      const genuine = !strangers.has((JSON.parse(body) as { webhook_id: string }).webhook_id);
      return { body: { verification_status: genuine ? 'SUCCESS' : 'FAILURE' } };
    }
    const order = orders.get(decodeURIComponent(path.split('/').at(-1) ?? ''));
    return order ? { body: order } : { status: 404, body: { name: 'RESOURCE_NOT_FOUND' } };
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    orders,
    strangers,
    /** The next answers of an endpoint, before it answers as usual again. */
    plan: (endpoint: Endpoint, ...replies: Reply[]) => void planned.set(endpoint, replies),
    /** How long a token lasts, in seconds. */
    setLifetime(seconds: number) {
      lifetime = seconds;
    },
    /** Ends the tokens that are in use, early. */
    endTokens: () => live.clear(),
    askedOf: (endpoint: Endpoint) => asked.filter(({ path }) => endpointOf(path) === endpoint),
    /** Forgets what it was asked and told to do. */
    reset() {
      asked.length = 0;
      planned.clear();
      orders.clear();
      strangers.clear();
      live.clear();
      issued = 0;
      lifetime = 32_400;
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export type PayPalStub = Awaited<ReturnType<typeof startPayPal>>;

function endpointOf(path: string): Endpoint {
  if (path === '/v1/oauth2/token') return 'token';
  return path === '/v1/notifications/verify-webhook-signature' ? 'verify' : 'order';
}

function answer(response: ServerResponse, reply: Reply): void {
  if (reply === 'hang') return;
  const { status = 200, headers = {}, body = {} } = reply;
  response.writeHead(status, { 'Content-Type': 'application/json', ...headers });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}
