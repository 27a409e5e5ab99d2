import type { OpenApiDocument } from '@commerce/server';
import fc from 'fast-check';
import { RawJson } from '../fixtures/hostile.ts';

// biome-ignore lint/suspicious/noExplicitAny: a document is walked by its names
export type Part = any;

/** Placeholder in a body for an id that is known when the request is sent: its kind, and its index. */
export const namedId = /«([\w-]+):(\d+)»/g;

const kindOfField: Record<string, string> = {
  categoryIds: 'categories',
  parentId: 'categories',
  mediaIds: 'media',
  primaryMediaId: 'media',
  seoImageId: 'media',
  customerId: 'customers',
  productId: 'products',
};

/** Draws values that the schemas of the document allow. */
export class Values {
  readonly #document: OpenApiDocument;
  readonly #onlyKnown: boolean;
  readonly #made = new Map<string, fc.Arbitrary<unknown>>();

  /** @param onlyKnown whether every reference to another resource exists */
  constructor(document: OpenApiDocument, onlyKnown: boolean) {
    this.#document = document;
    this.#onlyKnown = onlyKnown;
  }

  resolve(part: Part): Part {
    if (typeof part?.$ref !== 'string') return part;
    const [, , kind = '', name = ''] = part.$ref.split('/');
    return this.resolve((this.#document.components as Part)[kind][name]);
  }

  of(schema: Part): fc.Arbitrary<unknown> {
    if (typeof schema?.$ref === 'string') {
      const made = this.#made.get(schema.$ref) ?? this.#make(this.resolve(schema));
      this.#made.set(schema.$ref, made);
      return made;
    }
    return this.#make(schema ?? {});
  }

  #make(schema: Part): fc.Arbitrary<unknown> {
    const examples = (schema.examples ?? (schema.example === undefined ? [] : [schema.example])) as unknown[];
    const good = this.#byType(schema);
    // The examples of whole bodies use ids of the document.
    if (examples.length === 0 || (this.#onlyKnown && schema.type === 'object')) return good;
    return fc.oneof({ weight: 1, arbitrary: fc.constantFrom(...examples) }, { weight: 3, arbitrary: good });
  }

  #byType(schema: Part): fc.Arbitrary<unknown> {
    if (schema.const !== undefined) return fc.constant(schema.const);
    if (schema.enum) return fc.constantFrom(...schema.enum);
    const choices = schema.anyOf ?? schema.oneOf;
    if (choices) return fc.oneof(...choices.map((one: Part) => this.of(one)));
    if (schema.allOf) {
      return fc.tuple(...schema.allOf.map((one: Part) => this.of(one))).map((parts) => Object.assign({}, ...parts));
    }
    if (Array.isArray(schema.type)) {
      return fc.oneof(...schema.type.map((type: string) => this.#byType({ ...schema, type, examples: undefined })));
    }
    switch (schema.type) {
      case 'null':
        return fc.constant(null);
      case 'boolean':
        return fc.boolean();
      case 'integer':
      case 'number':
        return fc.integer({ min: Math.max(schema.minimum ?? 0, -1e9), max: Math.min(schema.maximum ?? 1000, 1e9) });
      case 'array':
        return fc.array(this.of(schema.items), {
          minLength: schema.minItems ?? 0,
          maxLength: Math.min(schema.maxItems ?? 3, 3),
        });
      case 'object':
        return this.#object(schema);
      case 'string':
        return this.#text(schema);
      default:
        return fc.constantFrom('', 1, null, {});
    }
  }

  #object(schema: Part): fc.Arbitrary<unknown> {
    const properties = Object.entries((schema.properties ?? {}) as Record<string, Part>);
    const required = (schema.required ?? []) as string[];
    const values = properties.map(([name, part]) => [name, this.#field(name, part)] as const);
    const named = fc.record(Object.fromEntries(values), {
      requiredKeys: required.filter((name) => properties.some(([one]) => one === name)),
    });
    if (!schema.additionalProperties || typeof schema.additionalProperties !== 'object') return named;
    const more = fc.dictionary(this.#nameOf(schema), this.of(schema.additionalProperties), {
      maxKeys: 3,
    });
    return fc.tuple(named, more).map(([one, other]) => ({ ...other, ...one }));
  }

  /** A name that is no property. */
  #nameOf({ propertyNames = {} }: Part): fc.Arbitrary<string> {
    const { pattern, minLength = 1 } = propertyNames as Part;
    // Classes of characters are beyond what can be drawn.
    if (pattern && !pattern.includes('\\p')) return fc.stringMatching(new RegExp(pattern), { size: 'xsmall' });
    return fc.string({ unit: pattern ? 'grapheme' : 'grapheme-ascii', minLength, maxLength: 6 });
  }

  /** A field of references mostly has existing ids. */
  #field(name: string, schema: Part): fc.Arbitrary<unknown> {
    const usual = this.of(schema);
    const kind = kindOfField[name];
    if (name === 'sku') return fc.oneof(usual, fc.constantFrom('A', 'B', 'C', 'MUG'));
    if (kind === undefined) return usual;
    const known = fc.nat(100).map((n) => `«${kind}:${n}»`);
    const value: fc.Arbitrary<unknown> = schema.type === 'array' ? fc.array(known, { maxLength: 3 }) : known;
    if (this.#onlyKnown) return isNullable(schema) ? fc.option(value, { freq: 4 }) : value;
    return fc.oneof({ weight: 4, arbitrary: value }, { weight: 1, arbitrary: usual });
  }

  #text(schema: Part): fc.Arbitrary<unknown> {
    if (schema.format === 'uuid') return fc.uuid();
    if (schema.format === 'uri') return fc.nat(100_000).map((n) => `https://subscriber.example.com/${n}`);
    if (schema.format === 'email') return fc.nat(100_000).map((n) => `a${n}@example.com`);
    if (schema.format === 'date-time') return fc.constantFrom('2030-01-31T00:00:00Z', '2020-01-31T00:00:00+02:00');
    if (schema.pattern) return fc.stringMatching(new RegExp(schema.pattern), { size: 'xsmall' });
    const minLength = schema.minLength ?? 0;
    return fc.string({
      unit: 'grapheme',
      minLength,
      maxLength: Math.max(minLength, Math.min(schema.maxLength ?? 20, 20)),
    });
  }
}

function isNullable({ type }: Part): boolean {
  return Array.isArray(type) && type.includes('null');
}

/** A value in the form of a query. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : value instanceof RawJson ? value.text : JSON.stringify(value);
}
