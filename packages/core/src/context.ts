import type { AddressGuard } from './address-guard.ts';
import type { Scope } from './api-keys/scopes.ts';
import type { AuditEntry } from './audit/entry.ts';
import type { Clock } from './clock.ts';
import type { EventType, PendingEvent } from './events/events.ts';
import type { Once } from './idempotency/once.ts';
import type { IdSource } from './ids.ts';
import type { MediaPlace } from './media/files.ts';
import type { Observers } from './observers.ts';
import type { BlockChanges } from './products/blocks.ts';
import type { KnownMatches } from './products/matches.ts';
import type { SecretBox } from './secrets.ts';
import type { CountChanges } from './storage/counts.ts';
import type { Db, Storage } from './storage/storage.ts';
import type { StoreScope } from './stores/scope.ts';
import type { AppSubscribers } from './webhooks/app-subscribers.ts';
import type { BlockedQueues } from './webhooks/blocked.ts';
import type { Queue } from './webhooks/claims.ts';

/** Who does something, as the audit log names them. */
export interface Actor {
  type: 'apiKey' | 'provider' | 'cli' | 'system' | 'embedder';
  /** The API key's id or the provider's name; null where there is nothing to name. */
  id: string | null;
  /** What an API key may do; absent where nothing is held back. */
  scopes?: ReadonlySet<Scope>;
}

/** How webhooks are delivered. */
export interface WebhookSettings {
  /** Milliseconds of nothing but failures after which a subscription is switched off; null never does. */
  readonly disableAfter: number | null;
  /** From 0 to less than 1. */
  random(): number;
}

/** What every store of one database shares. */
export interface Engine {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly ids: IdSource;
  /** What the settings of payment providers are stored with. */
  readonly secrets: SecretBox;
  /** Where webhooks may be sent; null lets them go anywhere, on plain HTTP too, for development. */
  readonly webhookGuard: AddressGuard | null;
  readonly media: MediaPlace;
  readonly knownMatches: KnownMatches;
  readonly observers: Observers;
  /** The handlers that the application gave this process. */
  readonly appSubscribers: AppSubscribers;
  readonly webhooks: WebhookSettings;
  readonly blockedQueues: BlockedQueues;
  /** Called after a commit that left deliveries to make, with the queues that grew. */
  onDeliveriesDue(queues: readonly Queue[]): void;
  /** Called after a commit that revoked a key. */
  onKeyRevoked(keyId: string): void;
}

/** One store, seen by one actor: the first argument of every operation. */
export interface Context {
  readonly engine: Engine;
  readonly store: StoreScope;
  readonly actor: Actor;
  /** The request that the change came with, for the audit log. */
  readonly requestId: string | null;
  /** The versions (`versionOf`) of which the resource with that id must have one, or its change is refused as a conflict. */
  readonly expected?: { readonly id: string; readonly versions: readonly string[] };
  /** Makes the operation one that is carried out once; set by `once()`. */
  readonly once?: Once;
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
  readonly blocks: BlockChanges;
  /** The subscriptions for which deliveries were queued so far. */
  readonly queues: Set<string>;
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
