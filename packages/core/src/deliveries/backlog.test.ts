import { randomBytes } from 'node:crypto';
import { newProduct, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { startSubscriber } from '@commerce/test-support/harness/subscriber';
import { CompiledQuery } from 'kysely';
import { expect, it } from 'vitest';
import { fakeClock } from '../testing/index.ts';
import { createWebhook } from '../webhooks/webhooks.ts';
import { backlogQuery, deliveryBacklog } from './backlog.ts';

forEachStorage('the backlog of deliveries', (database, dialect) => {
  const clock = fakeClock();
  const commerce = useCommerce(database, { clock, allowInsecureWebhooks: true });

  it('counts waiting deliveries of every store, and how long the oldest has been due', async () => {
    const subscriber = await startSubscriber(() => 500);
    const seen: string[] = [];
    const stop = commerce().watch({
      deliveryAttempted: ({ outcome }) => seen.push(outcome),
    });
    const careless = commerce().watch({
      deliveryAttempted: () => {
        throw new Error('of a spectator');
      },
    });
    expect(await deliveryBacklog(commerce().engine)).toEqual({ waiting: 0, oldestDueFor: 0 });
    for (let i = 0; i < 2; i++) {
      const shop = await newShop(commerce());
      await createWebhook(shop, { url: subscriber.url, events: ['product.created'] });
      await newProduct(shop);
      clock.advance(1000);
    }
    expect(await deliveryBacklog(commerce().engine)).toEqual({ waiting: 2, oldestDueFor: 2000 });
    await commerce().deliverDue();
    expect(seen).toEqual(['retrying', 'retrying']);
    // Each is due again at a later time.
    expect(await deliveryBacklog(commerce().engine)).toEqual({ waiting: 2, oldestDueFor: 0 });
    for (let i = 0; i < 4; i++) {
      clock.advance(3_600_000);
      await commerce().deliverDue();
    }
    expect(seen.slice(-2)).toEqual(['failed', 'failed']);
    expect(seen).toHaveLength(10);
    expect(await deliveryBacklog(commerce().engine)).toEqual({ waiting: 0, oldestDueFor: 0 });
    stop();
    careless();
    const shop = await newShop(commerce());
    await createWebhook(shop, { url: subscriber.url, events: ['product.created'] });
    await newProduct(shop);
    await commerce().deliverDue();
    expect(seen).toHaveLength(10);
    await subscriber.close();
  });

  it.each([1000, Number.POSITIVE_INFINITY])('is read from the index of waiting deliveries, %d of them', async (max) => {
    const { db } = commerce().engine.storage;
    const { sql, parameters } = backlogQuery(db, max).compile();
    const explain = dialect === 'sqlite' ? 'explain query plan' : 'explain';
    const plan = await db.transaction().execute(async (tx) => {
      // PostgreSQL prefers to read a small table completely.
      if (dialect === 'postgres') await tx.executeQuery(CompiledQuery.raw('set local enable_seqscan = off'));
      return tx.executeQuery(CompiledQuery.raw(`${explain} ${sql}`, [...parameters]));
    });
    expect(JSON.stringify(plan.rows)).toMatch(/(covering index|index only scan using) deliveries_queue/i);
  });

  it('is reported beside the size of the database, which grows', async () => {
    const { storage } = commerce().engine;
    const before = await storage.size();
    expect(before).toBeGreaterThan(100_000);
    const shop = await newShop(commerce());
    for (let i = 0; i < 60; i++) await newProduct(shop, { description: randomBytes(9000).toString('hex') });
    expect(await storage.size()).toBeGreaterThan(before + 400_000);
  });
});
