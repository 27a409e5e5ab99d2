import type * as z from 'zod';
import { type ErrorDetail, invalidInput } from './errors.ts';

type Def = {
  type?: string;
  shape?: Record<string, z.ZodType>;
  element?: z.ZodType;
  valueType?: z.ZodType;
  options?: z.ZodType[];
  innerType?: z.ZodType;
  in?: z.ZodType;
  out?: z.ZodType;
};

/** The schemas of the values in the values of a schema, and the schemas that it wraps. */
export function partsOf(schema: z.ZodType): z.ZodType[] {
  const { shape = {}, element, valueType } = schema.def as Def;
  const inner = [element, valueType].filter((part) => part !== undefined);
  return [...Object.values(shape), ...inner, ...wrappedBy(schema)];
}

export function wrappedBy(schema: z.ZodType): z.ZodType[] {
  const def = schema.def as Def;
  return [...(def.options ?? []), def.innerType, def.in, def.out].filter((part) => part !== undefined);
}

/** The schemas of a field or entry of values with these schemas. */
export function schemasAt(schemas: readonly z.ZodType[], step: PropertyKey): z.ZodType[] {
  return schemas.flatMap((schema) => [...ownAt(schema, step), ...schemasAt(wrappedBy(schema), step)]);
}

function ownAt(schema: z.ZodType, step: PropertyKey): z.ZodType[] {
  const { shape, element, valueType } = schema.def as Def;
  const own = shape && Object.hasOwn(shape, step) ? shape[String(step)] : (element ?? valueType);
  return own ? [own] : [];
}

/** What is said of the names that a schema takes. */
interface Naming {
  /** True if `parse` refuses unknown fields. */
  isStrict?: true;
  /** The answer whose fields pass. */
  answer?: () => z.ZodType;
  /** The beginnings of names that a query takes in addition to its fields. */
  prefixes?: readonly string[];
}

const namings = new WeakMap<z.ZodType, Naming>();

/** The naming of a schema, or of the one that it was refined from. */
function namingOf(schema: z.ZodType): Naming {
  const { parent } = schema._zod;
  return namings.get(schema) ?? (parent ? namingOf(parent as z.ZodType) : {});
}

function named<S extends z.ZodType>(schema: S, naming: Naming): S {
  namings.set(schema, { ...namingOf(schema), ...naming });
  return schema;
}

/**
 * Makes `parse` refuse each field that the schema does not have, nested ones too, because a field that is ignored can cost money. Elsewhere
 * unknown fields are ignored, unless a request prefers `handling=strict`.
 * @param answer of the same resource: its fields pass and are not read, so that a client can edit what it has read and send it back
 */
export function strictly<S extends z.ZodType>(schema: S, answer: () => z.ZodType): S {
  return named(schema, { isStrict: true, answer });
}

export function isStrict(schema: z.ZodType): boolean {
  return namingOf(schema).isStrict === true;
}

/** Lets the fields of an answer pass where unknown fields are refused; at any depth, without making the body strict. */
export function passing<S extends z.ZodType>(schema: S, answer: () => z.ZodType): S {
  return named(schema, { answer });
}

/** Lets a query take names in addition to its fields: those that begin with a prefix such as `attr.`; with '' all names. */
export function takingNames<S extends z.ZodType>(schema: S, ...prefixes: readonly string[]): S {
  return named(schema, { prefixes });
}

/** The names that an object can have, and what is known of the values below. */
interface Known {
  /** By name; undefined if every name is taken, or if the value is not an object. Below a field that only passes, nothing is known. */
  fields: ReadonlyMap<string, Known | undefined> | undefined;
  /** The names that are read, not only passed. */
  read: readonly string[];
  /** The entries of a list, or the values of a record. */
  entries: Known | undefined;
}

/** Kinds of schemas that take an object with any names. */
const anyNames: ReadonlySet<string | undefined> = new Set(['any', 'unknown', 'custom', 'record']);

function knownOf(schemas: readonly z.ZodType[], answers: readonly z.ZodType[]): Known {
  const own = unwrapped(schemas);
  const others = unwrapped([...answers, ...own.flatMap((schema) => namingOf(schema).answer?.() ?? [])]);
  const read = namesOf(own);
  const isOpen = own.every(({ def }) => !(def as Def).shape) || own.some(({ def }) => anyNames.has((def as Def).type));
  const below = (name: string) =>
    knownOf(
      own.flatMap((schema) => ownAt(schema, name)),
      others.flatMap((schema) => ownAt(schema, name)),
    );
  const entries = entriesOf(own);
  return {
    fields: isOpen
      ? undefined
      : new Map([
          ...namesOf(others).map((name) => [name, undefined] as const),
          ...read.map((name) => [name, below(name)] as const),
        ]),
    read,
    entries: entries.length === 0 ? undefined : knownOf(entries, entriesOf(others)),
  };
}

