import { auditOf, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { payment, signed } from '@commerce/test-support/fixtures/stripe';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { expect, it } from 'vitest';
import {
  type Actor,
  type Context,
  configureProvider,
  createApiKey,
  createOrder,
  createProduct,
  createWebhook,
  deleteProduct,
  deleteWebhook,
  revokeApiKey,
  updateProduct,
  updateWebhook,
} from '../index.ts';
import { receiveNotification } from '../sales/notifications/receive.ts';
import { fakeClock } from '../testing/index.ts';
import { changedFields } from './audit.ts';

forEachStorage('the audit log', (database) => {
  const clock = fakeClock();
  const commerce = useCommerce(database, { clock });
  const stripeSecret = 'whsec_the_secret_of_stripe';

  /** Makes one change of every kind. Returns the secrets it involved. */
  async function changeEverything(shop: Context): Promise<string[]> {
    const product = await createProduct(shop, { title: 'Mug', slug: 'mug', price: '5' });
    await updateProduct(shop, product.id, { price: '6' });
    await configureProvider(shop, 'stripe', { webhookSecret: stripeSecret });
    const order = await createOrder(shop, {
      items: [{ productId: product.id, quantity: 1 }],
      customer: { email: 'ada@example.org' },
    });
    const notify = (event: object) =>
      receiveNotification(commerce().engine, 'stripe', signed(JSON.stringify(event), clock.now(), stripeSecret), {
        storeId: shop.store.id,
        requestId: 'req-of-stripe',
      });
    await notify(payment(order.id, 1).intentSucceeded());
    await notify(payment(order.id, 600).intentFailed());
    await notify(payment(order.id, 600).intentSucceeded());
    const key = await createApiKey(shop, { name: 'Till', scopes: ['product.read'] });
    await revokeApiKey(shop, key.id);
    const webhook = await createWebhook(shop, { url: 'https://example.com/', events: ['order.paid'] });
    await updateWebhook(shop, webhook.id, { secret: 'the new secret of the hook' });
    await deleteWebhook(shop, webhook.id);
    await deleteProduct(shop, product.id);
    return [stripeSecret, key.key, key.key.slice(12), webhook.secret, 'the new secret of the hook'];
  }

  it('states each change with its action, actor and request', async () => {
    const actor: Actor = { type: 'apiKey', id: '0190a5c8-0000-7000-8000-000000000001' };
    const shop: Context = { ...(await newShop(commerce(), 'EUR', actor)), requestId: 'req-1' };
    await changeEverything(shop);
    const entries = await auditOf(shop);
    expect(entries.map((entry) => [entry.action, entry.actor_type, entry.actor_id, entry.request_id])).toEqual([
      ['store.created', 'embedder', null, null],
      ...['product.created', 'product.updated', 'paymentProvider.updated', 'customer.created', 'order.created'].map(
        (action) => [action, 'apiKey', actor.id, 'req-1'],
      ),
      ...['payment.refused', 'order.payment_failed', 'order.paid'].map((action) => [
        action,
        'provider',
        'stripe',
        'req-of-stripe',
      ]),
      ...'apiKey.created apiKey.deleted webhook.created webhook.updated webhook.deleted product.deleted'
        .split(' ')
        .map((action) => [action, 'apiKey', actor.id, 'req-1']),
    ]);
    for (const entry of entries) {
      expect(entry.created_at).toBe(clock.now());
      expect(entry.resource_type).toBe(entry.action.startsWith('payment.') ? 'order' : entry.action.split('.')[0]);
      expect(JSON.parse(entry.changes)).toEqual(expect.any(Object));
    }
  });

  it('holds no secret anywhere', async () => {
    const shop = await newShop(commerce());
    const secrets = await changeEverything(shop);
    const text = JSON.stringify(await auditOf(shop));
    for (const secret of secrets) expect(text).not.toContain(secret);
  });

  it.each<Actor>([
    { type: 'cli', id: null },
    { type: 'system', id: null },
    { type: 'embedder', id: 'nightly import' },
  ])('names %j', async (actor) => {
    const shop = await newShop(commerce(), 'EUR', actor);
    await createProduct(shop, { title: 'Mug', slug: 'mug', price: '5' });
    expect((await auditOf(shop)).at(-1)).toMatchObject({ actor_type: actor.type, actor_id: actor.id });
  });
});

it('changedFields names the fields that differ, with both values, except updatedAt', () => {
  const before = { a: 1, b: ['x'], c: { d: null }, updatedAt: 'then' };
  expect(changedFields(before, { ...before, updatedAt: 'now' })).toEqual({});
  expect(changedFields(before, { a: 2, b: ['x', 'y'], c: { d: null }, e: null, updatedAt: 'now' })).toEqual({
    a: { from: 1, to: 2 },
    b: { from: ['x'], to: ['x', 'y'] },
    e: { from: undefined, to: null },
  });
});
