import { sql } from 'kysely';
import * as z from 'zod';
import { audit } from '../audit/entry.ts';
import type { Context, TxContext } from '../engine/context.ts';
import { refusePublic } from '../engine/public-actor.ts';
import { refuseInUnit, transact } from '../engine/transaction.ts';
import { eventTypes } from '../events/events.ts';
import { count, id, once, optionalTime, time } from '../fields/answers.ts';
import { exampleIds } from '../fields/example-ids.ts';
import { noted } from '../fields/notes.ts';
import { breathe } from '../kernel/breathe.ts';
import { toTimestamp } from '../kernel/clock.ts';
import { CommerceError, notFound, quote } from '../kernel/errors.ts';
import { isId, minId } from '../kernel/ids.ts';
import type { List } from '../kernel/json.ts';
import { maxReplayed } from '../kernel/limits.ts';
import { paging } from '../kernel/paging.ts';
import { fields, flag, oneOf, parse } from '../kernel/parse.ts';
import { boundedPage } from '../resources/bounded.ts';
import { reading, snapshotOrScan } from '../storage/run.ts';
import type { Db } from '../storage/storage.ts';
import type { DeliveryTable } from '../storage/tables/deliveries.ts';
import { requireReadScopes } from '../webhooks/permission.ts';
import { lockActiveWebhook, requireWebhook } from '../webhooks/webhooks.ts';
import { storeEvents } from './outbox.ts';
import { queueAgain } from './queue.ts';
import { keptFor } from './retention.ts';
import { attemptAnswer } from './subscriber.ts';
import { grownQueues } from './wake.ts';

export const deliveryStatuses = ['pending', 'succeeded', 'failed', 'cancelled'] as const;

/** The event that `testWebhook` sends; no client can subscribe to it. */
export const testEvent = 'webhook.test';

export const deliveryAnswer = once(() =>
  z
    .object({
      id: id('The id, a UUIDv7.', '0193d3f6-8f08-77ce-80a1-b638495f6280'),
      webhookId: id('The subscription.', exampleIds.webhook),
      eventId: id('The `id` that the subscriber receives, the same on every copy.', exampleIds.event),
      event: z
        .enum([...eventTypes, testEvent])
        .meta({ description: 'The type of the event.', examples: ['order.paid'] }),
      status: z.enum(deliveryStatuses).meta({ description: 'The state of the delivery.', examples: ['pending'] }),
      attempts: z.array(attemptAnswer()).meta({ description: 'The attempts so far, oldest first.' }),
      nextAttemptAt: optionalTime('Time of the next attempt, UTC; null when none follows.'),
      createdAt: time('Time of queueing, UTC.'),
    })
    .meta({ description: 'The delivery of one event to one subscription.' }),
);

/** The delivery of one event to one subscription, as all interfaces answer it. */
export type Delivery = z.output<ReturnType<typeof deliveryAnswer>>;

export const DeliveryQuery = noted(
  fields({
    ...paging,
    /** Deliveries of this status. */
    status: oneOf(deliveryStatuses).optional().describe('Deliveries of this status.'),
    /** Deliveries of this event. */
    event: oneOf([...eventTypes, testEvent])
      .optional()
      .describe('Deliveries of this event.'),
  }),
  {
    description: 'Filters of a list of deliveries.',
  },
);
export type DeliveryQueryInput = z.input<typeof DeliveryQuery>;

/**
 * The deliveries of a subscription, including waiting ones, newest first; kept for 30 days.
 * @throws CommerceError `notFound`; `validation` for a filter or a window out of range
 */
export async function listDeliveries(
  ctx: Context,
  webhookId: string,
  query: DeliveryQueryInput = {},
): Promise<List<Delivery>> {
  const asked = parse(DeliveryQuery, query);
  await requireWebhook(ctx, webhookId);
  const { items, total } = await deliveryPage(ctx, webhookId, asked);
  return { items: items.map(toDelivery), total };
}

/** The deliveries of one queue, newest first. */
export function deliveryPage(
  ctx: Context,
  subscriberId: string,
  { limit, offset, status, event }: z.output<typeof DeliveryQuery>,
): Promise<List<DeliveryTable>> {
  return snapshotOrScan(ctx, async (db, maxRows) => {
    const among = db
      .selectFrom('deliveries')
      .where('store_id', '=', ctx.store.id)
      .where('subscriber_id', '=', subscriberId);
    let matches = among;
    if (status) matches = matches.where('status', '=', status);
    if (event) matches = matches.where('event', '=', event);
    const page = await boundedPage(db, { among, matches }, { limit, offset }, ['id'], maxRows);
    const items = await page?.rows.selectAll().execute();
    return page && items && { items, total: page.total };
  });
}

/**
 * The deliveries to all subscriptions of the store, newest first.
 * @throws CommerceError `validation` for a filter or a window out of range
 */
