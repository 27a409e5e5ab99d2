import * as z from 'zod';
import { decimal } from './kinds.ts';

// The kinds of values in answers. These schemas only describe values; they parse nothing.

/** A schema of an answer, made on its first use: only the OpenAPI document and tests need it. */
export function once<S extends z.ZodType>(make: () => S): () => S {
  let made: S | undefined;
  return () => {
    made ??= make();
    return made;
  };
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

/** The currency of a store. */
export function currency() {
  return words("The store's currency, ISO 4217; fixed at its creation.", 'EUR').meta({ pattern: '^[A-Z]{3}$' });
}
