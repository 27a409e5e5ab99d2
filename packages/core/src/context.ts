import type { IdentityCache } from './api-keys/identities.ts';
import type { Scope } from './api-keys/scopes.ts';
import { type AuditEntry, writeAudit } from './audit/audit.ts';
import type { Clock } from './clock.ts';
import { CommerceError } from './errors.ts';
import type { EventType, PendingEvent } from './events/events.ts';
import { writeEvents } from './events/outbox.ts';
import type { IdSource } from './ids.ts';
import { CountChanges } from './storage/counts.ts';
import type { Db, Storage } from './storage/storage.ts';
import type { StoreScope } from './stores/stores.ts';
import type { WebhookRules } from './webhooks/webhooks.ts';

/** Who does something, as the audit log names them. */
export interface Actor {
  type: 'apiKey' | 'provider' | 'cli' | 'system' | 'embedder';
  /** The API key's id or the provider's name; null where there is nothing to name. */
  id: string | null;
  /** What an API key may do; absent where nothing is held back. */
  scopes?: ReadonlySet<Scope>;
}

/** What every store of one database shares. */
export interface Engine {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly identities: IdentityCache;
  readonly webhookRules: WebhookRules;
  /** Called after a commit that left deliveries to make. */
  onDeliveriesDue(): void;
}

/** One store, seen by one actor: the first argument of every operation. */
export interface Context {
  readonly engine: Engine;
  readonly store: StoreScope;
  readonly actor: Actor;
  /** The request that the change came with, for the audit log. */
  readonly requestId: string | null;
}

/** A context inside a transaction. What takes one cannot be called outside. */
export interface TxContext extends Context {
  readonly db: Db;
  /** The one time of everything this transaction does, in milliseconds. */
  readonly now: number;
  readonly pending: PendingWrites;
}

/** What a transaction writes at its end, together: so that one resource has one event of a type, and each table one insert. */
export interface PendingWrites {
  readonly events: Map<string, PendingEvent>;
  readonly audit: AuditEntry[];
  readonly counts: CountChanges;
}

const maxRuns = 5;

/**
 * Runs one operation's writes, with their events, audit entries and counts, in one transaction. The work is run again when
 * the database gave the whole transaction up (a deadlock), so it touches nothing but the database.
 * @throws CommerceError `unavailable` when the database cannot be reached or stays locked.
 */
export async function transact<T>(ctx: Context, work: (tx: TxContext) => Promise<T>): Promise<T> {
  const { storage, clock } = ctx.engine;
  for (let run = 1; ; run++) {
    let deliveries = 0;
    try {
      const result = await storage.db.transaction().execute(async (db) => {
        const pending: PendingWrites = { events: new Map(), audit: [], counts: new CountChanges() };
        const tx: TxContext = { ...ctx, db, now: clock.now(), pending };
        const result = await work(tx);
        deliveries = await writeEvents(tx);
        await writeAudit(tx);
        await pending.counts.write(db, ctx.store.id);
        return result;
      });
      if (deliveries > 0) ctx.engine.onDeliveriesDue();
      return result;
    } catch (error) {
      if (storage.isTransient(error) && run < maxRuns) continue;
      throw storageError(storage, error);
    }
  }
}

/** An error of the database as core throws it: 503 where the database is the matter, unchanged otherwise. */
export function storageError(storage: Storage, error: unknown): unknown {
  if (error instanceof CommerceError) return error;
  return storage.isUnavailable(error) || storage.isTransient(error)
    ? new CommerceError('unavailable', 'the database does not answer at present; try again', { cause: error })
    : error;
}

/**
 * Notes an event about a resource, delivered once the transaction has committed. `json` is the resource as GET answers
 * it; a later one of the same type replaces it.
 */
export function emit(tx: TxContext, type: EventType, resourceId: string, json: string): void {
  tx.pending.events.set(`${type} ${resourceId}`, { type, resourceId, json });
}

/** Notes who did what to which resource. `changes` never holds a secret. */
export function audit(tx: TxContext, entry: AuditEntry): void {
  tx.pending.audit.push(entry);
}
