/** A JSON Schema (2020-12), as used by OpenAPI 3.1. */
export type JsonSchema = { [keyword: string]: unknown };
