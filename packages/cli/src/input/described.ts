import { type JsonSchema, jsonSchemas, type SchemaName, schemas } from '@commerce/core/schemas';

/** An input of core as options show it. */
export interface InputFields {
  properties: Readonly<Record<string, JsonSchema>>;
  required: readonly string[];
}

/** The fields of an input. */
export function inputFields(name: SchemaName): InputFields {
  const { properties = {}, required = [] } = jsonSchemas([name])[name] as Partial<InputFields>;
  return { properties, required };
}

/** Names of the fields of a resource. */
export function fieldNames(name: SchemaName): readonly string[] {
  const schema = schemas[name];
  return 'shape' in schema ? Object.keys(schema.shape) : [];
}
