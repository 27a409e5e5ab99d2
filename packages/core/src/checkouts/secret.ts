import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Context } from '../engine/context.ts';
import { CommerceError } from '../kernel/errors.ts';
import type { CheckoutTable } from '../storage/tables/checkouts.ts';

/** The secret with which a storefront can cancel its checkout, and the form in which it is stored. */
export function newSecret(): { secret: string; secretHash: string } {
  const secret = randomBytes(32).toString('base64url');
  return { secret, secretHash: hash('sha256', secret) };
}

/**
 * Requires the checkout's secret from a storefront key, because anyone has that key. Other keys can cancel any checkout.
 * @throws CommerceError `forbidden`
 */
export function requireSecret({ actor }: Context, { secret_hash }: CheckoutTable, secret: string | undefined): void {
  if (secret === undefined && !actor.isPublic) return;
  const given = Buffer.from(hash('sha256', secret ?? ''));
  const stored = Buffer.from(secret_hash);
  if (given.length === stored.length && timingSafeEqual(given, stored)) return;
  throw new CommerceError(
    'forbidden',
    'insufficient permissions: `secret` must be the one from the answer that created this checkout',
  );
}
