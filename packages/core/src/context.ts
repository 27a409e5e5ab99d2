import type { AddressGuard } from './address-guard.ts';
import type { Scope } from './api-keys/scopes.ts';
import type { Clock } from './clock.ts';
import type { IdSource } from './ids.ts';
import type { MediaPlace } from './media/files.ts';
import type { SecretBox } from './secrets.ts';
import type { Db, Storage } from './storage/storage.ts';
import type { StoreContext } from './stores/scope.ts';

/** Who does something, as the audit log names them. */
export interface Actor {
  type: 'apiKey' | 'provider' | 'cli' | 'system' | 'embedder';
  /** The API key's id or the provider's name; null where there is nothing to name. */
  id: string | null;
  /** What an API key may do; absent where nothing is held back. */
  scopes?: ReadonlySet<Scope>;
  /**
   * Whether it may be anybody, as with a storefront key: it sees published products, categories and pages, the media that these name, and
   * of a stock no more than whether there is some.
   */
  isPublic?: boolean;
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
  /** Encrypts the settings of payment providers and the secrets of subscriptions. */
  readonly secrets: SecretBox;
  /** Where webhooks may be sent; null lets them go anywhere, on plain HTTP too, for development. */
  readonly webhookGuard: AddressGuard | null;
  readonly media: MediaPlace;
  /** Public address of the service, without a slash at the end; undefined where it is not known. */
  readonly publicUrl?: (() => string) | undefined;
  readonly webhooks: WebhookSettings;
  /** Where files that came over HTTP are kept until they are imported, and how long they may be. */
  readonly importFiles: { readonly directory: string; readonly maxBytes: number };
  /** Writers that run at the end of every transaction, in this order. */
  readonly endWriters: readonly EndWriter[];
  /** The transaction of several operations that this engine works in; undefined outside of one. */
  readonly unit?: Unit | undefined;
}

/** Transaction of several operations, as an operation in it sees it. */
export interface Unit {
  /** Does something with the engine outside once the transaction has committed. */
  afterCommit(work: (engine: Engine) => void): void;
}

/** One store, seen by one actor: the first argument of every operation. */
export interface Context {
  readonly engine: Engine;
  readonly store: StoreContext;
  readonly actor: Actor;
  /** The request that the change came with, for the audit log. */
  readonly requestId: string | null;
  /** Versions (`versionOf`) accepted of the resource with that id; a change of any other is refused as a conflict. */
  readonly expected?: { readonly id: string; readonly versions: readonly string[] };
  /** Makes the operation one that is carried out once; set by `once()`. */
  readonly once?: Once;
}

/** Steps of a transaction that make its request be carried out once; see `transact`. */
export interface Once {
  /** Tells this request from all others: its `Idempotency-Key`, with the API key and the route that it is unique for. */
  readonly name: string;
  /** Runs first: from here on, a copy of this request waits, or finds the first answer. */
  begin(tx: TxContext): Promise<void>;
  /** Runs last: work and answer commit in the same transaction, so that neither exists without the other. */
  end(tx: TxContext, result: unknown): Promise<void>;
  committed(): void;
}

/** A context inside a transaction. What takes one cannot be called outside. */
export interface TxContext extends Context {
  readonly db: Db;
  /** The one time of everything this transaction does, in milliseconds. */
  readonly now: number;
  /** State that modules keep until the transaction ends, by module; see `perTransaction`. */
  readonly pending: Map<object, unknown>;
}

/** Part of the store that collects rows while a transaction works and writes them, together, before it commits. */
export interface EndWriter {
  /** Writes what was collected so far, and forgets it. */
  write(tx: TxContext): Promise<void>;
  /** Whether `write` takes no locks that other transactions wait for, so that it may run before the end, too. */
  readonly locksNothing: boolean;
  /** Called after the commit, with what was the transaction's context; a promise is waited for and must not reject. */
  committed?(tx: TxContext): Promise<void> | undefined;
}
