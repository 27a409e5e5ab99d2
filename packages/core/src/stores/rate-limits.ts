import type { Engine } from '../engine/context.ts';
import { perEngine } from '../engine/per-engine.ts';
import type { RateLimit } from '../engine/plans.ts';
import type { StoreContext } from '../engine/store.ts';
import { runTransaction, storageError } from '../storage/run.ts';
import type { Db } from '../storage/storage.ts';

/** Result for one request, with the numbers that its answer states. */
export interface RateDecision {
  allowed: boolean;
  /** Requests allowed at once when the bucket is full. */
  limit: number;
  /** Requests allowed now. */
  remaining: number;
  /** Seconds until the bucket is full. */
  reset: number;
  /** Seconds until the next request is allowed; 0 when it is allowed now. */
  retryAfter: number;
}

/** Level of one request. With this value a bucket's level falls by `requestsPerMinute` each millisecond, and stays an integer. */
const unit = 60_000;

/** Requests taken from the database at once: a tenth of a second's worth when more than ten a second are allowed. */
const maxTaken = (limit: RateLimit) =>
  Math.max(1, Math.floor(Math.min(limit.requestsPerMinute / 600, limit.burst / 10)));

/** Room that a nearly exhausted bucket must regain before it is used. Otherwise each request of a busy store would write. */
const minTaken = (limit: RateLimit) => Math.ceil(maxTaken(limit) / 2);

/** Milliseconds after which taken but unused requests lapse, to keep them from being saved for later. */
const heldFor = 100;

/** Milliseconds without counting after the database was found busy. */
const pause = 1000;

/** A bucket as last read from the database; other processes can only have added to it since then. */
interface Bucket extends Level {
  /** Requests taken from the database and not used yet. */
  held: number;
  heldUntil: number;
  /** The take in progress; requests that arrive during it look again afterwards. */
  taking?: Promise<void> | undefined;
}

/**
 * Token buckets of the limited stores. They are in the database, so that all processes and servers count together. A refused request costs
 * the database nothing: this process knows that the bucket is empty, and only time refills it.
 */
export class RateLimits {
  readonly #engine: Engine;
  readonly #buckets = new Map<string, Bucket>();
  #uncountedUntil = 0;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** Counts one request of the store against its limit. */
  async take(store: StoreContext, limit: RateLimit): Promise<RateDecision> {
    const bucket = this.#bucketOf(store.id);
    for (;;) {
      const now = this.#engine.clock.now();
      if (now < this.#uncountedUntil) return decide(true, bucket, limit, now);
      if (bucket.held > 0 && now < bucket.heldUntil) {
        bucket.held--;
        return decide(true, bucket, limit, now);
      }
      if (levelAt(bucket, limit, now) + minTaken(limit) * unit > limit.burst * unit)
        return decide(false, bucket, limit, now);
      bucket.taking ??= this.#takeSome(store.id, bucket, limit).finally(() => {
        bucket.taking = undefined;
      });
      try {
        await bucket.taking;
      } catch (error) {
        // A busy database must not stop requests that only read; counting resumes when it answers again.
        if ((storageError(this.#engine.storage, error) as { kind?: string }).kind !== 'unavailable') throw error;
        this.#uncountedUntil = this.#engine.clock.now() + pause;
      }
    }
  }

  #bucketOf(storeId: string): Bucket {
    const known = this.#buckets.get(storeId);
    if (known) return known;
    const bucket: Bucket = { level: 0, at: 0, held: 0, heldUntil: 0 };
    this.#buckets.set(storeId, bucket);
    return bucket;
  }

  /** Takes as many requests as fit, or learns that none do. Tries again if another process changed the bucket in between. */
  async #takeSome(storeId: string, bucket: Bucket, limit: RateLimit): Promise<void> {
    const { storage, clock } = this.#engine;
    for (let seen: (Level & { held: number }) | undefined; !seen; ) {
      seen = await runTransaction(storage, async (db) => {
        const stored = await readLevel(db, storeId);
        // Another server's clock can be ahead of ours; the bucket's time never goes back.
        const now = Math.max(clock.now(), stored?.at ?? 0);
        const level = stored ? levelAt(stored, limit, now) : 0;
        const room = Math.floor((limit.burst * unit - level) / unit);
        if (room < minTaken(limit)) return { level, at: now, held: 0 };
        const held = Math.min(maxTaken(limit), room);
        const next = { level: level + held * unit, at: now };
        const written = stored ? await changeLevel(db, storeId, stored, next) : await insertLevel(db, storeId, next);
        return written ? { ...next, held } : undefined;
      });
      // From the commit on: each waiting request gets one, however long the database took.
      Object.assign(bucket, seen, { heldUntil: clock.now() + heldFor });
    }
  }
}

interface Level {
  level: number;
  at: number;
}

function readLevel(db: Db, storeId: string): Promise<Level | undefined> {
  return db.selectFrom('rate_limits').select(['level', 'at']).where('store_id', '=', storeId).executeTakeFirst();
}

function insertLevel(db: Db, storeId: string, next: Level) {
  return db
    .insertInto('rate_limits')
    .values({ store_id: storeId, ...next })
    .onConflict((conflict) => conflict.doNothing())
    .returning('store_id')
    .executeTakeFirst();
}

function changeLevel(db: Db, storeId: string, stored: Level, next: Level) {
  return db
    .updateTable('rate_limits')
    .set(next)
    .where('store_id', '=', storeId)
    .where('level', '=', stored.level)
    .where('at', '=', stored.at)
    .returning('store_id')
    .executeTakeFirst();
}

function levelAt({ level, at }: Level, limit: RateLimit, now: number): number {
  return Math.max(0, level - Math.max(0, now - at) * limit.requestsPerMinute);
}

function decide(allowed: boolean, bucket: Bucket, limit: RateLimit, now: number): RateDecision {
  const level = levelAt(bucket, limit, now);
  const full = limit.burst * unit;
  const seconds = (amount: number) => Math.ceil(Math.max(0, amount) / limit.requestsPerMinute / 1000);
  return {
    allowed,
    limit: limit.burst,
    remaining: Math.max(0, Math.floor((full - level) / unit)) + (allowed ? bucket.held : 0),
    reset: seconds(level),
    retryAfter: allowed ? 0 : Math.max(1, seconds(level + minTaken(limit) * unit - full)),
  };
}

export const rateLimits = perEngine((engine) => new RateLimits(engine));
