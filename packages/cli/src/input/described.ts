import { type JsonSchema, jsonSchemas, type SchemaName, schemas } from '@commerce/core/schemas';

/** An input of core as options show it. */
export interface InputFields {
  properties: Readonly<Record<string, JsonSchema>>;
  required: readonly string[];
}

/** Inputs with their fields, by the names of their schemas. */
export const inputs: Readonly<Record<string, InputFields>> = inputFields();

/** Names of the fields of every resource, by the name of its schema. */
export const fieldNames: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries(schemas).flatMap(([name, schema]) =>
    isInput(name) || !('shape' in schema) ? [] : [[name, Object.keys(schema.shape)]],
  ),
);

function inputFields(): Record<string, InputFields> {
  const described = jsonSchemas();
  const names = (Object.keys(schemas) as SchemaName[]).filter(isInput);
  return Object.fromEntries(
    names.map((name) => {
      const { properties = {}, required = [] } = described[name] as Partial<InputFields>;
      return [name, { properties: mapValues(properties, shown), required }];
    }),
  );
}

/** What an option shows of a field. */
function shown({ type, enum: choices, items, additionalProperties, description, examples }: JsonSchema): JsonSchema {
  return {
    type,
    enum: choices,
    items: items === undefined ? undefined : { type: (items as JsonSchema).type },
    additionalProperties: additionalProperties === undefined ? undefined : Boolean(additionalProperties),
    description,
    examples,
  };
}

function isInput(name: string): boolean {
  return /(Input|Changes)$/.test(name);
}

function mapValues<Value, Result>(
  record: Record<string, Value>,
  map: (value: Value) => Result,
): Record<string, Result> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]));
}
