import * as z from 'zod';
import type { Context, Engine } from '../../engine/context.ts';
import { once } from '../../fields/answers.ts';
import { CommerceError, invalid } from '../../kernel/errors.ts';
import { isDeeper, maxUnverifiedDepth } from '../../kernel/json.ts';
import type { Settlement } from '../../payments/inbox.ts';
import { outcomes } from '../../payments/inbox.ts';
import { findProvider } from '../../payments/settings.ts';
import type { PaymentNotice } from '../../providers/notice.ts';
import type { Provider, RawNotification } from '../../providers/provider.ts';
import { requireStore } from '../../stores/stores.ts';
import { captureApproved } from '../checkout/capture.ts';
import { applyNotification } from '../settle/apply.ts';
import { completeNotice } from './complete.ts';
import { type NotificationReceived, notificationObservers } from './observers.ts';
import { ownerOf } from './owner.ts';
import { requireReceiver } from './receivers.ts';
import { bringStrays } from './strays.ts';
import { verifyBare, verifyForStore } from './verification.ts';

/** A notification as received over HTTP. */
export interface IncomingNotification {
  headers: RawNotification['headers'];
  /** The raw bytes, or a function that reads them. It is called only if the provider is configured, because notifications are anonymous. */
  body: Buffer | (() => Promise<Buffer>);
}

export const receiverAnswer = once(() =>
  z
    .object({
      received: z.literal(true).meta({ description: 'Verified and stored.', examples: [true] }),
      outcome: z.enum(outcomes).meta({ description: 'The outcome of the notification.', examples: ['paid'] }),
      warning: z.exactOptional(
        z.string().meta({
          description: 'Reason why the money was not applied. Sending the notification again would not help.',
        }),
      ),
    })
    .meta({ description: 'The answer to a payment provider.' }),
);

/** The answer to the provider. A `warning` says why the money was not applied, when sending again would not help. */
export type ReceiverAnswer = z.output<ReturnType<typeof receiverAnswer>>;

export interface ReceiveOptions {
  /** The store named by the address; without it, the secrets of all stores are tried. */
  storeId?: string;
  requestId?: string;
  /** The sender's network address, by which calls to providers are limited when no store is named. */
  address?: string;
}

/**
 * Receives a provider's notification: verifies the raw bytes, reads them, and settles the payment. Without a store, tries the secrets of
 * all stores that configured the provider; an order counts only in a store whose secret matched. Emits the events of the changed order,
 * products and payment.
 * @throws CommerceError `notFound` for an unknown provider or store. `validation` when the signature does not match, the timestamp is more
 * than 300 s off, the provider is not configured or the body is not an event. `insufficientStock` when the order stays pending until stock
 * suffices. `unavailable`.
 */
export async function receiveNotification(
  engine: Engine,
  providerName: string,
  notification: IncomingNotification,
  options: ReceiveOptions = {},
): Promise<ReceiverAnswer> {
  const provider = findProvider(providerName);
  const { headers, body } = notification;
  if (typeof body === 'function') await requireReceiver(engine, provider.name, options.storeId);
  const raw = { headers, body: typeof body === 'function' ? await body() : body };
  const observe = (outcome: NotificationReceived['outcome']) =>
    notificationObservers(engine).tell((observer) =>
      observer.notificationReceived?.({ provider: provider.name, outcome }),
    );
  let settlement: Settlement;
  try {
    settlement = await receive(engine, provider, raw, options);
  } catch (error) {
    observe(isRefusal(error) ? 'refused' : 'error');
    throw error;
  }
  const { outcome, warning, error } = settlement;
  observe(outcome);
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
  { storeId, requestId, address }: ReceiveOptions,
): Promise<Settlement> {
  const named = storeId === undefined ? undefined : await requireStore(engine, storeId);
  const payload = notification.body.toString('utf8');
  const owner = async (storeIds: readonly string[], notice: PaymentNotice) =>
    storeIds.length > 1 ? ownerOf(engine, provider.name, storeIds, notice) : storeIds[0];
  const matching = named
    ? await verifyForStore(engine, provider, notification, named.id)
    : await verifyBare(engine, provider, notification, {
        first: async (storeIds) => {
          const guess = await readUnverified(provider, payload);
          return guess && owner(storeIds, guess);
        },
        address,
      });
  const event = parseEvent(payload);
  const read = await provider.read(event);
  const known = named ? named.id : await owner([...new Set(matching.map(({ storeId }) => storeId))], read);
  const chosen = matching.find(({ storeId }) => storeId === known) ?? matching[0];
  const ctx: Context = {
    engine,
    store: named ?? (await requireStore(engine, chosen.storeId)),
    actor: { type: 'provider', id: provider.name },
    requestId: requestId ?? null,
  };
  if (!named && known !== undefined) {
    const others = [...new Set(matching.map(({ storeId }) => storeId))].filter((id) => id !== known);
    await bringStrays(ctx, provider, read, chosen, others);
  }
  const notice = await completeNotice(ctx, provider, read, event, chosen);
  const settlement = await applyNotification(ctx, provider.name, notice, payload, chosen);
  if (notice.kind === 'link' && notice.approves) await captureApproved(ctx, provider.name, notice, chosen.settings);
  return settlement;
}

function parseEvent(payload: string): unknown {
  try {
    return JSON.parse(payload);
  } catch {
    throw invalid('body', 'must be JSON', { code: 'WRONG_TYPE' });
  }
}

/** Reads an unverified body, which only decides whose secret is tried first. */
async function readUnverified(provider: Provider<unknown>, payload: string): Promise<PaymentNotice | undefined> {
  if (isDeeper(Buffer.from(payload), maxUnverifiedDepth)) return undefined;
  try {
    return await provider.read(parseEvent(payload));
  } catch {
    return undefined;
  }
}
