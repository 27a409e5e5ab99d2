import { newProduct, newShop } from '@commerce/test-support/fixtures/shop';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { startSubscriber } from '@commerce/test-support/harness/subscriber';
import { until } from '@commerce/test-support/harness/until';
import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  type BlockedQueue,
  type Commerce,
  type Context,
  createWebhook,
  listDeliveries,
  openCommerce,
  updateWebhook,
} from '../index.ts';

const secretKey = 'a key of the tests, long enough';

forEachStorage('a subscription whose secret cannot be read', (database) => {
  let subscriber: Awaited<ReturnType<typeof startSubscriber>>;
  let sealing: Commerce;
  let keyless: Commerce;
  beforeEach(async () => {
    subscriber = await startSubscriber();
    const open = (key?: string) =>
      openCommerce({ storage: database.open(), allowInsecureWebhooks: true, secretKey: key });
    sealing = await open(secretKey);
    keyless = await open();
  });
  afterEach(async () => {
    await Promise.all([sealing.close(), keyless.close()]);
    await subscriber.close();
  });

  const subscribe = async (shop: Context, path: string) =>
    (await createWebhook(shop, { url: `${subscriber.url}/${path}`, events: ['product.created'] })).id;
  const received = (path: string) => subscriber.received.filter((one) => one.path === `/hook/${path}`).length;

  it('holds up neither other stores nor its neighbours, is reported, and resumes with the key', async () => {
    // Its store is first in every round.
    const sealedShop = await newShop(sealing);
    const sealed = await subscribe(sealedShop, 'sealed');
    const sameStore = await keyless.store(sealedShop.store.id);
    await subscribe(sameStore, 'neighbour');
    const others = [await newShop(keyless), await newShop(keyless), await newShop(keyless)];
    for (const [i, shop] of others.entries()) await subscribe(shop, `other-${i}`);
    for (const shop of [sameStore, ...others]) await newProduct(shop);

    const reports: BlockedQueue[] = [];
    const errors: unknown[] = [];
    const unwatch = keyless.watch({ deliveryBlocked: (queue) => reports.push(queue) });
    const stop = keyless.startDelivery({ interval: 20, onError: (error) => errors.push(error) });
    await until('the neighbour and the other stores have theirs', () =>
      ['neighbour', 'other-0', 'other-1', 'other-2'].every((path) => received(path) === 1),
    );
    const queue = { storeId: sealedShop.store.id, subscriberId: sealed };
    await until('the fault is reported', () => reports.length > 0);
    expect(reports).toEqual([{ ...queue, reason: expect.stringMatching(/no secret key is set/) }]);
    expect(keyless.blockedQueues()).toEqual(reports);
    for (const shop of others) await newProduct(shop);
    await until('what came later is sent', () => received('other-2') === 2);
    // Paused between two attempts.
    expect(errors.length).toBeLessThan(10);
    expect(received('sealed')).toBe(0);
    expect((await listDeliveries(sealedShop, sealed)).items).toMatchObject([{ status: 'pending', attempts: [] }]);

    // This process can read the new secret: the next attempt unblocks the queue.
    const { id } = sealedShop.store;
    await updateWebhook(sealedShop, sealed, { isActive: true, secret: 'another secret of the tests' });
    await keyless.engine.storage.db
      .transaction()
      .execute((tx) =>
        tx
          .updateTable('webhooks')
          .set({ secret: 'in the open' })
          .where('store_id', '=', id)
          .where('id', '=', sealed)
          .execute(),
      );
    await until('it is delivered', () => received('sealed') === 1);
    await until('nothing is blocked', () => keyless.blockedQueues().length === 0);
    await stop();
    unwatch();
  });

  it('is thrown by deliverDue, after everything else was sent', async () => {
    const sealedShop = await newShop(sealing);
    await subscribe(sealedShop, 'sealed');
    const other = await newShop(keyless);
    await subscribe(other, 'other');
    await newProduct(sealedShop);
    await newProduct(other);
    await expect(keyless.deliverDue()).rejects.toMatchObject({ kind: 'unavailable' });
    expect([received('sealed'), received('other')]).toEqual([0, 1]);
    expect(await sealing.deliverDue()).toBe(1);
  });
});
