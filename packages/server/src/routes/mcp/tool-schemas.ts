import { confirmLasts, maxConfirm } from '@commerce/core';
import { type JsonSchema as Json, jsonSchemas, type SchemaName } from '@commerce/core/schemas';
import type { Route } from '../router.ts';
import { pathArguments, type Tool } from './tools.ts';

/** A tool as clients see it in `tools/list`. */
export interface ListedTool {
  name: string;
  description: string;
  inputSchema: Json & { type: 'object' };
  outputSchema: Json & { type: 'object' };
  annotations: { readOnlyHint: boolean; destructiveHint: boolean; idempotentHint: boolean };
}

/** The tools with their schemas, which are those of the interface. */
export function listedTools(tools: Iterable<Tool>): Map<string, ListedTool> {
  const all = [...tools];
  const schemas = jsonSchemas([...new Set(all.flatMap(({ route }) => namesIn(route)))]);
  return new Map(
    all.map((tool) => [
      tool.name,
      {
        name: tool.name,
        description: tool.description,
        inputSchema: inputOf(tool, schemas),
        outputSchema: outputOf(tool, schemas),
        annotations: {
          readOnlyHint: tool.kind === 'reads',
          destructiveHint: tool.kind === 'destroys',
          // A changed or deleted item is the same after the second time.
          idempotentHint: tool.route.method !== 'POST',
        },
      },
    ]),
  );
}

function namesIn({ query, body, answer }: Route): SchemaName[] {
  const names = [query, body, answer.schema, ...Object.values(answer.also ?? {})];
  return names.filter((name): name is SchemaName => name !== undefined && name !== 'files' && name !== 'import');
}

const minutes = confirmLasts / 60_000;

const confirm: Json = {
  type: 'string',
  maxLength: maxConfirm,
  description: `The \`confirm\` of the preview. It belongs to these arguments, works once, and ends after ${minutes} minutes or when something changes.`,
};

function inputOf(tool: Tool, schemas: Record<string, Json>): ListedTool['inputSchema'] {
  const { route, kind } = tool;
  const paths = pathArguments(route);
  const own: Record<string, Json> = Object.fromEntries(
    paths.map((name) => [name, { type: 'string', maxLength: 64, description: 'The id.' }]),
  );
  const required = [...paths];
  const given = [route.query, route.body].flatMap((name) => (name ? [schemas[name] as Json] : []));
  if (route.body && route.method === 'PUT') {
    own.changes = chosen(schemas[route.body] as Json, tool.fields);
    required.push('changes');
  } else {
    for (const { properties, required: needed } of given) {
      Object.assign(own, properties);
      required.push(...((needed as string[] | undefined) ?? []));
    }
  }
  if (kind !== 'reads') own.confirm = confirm;
  const schema: Json = { type: 'object', properties: own, required, additionalProperties: false };
  return complete(schema, schemas, withoutExamples) as ListedTool['inputSchema'];
}

/** A body with only some of its fields. */
function chosen(body: Json, fields: readonly string[] | undefined): Json {
  const { properties, ...rest } = body;
  const kept = Object.entries(properties as Record<string, Json>).filter(([name]) => fields?.includes(name) ?? true);
  return { ...rest, properties: Object.fromEntries(kept), additionalProperties: false };
}

const preview: Json = {
  type: 'object',
  properties: Object.fromEntries(['of', 'changes', 'made', 'deleted'].map((field) => [field, { type: 'object' }])),
};

function outputOf({ route: { answer }, kind }: Tool, schemas: Record<string, Json>): ListedTool['outputSchema'] {
  const name = answer.schema;
  const item: Json | undefined = name && { $ref: `#/components/schemas/${name}` };
  const also = Object.entries(answer.also ?? {}).map(([field, one]) => [
    field,
    { $ref: `#/components/schemas/${one}` },
  ]);
  const shown: Record<string, Json> = Object.fromEntries(also);
  if (answer.wrap === 'list')
    Object.assign(shown, { items: { type: 'array', items: item }, total: { type: 'integer' } });
  else if (answer.wrap === 'plain') Object.assign(shown, (name && schemas[name]?.properties) as object);
  else if (answer.wrap === 'nothing') shown.deleted = { type: 'string' };
  else if (item) shown.item = item;
  const previewed: Record<string, Json> =
    kind === 'reads'
      ? {}
      : {
          preview,
          confirm: { type: 'string' },
          confirmUntil: { type: 'string', format: 'date-time' },
        };
  // A refusal is in `error`, as the interface answers it.
  const schema: Json = { type: 'object', properties: { ...shown, ...previewed, error: { type: 'object' } } };
  return complete(schema, schemas, typesOnly) as ListedTool['outputSchema'];
}

const prefix = '#/components/schemas/';

/** A schema with everything that it refers to, as a document of its own. */
function complete(schema: Json, schemas: Record<string, Json>, shortened: (schema: Json) => Json): Json {
  const defs: Record<string, Json> = {};
  const follow = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(follow);
    if (part === null || typeof part !== 'object') return part;
    return Object.fromEntries(
      Object.entries(part).map(([key, value]) => {
        if (key !== '$ref' || typeof value !== 'string') return [key, follow(value)];
        const name = value.slice(prefix.length);
        if (!defs[name]) {
          // Before what it refers to, which can be itself.
          defs[name] = {};
          defs[name] = follow(shortened(schemas[name] as Json)) as Json;
        }
        return [key, `#/$defs/${name}`];
      }),
    );
  };
  const whole = follow(shortened(schema)) as Json;
  return Object.keys(defs).length === 0 ? whole : { ...whole, $defs: defs };
}

/** Keywords whose value is a map of schemas by any names. */
const mapsOfSchemas = new Set(['properties', '$defs']);

/** A schema without some keywords, at any depth; fields of the same names stay. */
function without(schema: Json, keywords: ReadonlySet<string>): Json {
  const strip = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(strip);
    if (part === null || typeof part !== 'object') return part;
    return Object.fromEntries(
      Object.entries(part)
        .filter(([key]) => !keywords.has(key))
        .map(([key, value]) => [key, mapsOfSchemas.has(key) ? inEach(value) : key === 'enum' ? value : strip(value)]),
    );
  };
  const inEach = (map: object) => Object.fromEntries(Object.entries(map).map(([name, value]) => [name, strip(value)]));
  return strip(schema) as Json;
}

const withoutExamples = (schema: Json) => without(schema, new Set(['examples']));

/** Answers are read by their names: what describes or limits them is in the document. */
const typesOnly = (schema: Json) =>
  without(
    schema,
    new Set([
      'examples',
      'description',
      'pattern',
      'format',
      'minLength',
      'maxLength',
      'minimum',
      'maximum',
      'default',
    ]),
  );
