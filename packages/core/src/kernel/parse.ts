import * as z from 'zod';
import {
  type Cause,
  detailOf,
  type ErrorDetail,
  invalid,
  invalidInput,
  type Limits,
  quote,
  type RefusalCode,
  type Refused,
} from './errors.ts';
import { isStrict, partsOf, refuseUnknownFields, schemasAt, wrappedBy } from './known-fields.ts';

/** Schemas of secrets, which no message quotes. Schemas derived from them are secret, too. */
const secrets = z.registry<{ isSecret: true }>();

/** Marks a schema as secret. The mark is on the schema, so no list of names has to repeat it. */
export function secretOf<S extends z.ZodType>(schema: S): S {
  // A copy, because texts of one length share a schema.
  const own = schema.clone(schema.def as never, { parent: true }) as S;
  secrets.add(own, { isSecret: true });
  return own;
}

/** What a kind of values refuses, for machines. Only asked about a refused value, so that good input costs nothing. */
interface Kind {
  limits?: Limits;
  /** The code of a refused value; undefined if it keeps the rules of this kind. */
  codeOf?: (value: unknown) => RefusalCode | undefined;
}

const kinds = z.registry<Kind>();

/** Describes the refusals of a schema. Schemas derived from it have them, too. */
export function refusing<S extends z.ZodType>(schema: S, kind: Kind): S {
  kinds.add(schema, kind);
  return schema;
}

/** The options of a rule on a kind of values, such as in `text(20).refine(isSlug, ruled('must be a slug', 'NOT_A_SLUG'))`. */
export function ruled(error: string, code: RefusalCode): { error: string; params: Refused } {
  return { error, params: { code } };
}

/** True if the values of a schema are, or contain, a secret. */
function holdsSecret(schema: z.ZodType): boolean {
  return secrets.get(schema) !== undefined || partsOf(schema).some(holdsSecret);
}

/** True if a field of an object is secret or unknown. */
export function isSecretField(schema: z.ZodType, field: string): boolean {
  const at = schemasAt([schema], field);
  return at.length === 0 || at.some(holdsSecret);
}

/**
 * Reads input by its schema.
 * @throws CommerceError `validation` with one detail per field, quoting the value and saying what would be right.
 */
export function parse<S extends z.ZodType>(schema: S, input: unknown): z.output<S> {
  refuseEndless(input);
  if (isStrict(schema)) refuseUnknownFields(schema, input);
  const result = schema.safeParse(input, { reportInput: true });
  if (result.success) return result.data;
  // The first broken rule of a field is enough: an empty text is not a slug either.
  const named = new Set<string>();
  const details = result.error.issues
    .map((issue) => toDetail(schema, issue, input))
    .filter(({ field }) => !named.has(field) && named.add(field));
  const [issue] = result.error.issues;
  throw invalidInput(details, issue?.code === 'custom' ? (issue.params as Cause | undefined) : {});
}

/** More entries than any list or object of an input can have. */
const maxEntries = 1000;

/** A schema checks every entry before it counts them. For hundreds of thousands of entries, this would block the process for a second. */
function refuseEndless(input: unknown): void {
  if (typeof input !== 'object' || input === null) return;
  for (const field in input) {
    const value = (input as Record<string, unknown>)[field];
    if (typeof value !== 'object' || value === null) continue;
    const count = Array.isArray(value) ? value.length : Object.keys(value).length;
    if (count <= maxEntries) continue;
    throw invalid(field, `must have at most ${maxEntries} entries, not ${count}`, {
      code: 'TOO_MANY',
      limits: { max: maxEntries },
    });
  }
}

function toDetail(schema: z.ZodType, issue: z.core.$ZodIssue, input: unknown): ErrorDetail {
  const field = issue.path.join('.') || 'body';
  const missing = valueAt(input, issue.path) === undefined;
  if (missing) {
    // A rule about several fields says which others would do.
    const reason = issue.message.startsWith('is required') ? issue.message : 'is required';
    return { field, reason: field === 'body' ? 'must be a JSON object' : reason, code: 'REQUIRED' };
  }
  const at = issue.path.reduce<z.ZodType[]>((schemas, step) => schemasAt(schemas, step), [schema]);
  const secret = at.length === 0 || at.some(holdsSecret);
  // A rule about several fields has all of them as its input, but names one.
  const value = issue.code === 'custom' && typeof issue.input === 'object' ? valueAt(input, issue.path) : issue.input;
  return detailOf(
    field,
    secret ? issue.message : `${issue.message}, not ${quote(value)}`,
    refusedBy(issue, value, nearestKind(at)),
  );
}

/** The description of the first of these schemas, or of those that they wrap, that has one. */
function nearestKind(schemas: readonly z.ZodType[]): Kind {
  for (const schema of schemas) {
    const kind = kinds.get(schema) ?? nearestKind(wrappedBy(schema));
    if (kind.codeOf ?? kind.limits) return kind;
  }
  return {};
}

/** What an issue says to a machine: what its rule says, else its kind of values, else zod. */
function refusedBy(issue: z.core.$ZodIssue, value: unknown, kind: Kind): Refused {
  const own = issue.code === 'custom' ? (issue.params as Refused | undefined) : undefined;
  const limits = own?.limits ?? kind.limits;
  if (own?.code) return { code: own.code, limits };
  if (value === null) return { code: 'REQUIRED', limits };
  switch (issue.code) {
    case 'invalid_type':
      return { code: kind.codeOf?.(value) ?? 'WRONG_TYPE', limits };
    case 'too_big':
      return { code: codeOfSize(issue.origin).large, limits: limits ?? { max: Number(issue.maximum) } };
    case 'too_small':
      return { code: codeOfSize(issue.origin).small, limits: limits ?? { min: Number(issue.minimum) } };
    case 'invalid_value':
      return { code: 'NOT_OFFERED', limits: limits ?? { values: issue.values.map(String) } };
    case 'invalid_format':
      return { code: codeOfFormat[issue.format] ?? kind.codeOf?.(value), limits };
    case 'unrecognized_keys':
      return { code: 'UNKNOWN_FIELD' };
    default:
      return { code: kind.codeOf?.(value) ?? (issue.code === 'custom' ? undefined : 'WRONG_TYPE'), limits };
  }
}

