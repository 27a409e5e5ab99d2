import type * as z from 'zod';
import { isPlaceholder, ruled, secretOf, text } from '../kernel/parse.ts';
import { parseOrigin } from '../kernel/url.ts';

/** A name or a secret issued by a provider; blanks in it are mistakes of copying. */
export const credential = text(1024, 1)
  .refine((value) => !/\s/.test(value), ruled('must be the secret without spaces or line breaks', 'NOT_OFFERED'))
  .refine(
    (value) => !isPlaceholder(value),
    ruled('must be the secret itself, not a placeholder from a manual', 'NOT_OFFERED'),
  );

/** A secret issued by a provider. */
export const secret = secretOf(credential);

/** An optional setting; null removes it. */
export function removable<S extends z.ZodType>(setting: S) {
  return setting.nullish().transform((value) => value ?? undefined);
}

/** Origin of a provider's API: live, sandbox, or a stub on this machine. */
export const apiBase = text(2048, 1)
  .refine(
    isApiBase,
    ruled('must be an https:// origin without a path, or an http:// origin on this machine', 'NOT_A_URL'),
  )
  .transform((address) => new URL(address).origin);

function isApiBase(address: string): boolean {
  const origin = parseOrigin(address);
  return origin?.protocol === 'https:' || ['127.0.0.1', 'localhost', '[::1]'].includes(origin?.hostname ?? '');
}
