import type { Actor, Engine } from '../engine/context.ts';
import { perEngine } from '../engine/per-engine.ts';
import type { Scope } from '../engine/scopes.ts';
import type { StoreContext } from '../engine/store.ts';
import { prepared, preparedChange } from '../storage/prepared.ts';
import { reading, runTransaction } from '../storage/run.ts';
import type { Db } from '../storage/storage.ts';
import type { ApiKeyTable } from '../storage/tables/api-keys.ts';
import { storeChanges } from '../stores/changes.ts';
import { findStore } from '../stores/stores.ts';
import { hashKey } from './key.ts';

/** The store and scopes that a key or the session of a user grants. The actor names the key or the user. */
export interface Identity {
  store: StoreContext;
  actor: Actor & { scopes: ReadonlySet<Scope> };
  /** First 12 characters of the key, which people recognize; `user` in a session. */
  prefix: string;
  expiresAt: number | null;
}

/** Where identities are read, and their use is recorded. */
export interface IdentitySource {
  /** The identity of a key or a token with this hash, and the id of the key or session. */
  read(engine: Engine, hash: string): Promise<{ id: string; identity: Identity } | undefined>;
  recordUse(db: Db, use: { storeId: string; id: string; at: number }): Promise<unknown>;
}

const keySource: IdentitySource = {
  async read(engine, hash) {
    const [row] = await reading(engine.storage, (db) => keyByHash(db, { hash }));
    const store = row && (await findStore(engine, row.store_id));
    if (!row || !store) return undefined;
    const actor = {
      type: 'apiKey',
      id: row.id,
      scopes: new Set(JSON.parse(row.scopes) as Scope[]),
      ...(row.kind === 'storefront' ? { isPublic: true } : {}),
    } as const;
    return { id: row.id, identity: { store, actor, prefix: row.prefix, expiresAt: row.expires_at } };
  },
  recordUse: (db, use) => recordUse(db, use),
};

// This query finds the store by the key, so it is the only one that cannot filter by store.
const keyByHash = prepared<{ hash: string }, ApiKeyTable>((db, p) =>
  db.selectFrom('api_keys').selectAll().where('hash', '=', p('hash')),
);

const recordUse = preparedChange<{ storeId: string; id: string; at: number }>((db, p) =>
  db
    .updateTable('api_keys')
    .set({ last_used_at: p('at') })
    .where('store_id', '=', p('storeId'))
    .where('id', '=', p('id')),
);

// Milliseconds. A revocation in another process takes effect when the entry is read again.
const maxAge = 1000;
const maxEntries = 10_000;

/** Identities in use, so a request with a known key or session needs no query. Stored by hash, never by key. */
export class IdentityCache {
  readonly #engine: Engine;
  readonly #source: IdentitySource;
  readonly #byHash = new Map<string, { id: string; identity: Identity; readAt: number; storeChanges: number }>();
  readonly #used = new Map<string, { storeId: string; at: number }>();
  #revocations = 0;

  constructor(engine: Engine, source: IdentitySource = keySource) {
    this.#engine = engine;
    this.#source = source;
  }

  /** The identity of a key if it was read within the last second. Undefined does not mean that the key is invalid. */
  known(key: string): Identity | undefined {
    const entry = this.#byHash.get(hashKey(key));
    if (!entry) return undefined;
    const now = this.#engine.clock.now();
    const age = now - entry.readAt;
    if (age < 0 || age >= maxAge || entry.storeChanges !== storeChanges(this.#engine).count) return undefined;
    return this.#inUse(entry.id, entry.identity, now);
  }

  /** The identity of a key or a token; undefined if it is unknown, revoked or expired. */
  async authenticate(key: string): Promise<Identity | undefined> {
    const known = this.known(key);
    if (known) return known;
    const engine = this.#engine;
    const hash = hashKey(key);
    // The time is taken before the read, so a key that is revoked after the read is not accepted for longer than `maxAge`.
    const now = engine.clock.now();
    const revocations = this.#revocations;
    const { count } = storeChanges(engine);
    this.#byHash.delete(hash);
    const found = await this.#source.read(engine, hash);
    if (!found) return undefined;
    const { id, identity } = found;
    // Not cached if any key was revoked since the read, because it could be this key.
    if (revocations !== this.#revocations) return this.#inUse(id, identity, now);
    if (this.#byHash.size >= maxEntries) {
      const [oldest] = this.#byHash.keys();
      if (oldest !== undefined) this.#byHash.delete(oldest);
    }
    this.#byHash.set(hash, { id, identity, readAt: now, storeChanges: count });
    return this.#inUse(id, identity, now);
  }

  /** Drops a key or a session that has ended in this process. @param id of the key, the session, or the user of sessions */
  forget(id: string): void {
    this.#revocations++;
    for (const [hash, entry] of this.#byHash) {
      if (entry.id === id || entry.identity.actor.id === id) this.#byHash.delete(hash);
    }
    this.#used.delete(id);
  }

  /** Records when the keys were last used, in one transaction. Called once a minute, so no request waits for it. */
  async flushUse(): Promise<void> {
    const used = [...this.#used];
    this.#used.clear();
    if (used.length === 0) return;
    // In the same order in every process, so two processes never deadlock.
    used.sort(([a], [b]) => (a < b ? -1 : 1));
    await runTransaction(this.#engine.storage, async (db) => {
      for (const [id, { storeId, at }] of used) await this.#source.recordUse(db, { storeId, id, at });
    });
  }

  #inUse(id: string, identity: Identity, now: number): Identity | undefined {
    if (identity.expiresAt !== null && identity.expiresAt <= now) return undefined;
    const used = this.#used.get(id);
    if (used) used.at = now;
    else this.#used.set(id, { storeId: identity.store.id, at: now });
    return identity;
  }
}

export const identities = perEngine((engine) => new IdentityCache(engine));
