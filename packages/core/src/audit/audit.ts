import { sql } from 'kysely';
import * as z from 'zod';
import type { Actor, Context, EndWriter, TxContext } from '../engine/context.ts';
import { refusePublic } from '../engine/public-actor.ts';
import type { Scope } from '../engine/scopes.ts';
import { id, once, optionalWords, time, words } from '../fields/answers.ts';
import { exampleIds } from '../fields/example-ids.ts';
import { noted } from '../fields/notes.ts';
import { toTimestamp } from '../kernel/clock.ts';
import { notFound } from '../kernel/errors.ts';
import { isId } from '../kernel/ids.ts';
import type { List } from '../kernel/json.ts';
import { paging } from '../kernel/paging.ts';
import { fields, parse, text } from '../kernel/parse.ts';
import { boundedPage } from '../resources/bounded.ts';
import { listCountsUpTo, pendingCounts } from '../resources/counts.ts';
import { unindexedText } from '../storage/planner.ts';
import { preparedInsert } from '../storage/prepared.ts';
import { reading, snapshotOrScan } from '../storage/run.ts';
import type { AuditLogTable } from '../storage/tables/audit.ts';
import { pendingEntries } from './entry.ts';

const actorTypes = [
  'apiKey',
  'user',
  'provider',
  'cli',
  'system',
  'embedder',
] as const satisfies readonly Actor['type'][];

export const auditLogAnswer = once(() =>
  z
    .object({
      id: id('The id, a UUIDv7.', exampleIds.auditLog),
      storeId: id('The store it belongs to.', exampleIds.store),
      actorType: z.enum(actorTypes).meta({ description: 'Kind of the actor.', examples: ['apiKey'] }),
      /** The id of the API key or of the user, or the provider's name; null for an actor without any. */
      actorId: optionalWords(
        "The id of the API key or of the user, or the provider's name; null for an actor without any.",
        exampleIds.apiKey,
      ),
      /** `<resource>.<what happened>`, such as `product.updated`. */
      action: words('The action, `<resource>.<what happened>`.', 'product.updated'),
      resourceType: words('Kind of the affected resource.', 'product'),
      resourceId: words('The id of the affected resource.', exampleIds.product),
      /** The fields that changed, each as `{ from, to }`, or facts about the action. Texts are cut after 1,000 characters. Empty in entries about customers without `customer.read`, and about users without `user.read`. */
      changes: z.record(z.string(), z.unknown()).meta({
        description:
          'The fields that changed, each as `{ from, to }`, or facts about the action. Long texts are cut short; secrets are never included. Empty in entries about customers without `customer.read`, and about users without `user.read`.',
        examples: [{ price: { from: '10.00', to: '12.50' } }],
      }),
      requestId: optionalWords('The `X-Request-Id` of the request.', '7f8d1c52-0b1e-4f6e-9a57-3c1d2e4f5a6b'),
      createdAt: time('Time of creation, UTC.'),
    })
    .meta({
      description: 'One change: actor, action and resource. Written in the transaction of the change, never altered.',
    }),
);

/** One change: its actor, resource, time and request. Written in the change's transaction, and never changed afterwards. */
export type AuditLog = z.output<ReturnType<typeof auditLogAnswer>>;

const insertAudit = preparedInsert<AuditLogTable>('audit_logs');

async function writeAudit(tx: TxContext): Promise<void> {
  const rows = pendingEntries(tx)
    .splice(0)
    .map((entry) => ({
      store_id: tx.store.id,
      id: tx.engine.ids.next(tx.now),
      actor_type: tx.actor.type,
      actor_id: tx.actor.id,
      action: entry.action,
      resource_type: entry.resourceType,
      resource_id: entry.resourceId,
      changes: entry.changes ? JSON.stringify(entry.changes, shortened) : '{}',
      request_id: tx.requestId,
      created_at: tx.now,
    }));
  if (rows.length === 0) return;
  await insertAudit(tx.db, rows);
  for (const row of rows) pendingCounts(tx).add('auditLogs', countName(row), 1);
}

