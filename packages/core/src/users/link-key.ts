import { type CreatedApiKey, insertApiKey } from '../api-keys/api-keys.ts';
import { audit } from '../audit/entry.ts';
import type { Actor, Engine } from '../engine/context.ts';
import { scopePresets } from '../engine/scopes.ts';
import { transact } from '../engine/transaction.ts';
import { toTimestamp } from '../kernel/clock.ts';
import { CommerceError } from '../kernel/errors.ts';
import { parse } from '../kernel/parse.ts';
import { reading } from '../storage/run.ts';
import { findStore } from '../stores/stores.ts';
import { findCode, refusedCode, storeIdOf, takeCode } from './codes.ts';
import { SignInFields, type SignInInput } from './fields.ts';

/** Milliseconds for which a key from a code is valid. */
const keyLasts = 12 * 60 * 60_000;

const system: Actor = { type: 'system', id: null };

/**
 * Exchanges a code that belongs to no user for a key with every scope, which expires after 12 hours: for addresses at which a browser keeps
 * no secure cookie, such as plain HTTP in a local network. Audit entries: `apiKey.created`, `apiKey.signedIn` with the address.
 * @param address the network address of the caller, if it is known
 * @throws CommerceError `unauthorized` for a code that was used, has expired or never existed; `conflict` for the code of a user
 */
export async function exchangeCode(
  engine: Engine,
  input: SignInInput,
  requestId: string | null,
  address?: string,
): Promise<CreatedApiKey> {
  const { code = '' } = parse(SignInFields, input);
  const store = await findStore(engine, storeIdOf(code));
  const found = store && (await reading(engine.storage, (db) => findCode(db, store.id, code, engine.clock.now())));
  if (!store || !found) throw refusedCode();
  if (found.user_id !== null) {
    throw new CommerceError(
      'conflict',
      'people sign in at an https address, or at http://localhost: open the link there; this one has not been used up',
    );
  }
  const key = await transact({ engine, store, actor: system, requestId }, async (tx) => {
    if (!(await takeCode(tx, code))) throw refusedCode();
    const expiresAt = toTimestamp(tx.now + keyLasts);
    const created = await insertApiKey(tx, { kind: 'secret', name: 'Dashboard', scopes: scopePresets.full, expiresAt });
    const { id: resourceId, name, prefix } = created;
    const changes = { name, prefix, address: address ?? null };
    audit(tx, { action: 'apiKey.signedIn', resourceType: 'apiKey', resourceId, changes });
    return created;
  });
  return key;
}
