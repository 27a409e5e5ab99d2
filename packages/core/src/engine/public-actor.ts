import { CommerceError, invalid } from '../kernel/errors.ts';
import type { Context } from './context.ts';

/**
 * Refuses a storefront key where its scopes would admit it, but it must see nothing.
 * @throws CommerceError `forbidden`
 */
export function refusePublic({ actor }: Pick<Context, 'actor'>): void {
  if (!actor.isPublic) return;
  throw new CommerceError('forbidden', 'insufficient permissions: a storefront key cannot access this');
}

/**
 * Refuses a filter of a list to storefront keys, for whom its field does not exist.
 * @throws CommerceError `validation`
 */
export function refusePublicFilter({ actor }: Pick<Context, 'actor'>, filter: string): void {
  if (actor.isPublic) throw invalid(filter, 'is not a filter for storefront keys', { code: 'UNKNOWN_FIELD' });
}