const codeOfFormat: Readonly<Record<string, RefusalCode>> = {
  email: 'NOT_AN_EMAIL',
  url: 'NOT_A_URL',
  date: 'NOT_A_TIME',
  datetime: 'NOT_A_TIME',
};

function codeOfSize(origin: string): { small: RefusalCode; large: RefusalCode } {
  if (origin === 'string') return { small: 'TOO_SHORT', large: 'TOO_LONG' };
  return origin === 'array' ? { small: 'REQUIRED', large: 'TOO_MANY' } : { small: 'TOO_SMALL', large: 'TOO_LARGE' };
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  let value = input;
  for (const step of path) {
    if (value === null || typeof value !== 'object') return undefined;
    value = (value as Record<PropertyKey, unknown>)[step];
  }
  return value;
}

/**
 * A string of up to `max` characters (code points). NUL and lone surrogates are refused. PostgreSQL cannot store NUL, and a lone surrogate
 * would come back as another character.
 */
export function text(max: number, min = 0): z.ZodString {
  const expected =
    min > 0 ? `must be a text of ${min} to ${max} characters` : `must be a text of at most ${max} characters`;
  const rules = z.check<string>(({ value, issues }) => {
    const broken = (message: string) => issues.push({ code: 'custom', message, input: value });
    if (!isPlain(value)) broken('must not contain NUL or half a surrogate pair');
    else if (!fits(value, min, max)) broken(expected);
  });
  const bounds = { ...(min > 0 ? { minLength: min } : {}), maxLength: max };
  return refusing(z.string(expected).check(rules).meta(bounds), {
    limits: { ...(min > 0 ? { min } : {}), max },
    codeOf: (value) => (typeof value === 'string' ? codeOfText(value, min, max) : undefined),
  });
}

function codeOfText(value: string, min: number, max: number): RefusalCode | undefined {
  if (!isPlain(value)) return 'WRONG_TYPE';
  if (min > 0 && value.trim() === '') return 'REQUIRED';
  if (value.length < min) return 'TOO_SHORT';
  return fits(value, min, max) ? undefined : 'TOO_LONG';
}

/**
 * True for a placeholder that a manual shows instead of a secret, such as `whsec_…`, `<secret>` or `xxxx`, and that was copied from there.
 */
export function isPlaceholder(secret: string): boolean {
  return /…|\.{3}|^<.*>$/.test(secret) || /^([a-z]+_)*([x*]{3,})?$/i.test(secret);
}

function isPlain(value: string): boolean {
  return !value.includes('\0') && value.isWellFormed();
}

function fits(value: string, min: number, max: number): boolean {
  if (value.length < min) return false;
  if (value.length <= max) return true;
  return value.length <= max * 2 && [...value].length <= max;
}

/** A text that is not empty and not only white space. */
export function requiredText(max: number) {
  return text(max, 1).refine((value) => value.trim() !== '', 'must not be blank');
}

/** An e-mail address, without surrounding spaces. */
export const emailAddress = text(320)
  .transform((email) => email.trim())
  .pipe(z.email('must be an e-mail address'));

export function integer(min: number, max: number) {
  const expected = `must be a whole number from ${min} to ${max}`;
  return refusing(z.int(expected).check(z.gte(min, expected), z.lte(max, expected)), wholeKind(min, max));
}

/** The refusals of a whole number. */
export function wholeKind(min: number, max: number): Kind {
  return {
    limits: { min, ...(max === Number.MAX_SAFE_INTEGER ? {} : { max }) },
    codeOf(value) {
      if (typeof value !== 'number' || Number.isNaN(value)) return 'NOT_A_NUMBER';
      if (value < min) return 'TOO_SMALL';
      return value > max ? 'TOO_LARGE' : 'NOT_WHOLE';
    },
  };
}

/**
 * The same schema, for which TypeScript accepts only these values. Whatever else it accepts is for texts from a query or a form, and for other
 * spellings.
 */
export function given<Input>() {
  return <S extends z.ZodType>(schema: S) => schema as unknown as z.ZodType<z.output<S>, Input>;
}

export const flag = z.boolean('must be true or false');

/** Like `flag`, from a query string or from code. */
export const queryFlag = z
  .union([flag, z.enum(['true', 'false']).transform((value) => value === 'true')], 'must be true or false')
  .meta({ type: 'boolean' });

export function oneOf<const Values extends readonly string[]>(values: Values) {
  return z.enum(values, `must be one of ${values.join(', ')}`);
}

/** An object's fields. Unknown fields are ignored, so a client can edit the answer of a GET and send it back. */
export function fields<const Shape extends z.ZodRawShape>(shape: Shape) {
  return z.object(shape, 'must be a JSON object');
}

/** Only the given fields: an absent field must not overwrite anything. */
export function definedOnly<T extends object>(given: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  const defined: Record<string, unknown> = {};
  for (const field of Object.keys(given)) {
    const value = (given as Record<string, unknown>)[field];
    if (value !== undefined) defined[field] = value;
  }
  return defined as never;
}

/** A text from outside as a database can store it: shortened, and without NUL, which PostgreSQL cannot store. */
export function storable(text: string, maxLength: number): string {
  return text.replaceAll('\0', '\ufffd').slice(0, maxLength);
}
