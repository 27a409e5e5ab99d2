import { type CreatedApiKey, insertApiKey } from './api-keys/api-keys.ts';
import type { Actor, Engine, TxContext } from './engine/context.ts';
import { scopePresets } from './engine/scopes.ts';
import type { StoreContext } from './engine/store.ts';
import { transact } from './engine/transaction.ts';
import { parse } from './kernel/parse.ts';
import { insertStore, newStoreContext, StoreFields, type StoreInput } from './stores/stores.ts';

/**
 * Creates a store and a key with every scope, if the database has no store yet; otherwise returns undefined.
 * @throws CommerceError `validation`
 */
export function createFirstStore(
  engine: Engine,
  actor: Actor,
  input: StoreInput,
): Promise<{ store: StoreContext; apiKey: CreatedApiKey } | undefined> {
  return inFirstStore(engine, actor, input, async (tx, store) => ({
    store,
    apiKey: await insertApiKey(tx, {
      kind: 'secret',
      name: 'first key',
      scopes: [...scopePresets.full],
      expiresAt: null,
    }),
  }));
}

/**
 * Creates a store without a key, if the database has no store yet; otherwise returns undefined.
 * @throws CommerceError `validation`
 */
export function createFirstStoreWithoutKey(
  engine: Engine,
  actor: Actor,
  input: StoreInput,
): Promise<StoreContext | undefined> {
  return inFirstStore(engine, actor, input, async (_, store) => store);
}

async function inFirstStore<T>(
  engine: Engine,
  actor: Actor,
  input: StoreInput,
  finish: (tx: TxContext, store: StoreContext) => Promise<T>,
): Promise<T | undefined> {
  const fields = parse(StoreFields, input);
  return transact(newStoreContext(engine, actor, fields), async (tx) => {
    await engine.storage.lockName(tx.db, 'stores');
    const some = await tx.db.selectFrom('stores').select('id').limit(1).executeTakeFirst();
    if (some) return undefined;
    return finish(tx, await insertStore(tx));
  });
}
