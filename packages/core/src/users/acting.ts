import type { Context, UserSession } from '../engine/context.ts';
import { CommerceError } from '../kernel/errors.ts';

/**
 * The user who acts, with the session.
 * @throws CommerceError `forbidden` for every other actor, and in the session of a link that belongs to no user
 */
export function requireUser({ actor }: Pick<Context, 'actor'>): { id: string; session: UserSession } {
  const { type, id, session } = actor;
  if (type === 'user' && id !== null && session) return { id, session };
  throw new CommerceError('forbidden', 'insufficient permissions: only a user who has signed in has an account');
}
