import * as z from 'zod';

// The kinds of values in answers. These schemas describe; none parses anything.

/** True when the two types are the same in every field, optionality included. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

/**
 * Accepts a schema whose output is exactly `T`. A schema with a missing or superfluous field requires a second argument of type
 * `never`, and so does not compile.
 */
export function exactly<T>() {
  return <S extends z.ZodType>(schema: S, ..._differs: Same<z.output<S>, T> extends true ? [] : [never]): S => schema;
}

export function id(description: string, example = '0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70') {
  return z.string().meta({ format: 'uuid', description, examples: [example] });
}

export function optionalId(description: string, example?: string) {
  return z
    .string()
    .meta({ format: 'uuid' })
    .nullable()
    .meta({ description, ...(example === undefined ? {} : { examples: [example] }) });
}

/** UTC, milliseconds. */
export function time(description: string, example = '2026-11-20T12:00:00.000Z') {
  return z.string().meta({ format: 'date-time', description, examples: [example] });
}

export function optionalTime(description: string, example?: string) {
  return z
    .string()
    .meta({ format: 'date-time' })
    .nullable()
    .meta({ description, ...(example === undefined ? {} : { examples: [example] }) });
}

const decimal = { pattern: '^\\d+(\\.\\d{1,4})?$' } as const;

/** An amount with all decimals of the currency. */
export function amount(description: string, example: string) {
  return z.string().meta({ ...decimal, description, examples: [example] });
}

export function optionalAmount(description: string, example: string) {
  return z
    .string()
    .meta(decimal)
    .nullable()
    .meta({ description, examples: [example] });
}

export function words(description: string, example: string) {
  return z.string().meta({ description, examples: [example] });
}

export function optionalWords(description: string, example?: string) {
  return z
    .string()
    .nullable()
    .meta({ description, ...(example === undefined ? {} : { examples: [example] }) });
}

export function count(description: string, example: number) {
  return z.int().meta({ description, examples: [example] });
}

export function yesOrNo(description: string, example: boolean) {
  return z.boolean().meta({ description, examples: [example] });
}

export { exampleIds } from '../fields/example-ids.ts';
