import * as z from 'zod';
import { type SchemaName, schemas } from './schemas.ts';
import type { JsonSchema } from './types.ts';

export type { JsonSchema } from './types.ts';

import { type InputNotes, notesOf } from '../fields/notes.ts';
import { isStrict } from '../kernel/known-fields.ts';
import { entityNotes } from './entity-notes.ts';

const inputNotes = entityNotes();
for (const [name, schema] of Object.entries(schemas)) {
  const own = notesOf(schema);
  if (own) inputNotes[name as SchemaName] = own;
}

const refPrefix = '#/components/schemas/';

/**
 * Schemas by their names, with references to each other below `#/components/schemas/`.
 * @param names only these, and the schemas from which they take descriptions
 */
export function jsonSchemas(names = Object.keys(schemas) as readonly SchemaName[]): Record<SchemaName, JsonSchema> {
  const wanted = new Set(names.flatMap((name) => [name, (inputNotes[name]?.like as SchemaName | undefined) ?? name]));
  const registry = z.registry<{ id: string }>();
  for (const name of wanted) registry.add(schemas[name], { id: name });
  const converted = z.toJSONSchema(registry, {
    io: 'input',
    unrepresentable: 'any',
    uri: (name) => `${refPrefix}${name}`,
  }).schemas;
  const byName: Record<string, JsonSchema> = {};
  for (const name of wanted) {
    const { $schema, $id, ...own } = converted[name] as JsonSchema;
    byName[name] = simplified(structuredClone(own)) as JsonSchema;
    if (isStrict(schemas[name])) close(byName[name]);
  }
  for (const [name, notes] of Object.entries(inputNotes)) annotate(byName, name, notes);
  return byName as Record<SchemaName, JsonSchema>;
}

/** Zod's JSON Schema in the usual form of documents: a list of types instead of a choice between a type and null. */
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
  // Query parameters are texts, but code passes numbers; the document says number.
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

/** Says that the objects of a strict body have no other fields. */
function close(part: unknown): void {
  if (part === null || typeof part !== 'object') return;
  const schema = part as JsonSchema;
  if (schema.properties) schema.additionalProperties ??= false;
  for (const [key, inner] of Object.entries(schema)) if (key !== 'examples') close(inner);
}

function isTextOnly(names: unknown): boolean {
  return names !== undefined && JSON.stringify(names) === '{"type":"string"}';
}

/** Adds descriptions to an input: from its notes, otherwise from fields of the same name in its resource. */
function annotate(byName: Record<string, JsonSchema>, name: string, notes: InputNotes): void {
  const schema = byName[name];
  if (!schema) return;
  schema.description = notes.description;
  if (notes.example) schema.examples = [notes.example];
  const unused = new Set(Object.keys(notes.fields ?? {}));
  const like = notes.like ? byName[notes.like] : undefined;
  // Defaults stay in queries; in bodies they are dropped, because generated clients would treat such fields as required.
  annotateFields(schema, like, '', !name.endsWith('Query') && name !== 'Window');
  if (unused.size > 0) throw new Error(`${name} has no field ${[...unused].join(', ')}`);

  function annotateFields(part: JsonSchema, twin: JsonSchema | undefined, path: string, isBody: boolean): void {
    const known = twin ? propertiesOf(byName, twin) : {};
    for (const [field, own] of Object.entries(propertiesOf(byName, part))) {
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

function propertiesOf(byName: Record<string, JsonSchema>, schema: JsonSchema): Record<string, JsonSchema> {
  const choice = (schema.anyOf as JsonSchema[] | undefined)?.[0] ?? schema;
  const target = typeof choice.$ref === 'string' ? byName[choice.$ref.slice(refPrefix.length)] : choice;
  return (target?.properties ?? {}) as Record<string, JsonSchema>;
}
