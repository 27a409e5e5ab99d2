import { randomBytes } from 'node:crypto';
import { changedFields } from '../audit/audit.ts';
import { audit } from '../audit/entry.ts';
import type { Context, Engine, TxContext } from '../engine/context.ts';
import { refusePublic } from '../engine/public-actor.ts';
import { transact, type UniqueRules } from '../engine/transaction.ts';
import { type EventType, eventTypes } from '../events/events.ts';
import { toTimestamp } from '../kernel/clock.ts';
import { CommerceError, notFound } from '../kernel/errors.ts';
import { isId } from '../kernel/ids.ts';
import { type List, toJson } from '../kernel/json.ts';
import { maxRetries, maxWebhooks } from '../kernel/limits.ts';
import { parse } from '../kernel/parse.ts';
import { masked } from '../kernel/secrets.ts';
import { requireVersion } from '../resources/versions.ts';
import { lockRows } from '../storage/locks.ts';
import { reading, snapshot } from '../storage/run.ts';
import type { WebhookTable } from '../storage/tables/webhooks.ts';
import { endedSubscriptions } from './ended-subscriptions.ts';
import {
  RotationFields,
  type RotationInput,
  type Webhook,
  type WebhookChanges,
  type WebhookInput,
  WebhookQuery,
  type WebhookQueryInput,
  webhookSchemas,
} from './fields.ts';
import { keyOf, requireLivingKey, requireReadScopes } from './permission.ts';
import { openedSecret, overlap, sealedSecret } from './sealed-secrets.ts';

/**
 * Subscribes an address to events. If no secret is given, creates one in the form of Standard Webhooks (`whsec_` and base64).
 * @throws CommerceError `validation`; `forbidden` when the actor is a key without read access to the events' resources; `conflict` when the
 * store already has a subscription of that address, or `maxWebhooks` subscriptions.
 */
export async function createWebhook(ctx: Context, input: WebhookInput): Promise<Webhook> {
  refusePublic(ctx);
  const given = parse(webhookSchemas(ctx).create, input);
  requireReadScopes(ctx, given.events);
  return transact(
    ctx,
    async (tx) => {
      await refuseTooMany(tx);
      const id = { store_id: tx.store.id, id: tx.engine.ids.next(tx.now) };
      const row: WebhookTable = {
        ...id,
        url: given.url,
        secret: sealedSecret(tx.engine, id, given.secret ?? newSecret()),
        previous_secret: null,
        previous_until: null,
        is_active: given.isActive === false ? 0 : 1,
        disabled_reason: null,
        signature_format: given.signatureFormat ?? 'sha256',
        retries: given.retries ?? maxRetries,
        failing_since: null,
        last_triggered_at: null,
        key_id: keyOf(tx),
        created_at: tx.now,
        updated_at: tx.now,
      };
      await tx.db.insertInto('webhooks').values(row).execute();
      await replaceEvents(tx, row.id, given.events);
      audit(tx, {
        action: 'webhook.created',
        resourceType: 'webhook',
        resourceId: row.id,
        changes: { url: row.url, events: given.events },
      });
      return toWebhook(tx.engine, row, given.events);
    },
    uniqueUrl(given.url),
  );
}

/**
 * Changes a subscription. Switching it off cancels its waiting deliveries.
 * @throws CommerceError `validation`, `notFound`; `forbidden` as for `createWebhook`; `conflict` when another subscription has
 * the address.
 */
export async function updateWebhook(ctx: Context, id: string, input: WebhookChanges): Promise<Webhook> {
  const given = parse(webhookSchemas(ctx).update, input);
  return transact(
    ctx,
    async (tx) => {
      const before = await lockWebhook(tx, id);
      const secret = openedSecret(tx.engine, before.row);
      // A client that was shown the masked secret can send it back, which is not a change.
      const secretChanged = given.secret !== undefined && given.secret !== masked(secret) && given.secret !== secret;
      const switchedOn = given.isActive === true && before.row.is_active === 0;
      const row: WebhookTable = {
        ...before.row,
        url: given.url ?? before.row.url,
        ...(secretChanged
          ? {
              secret: sealedSecret(tx.engine, before.row, given.secret ?? ''),
              previous_secret: null,
              previous_until: null,
            }
          : {}),
        is_active: given.isActive === undefined ? before.row.is_active : given.isActive ? 1 : 0,
        ...(switchedOn ? { disabled_reason: null, failing_since: null } : {}),
        signature_format: given.signatureFormat ?? before.row.signature_format,
        retries: given.retries ?? before.row.retries,
      };
      const names = given.events ?? before.events;
      requireReadScopes(tx, names);
      const changes = changedFields(
        { ...toWebhook(tx.engine, before.row, before.events), secret: undefined },
        { ...toWebhook(tx.engine, row, names), secret: undefined },
      );
      row.key_id = keyOf(tx);
      if (Object.keys(changes).length === 0 && !secretChanged) {
        // Saving it unchanged records the new key, which no answer shows.
        if (row.key_id !== before.row.key_id) await writeRow(tx, row);
        return toWebhook(tx.engine, before.row, before.events);
      }
      row.updated_at = tx.now;
      await writeRow(tx, row);
      if (changes.events) await replaceEvents(tx, id, names);
      if (row.is_active === 0) endedSubscriptions(tx).add(id);
      audit(tx, {
        action: 'webhook.updated',
        resourceType: 'webhook',
        resourceId: id,
        changes: secretChanged ? { ...changes, secret: 'changed' } : changes,
      });
      return toWebhook(tx.engine, row, names);
    },
    uniqueUrl(given.url),
  );
}

