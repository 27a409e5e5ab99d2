import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

/** The revisions that clients speak: those that begin with `initialize`, and the one without a session. */
export const eras = ['2025-11-25', '2026-07-28'] as const;
export type Era = (typeof eras)[number];

/** What the official client of the protocol is made of, for one revision. */
export function clientOf(era: Era): Client {
  const versionNegotiation = era === '2026-07-28' ? { versionNegotiation: { mode: 'auto' as const } } : {};
  return new Client({ name: 'test', version: '1' }, versionNegotiation);
}

/** The official client, connected to a service over HTTP. */
export async function connectedOver(url: string, { storeId, key }: { storeId: string; key: string }, era: Era) {
  const client = clientOf(era);
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${url}/stores/${storeId}/mcp`), {
      requestInit: { headers: { authorization: `Bearer ${key}` } },
    }),
  );
  return client;
}

/** Headers and `_meta` of a request of the revision 2026-07-28. */
export function stateless(method: string, params: Record<string, unknown> = {}, version = '2026-07-28') {
  const name = typeof params.name === 'string' ? { 'mcp-name': params.name } : {};
  const meta = {
    'io.modelcontextprotocol/protocolVersion': version,
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  return {
    headers: { 'mcp-protocol-version': version, 'mcp-method': method, ...name },
    body: { jsonrpc: '2.0', id: 7, method, params: { ...params, _meta: meta } },
  };
}
