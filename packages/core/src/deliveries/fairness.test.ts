import { newProduct, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { startSubscriber } from '@commerce/test-support/harness/subscriber';
import { until } from '@commerce/test-support/harness/until';
import { afterEach, expect, it } from 'vitest';
import { type Context, createWebhook, listDeliveries, updateProduct } from '../index.ts';

forEachStorage('subscribers beside others that hang', (database) => {
  const commerce = useCommerce(database, { allowInsecureWebhooks: true });
  const closing: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
  });

  async function subscribe(shop: Context, answers: () => boolean) {
    const subscriber = await startSubscriber(() => (answers() ? 200 : () => {}));
    closing.push(subscriber.close);
    const { id } = await createWebhook(shop, { url: subscriber.url, events: ['product.*'] });
    return { ...subscriber, id };
  }

  /** Number of these subscribers' deliveries with a failed attempt. */
  async function endedOf(shop: Context, subscribers: readonly { id: string }[]): Promise<number> {
    const lists = await Promise.all(subscribers.map(({ id }) => listDeliveries(shop, id, { limit: 100 })));
    return lists.flatMap(({ items }) => items).filter(({ attempts }) => attempts.some(({ error }) => error !== null))
      .length;
  }

  it('are served before any of those frees its place, although those take more places than exist', async () => {
    const shop = await newShop(commerce());
    const hanging = [];
    for (let n = 0; n < 8; n++) hanging.push(await subscribe(shop, () => false));
    // Queued after all of them.
    const healthy = [await subscribe(shop, () => true), await subscribe(shop, () => true)];
    const product = await newProduct(shop);
    for (let n = 1; n <= 15; n++) await updateProduct(shop, product.id, { title: `Mug ${n}` });
    const stop = commerce().startDelivery({ concurrency: 8 });
    await until('the healthy ones have everything', () => healthy.every(({ received }) => received.length === 16));
    expect(await endedOf(shop, hanging)).toBe(0);
    expect(hanging.some(({ received }) => received.length > 0)).toBe(true);
    for (const close of closing.splice(0)) await close();
    await stop();
  });

  it('do not wait when those answered well before, either', async () => {
    const shop = await newShop(commerce());
    let isBroken = false;
    const breaking = [];
    for (let n = 0; n < 4; n++) breaking.push(await subscribe(shop, () => !isBroken));
    const healthy = await subscribe(shop, () => true);
    const product = await newProduct(shop);
    for (let n = 1; n <= 15; n++) await updateProduct(shop, product.id, { title: `Mug ${n}` });
    const stop = commerce().startDelivery({ concurrency: 8 });
    const all = [...breaking, healthy];
    await until('all have everything', () => all.every(({ received }) => received.length === 16));
    isBroken = true;
    for (let n = 1; n <= 30; n++) await updateProduct(shop, product.id, { title: `Cup ${n}` });
    await until('the healthy one has everything', () => healthy.received.length === 46);
    expect(await endedOf(shop, breaking)).toBe(0);
    // They hold more places than quick attempts have.
    expect(breaking.reduce((sum, { received }) => sum + received.length - 16, 0)).toBeGreaterThan(4);
    for (const close of closing.splice(0)) await close();
    await stop();
  });

  it('are not held up by one that refuses everything at once, which is asked only after pauses', async () => {
    const shop = await newShop(commerce());
    const refusing = await subscribe(shop, () => true);
    await refusing.close();
    const healthy = await subscribe(shop, () => true);
    const product = await newProduct(shop);
    for (let n = 1; n < 60; n++) await updateProduct(shop, product.id, { title: `Mug ${n}` });
    const started = performance.now();
    const stop = commerce().startDelivery();
    await until('the healthy one has everything', () => healthy.received.length === 60);
    await until('the other one was asked again', async () => (await endedOf(shop, [refusing])) > 3);
    await stop();
    const pauses = (performance.now() - started) / 50;
    expect(await endedOf(shop, [refusing])).toBeLessThanOrEqual(pauses + 3);
  });
});