/**
 * Replaces a subscription's secret by the given one or a new one. For 24 hours `webhook-signature` carries a signature of each, to give the
 * receiver time to change over. `X-Webhook-Signature` uses the new one at once.
 * @throws CommerceError `notFound`, `validation`; `forbidden` when the key lacks a read scope of its events
 */
export async function rotateWebhookSecret(ctx: Context, id: string, input: RotationInput = {}): Promise<Webhook> {
  const given = parse(RotationFields, input);
  return transact(ctx, async (tx) => {
    const { row: before, events } = await lockWebhook(tx, id);
    // Like a change of the address: a caller that knows the secret can forge events that the receiver accepts as the shop's.
    requireReadScopes(tx, events);
    const secret = given.secret ?? newSecret();
    const row: WebhookTable = {
      ...before,
      secret: sealedSecret(tx.engine, before, secret),
      previous_secret: before.secret,
      previous_until: tx.now + overlap,
      updated_at: tx.now,
    };
    await writeRow(tx, row);
    audit(tx, {
      action: 'webhook.updated',
      resourceType: 'webhook',
      resourceId: id,
      changes: { secret: 'rotated' },
    });
    return toWebhook(tx.engine, row, events);
  });
}

function newSecret(): string {
  return `whsec_${randomBytes(24).toString('base64')}`;
}

async function writeRow(tx: TxContext, row: WebhookTable): Promise<void> {
  const { store_id, id, created_at: _, last_triggered_at: __, ...changed } = row;
  await tx.db.updateTable('webhooks').set(changed).where('store_id', '=', store_id).where('id', '=', id).execute();
}

/**
 * Deletes a subscription and cancels its waiting deliveries.
 * @throws CommerceError `notFound`
 */
export async function deleteWebhook(ctx: Context, id: string): Promise<void> {
  await transact(ctx, async (tx) => {
    const { row } = await lockWebhook(tx, id);
    await replaceEvents(tx, id, []);
    await tx.db.deleteFrom('webhooks').where('store_id', '=', tx.store.id).where('id', '=', id).execute();
    audit(tx, { action: 'webhook.deleted', resourceType: 'webhook', resourceId: id, changes: { url: row.url } });
    endedSubscriptions(tx).add(id);
  });
}

/** @throws CommerceError `notFound` */
export async function getWebhook(ctx: Context, id: string): Promise<Webhook> {
  refusePublic(ctx);
  if (!isId(id)) throw notFound('webhook', id);
  const [webhook] = (await findWebhooks(ctx, { id })).items;
  if (!webhook) throw notFound('webhook', id);
  return webhook;
}

/** The store's subscriptions, newest first. */
export async function listWebhooks(ctx: Context, query: WebhookQueryInput = {}): Promise<List<Webhook>> {
  refusePublic(ctx);
  return findWebhooks(ctx, parse(WebhookQuery, query));
}

async function findWebhooks(
  ctx: Context,
  wanted: { id: string } | { limit: number; offset: number },
): Promise<List<Webhook>> {
  return snapshot(ctx.engine.storage, async (db) => {
    const ofStore = db.selectFrom('webhooks').where('store_id', '=', ctx.store.id);
    const { total } = await ofStore.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
    const newest = ofStore.selectAll().orderBy('created_at', 'desc').orderBy('id', 'desc');
    const rows = await ('id' in wanted
      ? newest.where('id', '=', wanted.id)
      : newest.limit(wanted.limit).offset(wanted.offset)
    ).execute();
    if (rows.length === 0) return { items: [], total };
    const names = await db
      .selectFrom('webhook_events')
      .select(['webhook_id', 'event'])
      .where('store_id', '=', ctx.store.id)
      .where(
        'webhook_id',
        'in',
        rows.map((row) => row.id),
      )
      .execute();
    const items = rows.map((row) => {
      const events = inOrder(names.filter((name) => name.webhook_id === row.id));
      return shownTo(ctx, toWebhook(ctx.engine, row, events));
    });
    return { items, total };
  });
}