export async function listAllDeliveries(ctx: Context, query: DeliveryQueryInput = {}): Promise<List<Delivery>> {
  refusePublic(ctx);
  const { limit, offset, status, event } = parse(DeliveryQuery, query);
  return snapshotOrScan(ctx, async (db, maxRows) => {
    const toWebhooks = db
      .selectFrom('deliveries')
      .where('store_id', '=', ctx.store.id)
      .where('subscriber_id', 'not like', 'app:%');
    // A literal, so both engines see that a partial index leads to the few that failed or wait.
    const among = status ? toWebhooks.where('status', '=', sql.lit(status)) : toWebhooks;
    const matches = event ? among.where('event', '=', event) : among;
    const page = await boundedPage(db, { among, matches }, { limit, offset }, ['id'], maxRows);
    const rows = await page?.rows.selectAll().execute();
    return page && rows && { items: rows.map(toDelivery), total: page.total };
  });
}

/**
 * Sends an event to a subscription again, as a new delivery with the same event id. If the delivery still waits for its next attempt, makes
 * that attempt now instead.
 * @throws CommerceError `notFound`; `forbidden` if the actor is a key without read access to the events' resources; `conflict` if the
 * subscription is switched off, its key was revoked or has expired, or the event is no longer kept
 */
export async function redeliver(ctx: Context, webhookId: string, id: string): Promise<Delivery> {
  return transact(ctx, async (tx) => {
    await lockActiveWebhook(tx, webhookId);
    const row = await findDelivery(tx, webhookId, id, tx.db);
    // Also checked for this event, because the subscription might no longer include it.
    if (row.event !== testEvent) requireReadScopes(tx, [row.event]);
    audit(tx, {
      action: 'webhook.redelivered',
      resourceType: 'webhook',
      resourceId: webhookId,
      changes: { delivery: id },
    });
    return toDelivery(await sendAgain(tx, row));
  });
}

/**
 * Queues the event of a delivery again, or makes the next attempt of a waiting delivery now.
 * @throws CommerceError `conflict` if the event is no longer kept
 */
export async function sendAgain(tx: TxContext, row: DeliveryTable): Promise<DeliveryTable> {
  if (row.status === 'pending') {
    // A delivery that is being sent is left to that attempt.
    const isFree = row.locked_until === null || row.locked_until <= tx.now;
    const hurried = isFree ? { ...row, due_at: tx.now, locked_until: null } : row;
    await tx.db
      .updateTable('deliveries')
      .set({ due_at: hurried.due_at, locked_until: hurried.locked_until })
      .where('store_id', '=', tx.store.id)
      .where('id', '=', row.id)
      .execute();
    grownQueues(tx).add(row.subscriber_id);
    return hurried;
  }
  const event = await tx.db
    .selectFrom('events')
    .select(['id', 'type'])
    .where('store_id', '=', tx.store.id)
    .where('id', '=', row.event_id)
    .executeTakeFirst();
  if (!event) {
    throw new CommerceError('conflict', `the event ${quote(row.event_id)} was deleted: events are kept for 30 days`, {
      reason: 'eventDeleted',
    });
  }
  const [again] = await queueAgain(tx, row.subscriber_id, [event]);
  return again as DeliveryTable;
}

/**
 * Sends a subscription an event of the type `webhook.test`, with the subscription's id and URL as its data, to try out the receiver.
 * @throws CommerceError `notFound`, `forbidden`, `conflict` like `redeliver`
 */
export async function testWebhook(ctx: Context, webhookId: string): Promise<Delivery> {
  return transact(ctx, async (tx) => {
    const row = await lockActiveWebhook(tx, webhookId);
    const event = { id: tx.engine.ids.next(tx.now), type: testEvent };
    const data = { webhookId, url: row.url, message: 'A test event. Your endpoint is reachable.' };
    await storeEvents(tx, [{ ...event, resourceId: webhookId, json: JSON.stringify(data) }]);
    audit(tx, { action: 'webhook.tested', resourceType: 'webhook', resourceId: webhookId });
    const [delivery] = await queueAgain(tx, webhookId, [event]);
    return toDelivery(delivery as DeliveryTable);
  });
}

export const ReplayFields = noted(
  fields({
    /** A time with its zone; events are kept for 30 days. */
    since: z.iso
      .datetime({ offset: true, error: 'must be a time such as "2026-11-20T08:00:00Z"' })
      .meta({ description: 'A time with its zone; events are kept for 30 days.', examples: ['2026-11-20T08:00:00Z'] }),
    /** Includes events that were already delivered. */
    all: flag.default(false).describe('Includes events that were already delivered.'),
  }),
  {
    description: 'The events to replay.',
    example: { since: '2026-11-20T08:00:00Z' },
  },
);
export type ReplayInput = z.input<typeof ReplayFields>;

const batch = 500;

/**
 * Queues the undelivered events of a subscription since a time: events it missed while it was switched off, failing or not created yet.
 * Events already waiting are not queued twice.
 * @returns the number of queued events, up to `maxReplayed`; the next replay continues after them
 * @throws CommerceError `validation`; `notFound`, `forbidden`, `conflict` like `redeliver`
 */
