import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { AddressGuard } from '../address-guard.ts';
import { changedFields } from '../audit/audit.ts';
import { toTimestamp } from '../clock.ts';
import { audit, type Context, type TxContext } from '../context.ts';
import { notFound } from '../errors.ts';
import { type EventType, eventTypes, expandEvents } from '../events/events.ts';
import { isId } from '../ids.ts';
import { type List, toJson } from '../json.ts';
import { paging } from '../paging.ts';
import { fields, flag, parse, text } from '../parse.ts';
import { lockRows } from '../storage/locks.ts';
import { refuseDuplicates } from '../storage/unique.ts';
import { reading, transact } from '../transaction.ts';
import { requireVersion } from '../versions.ts';
import { cancelDeliveries } from './queue.ts';
import type { WebhookTable } from './table.ts';

/** A subscription as it is answered. */
export interface Webhook {
  id: string;
  storeId: string;
  url: string;
  /** Wildcards are expanded when the subscription is saved. */
  events: EventType[];
  /** Whole when it was just made and to keys with `webhook.write`; otherwise only its last four characters. */
  secret: string;
  isActive: boolean;
  /** The last successful delivery. */
  lastTriggeredAt: string | null;
  createdAt: string;
  updatedAt: string;
}

const events = z
  .array(z.string('must be a text'), 'must be a list of event names')
  .min(1, 'must name at least one event')
  .transform((entries, check) => {
    const unknown = entries.findIndex((entry) => expandEvents([entry]) === undefined);
    if (unknown === -1) return expandEvents(entries) ?? [];
    const message = `must be event names or <resource>.*; there are ${eventTypes.join(', ')}`;
    check.addIssue({ code: 'custom', message, input: entries[unknown] });
    return z.NEVER;
  });

/** The input schemas for where webhooks may be sent: what the guard lets through, or anywhere. */
export function webhookFields(guard: AddressGuard | null) {
  const expected = `must be an ${guard ? '' : 'http or '}https address without user name and password`;
  const url = text(2048, 1).transform((value, check) => {
    const refuse = (message: string) => {
      check.addIssue({ code: 'custom', message, input: value });
      return z.NEVER;
    };
    const parsed = URL.canParse(value) ? new URL(value) : undefined;
    const scheme = parsed?.protocol === 'https:' || (guard === null && parsed?.protocol === 'http:');
    if (!parsed || !scheme || parsed.username || parsed.password) return refuse(expected);
    const reason = guard?.refuseHost(parsed.hostname);
    if (reason !== undefined) return refuse(`must be on the public internet: ${reason}`);
    // One host has one name here, and the fragment is never sent: two spellings of an address are one subscription.
    parsed.hostname = parsed.hostname.replace(/\.$/, '');
    parsed.hash = '';
    return parsed.href;
  });
  const update = fields({
    url,
    events,
    secret: text(255, 16),
    isActive: flag,
  }).partial();
  return { update, create: update.required({ url: true, events: true }) };
}

type Schemas = ReturnType<typeof webhookFields>;
const made = new WeakMap<object, Schemas>();

/** The schemas for where an engine lets webhooks go; made once, for a Zod schema compiles on its first use. */
function schemas({ engine }: Context): Schemas {
  const known = made.get(engine) ?? webhookFields(engine.webhookGuard);
  made.set(engine, known);
  return known;
}

export type WebhookInput = z.input<Schemas['create']>;
export type WebhookChanges = z.input<Schemas['update']>;

/**
 * Subscribes an address to events. A secret is made when none is given, in the form of Standard Webhooks (`whsec_` and
 * base64).
 * @throws CommerceError `validation`; `conflict` when the store already has a subscription of that address.
 */
export async function createWebhook(ctx: Context, input: WebhookInput): Promise<Webhook> {
  const given = parse(schemas(ctx).create, input);
  return uniqueUrl(ctx, given.url, () =>
    transact(ctx, async (tx) => {
      const row: WebhookTable = {
        store_id: tx.store.id,
        id: tx.engine.ids.next(tx.now),
        url: given.url,
        secret: given.secret ?? `whsec_${randomBytes(24).toString('base64')}`,
        is_active: given.isActive === false ? 0 : 1,
        last_triggered_at: null,
        created_at: tx.now,
        updated_at: tx.now,
      };
      await tx.db.insertInto('webhooks').values(row).execute();
      await writeEvents(tx, row.id, given.events);
      audit(tx, {
        action: 'webhook.created',
        resourceType: 'webhook',
        resourceId: row.id,
        changes: { url: row.url, events: given.events },
      });
      return toWebhook(row, given.events);
    }),
  );
}

/**
 * Changes a subscription. Switched off, it gets nothing more, and what was waiting for it is cancelled.
 * @throws CommerceError `validation`, `notFound`; `conflict` when another subscription has the address.
 */
