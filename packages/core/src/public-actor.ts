import type { Context } from './context.ts';
import { CommerceError } from './errors.ts';

/**
 * Refuses what a storefront key sees nothing of, though its scopes would let it in.
 * @throws CommerceError `forbidden`
 */
export function refusePublic({ actor }: Pick<Context, 'actor'>): void {
  if (!actor.isPublic) return;
  throw new CommerceError('forbidden', 'insufficient permissions: a storefront key sees and changes nothing of this');
}