/** Writes a transaction's audit entries. */
export const auditWriter: EndWriter = { write: writeAudit, locksNothing: true };

const maxText = 1000;

/** Shortens long texts: a description can have 100,000 characters, and an entry would contain it twice. */
function shortened(_field: string, value: unknown): unknown {
  if (typeof value !== 'string' || value.length <= maxText) return value;
  return `${value.slice(0, maxText).toWellFormed()}… (${value.length} characters)`;
}

/** Name of the count of an entry: every column that lists filter by, except the resource's id. */
function countName(row: Pick<AuditLogTable, 'actor_id' | 'resource_type' | 'action'>): string {
  return JSON.stringify([row.actor_id, row.resource_type, row.action]);
}

/** The fields that differ between two states of an entity, as `{ field: { from, to } }`; `updatedAt` is left out. */
export function changedFields(before: object, after: object): Record<string, { from: unknown; to: unknown }> {
  const changes: Record<string, { from: unknown; to: unknown }> = {};
  for (const [field, to] of Object.entries(after)) {
    const from = (before as Record<string, unknown>)[field];
    // Most fields of a changed item are the same value, which needs no text.
    if (from === to || field === 'updatedAt') continue;
    if (JSON.stringify(from) !== JSON.stringify(to)) changes[field] = { from, to };
  }
  return changes;
}

/** Empties the `changes` of a resource's entries, which keep their action, actor and time. */
export async function forgetChanges(tx: TxContext, resourceId: string): Promise<void> {
  await tx.db
    .updateTable('audit_logs')
    .set({ changes: '{}' })
    .where('store_id', '=', tx.store.id)
    .where('resource_id', '=', resourceId)
    .execute();
}

/** Entries that are read at once. */
const entriesAtOnce = 50;

/** Removes a field from the `changes` of a resource's entries, which keep the other fields. */
export async function forgetField(tx: TxContext, resourceId: string, field: string): Promise<void> {
  for (let after: string | undefined = ''; after !== undefined; ) {
    const rows: { id: string; changes: string }[] = await tx.db
      .selectFrom('audit_logs')
      .select(['id', 'changes'])
      .where('store_id', '=', tx.store.id)
      .where('resource_id', '=', resourceId)
      .where('id', '>', after)
      .where('changes', 'like', `%"${field}":%`)
      .orderBy('id')
      .limit(entriesAtOnce)
      .execute();
    for (const { id, changes } of rows) {
      const { [field]: _, ...others } = JSON.parse(changes) as Record<string, unknown>;
      await tx.db
        .updateTable('audit_logs')
        .set({ changes: JSON.stringify(others) })
        .where('store_id', '=', tx.store.id)
        .where('id', '=', id)
        .execute();
    }
    after = rows.length < entriesAtOnce ? undefined : rows.at(-1)?.id;
  }
}

const filter = text(255).optional();

export const AuditLogQuery = noted(
  fields({
    ...paging,
    /** Such as `product`. */
    resourceType: filter.describe('Such as `product`.'),
    /** The entries about one resource. */
    resourceId: filter.meta({
      description: 'The entries about one resource.',
      examples: [exampleIds.product],
    }),
    /** Such as `product.updated`. */
    action: filter.describe('Such as `product.updated`.'),
    /** An API key's id, or a provider's name. */
    actorId: filter.describe("An API key's id, or a provider's name."),
  }),
  {
    description: 'Filters of a list of entries.',
  },
);
export type AuditLogQueryInput = z.input<typeof AuditLogQuery>;

/**
 * A page of the store's audit log, newest first, with the exact number of matching entries.
 * @throws CommerceError `validation` for a filter or a window out of range
 */
