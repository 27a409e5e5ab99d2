import type { Clock } from '../kernel/clock.ts';
import type { IdSource } from '../kernel/ids.ts';
import type { SecretBox } from '../kernel/secrets.ts';
import type { AddressGuard } from '../network/address-guard.ts';
import type { Db, Storage } from '../storage/storage.ts';
import type { MediaPlace } from './media-files.ts';
import type { Role, Scope } from './scopes.ts';
import type { StoreContext } from './store.ts';
import type { TaxFunction } from './tax-function.ts';

/** The actor of a change, as the audit log names it. */
export interface Actor {
  type: 'apiKey' | 'user' | 'provider' | 'cli' | 'system' | 'embedder';
  /** Id of the API key or of the user, or name of the provider or of the command; null if there is none. */
  id: string | null;
  /** Scopes of an API key or a user; absent if the actor can do everything. */
  scopes?: ReadonlySet<Scope>;
  /** The session of a user who has signed in. */
  session?: UserSession;
  /**
   * True if the actor can be anyone, as with a storefront key. It sees published products, categories and pages, and their media. Of stock
   * it sees only whether some is available.
   */
  isPublic?: boolean;
}

/** The session in which a user acts. */
export interface UserSession {
  id: string;
  /** Absent in the session of a link that belongs to no user, such as the link of a new store. */
  role?: Role;
}

/** How webhooks are delivered. */
export interface WebhookSettings {
  /** Switches a subscription off after this many milliseconds of only failures; null never does. */
  readonly disableAfter: number | null;
  /** From 0 to less than 1. */
  random(): number;
}

/** State that all stores of one database share. */
export interface Engine {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly ids: IdSource;
  /** Encrypts the settings of payment providers and the secrets of subscriptions. */
  readonly secrets: SecretBox;
  /** Addresses to which webhooks can be sent; null allows all of them, and plain HTTP, for development. */
  readonly webhookGuard: AddressGuard | null;
  /** Addresses of mail servers that stores can use. */
  readonly smtpGuard: AddressGuard;
  readonly media: MediaPlace;
  /** Public address of the service, without a trailing slash; undefined if it is not known. */
  readonly publicUrl?: (() => string) | undefined;
  readonly webhooks: WebhookSettings;
  /** Reckons taxes in place of the settings. */
  readonly taxes?: TaxFunction | undefined;
  /** Path of a font for texts on invoices that the built-in fonts cannot print. */
  readonly invoiceFont?: string | undefined;
  /** Folder of files received over HTTP until they are imported, and their maximum size. */
  readonly importFiles: { readonly directory: string; readonly maxBytes: number };
  /** Writers that run at the end of every transaction, in this order. */
  readonly endWriters: readonly EndWriter[];
  /** The transaction of several operations that this engine works in; undefined outside. */
  readonly unit?: Unit | undefined;
}

/** Transaction of several operations, as an operation in it sees it. */
export interface Unit {
  /** True if the transaction is rolled back in any case: nothing outside of the database may be asked or told. */
  readonly isRehearsal?: boolean;
  /** Runs `work` with the engine outside once the transaction has committed. */
  afterCommit(work: (engine: Engine) => void): void;
}

/** One store, seen by one actor: the first argument of every operation. */
export interface Context {
  readonly engine: Engine;
  readonly store: StoreContext;
  readonly actor: Actor;
  /** Id of the request that made the change, for the audit log. */
  readonly requestId: string | null;
  /** Network address of a request of a user, for the audit log, or of a public actor, for limits; absent if it is not known. */
  readonly address?: string | undefined;
  /** Accepted versions (`versionOf`) of the resource with that id; a change of any other version is refused as `conflict`. */
  readonly expected?: { readonly id: string; readonly versions: readonly string[] };
  /** Of a read whose answer is kept: operations that look at the clock lower it; see `lastsUntil`. */
  readonly lasting?: Lasting;
  /** Makes the operation run only once; set by `once()`. */
  readonly once?: Once;
}

/** How long the answer to a read stays the same while nothing is written. */
export interface Lasting {
  /** The time, in milliseconds, at which it can become another. */
  until: number;
}

/** Records that what is read now can be different at a later time, though nothing is written: a reservation ends by itself. */
export function lastsUntil({ lasting }: Pick<Context, 'lasting'>, time: number): void {
  if (lasting && time < lasting.until) lasting.until = time;
}

/** Steps of a transaction that make its request run only once; see `transact`. */
export interface Once {
  /** Unique for each request: its `Idempotency-Key`, API key and route. */
  readonly name: string;
  /** Digest of the request's input, if it is known before the work. */
  readonly print: string | undefined;
  /** Says that the operation keeps the name with its own record and recognises a repetition by it, so that no answer is stored. */
  keptElsewhere(): void;
  /** Runs first: from here on, a copy of this request waits or finds the first answer. */
  begin(tx: TxContext): Promise<void>;
  /** Runs last: work and answer commit in the same transaction, so that neither exists without the other. */
  end(tx: TxContext, result: unknown): Promise<void>;
  committed(): void;
}

/** A context inside a transaction. A function that takes one cannot be called outside. */
export interface TxContext extends Context {
  readonly db: Db;
  /** The one time of this transaction, in milliseconds. */
  readonly now: number;
  /** State that modules keep until the transaction ends, by module; see `perTransaction`. */
  readonly pending: Map<object, unknown>;
}

/** Part of the store that collects rows while a transaction works and writes them together before it commits. */
export interface EndWriter {
  /** Writes the rows collected so far and forgets them. */
  write(tx: TxContext): Promise<void>;
  /** True if `write` takes no locks that other transactions wait for, so it can also run before the end. */
  readonly locksNothing: boolean;
  /** Called after the commit with the transaction's context. A promise is awaited and must not reject. */
  committed?(tx: TxContext): Promise<void> | undefined;
}
