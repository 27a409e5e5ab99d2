/** The release of the Universal Commerce Protocol that is spoken. */
export const ucpVersion = '2026-04-08';

const capabilities = {
  search: 'dev.ucp.shopping.catalog.search',
  lookup: 'dev.ucp.shopping.catalog.lookup',
} as const;

/** What the catalogue can do. */
export type UcpCapability = keyof typeof capabilities;

/** Where the protocol is described. Platforms refuse other origins for names that begin with `dev.ucp`. */
const site = `https://ucp.dev/${ucpVersion}`;

/** The part of every answer that says which protocol it follows. */
export interface UcpStatement {
  version: string;
  status: 'success' | 'error';
  capabilities: Record<string, { version: string }[]>;
}

export function statementOf(capability: UcpCapability, status: UcpStatement['status'] = 'success'): UcpStatement {
  return { version: ucpVersion, status, capabilities: { [capabilities[capability]]: [{ version: ucpVersion }] } };
}

/**
 * The profile by which shopping agents find the catalogue of a store, for `/.well-known/ucp`.
 * @param origin the address of the service, without a slash at the end
 */
export function ucpProfile(origin: string, storeId: string) {
  const endpoint = `${origin}/ucp/${storeId}`;
  const service = (transport: 'rest' | 'mcp', address: string, schema: string) => ({
    version: ucpVersion,
    spec: `${site}/specification/overview`,
    transport,
    endpoint: address,
    schema: `${site}/services/shopping/${schema}`,
  });
  const capability = (name: UcpCapability) => [
    {
      version: ucpVersion,
      spec: `${site}/specification/catalog/${name}`,
      schema: `${site}/schemas/shopping/catalog_${name}.json`,
    },
  ];
  return {
    ucp: {
      version: ucpVersion,
      services: {
        'dev.ucp.shopping': [
          service('rest', endpoint, 'rest.openapi.json'),
          service('mcp', `${endpoint}/mcp`, 'mcp.openrpc.json'),
        ],
      },
      capabilities: {
        [capabilities.search]: capability('search'),
        [capabilities.lookup]: capability('lookup'),
      },
      // Nothing can be bought through the protocol: agents hand the buyer to the page of the product.
      payment_handlers: {},
    },
  };
}

/** The profile of a store. */
export type UcpProfile = ReturnType<typeof ucpProfile>;