export async function updateWebhook(ctx: Context, id: string, input: WebhookChanges): Promise<Webhook> {
  const given = parse(schemas(ctx).update, input);
  return uniqueUrl(ctx, given.url, () =>
    transact(ctx, async (tx) => {
      const before = await lockWebhook(tx, id);
      const row: WebhookTable = {
        ...before.row,
        url: given.url ?? before.row.url,
        // A client that was shown the masked secret sends it back; that is no new secret.
        secret:
          given.secret === undefined || given.secret === masked(before.row.secret) ? before.row.secret : given.secret,
        is_active: given.isActive === undefined ? before.row.is_active : given.isActive ? 1 : 0,
      };
      const names = given.events ?? before.events;
      const changes = changedFields(
        { ...toWebhook(before.row, before.events), secret: undefined },
        { ...toWebhook(row, names), secret: undefined },
      );
      const secretChanged = row.secret !== before.row.secret;
      if (Object.keys(changes).length === 0 && !secretChanged) return toWebhook(before.row, before.events);
      row.updated_at = tx.now;
      await tx.db
        .updateTable('webhooks')
        .set({ url: row.url, secret: row.secret, is_active: row.is_active, updated_at: row.updated_at })
        .where('store_id', '=', tx.store.id)
        .where('id', '=', id)
        .execute();
      if (changes.events) await writeEvents(tx, id, names);
      if (row.is_active === 0) await cancelDeliveries(tx, id);
      audit(tx, {
        action: 'webhook.updated',
        resourceType: 'webhook',
        resourceId: id,
        changes: secretChanged ? { ...changes, secret: 'changed' } : changes,
      });
      return toWebhook(row, names);
    }),
  );
}

/**
 * Ends a subscription; what was waiting for it is cancelled.
 * @throws CommerceError `notFound`
 */
export async function deleteWebhook(ctx: Context, id: string): Promise<void> {
  await transact(ctx, async (tx) => {
    const { row } = await lockWebhook(tx, id);
    await writeEvents(tx, id, []);
    await tx.db.deleteFrom('webhooks').where('store_id', '=', tx.store.id).where('id', '=', id).execute();
    await cancelDeliveries(tx, id);
    audit(tx, { action: 'webhook.deleted', resourceType: 'webhook', resourceId: id, changes: { url: row.url } });
  });
}

/** @throws CommerceError `notFound` */
export async function getWebhook(ctx: Context, id: string): Promise<Webhook> {
  if (!isId(id)) throw notFound('webhook', id);
  const [webhook] = (await findWebhooks(ctx, { id })).items;
  if (!webhook) throw notFound('webhook', id);
  return webhook;
}

export const WebhookQuery = fields(paging);
export type WebhookQueryInput = z.input<typeof WebhookQuery>;

/** The store's subscriptions, newest first. */
export async function listWebhooks(ctx: Context, query: WebhookQueryInput = {}): Promise<List<Webhook>> {
  return findWebhooks(ctx, parse(WebhookQuery, query));
}

async function findWebhooks(
  ctx: Context,
  wanted: { id: string } | z.output<typeof WebhookQuery>,
): Promise<List<Webhook>> {
  return reading(ctx.engine.storage, async (db) => {
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
      return shownTo(ctx, toWebhook(row, events));
    });
    return { items, total };
  });
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
  requireVersion(tx, id, () => toJson(shownTo(tx, toWebhook(row, events))));
  return { row, events };
}

async function writeEvents(tx: TxContext, webhookId: string, events: readonly EventType[]): Promise<void> {
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

/** The subscription as the actor may see it: the secret is for those who could change it. */
function shownTo({ actor }: Context, webhook: Webhook): Webhook {
  const visible = actor.scopes === undefined || actor.scopes.has('webhook.write');
  return visible ? webhook : { ...webhook, secret: masked(webhook.secret) };
}

function masked(secret: string): string {
  return `${'•'.repeat(12)}${secret.slice(-4)}`;
}

function toWebhook(row: WebhookTable, events: EventType[]): Webhook {
  return {
    id: row.id,
    storeId: row.store_id,
    url: row.url,
    events,
    secret: row.secret,
    isActive: row.is_active === 1,
    lastTriggeredAt: row.last_triggered_at === null ? null : toTimestamp(row.last_triggered_at),
    createdAt: toTimestamp(row.created_at),
    updatedAt: toTimestamp(row.updated_at),
  };
}

function uniqueUrl<T>(ctx: Context, url: string | undefined, write: () => Promise<T>): Promise<T> {
  const taken = 'already has a subscription in this store';
  return refuseDuplicates(ctx, { 'webhooks.url': { field: 'url', value: url, taken } }, write);
}
