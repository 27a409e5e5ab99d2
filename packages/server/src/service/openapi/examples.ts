import type { JsonSchema as Json } from '@commerce/core/schemas';

/**
 * A value that fits the schema, built from the examples of its fields.
 * @param components schemas that it can refer to
 */
export function exampleOf(schema: Json, components: Record<string, Json>): unknown {
  if (Array.isArray(schema.examples)) return schema.examples[0];
  if ('const' in schema) return schema.const;
  if (typeof schema.$ref === 'string') {
    const target = components[schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)];
    if (!target) throw new Error(`unknown schema ${schema.$ref}`);
    return exampleOf(target, components);
  }
  if (Array.isArray(schema.type) && schema.type.includes('null')) return null;
  const [choice] = (schema.anyOf ?? schema.oneOf ?? []) as Json[];
  if (choice) return exampleOf(choice, components);
  if (schema.type === 'array') return [exampleOf(schema.items as Json, components)];
  if (schema.properties) {
    const required = new Set(schema.required as string[]);
    return Object.fromEntries(
      Object.entries(schema.properties as Record<string, Json>)
        .filter(([field]) => required.has(field))
        .map(([field, own]) => [field, exampleOf(own, components)]),
    );
  }
  throw new Error(`no example of ${JSON.stringify(schema)}`);
}
