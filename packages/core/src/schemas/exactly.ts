import type * as z from 'zod';

/** True when the two types are the same in every field, optionality included. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

/**
 * Accepts a schema whose output is exactly `T`. A schema with a missing or superfluous field requires a second argument of type
 * `never`, and so does not compile.
 */
export function exactly<T>() {
  return <S extends z.ZodType>(schema: S, ..._differs: Same<z.output<S>, T> extends true ? [] : [never]): S => schema;
}
