import * as z from 'zod';
import {
  flag as flagRule,
  integer as integerRule,
  oneOf,
  requiredText as requiredTextRule,
  ruled,
  text as textRule,
} from '../kernel/parse.ts';
import { money as moneyRule } from './money.ts';

/** The format of a cell in a CSV file. */
export type CellKind =
  | 'text'
  | 'word'
  | 'decimal'
  | 'integer'
  | 'flag'
  | 'json'
  | 'id'
  | 'time'
  /** Slugs of categories, or paths of their names. */
  | 'categories'
  | 'parent'
  /** Addresses of images. */
  | 'images'
  | 'image'
  | 'attributes';

/** Resources that others name by their ids. */
export type Referred = 'category' | 'media';

/** A kind of values: how a client writes it, how it is answered, and how a CSV file spells it. */
export interface Kind<In extends z.ZodType = z.ZodType, Out extends z.ZodType = z.ZodType> {
  /** The rule of an input, in a currency with that many decimals. */
  rule(decimals: number): In;
  /** The schema of an answer, built when the OpenAPI document is printed. */
  answer(): Out;
  cell: CellKind;
  /** The kind of resource whose ids these are, if a write checks that they exist. */
  refersTo?: Referred | undefined;
}

/** A kind that clients cannot write. */
export type MadeKind<Out extends z.ZodType = z.ZodType> = Pick<Kind<z.ZodType, Out>, 'answer' | 'cell'>;

export function kind<In extends z.ZodType, Out extends z.ZodType>(
  rule: In,
  answer: () => Out,
  cell: CellKind,
  refersTo?: Referred,
): Kind<In, Out> {
  return { rule: () => rule, answer, cell, refersTo };
}

/** The kind with null for "none". */
export function nullable<In extends z.ZodType, Out extends z.ZodType>({ rule, answer, cell, refersTo }: Kind<In, Out>) {
  return {
    rule: (decimals) => z.nullable(rule(decimals)),
    answer: () => answer().nullable(),
    cell,
    refersTo,
  } satisfies Kind as Kind<z.ZodNullable<In>, z.ZodNullable<Out>>;
}

export function text(max: number, min = 0) {
  return kind(textRule(max, min), () => z.string(), 'text');
}

/** A text that is not blank. */
export function requiredText(max: number) {
  return kind(requiredTextRule(max), () => z.string(), 'text');
}

export function flag() {
  return kind(flagRule, () => z.boolean(), 'flag');
}

export function integer(min: number, max: number) {
  return kind(integerRule(min, max), () => z.int(), 'integer');
}

/** @param alsoAnswered values that only the service sets */
export function choice<const Values extends readonly string[], const Also extends readonly string[] = []>(
  values: Values,
  alsoAnswered?: Also,
) {
  return kind(
    oneOf(values),
    () => z.enum([...values, ...(alsoAnswered ?? [])] as (Values[number] | Also[number])[]),
    'word',
  );
}

export const decimal = { pattern: '^\\d+(\\.\\d{1,4})?$' } as const;

/** A decimal string in the store's currency, answered with all its decimals. */
export function money() {
  return {
    rule: moneyRule,
    answer: () => z.string().meta(decimal),
    cell: 'decimal',
  } satisfies Kind;
}

/** The id of another resource. @param to a kind whose ids every write checks; without it, the operation checks the id */
export function reference(to?: Referred) {
  return kind(textRule(64, 1), uuid, 'text', to);
}

/** Ids of other resources, each once; every write checks that they exist. */
export function references(max: number, to: Referred) {
  const rule = z
    .array(textRule(64), 'must be a list of ids')
    .max(max, `must have at most ${max} ids`)
    .transform((list) => [...new Set(list)]);
  return kind(rule, () => z.array(uuid()), 'text', to);
}

const slugPattern = /^[a-z0-9]+(-[a-z0-9]+)*$/;

/** Lower-case letters and digits with single dashes. */
export function slug() {
  const expected = 'must be lower-case letters and digits with single dashes between them, such as "blue-mug"';
  const rule = textRule(255, 1)
    .refine((value) => slugPattern.test(value), ruled(expected, 'NOT_A_SLUG'))
    .meta({ pattern: slugPattern.source });
  return kind(rule, () => z.string().meta({ minLength: 1, maxLength: 255, pattern: slugPattern.source }), 'word');
}

/** A time with an offset, stored as UTC. */
export function time() {
  const rule = z.iso
    .datetime({ offset: true, error: 'must be an ISO 8601 time such as "2030-01-31T00:00:00Z"' })
    .transform((at) => new Date(at).toISOString());
  return kind(rule, timestamp, 'time');
}

const uuid = () => z.string().meta({ format: 'uuid' });
const timestamp = () => z.string().meta({ format: 'date-time' });

/** An id that the service made. */
export const madeId: MadeKind<z.ZodString> = { answer: uuid, cell: 'id' };

/** A time that the service noted; UTC, milliseconds. */
export const madeTime: MadeKind<z.ZodString> = { answer: timestamp, cell: 'time' };

/** Like `madeTime`, or null until the time is set. */
export const madeTimeOrNone: MadeKind<z.ZodNullable<z.ZodString>> = {
  answer: () => timestamp().nullable(),
  cell: 'time',
};

/** A whole number that the service counted. */
export const madeCount: MadeKind<z.ZodInt> = { answer: () => z.int(), cell: 'integer' };

/** A text that the service took from elsewhere. */
export const madeText: MadeKind<z.ZodString> = { answer: () => z.string(), cell: 'text' };

/** Texts by name. */
export const madeTexts: MadeKind<z.ZodRecord<z.ZodString, z.ZodString>> = {
  answer: () => z.record(z.string(), z.string()),
  cell: 'json',
};
export const madeTextOrNone: MadeKind<z.ZodNullable<z.ZodString>> = {
  answer: () => z.string().nullable(),
  cell: 'text',
};

export const madeIdOrNone: MadeKind<z.ZodNullable<z.ZodString>> = { answer: () => uuid().nullable(), cell: 'id' };

/** An amount with all decimals of the currency. */
export const madeAmount: MadeKind<z.ZodString> = { answer: () => z.string().meta(decimal), cell: 'decimal' };

export const madeFlag: MadeKind<z.ZodBoolean> = { answer: () => z.boolean(), cell: 'flag' };
