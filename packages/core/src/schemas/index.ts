export { eventTypes } from '../events/events.ts';
export type { GivenInput } from '../fields/entity.ts';
export { type JsonSchema, jsonSchemas } from './json-schema.ts';
export { type SchemaName, schemas } from './schemas.ts';
export { refuseUnknownInBody, refuseUnknownInQuery } from './strict.ts';
