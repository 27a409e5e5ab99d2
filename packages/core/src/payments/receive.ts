import type { Context, Engine } from '../context.ts';
import { CommerceError, invalid } from '../errors.ts';
import { requireStore } from '../stores/stores.ts';
import { reading } from '../transaction.ts';
import { applyNotification } from './apply.ts';
import type { Outcome } from './inbox.ts';
import { orderIdOf, type RawNotification } from './provider.ts';
import { findProvider, providerSettings, type StoreSettings } from './settings.ts';

/** What the provider is told. A `warning` says why the money found no order; sending again would not help. */
export interface ReceiverAnswer {
  received: true;
  outcome: Outcome;
  warning?: string;
}

/**
 * Takes a provider's notification: verifies the raw bytes, reads them, and settles the payment. Without a store, the
 * secrets of all stores that configured the provider are tried, and an order counts only in a store whose secret matched.
 * Emits the events of what the payment changes.
 * @throws CommerceError `notFound` for an unknown provider or store; `validation` when the signature does not match, the
 * timestamp is more than 300 s off, nothing is configured or the body is no event; `insufficientStock` when the order
 * stays pending until there is stock; `unavailable`.
 */
export async function receiveNotification(
  engine: Engine,
  providerName: string,
  notification: RawNotification,
  options: { storeId?: string; requestId?: string } = {},
): Promise<ReceiverAnswer> {
  const provider = findProvider(providerName);
  const { storeId } = options;
  const named = storeId === undefined ? undefined : await requireStore(engine, storeId);
  const configured = await providerSettings(engine, provider.name, storeId);
  if (configured.length === 0) {
    throw new CommerceError(
      'validation',
      `${provider.name} is not configured: set its secret with \`commerce payments configure\``,
    );
  }
  const matching: StoreSettings[] = [];
  for (const candidate of configured) {
    if (await provider.verify(notification, candidate.settings, engine.clock.now())) matching.push(candidate);
  }
  const [first] = matching;
  if (!first) {
    throw new CommerceError(
      'validation',
      'the signature does not match the body and the configured secret, or its time is more than 5 minutes off',
    );
  }
  const payload = notification.body.toString('utf8');
  const notice = await provider.read(parseEvent(payload), first.settings);
  const owner = matching.length > 1 ? await storeOfOrder(engine, matching, orderIdOf(notice)) : undefined;
  const store = named ?? (await requireStore(engine, owner ?? first.storeId));
  const ctx: Context = {
    engine,
    store,
    actor: { type: 'provider', id: provider.name },
    requestId: options.requestId ?? null,
  };
  const { outcome, warning, error } = await applyNotification(ctx, provider.name, notice, payload);
  if (error) throw error;
  return warning === null ? { received: true, outcome } : { received: true, outcome, warning };
}

function parseEvent(payload: string): unknown {
  try {
    return JSON.parse(payload);
  } catch {
    throw invalid('body', 'must be JSON');
  }
}

/** Two stores may share one account and so one secret: the store that has the order is meant. */
async function storeOfOrder(engine: Engine, candidates: readonly StoreSettings[], id: string | null) {
  if (id === null) return undefined;
  const storeIds = candidates.map((candidate) => candidate.storeId);
  const row = await reading(engine.storage, (db) =>
    db
      .selectFrom('orders')
      .select('store_id')
      .where('store_id', 'in', storeIds)
      .where('id', '=', id)
      .executeTakeFirst(),
  );
  return row?.store_id;
}
