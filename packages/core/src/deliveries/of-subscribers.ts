import { sql } from 'kysely';
import * as z from 'zod';
import { audit } from '../audit/entry.ts';
import type { Context } from '../engine/context.ts';
import { refusePublic } from '../engine/public-actor.ts';
import { transact } from '../engine/transaction.ts';
import { eventTypes } from '../events/events.ts';
import { count, once, words } from '../fields/answers.ts';
import { noted } from '../fields/notes.ts';
import { notFound } from '../kernel/errors.ts';
import type { List } from '../kernel/json.ts';
import { paging } from '../kernel/paging.ts';
import { fields, parse } from '../kernel/parse.ts';
import { reading, snapshotOrScan } from '../storage/run.ts';
import type { Db } from '../storage/storage.ts';
import type { DeliveryTable } from '../storage/tables/deliveries.ts';
import { namePattern } from './app-subscribers.ts';
import {
  DeliveryQuery,
  type DeliveryQueryInput,
  deliveryAnswer,
  deliveryPage,
  findDelivery,
  sendAgain,
  toDelivery,
} from './deliveries.ts';
import { appQueue } from './queue.ts';

const nameOfSubscriber = () => words('The name under which the application subscribed.', 'confirmation-mail');

export const subscriberAnswer = once(() =>
  z
    .object({
      name: nameOfSubscriber(),
      events: z
        .array(z.enum(eventTypes))
        .meta({ description: 'The events that it receives, of every store.', examples: [['order.paid']] }),
      waiting: count('Number of events of this store that wait for their first or next attempt.', 0),
      failed: count('Number of events of this store that failed in every attempt, in the last 30 days.', 1),
    })
    .meta({ description: 'A subscriber of the application that embeds the store: a handler of `commerce.on`.' }),
);

/** A subscriber of the application, with what a store has for it. */
export type AppSubscriber = z.output<ReturnType<typeof subscriberAnswer>>;

export const subscriberDeliveryAnswer = once(() =>
  z
    .object({ id: deliveryAnswer().shape.id, subscriber: nameOfSubscriber() })
    .extend(deliveryAnswer().omit({ id: true, webhookId: true }).shape)
    .meta({ description: 'The delivery of one event to a subscriber of the application.' }),
);

/** The delivery of one event to a subscriber of the application. What its handler threw is the `error` of the attempt. */
export type SubscriberDelivery = z.output<ReturnType<typeof subscriberDeliveryAnswer>>;

export const SubscriberQuery = noted(fields(paging), { description: 'The window of a list of subscribers.' });
export type SubscriberQueryInput = z.input<typeof SubscriberQuery>;

/**
 * The subscribers of the application by name, with the number of events of this store that wait for them, and that failed for good.
 * @throws CommerceError `validation` for a window out of range; `forbidden` for a storefront key
 */
export async function listSubscribers(ctx: Context, query: SubscriberQueryInput = {}): Promise<List<AppSubscriber>> {
  refusePublic(ctx);
  const { limit, offset } = parse(SubscriberQuery, query);
  return snapshotOrScan(ctx, async (db, maxRows) => {
    // One row for each name and event, of the application itself.
    const rows = await db.selectFrom('app_subscribers').selectAll().execute();
    const events = new Map<string, Set<string>>();
    for (const { name, event } of rows) events.set(name, (events.get(name) ?? new Set()).add(event));
    const waiting = await countByQueue(db, ctx.store.id, 'pending', maxRows);
    const failed = await countByQueue(db, ctx.store.id, 'failed', maxRows);
    if (!waiting || !failed) return undefined;
    const names = [...events.keys()].sort();
    const items = names.slice(offset, offset + limit).map((name) => ({
      name,
      events: eventTypes.filter((type) => events.get(name)?.has(type)),
      waiting: waiting.get(appQueue + name) ?? 0,
      failed: failed.get(appQueue + name) ?? 0,
    }));
    return { items, total: names.length };
  });
}

/** The store's deliveries of a status by queue, from its partial index; undefined if they are more than `maxRows`. */
async function countByQueue(
  db: Db,
  storeId: string,
  status: 'pending' | 'failed',
  maxRows: number,
): Promise<ReadonlyMap<string, number> | undefined> {
  const all = db
    .selectFrom('deliveries')
    .select('subscriber_id')
    .where('store_id', '=', storeId)
    .where('status', '=', sql.lit(status));
  const rows = await db
    .selectFrom((Number.isFinite(maxRows) ? all.limit(maxRows + 1) : all).as('some'))
    .select((eb) => ['subscriber_id', eb.fn.countAll<number>().as('n')])
    .groupBy('subscriber_id')
    .execute();
  const total = rows.reduce((sum, { n }) => sum + n, 0);
  return total > maxRows ? undefined : new Map(rows.map(({ subscriber_id, n }) => [subscriber_id, n]));
}

/**
 * The deliveries of this store's events to a subscriber of the application, including waiting ones, newest first; kept for 30 days. Those
 * with the status `failed` failed in every attempt; the `error` of each attempt is the message that the handler threw.
 * @param name the name that was given to `commerce.on`
 * @throws CommerceError `notFound`; `validation` for a filter or a window out of range; `forbidden` for a storefront key
 */
export async function listSubscriberDeliveries(
  ctx: Context,
  name: string,
  query: DeliveryQueryInput = {},
): Promise<List<SubscriberDelivery>> {
  refusePublic(ctx);
  const asked = parse(DeliveryQuery, query);
  await reading(ctx.engine.storage, (db) => requireSubscriber(db, name));
  const { items, total } = await deliveryPage(ctx, appQueue + name, asked);
  return { items: items.map((row) => toSubscriberDelivery(name, row)), total };
}

/**
 * Gives an event to a subscriber of the application again, as a new delivery with the same event id. If the delivery still waits for its
 * next attempt, makes that attempt now instead. A process that delivers and has the handler calls it.
 * @throws CommerceError `notFound`; `conflict` if the event is no longer kept; `forbidden` for a storefront key
 */
export async function redeliverToSubscriber(ctx: Context, name: string, id: string): Promise<SubscriberDelivery> {
  refusePublic(ctx);
  return transact(ctx, async (tx) => {
    await requireSubscriber(tx.db, name);
    const row = await findDelivery(tx, appQueue + name, id, tx.db);
    audit(tx, {
      action: 'subscriber.redelivered',
      resourceType: 'subscriber',
      resourceId: name,
      changes: { delivery: id },
    });
    return toSubscriberDelivery(name, await sendAgain(tx, row));
  });
}

/** @throws CommerceError `notFound` */
async function requireSubscriber(db: Db, name: string): Promise<void> {
  // PostgreSQL refuses a text with NUL.
  const known = namePattern.test(name)
    ? await db.selectFrom('app_subscribers').select('name').where('name', '=', name).executeTakeFirst()
    : undefined;
  if (!known) throw notFound('subscriber', name);
}

function toSubscriberDelivery(subscriber: string, row: DeliveryTable): SubscriberDelivery {
  const { id, webhookId: _, ...delivery } = toDelivery(row);
  return { id, subscriber, ...delivery };
}