/** @throws CommerceError `notFound` */
export async function requireWebhook(ctx: Context, id: string): Promise<void> {
  refusePublic(ctx);
  const row = isId(id)
    ? await reading(ctx.engine.storage, (db) =>
        db
          .selectFrom('webhooks')
          .select('id')
          .where('store_id', '=', ctx.store.id)
          .where('id', '=', id)
          .executeTakeFirst(),
      )
    : undefined;
  if (!row) throw notFound('webhook', id);
}

/** @throws CommerceError `conflict` when the store has `maxWebhooks` subscriptions */
async function refuseTooMany(tx: TxContext): Promise<void> {
  // Locked, because two transactions counting at once would each miss the other's subscription.
  await tx.engine.storage.lockName(tx.db, `webhooks ${tx.store.id}`);
  const { n } = await tx.db
    .selectFrom('webhooks')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('store_id', '=', tx.store.id)
    .executeTakeFirstOrThrow();
  if (n < maxWebhooks) return;
  throw new CommerceError(
    'conflict',
    `the store has ${n} webhook subscriptions, the maximum is ${maxWebhooks}: delete one that is not needed`,
    { reason: 'tooMany' },
  );
}

/**
 * Locks a subscription to which the actor wants events to be sent.
 * @throws CommerceError `notFound`; `forbidden` when the actor is a key without read access to its events' resources; `conflict` when it is
 * switched off, or its recorded key was revoked or has expired
 */
export async function lockActiveWebhook(tx: TxContext, id: string): Promise<WebhookTable> {
  const { row, events } = await lockWebhook(tx, id);
  requireReadScopes(tx, events);
  await requireLivingKey(tx, row);
  if (row.is_active === 1) return row;
  const why = row.disabled_reason === null ? '' : ` (${row.disabled_reason})`;
  throw new CommerceError(
    'conflict',
    `the subscription is switched off${why}: switch it on first with isActive: true`,
    { reason: 'webhookInactive' },
  );
}

async function lockWebhook(tx: TxContext, id: string): Promise<{ row: WebhookTable; events: EventType[] }> {
  if (!isId(id)) throw notFound('webhook', id);
  const row = await lockRows(
    tx.db,
    tx.db.selectFrom('webhooks').selectAll().where('store_id', '=', tx.store.id).where('id', '=', id),
  ).executeTakeFirst();
  if (!row) throw notFound('webhook', id);
  const names = await tx.db
    .selectFrom('webhook_events')
    .select('event')
    .where('store_id', '=', tx.store.id)
    .where('webhook_id', '=', id)
    .execute();
  const events = inOrder(names);
  requireVersion(tx, id, () => toJson(shownTo(tx, toWebhook(tx.engine, row, events))));
  return { row, events };
}

async function replaceEvents(tx: TxContext, webhookId: string, events: readonly EventType[]): Promise<void> {
  await tx.db
    .deleteFrom('webhook_events')
    .where('store_id', '=', tx.store.id)
    .where('webhook_id', '=', webhookId)
    .execute();
  if (events.length === 0) return;
  await tx.db
    .insertInto('webhook_events')
    .values(events.map((event) => ({ store_id: tx.store.id, event, webhook_id: webhookId })))
    .execute();
}

function inOrder(rows: readonly { event: string }[]): EventType[] {
  const names = new Set(rows.map((row) => row.event));
  return eventTypes.filter((type) => names.has(type));
}

/** The subscription as shown to the actor: the whole secret requires `webhook.write`. */
function shownTo({ actor }: Context, webhook: Webhook): Webhook {
  const visible = actor.scopes === undefined || actor.scopes.has('webhook.write');
  return visible ? webhook : { ...webhook, secret: masked(webhook.secret) };
}

function toWebhook(engine: Engine, row: WebhookTable, events: EventType[]): Webhook {
  return {
    id: row.id,
    storeId: row.store_id,
    url: row.url,
    events,
    secret: openedSecret(engine, row),
    isActive: row.is_active === 1,
    disabledReason: row.disabled_reason,
    signatureFormat: row.signature_format,
    retries: row.retries,
    lastTriggeredAt: row.last_triggered_at === null ? null : toTimestamp(row.last_triggered_at),
    createdAt: toTimestamp(row.created_at),
    updatedAt: toTimestamp(row.updated_at),
  };
}

function uniqueUrl(url: string | undefined): UniqueRules {
  return { 'webhooks.url': { field: 'url', value: url, taken: 'already has a subscription in this store' } };
}