export async function listAuditLogs(ctx: Context, query: AuditLogQueryInput = {}): Promise<List<AuditLog>> {
  refusePublic(ctx);
  const { resourceType, resourceId, action, actorId, limit, offset } = parse(AuditLogQuery, query);
  return snapshotOrScan(ctx, async (db, maxRows) => {
    const filters: Filter[] = [];
    if (resourceType) filters.push({ column: 'resource_type', value: resourceType, n: 0 });
    if (action) filters.push({ column: 'action', value: action, n: 0 });
    if (actorId) filters.push({ column: 'actor_id', value: actorId, n: 0 });
    const ofStore = db.selectFrom('audit_logs').where('store_id', '=', ctx.store.id);
    let counted: { total: number; count: number } | undefined;
    if (!resourceId) {
      const counts = await listCountsUpTo(db, ctx.store.id, 'auditLogs', maxRows);
      if (!counts) return undefined;
      const total = countMatches(counts, filters);
      counted = { total, count: total };
    }
    // Walks the log by the index of only the rarest filter, newest first.
    const [rarest, ...others] = [
      ...(resourceId ? [{ column: 'resource_id' as const, value: resourceId, n: 0 }] : []),
      ...filters.sort((a, b) => a.n - b.n),
    ];
    if (counted && rarest) counted.count = rarest.n;
    const among = rarest ? ofStore.where(rarest.column, '=', rarest.value) : ofStore;
    let matches = among;
    for (const { column, value } of others) matches = matches.where(unindexedText(sql.ref(column)), '=', value);
    // Ids begin with the time.
    const page = await boundedPage(db, { among, matches, ...counted }, { limit, offset }, ['id'], maxRows);
    const rows = await page?.rows.selectAll().execute();
    if (!page || !rows || !page.isComplete(rows.length)) return undefined;
    return { items: rows.map((row) => toAuditLog(ctx, row)), total: page.total };
  });
}

interface Filter {
  column: 'resource_type' | 'action' | 'actor_id';
  value: string;
  /** Number of entries that match only this filter. */
  n: number;
}

/** Number of entries that match all filters; also sets `n` of each filter. */
function countMatches(counts: ReadonlyMap<string, number>, filters: Filter[]): number {
  let total = 0;
  for (const [name, n] of counts) {
    const [actor_id, resource_type, action] = JSON.parse(name) as [string | null, string, string];
    const entry = { actor_id, resource_type, action };
    const met = filters.filter(({ column, value }) => entry[column] === value);
    for (const filter of met) filter.n += n;
    if (met.length === filters.length) total += n;
  }
  return total;
}

/** @throws CommerceError `notFound`, also for a malformed id and for the id of another store's entry */
export async function getAuditLog(ctx: Context, id: string): Promise<AuditLog> {
  refusePublic(ctx);
  if (!isId(id)) throw notFound('audit log entry', id);
  const row = await reading(ctx.engine.storage, (db) =>
    db
      .selectFrom('audit_logs')
      .selectAll()
      .where('store_id', '=', ctx.store.id)
      .where('id', '=', id)
      .executeTakeFirst(),
  );
  if (!row) throw notFound('audit log entry', id);
  return toAuditLog(ctx, row);
}

/** Kinds of resources whose changes are personal, with the scope that shows them. */
const personal: Readonly<Record<string, Scope>> = { customer: 'customer.read', user: 'user.read' };

/** The entry as the actor is allowed to see it: changes to a customer or a user require the scope to read these. */
export function toAuditLog({ actor }: Context, row: AuditLogTable): AuditLog {
  const scope = personal[row.resource_type];
  const hidden = scope !== undefined && actor.scopes?.has(scope) === false;
  return {
    id: row.id,
    storeId: row.store_id,
    actorType: row.actor_type as Actor['type'],
    actorId: row.actor_id,
    action: row.action,
    resourceType: row.resource_type,
    resourceId: row.resource_id,
    changes: hidden ? {} : JSON.parse(row.changes),
    requestId: row.request_id,
    createdAt: toTimestamp(row.created_at),
  };
}
