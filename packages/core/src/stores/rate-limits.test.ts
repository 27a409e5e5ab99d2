import { openCommerce, type RateLimit } from '@commerce/core';
import { newShop } from '@commerce/test-support/fixtures/shop';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import Database from 'better-sqlite3';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Commerce, updateStore } from '../index.ts';
import { fakeClock } from '../testing/index.ts';

/** A textbook token bucket in exact fractions: tokens times 60,000. */
class Model {
  #tokens: bigint;
  #at: number;
  readonly #limit: RateLimit;

  constructor(limit: RateLimit, now: number) {
    this.#limit = limit;
    this.#tokens = BigInt(limit.burst) * 60_000n;
    this.#at = now;
  }

  take(now: number): { allowed: boolean; remaining: number } {
    const capacity = BigInt(this.#limit.burst) * 60_000n;
    this.#tokens += BigInt(now - this.#at) * BigInt(this.#limit.requestsPerMinute);
    if (this.#tokens > capacity) this.#tokens = capacity;
    this.#at = now;
    const allowed = this.#tokens >= 60_000n;
    if (allowed) this.#tokens -= 60_000n;
    return { allowed, remaining: Number(this.#tokens / 60_000n) };
  }
}

forEachStorage('rate limits', (database, dialect) => {
  const clock = fakeClock();
  // To the database, these are two processes or servers.
  const instances: Commerce[] = [];
  beforeAll(async () => {
    for (let i = 0; i < 2; i++) instances.push(await openCommerce({ storage: database.open(), clock }));
  });
  afterAll(() => Promise.all(instances.map((instance) => instance.close())));
  const first = () => instances[0] as Commerce;

  const limitedShop = async (changes: Parameters<typeof updateStore>[1]) => {
    const shop = await newShop(first());
    await updateStore(shop, changes);
    const { store } = await first().store(shop.store.id);
    return { store, limit: store.rateLimit as RateLimit };
  };

  describe.each<[string, Parameters<typeof updateStore>[1]]>([
    ['free', { plan: 'free' }],
    ['pro', { plan: 'pro' }],
    ['enterprise with odd numbers', { rateLimit: { requestsPerMinute: 7, burst: 3 } }],
    ['enterprise with one at a time', { rateLimit: { requestsPerMinute: 599, burst: 1 } }],
  ])('of %s', (_, changes) => {
    it('decide as a token bucket does, to the request, whichever process is asked', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.tuple(fc.nat(1), fc.oneof(fc.constant(0), fc.nat(300), fc.nat(70_000))), {
            minLength: 30,
            maxLength: 90,
          }),
          async (requests) => {
            const { store, limit } = await limitedShop(changes);
            const model = new Model(limit, clock.now());
            for (const [instance, pause] of requests) {
              clock.advance(pause);
              const { allowed, remaining } = await (instances[instance] as Commerce).rateLimits.take(store, limit);
              const expected = model.take(clock.now());
              // A process that refuses from memory can miss the last requests that the other allowed.
              expect({ allowed, remaining }).toEqual(expected);
            }
          },
        ),
        { numRuns: 15 },
      );
    });
  });

  it('say when another request may come, and when the bucket is full again', async () => {
    const { store, limit } = await limitedShop({ plan: 'free' });
    const { rateLimits } = first();
    for (let left = 9; left >= 0; left--) {
      expect(await rateLimits.take(store, limit)).toEqual({
        allowed: true,
        limit: 10,
        remaining: left,
        reset: 10 - left,
        retryAfter: 0,
      });
    }
    const refused = { allowed: false, limit: 10, remaining: 0, reset: 10, retryAfter: 1 };
    expect(await rateLimits.take(store, limit)).toEqual(refused);
    clock.advance(999);
    expect(await rateLimits.take(store, limit)).toMatchObject({ allowed: false, retryAfter: 1 });
    clock.advance(1);
    expect(await rateLimits.take(store, limit)).toMatchObject({ allowed: true, remaining: 0 });
    expect(await rateLimits.take(store, limit)).toEqual(refused);
  });

  it('allow no more than the burst of a thousand requests at once, over both processes', async () => {
    const { store, limit } = await limitedShop({ plan: 'pro' });
    const decisions = await Promise.all(
      Array.from({ length: 1000 }, (_, i) => (instances[i % 2] as Commerce).rateLimits.take(store, limit)),
    );
    expect(decisions.filter(({ allowed }) => allowed)).toHaveLength(50);
  });

  it('lose none of the burst to a database that is slow to commit', async () => {
    const { store, limit } = await limitedShop({ rateLimit: { requestsPerMinute: 1, burst: 12 } });
    const { rateLimits, engine } = first();
    const begin = engine.storage.begin.bind(engine.storage);
    const begun = vi.spyOn(engine.storage, 'begin').mockImplementation(async () => {
      const transaction = await begin();
      const commit = async () => {
        await transaction.commit();
        clock.advance(150);
      };
      return {
        db: transaction.db,
        runOwn: (query) => transaction.runOwn(query),
        commit,
        rollback: () => transaction.rollback(),
        savepoint: () => transaction.savepoint(),
      };
    });
    const answers: boolean[] = [];
    for (let i = 0; i < 20; i++) answers.push((await rateLimits.take(store, limit)).allowed);
    begun.mockRestore();
    expect(answers).toEqual(Array.from({ length: 20 }, (_, i) => i < 12));
  });

  it('write nothing for refused requests', async () => {
    const { store, limit } = await limitedShop({ plan: 'free' });
    const { rateLimits, engine } = first();
    for (let i = 0; i < 11; i++) await rateLimits.take(store, limit);
    const row = () =>
      engine.storage.db.selectFrom('rate_limits').selectAll().where('store_id', '=', store.id).execute();
    const before = await row();
    for (let i = 0; i < 100; i++) expect(await rateLimits.take(store, limit)).toMatchObject({ allowed: false });
    expect(await row()).toEqual(before);
  });

  it('of fast stores are taken a tenth of a second at a time, and never exceeded in the long run', async () => {
    const { store, limit } = await limitedShop({ rateLimit: { requestsPerMinute: 60_000, burst: 1000 } });
    const model = new Model(limit, clock.now());
    let [given, due] = [0, 0];
    for (let second = 0; second < 20; second++) {
      for (let i = 0; i < 1500; i++) {
        clock.advance(i % 2);
        const { allowed } = await (instances[i % 2] as Commerce).rateLimits.take(store, limit);
        given += allowed ? 1 : 0;
        due += model.take(clock.now()).allowed ? 1 : 0;
      }
    }
    // Each process can hold requests that it took but did not use: up to a tenth of a second's worth, one hundred.
    expect(given).toBeLessThanOrEqual(due + 200);
    expect(given).toBeGreaterThanOrEqual(due * 0.9);
  });

  it.skipIf(dialect === 'postgres')('stop no request while another process locks the file', async () => {
    const { store, limit } = await limitedShop({ plan: 'free' });
    const other = new Database(database.address);
    other.exec('begin immediate');
    try {
      expect(await first().rateLimits.take(store, limit)).toMatchObject({ allowed: true });
    } finally {
      other.exec('rollback');
      other.close();
    }
  });

  it('are not counted for a store without a limit', async () => {
    const { store } = await newShop(first());
    expect(store.rateLimit).toBeNull();
  });
});
