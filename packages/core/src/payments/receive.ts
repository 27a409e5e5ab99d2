import type { Context, Engine } from '../context.ts';
import { CommerceError, invalid } from '../errors.ts';
import type { NotificationReceived } from '../observers.ts';
import { orderExists } from '../orders/orders.ts';
import { requireStore } from '../stores/stores.ts';
import { reading } from '../transaction.ts';
import { applyNotification } from './apply.ts';
import { type Applied, type Outcome, wasSettled } from './inbox.ts';
import { orderIdOf, type PaymentNotice, type Provider, type RawNotification } from './provider.ts';
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
  const tell = (outcome: NotificationReceived['outcome']) =>
    engine.observers.notificationReceived({ provider: provider.name, outcome });
  let applied: Applied;
  try {
    applied = await receive(engine, provider, notification, options);
  } catch (error) {
    tell(isRefusal(error) ? 'refused' : 'error');
    throw error;
  }
  const { outcome, warning, error } = applied;
  tell(outcome);
  if (error) throw error;
  return warning === null ? { received: true, outcome } : { received: true, outcome, warning };
}

function isRefusal(error: unknown): boolean {
  return error instanceof CommerceError && (error.kind === 'validation' || error.kind === 'notFound');
}

async function receive(
  engine: Engine,
  provider: Provider<unknown>,
  notification: RawNotification,
  options: { storeId?: string; requestId?: string },
): Promise<Applied> {
  const { storeId } = options;
  const named = storeId === undefined ? undefined : await requireStore(engine, storeId);
  const configured = await providerSettings(engine, provider.name, storeId);
  if (configured.length === 0) {
    throw new CommerceError(
      'validation',
      `${provider.name} is not configured: set its secret with \`commerce payments configure\``,
    );
  }
  const matching = await verified(engine, provider, notification, configured);
  const [first] = matching;
  if (!first) {
    throw new CommerceError(
      'validation',
      'the signature does not match the body and the configured secret, or its time is more than 5 minutes off',
    );
  }
  const payload = notification.body.toString('utf8');
  const event = parseEvent(payload);
  const read = await provider.read(event);
  const owner = matching.length > 1 ? await storeOfOrder(engine, matching, orderIdOf(read)) : undefined;
  const chosen = matching.find(({ storeId }) => storeId === owner) ?? first;
  const store = named ?? (await requireStore(engine, chosen.storeId));
  const ctx: Context = {
    engine,
    store,
    actor: { type: 'provider', id: provider.name },
    requestId: options.requestId ?? null,
  };
  const notice = await completeNotice(ctx, provider, read, event, chosen.settings);
  return applyNotification(ctx, provider.name, notice, payload);
}

/**
 * The settings that the notification is verified with.
 * @throws CommerceError `unavailable` when none matches and one could not be asked about
 */
async function verified(
  engine: Engine,
  provider: Provider<unknown>,
  notification: RawNotification,
  candidates: readonly StoreSettings[],
): Promise<StoreSettings[]> {
  const now = engine.clock.now();
  // At once: where the provider has to be asked, one that does not answer should not make the others wait.
  const verdicts = await Promise.allSettled(
    candidates.map(({ settings }) => provider.verify(notification, settings, now)),
  );
  const matching = candidates.filter((_, i) => {
    const verdict = verdicts[i];
    return verdict?.status === 'fulfilled' && verdict.value;
  });
  const failed = verdicts.find((verdict) => verdict.status === 'rejected');
  if (matching.length === 0 && failed) throw failed.reason;
  return matching;
}

/** The notice of a success, with what the provider tells only when asked; unless all of it was settled before. */
export async function completeNotice(
  ctx: Context,
  provider: Provider<unknown>,
  notice: PaymentNotice,
  event: unknown,
  settings: unknown,
): Promise<PaymentNotice> {
  if (!provider.complete || notice.kind !== 'succeeded') return notice;
  const { storage, clock } = ctx.engine;
  const orderId = orderIdOf(notice);
  const { settled, unknownOrder } = await reading(storage, async (db) => ({
    settled: await wasSettled(db, ctx.store.id, provider.name, notice.eventId),
    unknownOrder: orderId !== null && !(await orderExists(db, ctx.store.id, orderId)),
  }));
  return settled ? notice : provider.complete(notice, event, settings, { unknownOrder, now: clock.now() });
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
