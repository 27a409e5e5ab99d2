import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect } from 'vitest';

const all: Record<string, { $id: string }> = JSON.parse(
  readFileSync(new URL('../fixtures/ucp/schemas.json', import.meta.url), 'utf8'),
);
const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
for (const [path, schema] of Object.entries(all)) {
  // The profile refers to the others from its place in the repository, which is not that of its id.
  ajv.addSchema({ ...schema, $id: `https://ucp.dev/${path}` });
}

const catalogue = 'https://ucp.dev/schemas/shopping';

/** What the protocol says about messages, by their place in its schemas. */
const schemas = {
  profile: 'https://ucp.dev/discovery/profile_schema.json#/$defs/business_profile',
  // A complete profile also fits what is asked of platforms.
  fullProfile: 'https://ucp.dev/discovery/profile_schema.json#/$defs/platform_profile',
  search: `${catalogue}/catalog_search.json#/$defs/search_response`,
  searchRequest: `${catalogue}/catalog_search.json#/$defs/search_request`,
  lookup: `${catalogue}/catalog_lookup.json#/$defs/lookup_response`,
  lookupRequest: `${catalogue}/catalog_lookup.json#/$defs/lookup_request`,
  product: `${catalogue}/catalog_lookup.json#/$defs/get_product_response`,
  productRequest: `${catalogue}/catalog_lookup.json#/$defs/get_product_request`,
  error: `${catalogue}/types/error_response.json`,
} as const;

export type UcpSchema = keyof typeof schemas;

/** Expects that a message fits the schema of the protocol. */
export function expectUcp(name: UcpSchema, message: unknown): void {
  const validate = ajv.getSchema(schemas[name]) as ValidateFunction;
  validate(message);
  expect(validate.errors ?? [], `${name}: ${JSON.stringify(message).slice(0, 500)}`).toEqual([]);
}

/** The mistakes of a message; none if it fits. */
export function ucpMistakes(name: UcpSchema, message: unknown): number {
  const validate = ajv.getSchema(schemas[name]) as ValidateFunction;
  validate(message);
  return validate.errors?.length ?? 0;
}
