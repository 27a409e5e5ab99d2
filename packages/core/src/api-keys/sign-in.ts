import { randomBytes } from 'node:crypto';
import type * as z from 'zod';
import { audit } from '../audit/entry.ts';
import type { Actor, Context, Engine } from '../engine/context.ts';
import { scopePresets } from '../engine/scopes.ts';
import { transact } from '../engine/transaction.ts';
import { exampleIds } from '../fields/example-ids.ts';
import { noted } from '../fields/notes.ts';
import { toTimestamp } from '../kernel/clock.ts';
import { CommerceError } from '../kernel/errors.ts';
import { fields, parse, secretOf, text } from '../kernel/parse.ts';
import { reading } from '../storage/run.ts';
import type { Db } from '../storage/storage.ts';
import { findStore } from '../stores/stores.ts';
import { type CreatedApiKey, insertApiKey } from './api-keys.ts';
import { hashKey } from './key.ts';

/** Milliseconds for which a code is valid. */
const codeLasts = 10 * 60_000;

/** Milliseconds for which a key from a code is valid. */
const keyLasts = 12 * 60 * 60_000;

/** Signs in to the dashboard of a store once. */
export interface SignInCode {
  /** The id of the store, a dot, and 43 random characters. */
  code: string;
  expiresAt: string;
}

/**
 * Creates a code that `signIn` exchanges for a key, once and within ten minutes. For programs that are trusted with the store, such as a
 * program that prints a link for its owner. No API key can do this.
 * @throws CommerceError `forbidden` for an API key
 */
export async function createSignInCode(ctx: Context): Promise<SignInCode> {
  if (ctx.actor.scopes) throw new CommerceError('forbidden', 'an API key cannot create a code to sign in with');
  const code = `${ctx.store.id}.${randomBytes(32).toString('base64url')}`;
  return transact(ctx, async (tx) => {
    const { store, now } = tx;
    await tx.db.deleteFrom('sign_in_codes').where('store_id', '=', store.id).where('expires_at', '<=', now).execute();
    const expires = now + codeLasts;
    await tx.db
      .insertInto('sign_in_codes')
      .values({ store_id: store.id, hash: hashKey(code), expires_at: expires })
      .execute();
    return { code, expiresAt: toTimestamp(expires) };
  });
}

export const SignInFields = noted(
  fields({
    /** The code from the link to the dashboard. */
    code: secretOf(text(200, 1)).describe('The code from the link to the dashboard.'),
  }),
  {
    description: 'A code to sign in with.',
    example: { code: `${exampleIds.store}.hN2x0vJc5Yq3TzR8mK1pW7sL4dF9gB6aEoUiXyQwZtA` },
  },
);
export type SignInInput = z.input<typeof SignInFields>;

const system: Actor = { type: 'system', id: null };

/**
 * Exchanges a code for a key with every scope, which expires after 12 hours. The audit log records the address.
 * @param address the network address of the caller, if it is known
 * @throws CommerceError `validation`; `unauthorized` for a code that was used, has expired or never existed
 */
export async function signIn(
  engine: Engine,
  input: SignInInput,
  requestId: string | null,
  address?: string,
): Promise<CreatedApiKey> {
  const { code } = parse(SignInFields, input);
  const hash = hashKey(code);
  const store = await findStore(engine, code.slice(0, code.indexOf('.')));
  // The code is looked up without a write lock first. Otherwise an attacker could make writers wait.
  if (!store || !(await reading(engine.storage, (db) => validCode(db, store.id, hash, engine.clock.now())))) {
    throw refused();
  }
  return transact({ engine, store, actor: system, requestId }, async (tx) => {
    const used = await tx.db
      .deleteFrom('sign_in_codes')
      .where('store_id', '=', store.id)
      .where('hash', '=', hash)
      .where('expires_at', '>', tx.now)
      .returning('hash')
      .executeTakeFirst();
    if (!used) throw refused();
    const expiresAt = toTimestamp(tx.now + keyLasts);
    const key = await insertApiKey(tx, { kind: 'secret', name: 'Dashboard', scopes: scopePresets.full, expiresAt });
    const { id: resourceId, name, prefix } = key;
    const changes = { name, prefix, address: address ?? null };
    audit(tx, { action: 'apiKey.signedIn', resourceType: 'apiKey', resourceId, changes });
    return key;
  });
}

function validCode(db: Db, storeId: string, hash: string, now: number): Promise<object | undefined> {
  return db
    .selectFrom('sign_in_codes')
    .select('hash')
    .where('store_id', '=', storeId)
    .where('hash', '=', hash)
    .where('expires_at', '>', now)
    .executeTakeFirst();
}

function refused(): CommerceError {
  return new CommerceError(
    'unauthorized',
    'the code was used, has expired or never existed: `commerce dashboard` prints a new one',
  );
}
