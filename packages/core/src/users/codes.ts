import { randomBytes } from 'node:crypto';
import type { Context, TxContext } from '../engine/context.ts';
import { transact } from '../engine/transaction.ts';
import { toTimestamp } from '../kernel/clock.ts';
import { CommerceError } from '../kernel/errors.ts';
import type { Db } from '../storage/storage.ts';
import type { SignInLink } from './fields.ts';
import { hashToken } from './sessions.ts';

/** Milliseconds for which a code without a user is valid. */
const codeLasts = 10 * 60_000;

/**
 * Creates a code that signs in to the dashboard of the store with every scope, once and within ten minutes. For programs that are trusted
 * with the store, such as a program that prints a link for its owner. No API key and no user can do this.
 * @throws CommerceError `forbidden` for an API key or a user
 */
export async function createSignInCode(ctx: Context): Promise<SignInLink> {
  if (ctx.actor.scopes) throw new CommerceError('forbidden', 'an API key cannot create a code to sign in with');
  return transact(ctx, (tx) => insertCode(tx, codeLasts, null));
}

/** @param userId the user who signs in with it; null for a link of somebody who is trusted with the store */
export async function insertCode(tx: TxContext, lasts: number, userId: string | null): Promise<SignInLink> {
  const { store, now } = tx;
  const code = `${store.id}.${randomBytes(32).toString('base64url')}`;
  await tx.db.deleteFrom('sign_in_codes').where('store_id', '=', store.id).where('expires_at', '<=', now).execute();
  await tx.db
    .insertInto('sign_in_codes')
    .values({ store_id: store.id, hash: hashToken(code), expires_at: now + lasts, user_id: userId })
    .execute();
  return { code, expiresAt: toTimestamp(now + lasts) };
}

/** The id of the store in a code. */
export function storeIdOf(code: string): string {
  return code.slice(0, code.indexOf('.'));
}

/** Uses up a code of the store. @returns its user; undefined if it is not valid */
export async function takeCode(tx: TxContext, code: string): Promise<{ user_id: string | null } | undefined> {
  return tx.db
    .deleteFrom('sign_in_codes')
    .where('store_id', '=', tx.store.id)
    .where('hash', '=', hashToken(code))
    .where('expires_at', '>', tx.now)
    .returning('user_id')
    .executeTakeFirst();
}

/** The user of a code, without using it up; undefined if it is not valid. */
export function findCode(
  db: Db,
  storeId: string,
  code: string,
  now: number,
): Promise<{ user_id: string | null } | undefined> {
  return db
    .selectFrom('sign_in_codes')
    .select('user_id')
    .where('store_id', '=', storeId)
    .where('hash', '=', hashToken(code))
    .where('expires_at', '>', now)
    .executeTakeFirst();
}

export function refusedCode(): CommerceError {
  return new CommerceError(
    'unauthorized',
    'the code was used, has expired or never existed: `commerce dashboard` prints a new one',
  );
}
