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

/** The ids of the examples, so that related examples show the same ids. */
export const exampleIds = {
  store: '0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70',
  product: '0193d3ea-1c48-7b02-9d4e-6c1f0a7b3e52',
  category: '0193d3eb-77a0-7c13-a5f6-0b8d2e4c6a91',
  media: '0193d3ec-02d8-7d24-b607-1c9e3f5d7b80',
  page: '0193d3ed-9e10-7e35-8718-2daf406e8c9f',
  customer: '0193d3ee-3548-7f46-9829-3eb0517f9dae',
  address: '0193d3ef-c080-7057-a93a-4fc162809ebd',
  order: '0193d3f0-4bb8-7168-ba4b-50d273910fcc',
  orderItem: '0193d3f1-d6f0-7279-8b5c-61e38402a1db',
  webhook: '0193d3f2-6228-738a-9c6d-72f49513b2ea',
  apiKey: '0193d3f3-ed60-749b-ad7e-83051624c3f9',
  auditLog: '0193d3f4-7898-75ac-be8f-94162735d408',
  event: '0193d3f5-03d0-76bd-8f90-a5273846e517',
  payment: '0193d3f6-8e38-77ce-9a01-b6384957f628',
  discount: '0193d3f7-19a0-78df-8b12-c7495a680739',
  checkout: '0193d3f8-a508-79e0-9c23-d85a6b79184a',
} as const;
