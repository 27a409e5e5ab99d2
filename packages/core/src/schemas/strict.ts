import { refuseUnknownFields, refuseUnknownParameters } from '../kernel/known-fields.ts';
import { fields } from '../kernel/parse.ts';
import { type SchemaName, schemas } from './schemas.ts';

const empty = fields({});

/**
 * Refuses a body with fields that its schema does not have.
 * @param body undefined if the request takes no body
 * @param answer of the same resource; its fields pass
 * @throws CommerceError `validation`
 */
export function refuseUnknownInBody(body: SchemaName | undefined, input: unknown, answer?: SchemaName): void {
  refuseUnknownFields(body ? schemas[body] : empty, input, answer && schemas[answer]);
}

/**
 * Refuses a query with parameters that its schema does not have.
 * @param query undefined if the request takes no parameters
 * @throws CommerceError `validation`
 */
export function refuseUnknownInQuery(query: SchemaName | undefined, names: Iterable<string>): void {
  refuseUnknownParameters(query && schemas[query], names);
}
