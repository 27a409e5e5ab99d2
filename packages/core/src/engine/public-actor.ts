import { CommerceError } from '../kernel/errors.ts';
import type { Context } from './context.ts';

/**
 * Refuses a storefront key where its scopes would admit it, but it must see nothing.
 * @throws CommerceError `forbidden`
 */
export function refusePublic({ actor }: Pick<Context, 'actor'>): void {
  if (!actor.isPublic) return;
  throw new CommerceError('forbidden', 'insufficient permissions: a storefront key cannot access this');
}