/** The schemas, and all those that they wrap. */
function unwrapped(schemas: readonly z.ZodType[]): z.ZodType[] {
  return schemas.flatMap((schema) => [schema, ...unwrapped(wrappedBy(schema))]);
}

function namesOf(schemas: readonly z.ZodType[]): string[] {
  return [...new Set(schemas.flatMap(({ def }) => Object.keys((def as Def).shape ?? {})))];
}

function entriesOf(schemas: readonly z.ZodType[]): z.ZodType[] {
  return schemas.flatMap(({ def }) => (def as Def).element ?? (def as Def).valueType ?? []);
}

/** By schema and by the answer whose fields pass, too. Made once, because a checkout is on the hot path. */
const known = new WeakMap<z.ZodType, Map<z.ZodType | undefined, Known>>();

function knownFields(schema: z.ZodType, answer: z.ZodType | undefined): Known {
  const byAnswer = known.get(schema) ?? new Map<z.ZodType | undefined, Known>();
  const found = byAnswer.get(answer) ?? knownOf([schema], answer ? [answer] : []);
  byAnswer.set(answer, found);
  known.set(schema, byAnswer);
  return found;
}

/** Most unknown names that an error shows. Each comes with the list of names that would be right, so the answer to a short body could be long. */
const maxUnknown = 20;

/**
 * Refuses input with fields that its schema does not have, nested ones too.
 * @param answer its fields pass, in addition to those that the schema itself lets pass
 * @throws CommerceError `validation`, with one detail for each of them, naming the fields that would be right
 */
export function refuseUnknownFields(schema: z.ZodType, input: unknown, answer?: z.ZodType): void {
  const details: ErrorDetail[] = [];
  visit(input, knownFields(schema, answer), '');
  refuse(details);

  function visit(value: unknown, at: Known | undefined, path: string): void {
    if (!at || typeof value !== 'object' || value === null) return;
    const { fields, entries, read } = at;
    const isList = fields === undefined || Array.isArray(value);
    if (isList && entries === undefined) return;
    for (const name of Object.keys(value)) {
      if (details.length >= maxUnknown) return;
      const inner = (value as Record<string, unknown>)[name];
      const isKnown = isList || fields.has(name);
      if (isKnown && typeof inner !== 'object') continue;
      const field = path === '' ? shown(name) : `${path}.${shown(name)}`;
      if (isKnown) visit(inner, isList ? entries : fields.get(name), field);
      // Code writes undefined for a field that it leaves out.
      else if (inner !== undefined) details.push(unknownDetail(field, path, read, 'field'));
    }
  }
}

/**
 * Refuses parameters that a query does not have.
 * @param schema undefined if the query has no parameters
 * @throws CommerceError `validation`, with one detail for each of them
 */
export function refuseUnknownParameters(schema: z.ZodType | undefined, names: Iterable<string>): void {
  const read = schema ? namesOf(unwrapped([schema])) : [];
  const prefixes = (schema && namingOf(schema).prefixes) ?? [];
  const details: ErrorDetail[] = [];
  for (const name of names) {
    if (details.length >= maxUnknown) break;
    if (read.includes(name) || prefixes.some((prefix) => name.startsWith(prefix))) continue;
    const right = [...read, ...prefixes.map((prefix) => `${prefix}<name>`)];
    details.push(unknownDetail(shown(name), '', right, 'parameter'));
  }
  refuse(details);
}

function refuse(details: readonly ErrorDetail[]): void {
  if (details.length > 0) throw invalidInput(details);
}

/** A name as an error shows it: any client can send a long one. */
function shown(name: string): string {
  const text = name.toWellFormed();
  return text.length > 80 ? `${text.slice(0, 77)}…` : text;
}

function unknownDetail(field: string, of: string, right: readonly string[], words: string): ErrorDetail {
  const list = right.length === 0 ? `there are no ${words}s` : `the ${words}s are ${right.join(', ')}`;
  const reason = `is not a ${words}${of === '' ? '' : ` of ${of}`}; ${list}`;
  return { field, reason, code: 'UNKNOWN_FIELD', limits: { values: right } };
}
