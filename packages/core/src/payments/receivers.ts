import type { Engine } from '../context.ts';
import { CommerceError } from '../errors.ts';
import { prepared } from '../storage/prepared.ts';
import { requireStore } from '../stores/stores.ts';
import { reading } from '../transaction.ts';
import type { ProviderName } from './provider.ts';
import { findProvider } from './settings.ts';

const configuredInStore = prepared<{ storeId: string; provider: string }, { store_id: string }>((db, p) =>
  db
    .selectFrom('payment_providers')
    .select('store_id')
    .where('store_id', '=', p('storeId'))
    .where('provider', '=', p('provider')),
);

const configuredAnywhere = prepared<{ provider: string }, { store_id: string }>((db, p) =>
  db.selectFrom('payment_providers').select('store_id').where('provider', '=', p('provider')).limit(1),
);

/**
 * Looks whether a notification could be received at all, before anything of its body is read: anybody can send one.
 * @throws CommerceError as `receiveNotification` does: `notFound` for an unknown provider or store; `validation` where the
 * provider is not configured
 */
export async function requireReceiver(engine: Engine, providerName: string, storeId?: string): Promise<void> {
  const { name } = findProvider(providerName);
  try {
    if (storeId !== undefined) await requireStore(engine, storeId);
    await requireConfigured(engine, name, storeId);
  } catch (error) {
    engine.observers.notificationReceived({
      provider: name,
      outcome: error instanceof CommerceError && error.kind !== 'unavailable' ? 'refused' : 'error',
    });
    throw error;
  }
}

async function requireConfigured(engine: Engine, provider: ProviderName, storeId: string | undefined): Promise<void> {
  const rows = await reading(engine.storage, (db) =>
    storeId === undefined ? configuredAnywhere(db, { provider }) : configuredInStore(db, { storeId, provider }),
  );
  if (rows.length > 0) return;
  throw new CommerceError(
    'validation',
    `${provider} is not configured: set its secret with \`commerce payments configure\``,
  );
}
