import type { Engine } from '../../engine/context.ts';
import { perEngine } from '../../engine/per-engine.ts';
import { CommerceError } from '../../kernel/errors.ts';
import { findProvider } from '../../payments/settings.ts';
import { prepared } from '../../storage/prepared.ts';
import { reading } from '../../storage/run.ts';
import type { ProviderName } from '../../storage/tables/payments.ts';
import { requireStore } from '../../stores/stores.ts';
import { notificationObservers } from './observers.ts';

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

/** Milliseconds for which a configured receiver is remembered; the receiving itself checks again. */
const rememberedFor = 1000;
const maxRemembered = 10_000;
/** End of the memory of each configured receiver. */
const receivers = perEngine(() => new Map<string, number>());

/**
 * Checks that a notification can be received, before its body is read, because any client can send one.
 * @throws CommerceError like `receiveNotification`: `notFound` for an unknown provider or store; `validation` when the provider is not
 * configured
 */
export async function requireReceiver(engine: Engine, providerName: string, storeId?: string): Promise<void> {
  const { name } = findProvider(providerName);
  const remembered = receivers(engine);
  const key = `${name} ${storeId ?? ''}`;
  const now = engine.clock.now();
  if (now < (remembered.get(key) ?? 0)) return;
  try {
    if (storeId !== undefined) await requireStore(engine, storeId);
    await requireConfigured(engine, name, storeId);
    if (remembered.size >= maxRemembered) remembered.clear();
    remembered.set(key, now + rememberedFor);
  } catch (error) {
    const outcome = error instanceof CommerceError && error.kind !== 'unavailable' ? 'refused' : 'error';
    notificationObservers(engine).tell((observer) => observer.notificationReceived?.({ provider: name, outcome }));
    throw error;
  }
}

async function requireConfigured(engine: Engine, provider: ProviderName, storeId: string | undefined): Promise<void> {
  const rows = await reading(engine.storage, (db) =>
    storeId === undefined ? configuredAnywhere(db, { provider }) : configuredInStore(db, { storeId, provider }),
  );
  if (rows.length > 0) return;
  throw new CommerceError('validation', `${provider} is not configured: no secret is set to verify its notifications`, {
    reason: 'providerNotConfigured',
    about: provider,
  });
}
