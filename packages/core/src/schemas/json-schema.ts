import { z } from 'zod';
import { type SchemaName, schemas } from './index.ts';
import { type InputNotes, inputNotes } from './inputs.ts';

/** A JSON Schema (2020-12) as OpenAPI 3.1 takes it. */
export type JsonSchema = { [keyword: string]: unknown };

/** What can be said of a field. */
export interface FieldFacts {
  description?: string;
  examples?: readonly unknown[];
  [keyword: string]: unknown;
}

const refPrefix = '#/components/schemas/';

/** Every schema by its name, with references to each other below `#/components/schemas/`. */
export function jsonSchemas(): Record<SchemaName, JsonSchema> {
  const registry = z.registry<{ id: string }>();
  for (const [name, schema] of Object.entries(schemas)) registry.add(schema, { id: name });
  const converted = z.toJSONSchema(registry, {
    io: 'input',
    unrepresentable: 'any',
    uri: (name) => `${refPrefix}${name}`,
  }).schemas;
  const made: Record<string, JsonSchema> = {};
  for (const name of Object.keys(schemas)) {
    const { $schema, $id, ...own } = converted[name] as JsonSchema;
    made[name] = simplified(structuredClone(own)) as JsonSchema;
  }
  for (const [name, notes] of Object.entries(inputNotes)) annotate(made, name, notes);
  return made as Record<SchemaName, JsonSchema>;
}

/** Zod's JSON Schema in the words that documents use: a list of types in place of a choice between a type and null. */
function simplified(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(simplified);
  if (part === null || typeof part !== 'object') return part;
  const schema = Object.fromEntries(
    Object.entries(part).map(([key, value]) => [key, key === 'examples' ? value : simplified(value)]),
  ) as JsonSchema;
  const { anyOf, propertyNames } = schema;
  if (isTextOnly(propertyNames)) delete schema.propertyNames;
  if (!Array.isArray(anyOf)) return schema;
  const { anyOf: _, ...beside } = schema;
  // Query parameters are texts that mean numbers; code passes numbers. The document is about what they mean.
  if (typeof beside.type === 'string') return beside;
  const [inner, none] = anyOf as [JsonSchema, JsonSchema | undefined];
  if (anyOf.length !== 2 || none?.type !== 'null') return schema;
  if (typeof inner.type === 'string') {
    const choices = Array.isArray(inner.enum) ? { enum: [...inner.enum, null] } : {};
    return { ...inner, ...choices, ...beside, type: [inner.type, 'null'] };
  }
  const types = (inner.anyOf as JsonSchema[] | undefined)?.map((choice) => choice.type);
  return types?.every((type) => typeof type === 'string') ? { ...beside, type: [...types, 'null'] } : schema;
}

function isTextOnly(names: unknown): boolean {
  return names !== undefined && JSON.stringify(names) === '{"type":"string"}';
}

/** Adds what is said of an input: in its notes first, then of the fields of the same name in what it is made of. */
function annotate(made: Record<string, JsonSchema>, name: string, notes: InputNotes): void {
  const schema = made[name];
  if (!schema) return;
  schema.description = notes.description;
  if (notes.example) schema.examples = [notes.example];
  const unused = new Set(Object.keys(notes.fields ?? {}));
  const like = notes.like ? made[notes.like] : undefined;
  // Of a query the defaults are facts; of a body, clients made from the document would take such fields for required.
  annotateFields(schema, like, '', !name.endsWith('Query') && name !== 'Window');
  if (unused.size > 0) throw new Error(`${name} has no field ${[...unused].join(', ')}`);

  function annotateFields(part: JsonSchema, twin: JsonSchema | undefined, path: string, isBody: boolean): void {
    const known = twin ? propertiesOf(made, twin) : {};
    for (const [field, own] of Object.entries(propertiesOf(made, part))) {
      const at = `${path}${field}`;
      const { description, examples } = known[field] ?? {};
      const inherited = { ...(description ? { description } : {}), ...(examples ? { examples } : {}) };
      Object.assign(own, { ...inherited, ...own, ...notes.fields?.[at] });
      unused.delete(at);
      if (isBody) delete own.default;
      const items = own.items as JsonSchema | undefined;
      const knownItems = known[field]?.items as JsonSchema | undefined;
      annotateFields(items ?? own, items ? knownItems : known[field], `${at}${items ? '[]' : ''}.`, isBody);
    }
  }
}

function propertiesOf(made: Record<string, JsonSchema>, schema: JsonSchema): Record<string, JsonSchema> {
  const choice = (schema.anyOf as JsonSchema[] | undefined)?.[0] ?? schema;
  const target = typeof choice.$ref === 'string' ? made[choice.$ref.slice(refPrefix.length)] : choice;
  return (target?.properties ?? {}) as Record<string, JsonSchema>;
}
