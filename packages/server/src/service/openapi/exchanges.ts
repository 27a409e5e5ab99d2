import type { JsonSchema as Json } from '@commerce/core/schemas';
import { headers } from './headers.ts';

/** Headers of the revision 2026-07-28, which repeat parts of the message. */
export const exchangeParameters: readonly Json[] = [
  {
    name: 'MCP-Protocol-Version',
    in: 'header',
    description: 'The revision of the protocol. Clients that begin with `initialize` send it after that.',
    schema: { type: 'string', examples: ['2026-07-28'] },
  },
  {
    name: 'Mcp-Method',
    in: 'header',
    description: 'The `method` of the message, from 2026-07-28 on.',
    schema: { type: 'string', examples: ['tools/call'] },
  },
  {
    name: 'Mcp-Name',
    in: 'header',
    description: 'The `params.name` of the message, from 2026-07-28 on.',
    schema: { type: 'string', examples: ['list_orders'] },
  },
];

/** Answers of a route of JSON-RPC, in addition to the usual ones: of a notification, and refusals in the form of the protocol. */
export function exchangeResponses(responses: Record<string, Json>): Record<string, Json> {
  const known = Object.fromEntries(headersOfAll.map((name) => [name, headers(name)[name]]));
  const refused = (description: string, example: Json): Json => ({
    description,
    headers: known,
    content: {
      'application/json': {
        schema: { anyOf: [{ $ref: '#/components/schemas/ErrorEnvelope' }, { $ref: '#/components/schemas/McpAnswer' }] },
        example,
      },
    },
  });
  return {
    ...responses,
    202: { description: 'A notification was received. The body is empty.', headers: known },
    400: refused('The message is malformed, or its revision is not known.', {
      jsonrpc: '2.0',
      error: { code: -32700, message: 'the body must be a JSON object: Unexpected end of JSON input' },
      id: null,
    }),
    404: refused('The method is not known.', {
      jsonrpc: '2.0',
      error: { code: -32601, message: 'Method not found' },
      id: 1,
    }),
  };
}

const headersOfAll = [
  'X-Request-Id',
  'Preference-Applied',
  'Commerce-Position',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
] as const;
