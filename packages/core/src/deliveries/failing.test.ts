import { auditOf, newProduct, newShop } from '@commerce/test-support/fixtures/shop';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { startSubscriber } from '@commerce/test-support/harness/subscriber';
import { afterEach, expect, it } from 'vitest';
import {
  type CommerceOptions,
  createWebhook,
  getWebhook,
  listDeliveries,
  openCommerce,
  updateWebhook,
} from '../index.ts';
import { fakeClock } from '../testing/index.ts';
import type { WebhookDisabled } from './observers.ts';

const day = 86_400_000;

forEachStorage('a subscription to which nothing can be delivered', (database) => {
  const closing: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });

  async function failing(options: Partial<CommerceOptions> = {}) {
    const clock = fakeClock('2026-05-01T00:00:00.000Z');
    const commerce = await openCommerce({
      storage: database.open(),
      clock,
      allowInsecureWebhooks: true,
      random: () => 0.5,
      ...options,
    });
    closing.push(() => commerce.close());
    let status = 500;
    const subscriber = await startSubscriber(() => status);
    closing.push(subscriber.close);
    const shop = await newShop(commerce);
    const { id } = await createWebhook(shop, { url: subscriber.url, events: ['product.created'] });
    const reports: WebhookDisabled[] = [];
    commerce.watch({ webhookDisabled: (webhook) => reports.push(webhook) });
    const happen = async () => {
      await newProduct(shop);
      await commerce.deliverDue();
    };
    return {
      commerce,
      clock,
      shop,
      id,
      reports,
      happen,
      answer: (next: number) => {
        status = next;
      },
    };
  }

  it('is switched off after 5 days of failures alone, with the reason', async () => {
    const { clock, shop, id, reports, happen } = await failing();
    await happen();
    clock.advance(5 * day - 1);
    await happen();
    expect(await getWebhook(shop, id)).toMatchObject({ isActive: true, disabledReason: null });
    await newProduct(shop);
    clock.advance(1);
    await happen();
    const reason = 'every delivery since 2026-05-01T00:00:00.000Z has failed';
    expect(await getWebhook(shop, id)).toMatchObject({ isActive: false, disabledReason: reason });
    expect(reports).toEqual([{ storeId: shop.store.id, webhookId: id, reason }]);
    const entry = (await auditOf(shop)).at(-1);
    expect(entry).toMatchObject({ action: 'webhook.disabled', actor_type: 'system', resource_id: id });
    const { items } = await listDeliveries(shop, id);
    expect(items.filter(({ status }) => status === 'pending')).toEqual([]);
    expect(items.some(({ status }) => status === 'cancelled')).toBe(true);
    const { total } = await listDeliveries(shop, id);
    await newProduct(shop);
    expect((await listDeliveries(shop, id)).total).toBe(total);
  });

  it('starts a new count after a single success', async () => {
    const { clock, shop, id, happen, answer } = await failing();
    await happen();
    clock.advance(4 * day);
    answer(200);
    await happen();
    answer(500);
    clock.advance(day + 1);
    await happen();
    clock.advance(5 * day - 1);
    await happen();
    expect(await getWebhook(shop, id)).toMatchObject({ isActive: true });
    clock.advance(1);
    await happen();
    expect(await getWebhook(shop, id)).toMatchObject({ isActive: false });
  });

  it('starts a new count when it is switched on again', async () => {
    const { clock, shop, id, happen } = await failing();
    await happen();
    clock.advance(5 * day);
    await happen();
    const on = await updateWebhook(shop, id, { isActive: true });
    expect(on).toMatchObject({ isActive: true, disabledReason: null });
    await happen();
    expect(await getWebhook(shop, id)).toMatchObject({ isActive: true });
  });

  it('stays on when disableAfter is null', async () => {
    const { clock, shop, id, reports, happen } = await failing({ disableWebhooksAfter: null });
    await happen();
    clock.advance(29 * day);
    await happen();
    expect(await getWebhook(shop, id)).toMatchObject({ isActive: true });
    expect(reports).toEqual([]);
  });
});
