import { newProduct, newShop } from '@commerce/test-support/fixtures/shop';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { startSubscriber } from '@commerce/test-support/harness/subscriber';
import { until } from '@commerce/test-support/harness/until';
import { afterEach, expect, it } from 'vitest';
import { type Commerce, type Context, createWebhook, listWebhooks, openCommerce } from '../index.ts';
import { type FakeClock, fakeClock } from '../testing/index.ts';
import { attemptDelivery } from './attempt.ts';
import { claimDeliveries } from './claims.ts';

forEachStorage('deliveries that several processes make', (database, dialect) => {
  const closing: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });

  async function open(clock: FakeClock): Promise<Commerce> {
    const commerce = await openCommerce({
      storage: database.open(),
      clock,
      allowInsecureWebhooks: true,
      random: () => 0.5,
    });
    closing.push(() => commerce.close());
    return commerce;
  }

  async function subscriber(answer?: () => number) {
    const started = await startSubscriber(answer);
    closing.push(started.close);
    return started;
  }

  async function shopWithEvents(commerce: Commerce, url: string, events: number): Promise<Context> {
    const shop = await newShop(commerce);
    await createWebhook(shop, { url, events: ['product.created'] });
    for (let i = 0; i < events; i++) await newProduct(shop);
    return shop;
  }

  /** Claims the due deliveries of the shop's one subscription. */
  const claim = async ({ engine }: Commerce, shop: Context, limit: number) => {
    const { items } = await listWebhooks(shop);
    return claimDeliveries(engine, shop.store.id, [{ subscriberId: items[0]?.id ?? '', limit }]);
  };

  const statuses = async (shop: Context) => {
    const rows = await shop.engine.storage.db
      .selectFrom('deliveries')
      .select(['status', 'attempts', 'due_at', 'locked_until'])
      .where('store_id', '=', shop.store.id)
      .execute();
    return rows;
  };

  it('survive a restart with their next attempt', async () => {
    const clock = fakeClock();
    const { url, received } = await subscriber(() => (received.length > 1 ? 200 : 500));
    const before = await openCommerce({
      storage: database.open(),
      clock,
      allowInsecureWebhooks: true,
      random: () => 0.5,
    });
    const shop = await shopWithEvents(before, url, 1);
    await before.deliverDue();
    await before.close();

    const after = await open(clock);
    clock.advance(4999);
    expect(await after.deliverDue()).toBe(0);
    clock.advance(1);
    expect(await after.deliverDue()).toBe(1);
    expect(received).toHaveLength(2);
    expect(received[0]?.body).toEqual(received[1]?.body);
    expect(await statuses(await after.store(shop.store.id))).toEqual([
      { status: 'succeeded', attempts: 2, due_at: null, locked_until: null },
    ]);
  });

  it('are made once each, however many processes claim at once', async () => {
    const clock = fakeClock();
    const { url, received } = await subscriber();
    const processes = [await open(clock), await open(clock), await open(clock)];
    const [first] = processes as [Commerce, ...Commerce[]];
    const shop = await shopWithEvents(first, url, 100);
    const attempts = await Promise.all(processes.map((commerce) => commerce.deliverDue()));
    expect(attempts.reduce((sum, n) => sum + n, 0)).toBe(100);
    expect(received).toHaveLength(100);
    expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(100);
    expect((await statuses(shop)).every((row) => row.status === 'succeeded' && row.attempts === 1)).toBe(true);
  });

  it('would be made twice without a claim: this suite catches it', async () => {
    const clock = fakeClock();
    const processes = [await open(clock), await open(clock)];
    const [first] = processes as [Commerce, Commerce];
    const shop = await shopWithEvents(first, 'http://127.0.0.1:9/', 20);
    const sent: string[] = [];
    const pending = ({ engine }: Commerce) =>
      engine.storage.db
        .selectFrom('deliveries')
        .select('id')
        .where('store_id', '=', shop.store.id)
        .where('status', '=', 'pending')
        .execute();
    // Both read before either finishes, which sooner or later happens to two processes on a timer.
    for (const due of await Promise.all(processes.map(pending))) sent.push(...due.map(({ id }) => id));
    await first.engine.storage.db
      .transaction()
      .execute((tx) =>
        tx.updateTable('deliveries').set({ status: 'succeeded' }).where('store_id', '=', shop.store.id).execute(),
      );
    expect(sent.length).toBeGreaterThan(20);
  });

  it('can be claimed again when the process that claimed them died, and not before', async () => {
    const clock = fakeClock();
    const { url, received } = await subscriber();
    const [dying, living] = [await open(clock), await open(clock)];
    const shop = await shopWithEvents(dying, url, 1);
    const [claimed] = await claim(dying, shop, 10);
    expect(claimed).toMatchObject({ attempts: 0, subscriber: { url } });
    expect(await claim(dying, shop, 10)).toEqual([]);
    clock.advance(19_999);
    expect(await living.deliverDue()).toBe(0);
    clock.advance(1);
    expect(await living.deliverDue()).toBe(1);
    expect(received).toHaveLength(1);

    // The first process was slow, not dead: its report on the expired claim is ignored.
    if (claimed) await attemptDelivery(dying.engine, claimed);
    expect(received).toHaveLength(2);
    expect(await statuses(shop)).toEqual([{ status: 'succeeded', attempts: 1, due_at: null, locked_until: null }]);
  });

  it('ignore the failure of an expired claim, which would undo a later outcome', async () => {
    const clock = fakeClock();
    const { url } = await subscriber(() => 500);
    const [slow, quick] = [await open(clock), await open(clock)];
    const shop = await shopWithEvents(slow, url, 1);
    const [old] = await claim(slow, shop, 10);
    clock.advance(20_000);
    const [current] = await claim(quick, shop, 10);
    if (old) await attemptDelivery(slow.engine, old);
    expect(await statuses(shop)).toMatchObject([
      { status: 'pending', attempts: 0, locked_until: current?.lockedUntil },
    ]);
    if (current) await attemptDelivery(quick.engine, current);
    expect(await statuses(shop)).toEqual([
      { status: 'pending', attempts: 1, due_at: clock.now() + 5000, locked_until: null },
    ]);
  });

  it('ignore the success of an expired claim: its attempt is counted with the claim that holds the delivery', async () => {
    const clock = fakeClock();
    const { url, received } = await subscriber();
    const [slow, quick] = [await open(clock), await open(clock)];
    const shop = await shopWithEvents(slow, url, 1);
    const [old] = await claim(slow, shop, 10);
    clock.advance(20_000);
    const [current] = await claim(quick, shop, 10);
    if (old) await attemptDelivery(slow.engine, old);
    expect(received).toHaveLength(1);
    expect(await statuses(shop)).toMatchObject([
      { status: 'pending', attempts: 0, locked_until: current?.lockedUntil },
    ]);
    if (current) await attemptDelivery(quick.engine, current);
    expect(await statuses(shop)).toEqual([{ status: 'succeeded', attempts: 1, due_at: null, locked_until: null }]);
  });

  it('are claimed oldest first, up to the limit', async () => {
    const clock = fakeClock();
    const commerce = await open(clock);
    const shop = await newShop(commerce);
    await createWebhook(shop, { url: 'http://127.0.0.1:9/', events: ['product.created'] });
    const titles = ['one', 'two', 'three', 'four'];
    for (const title of titles) {
      await newProduct(shop, { title });
      clock.advance(10);
    }
    const claimed = async (limit: number) => {
      const claims = await claim(commerce, shop, limit);
      return claims.map(({ event }) => JSON.parse(event?.data ?? '').title).sort();
    };
    expect(await claimed(3)).toEqual(['one', 'three', 'two']);
    expect(await claimed(3)).toEqual(['four']);
    expect(await claimed(3)).toEqual([]);
  });

  it('start by themselves after the commit, and on a timer in other processes', async () => {
    const clock = fakeClock();
    const { url, received } = await subscriber();
    const [writing, delivering] = [await open(clock), await open(clock)];
    const stop = delivering.startDelivery({ interval: 10 });
    await shopWithEvents(writing, url, 3);
    await until('the other process delivered', () => received.length === 3);
    await stop();

    const stopOwn = writing.startDelivery({ interval: 3_600_000 });
    await shopWithEvents(writing, url, 3);
    await until('the writing process delivered', () => received.length === 6);
    await stopOwn();
    await shopWithEvents(writing, url, 1);
    expect(received).toHaveLength(6);
    expect(await delivering.deliverDue()).toBe(1);
  });

  it('are all made, with only a few at a time', async () => {
    const clock = fakeClock();
    const { url, received } = await subscriber();
    const commerce = await open(clock);
    const shops = [await shopWithEvents(commerce, url, 25), await shopWithEvents(commerce, url, 5)];
    const stop = commerce.startDelivery({ concurrency: 2, interval: 5 });
    await until('everything is delivered', () => received.length >= 30);
    await stop();
    for (const shop of shops) {
      expect((await statuses(shop)).every((row) => row.status === 'succeeded')).toBe(true);
    }
    expect(received).toHaveLength(30);
  });

  it.skipIf(dialect === 'sqlite')(
    'stop where their outcomes cannot be written, and few come twice after a crash',
    async () => {
      const clock = fakeClock();
      const { url, received } = await subscriber();
      const commerce = await open(clock);
      const shop = await shopWithEvents(commerce, url, 300);
      const { db } = shop.engine.storage;
      let end = () => {};
      const held = new Promise<void>((resolve) => {
        end = resolve;
      });
      let isHeld = false;
      // This row contains the time of the last success. A lock on it blocks the writing of outcomes, but not claims.
      const holding = db.transaction().execute(async (tx) => {
        await tx.updateTable('webhooks').set({ retries: 0 }).where('store_id', '=', shop.store.id).execute();
        isHeld = true;
        await held;
      });
      await until('the row is held', () => isHeld);
      const stop = commerce.startDelivery({ interval: 20 });
      try {
        let seen = -1;
        await until('nothing more arrives', async () => {
          const before = seen;
          seen = received.length;
          await new Promise((resolve) => setTimeout(resolve, 300));
          return seen > 0 && seen === before;
        });
        expect(received.length).toBeLessThanOrEqual(2 * 64);
        end();
        await holding;
        await until('all have arrived', () => received.length >= 300);
        expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(300);
        expect(received).toHaveLength(300);
      } finally {
        end();
        await holding;
        await stop();
      }
    },
  );
});
