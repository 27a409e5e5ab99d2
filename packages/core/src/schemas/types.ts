/** A JSON Schema (2020-12), as used by OpenAPI 3.1. */
export type JsonSchema = { [keyword: string]: unknown };

/** Keywords that describe a field. */
export interface FieldFacts {
  description?: string;
  examples?: readonly unknown[];
  [keyword: string]: unknown;
}