export async function replayWebhook(ctx: Context, webhookId: string, input: ReplayInput): Promise<{ queued: number }> {
  refuseInUnit(ctx.engine, 'replayWebhook runs many transactions');
  const { since, all } = parse(ReplayFields, input);
  // Without `once`, because no single transaction has the answer. A copy of the request finds these events already waiting.
  const { once: _, ...each } = ctx;
  const { clock } = ctx.engine;
  const from = Math.max(Date.parse(since), clock.now() - keptFor);
  await transact(each, async (tx) => void (await lockActiveWebhook(tx, webhookId)));
  // Later events reach the subscription anyway. Ids can be ahead of the clock, so the start of later events cannot be found by time.
  const newest = await newestEvent(ctx);
  let queued = 0;
  for (let after = minId(from); after < newest && queued < maxReplayed; await breathe()) {
    const stretch = await nextStretch(ctx, webhookId, { after, newest });
    if (stretch.last === null) break;
    const upTo = stretch.last;
    if (stretch.wanted > 0) {
      const done = await transact(each, async (tx) => {
        await lockActiveWebhook(tx, webhookId);
        const events = await missedEvents(tx, webhookId, { after, upTo, all }, maxReplayed - queued);
        if (events.length === 0) return 0;
        await queueAgain(tx, webhookId, events);
        audit(tx, {
          action: 'webhook.replayed',
          resourceType: 'webhook',
          resourceId: webhookId,
          changes: { since, all, queued: events.length },
        });
        return events.length;
      });
      queued += done;
    }
    after = upTo;
  }
  return { queued };
}

const wantedTypes = (db: Db, storeId: string, webhookId: string) =>
  db.selectFrom('webhook_events').select('event').where('store_id', '=', storeId).where('webhook_id', '=', webhookId);

/** Id of the store's newest event; empty if it has none. */
async function newestEvent({ engine: { storage }, store }: Context): Promise<string> {
  const row = await reading(storage, (db) =>
    db
      .selectFrom('events')
      .select('id')
      .where('store_id', '=', store.id)
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst(),
  );
  return row?.id ?? '';
}

/**
 * The next events of the store of any type: the number that the subscription wants, and the last id. A store can have many more events than
 * a subscription wants, and no index leads to the events of a type.
 */
function nextStretch(
  { engine: { storage }, store }: Context,
  webhookId: string,
  { after, newest }: { after: string; newest: string },
): Promise<{ last: string | null; wanted: number }> {
  return reading(storage, (db) =>
    db
      .selectFrom(
        db
          .selectFrom('events')
          .select(['id', 'type'])
          .where('store_id', '=', store.id)
          .where('id', '>', after)
          .where('id', '<=', newest)
          .orderBy('id')
          .limit(batch)
          .as('stretch'),
      )
      .select((eb) => [
        eb.fn.max<string | null>('id').as('last'),
        eb.fn
          .count<number>(
            eb
              .case()
              .when('type', 'in', wantedTypes(db, store.id, webhookId))
              .then(1)
              .end(),
          )
          .as('wanted'),
      ])
      .executeTakeFirstOrThrow(),
  );
}

function missedEvents(
  tx: TxContext,
  webhookId: string,
  { after, upTo, all }: { after: string; upTo: string; all: boolean },
  max: number,
): Promise<{ id: string; type: string }[]> {
  return tx.db
    .selectFrom('events')
    .select(['id', 'type'])
    .where('store_id', '=', tx.store.id)
    .where('id', '>', after)
    .where('id', '<=', upTo)
    .where('type', 'in', wantedTypes(tx.db, tx.store.id, webhookId))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('deliveries')
            .select('deliveries.id')
            .where('deliveries.store_id', '=', tx.store.id)
            .where('deliveries.subscriber_id', '=', webhookId)
            .whereRef('deliveries.event_id', '=', 'events.id')
            .where('deliveries.status', 'in', all ? ['pending'] : ['pending', 'succeeded']),
        ),
      ),
    )
    .orderBy('id')
    .limit(max)
    .execute();
}

/** @throws CommerceError `notFound` */
export async function findDelivery(
  ctx: Context,
  webhookId: string,
  id: string,
  db = ctx.engine.storage.reads,
): Promise<DeliveryTable> {
  const row = isId(id)
    ? await reading(ctx.engine.storage, () =>
        db
          .selectFrom('deliveries')
          .selectAll()
          .where('store_id', '=', ctx.store.id)
          .where('id', '=', id)
          .where('subscriber_id', '=', webhookId)
          .executeTakeFirst(),
      )
    : undefined;
  if (!row) throw notFound('delivery', id);
  return row;
}

export function toDelivery(row: DeliveryTable): Delivery {
  return {
    id: row.id,
    webhookId: row.subscriber_id,
    eventId: row.event_id,
    event: row.event as Delivery['event'],
    status: row.status as Delivery['status'],
    attempts: JSON.parse(row.log),
    nextAttemptAt: row.due_at === null ? null : toTimestamp(row.due_at),
    createdAt: toTimestamp(row.created_at),
  };
}

export const replayAnswer = once(() =>
  z.object({ queued: count('Number of queued events.', 12) }).meta({ description: 'The result of a replay.' }),
);
