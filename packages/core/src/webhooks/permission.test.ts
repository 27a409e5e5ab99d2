import { newProduct, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { expectDenied } from '@commerce/test-support/harness/denied';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { expect, it } from 'vitest';
import {
  type Context,
  createApiKey,
  createCustomer,
  createWebhook,
  type EventPattern,
  getAuditLog,
  getDelivery,
  listAuditLogs,
  listDeliveries,
  redeliver,
  replayWebhook,
  revokeApiKey,
  rotateWebhookSecret,
  type Scope,
  testWebhook,
  updateCustomer,
  updateWebhook,
} from '../index.ts';
import { fakeClock } from '../testing/index.ts';
import { requireReadScopes } from './permission.ts';

const url = 'https://example.com/hook';
const since = '2026-01-01T00:00:00.000Z';

forEachStorage('what a key has sent by webhook', (database) => {
  const clock = fakeClock(since);
  const commerce = useCommerce(database, { clock });
  const openShop = () => newShop(commerce());

  /** The store as a new key with those scopes acts in it. */
  async function asKey(shop: Context, scopes: Scope[], expiresAt: string | null = null) {
    const { id, key } = await createApiKey(shop, { name: 'Till', scopes, expiresAt });
    const identity = await commerce().identities.authenticate(key);
    if (!identity) throw new Error('the key is nobody');
    return { id, ctx: { ...shop, actor: identity.actor } };
  }
  const refused = (work: () => Promise<unknown>, message: RegExp) =>
    expectDenied(commerce(), work, { kind: 'forbidden', message });

  it.each<[string, EventPattern[], RegExp]>([
    ['one event', ['customer.created'], /customer\.read/],
    ['a wildcard', ['order.*'], /order\.read/],
    ['a checkout with its buyer', ['checkout.expired'], /lacks checkout\.read, order\.read/],
    ['a refund with its order', ['refund.failed'], /lacks order\.read,/],
    ['one that it may read and one that it may not', ['product.created', 'customer.updated'], /customer\.read/],
  ])('is only what it may read: it cannot subscribe to %s', async (_, events, message) => {
    const shop = await openShop();
    const { ctx } = await asKey(shop, ['webhook.write', 'product.read']);
    await refused(() => createWebhook(ctx, { url, events }), message);
    const { ctx: reader } = await asKey(shop, [
      'webhook.write',
      'product.read',
      'customer.read',
      'order.read',
      'checkout.read',
    ]);
    expect(await createWebhook(reader, { url, events })).toMatchObject({ url });
  });

  it('is only what it may read: it sees no body of a delivery about other resources', async () => {
    const shop = await openShop();
    const { id } = await createWebhook(shop, { url, events: ['customer.created', 'product.created'] });
    await createCustomer(shop, { email: 'ada@shop.test' });
    await newProduct(shop);
    const { items } = await listDeliveries(shop, id);
    const { ctx } = await asKey(shop, ['webhook.read', 'product.read']);
    const bodies = async (as: Context) =>
      Object.fromEntries(
        await Promise.all(items.map(async (one) => [one.event, (await getDelivery(as, id, one.id)).body] as const)),
      );
    expect(await bodies(ctx)).toEqual({
      'customer.created': null,
      'product.created': expect.stringMatching(/^\{"id":/),
    });
    expect((await bodies(shop))['customer.created']).toContain('ada@shop.test');
  });

  it('is only what it may read: it cannot redirect a subscription of others to its own address', async () => {
    const shop = await openShop();
    const { id } = await createWebhook(shop, { url, events: ['customer.created'] });
    const { ctx } = await asKey(shop, ['webhook.write', 'webhook.read', 'product.read']);
    await refused(() => updateWebhook(ctx, id, { url: `${url}/mine` }), /customer\.read/);
    await refused(() => updateWebhook(ctx, id, { isActive: true }), /customer\.read/);
    await refused(() => rotateWebhookSecret(ctx, id), /customer\.read/);
    await refused(() => rotateWebhookSecret(ctx, id, { secret: 'known to the caller' }), /customer\.read/);
    const { id: own } = await createWebhook(ctx, { url: `${url}/own`, events: ['product.created'] });
    await refused(() => updateWebhook(ctx, own, { events: ['customer.*'] }), /customer\.read/);
  });

  it('is only what it may read: it cannot replay, redeliver or test anything else', async () => {
    const shop = await openShop();
    await createCustomer(shop, { email: 'ada@example.org' });
    const { id } = await createWebhook(shop, { url, events: ['customer.created'] });
    expect(await replayWebhook(shop, id, { since })).toEqual({ queued: 1 });
    const { items } = await listDeliveries(shop, id);
    const { ctx } = await asKey(shop, ['webhook.write', 'product.read']);
    await refused(() => replayWebhook(ctx, id, { since, all: true }), /customer\.read/);
    await refused(() => redeliver(ctx, id, items[0]?.id ?? ''), /customer\.read/);
    await refused(() => testWebhook(ctx, id), /customer\.read/);
    // Nor events to which the subscription was subscribed earlier.
    await updateWebhook(shop, id, { events: ['product.created'] });
    await refused(() => redeliver(ctx, id, items[0]?.id ?? ''), /customer\.read/);
    expect(await testWebhook(ctx, id)).toMatchObject({ event: 'webhook.test' });
    await newProduct(shop);
    expect(await replayWebhook(ctx, id, { since, all: true })).toEqual({ queued: 0 });
  });

  it('derives the scope from the name of the resource, also for future events', async () => {
    const { ctx } = await asKey(await openShop(), ['webhook.write', 'auditLog.read']);
    expect(() => requireReadScopes(ctx, ['auditLog.pruned'])).not.toThrow();
    expect(() => requireReadScopes(ctx, ['payment.unmatched'])).toThrow(/payment\.read/);
  });

  it.each(['revoked', 'expired'])(
    'ends with a key that is %s, until the subscription is saved with another key',
    async (how) => {
      const shop = await openShop();
      const expiresAt = how === 'expired' ? new Date(clock.now() + 1000).toISOString() : null;
      const maker = await asKey(shop, ['webhook.write', 'customer.read'], expiresAt);
      const { id } = await createWebhook(maker.ctx, { url, events: ['customer.created'] });
      await createCustomer(shop, { email: 'ada@example.org' });
      const { items } = await listDeliveries(shop, id);
      expect(items).toHaveLength(1);
      expect(await testWebhook(maker.ctx, id)).toMatchObject({ status: 'pending' });
      if (how === 'expired') clock.advance(1000);
      else await revokeApiKey(shop, maker.id);
      for (const work of [
        () => replayWebhook(shop, id, { since, all: true }),
        () => redeliver(shop, id, items[0]?.id ?? ''),
        () => testWebhook(shop, id),
      ]) {
        await expectDenied(commerce(), work, { kind: 'conflict', message: new RegExp(how) });
      }
      // New events are still sent: replacing a key must not silence the shop's own programs.
      await createCustomer(shop, { email: 'grace@example.org' });
      expect((await listDeliveries(shop, id, { event: 'customer.created' })).total).toBe(2);
      // Saved unchanged, by a key that can read its events.
      const { ctx } = await asKey(shop, ['webhook.write', 'customer.read']);
      const before = await updateWebhook(ctx, id, {});
      expect(await updateWebhook(ctx, id, { url })).toEqual(before);
      expect(await testWebhook(ctx, id)).toMatchObject({ status: 'pending' });
    },
  );

  it('shows changes to a customer only with customer.read', async () => {
    const shop = await openShop();
    const { id } = await createCustomer(shop, { email: 'ada@example.org', phone: '+49 30 123' });
    await updateCustomer(shop, id, { email: 'ada@example.net', phone: '+49 30 456' });
    await newProduct(shop);
    const { ctx: auditor } = await asKey(shop, ['auditLog.read']);
    const { items, total } = await listAuditLogs(auditor);
    expect(total).toBe(items.length);
    expect(JSON.stringify(items)).not.toMatch(/ada@|\+49/);
    const entry = items.find(({ action }) => action === 'customer.updated');
    expect(entry).toMatchObject({ resourceId: id, changes: {} });
    expect((await getAuditLog(auditor, entry?.id ?? '')).changes).toEqual({});
    expect(items.find(({ action }) => action === 'apiKey.created')?.changes).not.toEqual({});
    const { ctx: reader } = await asKey(shop, ['auditLog.read', 'customer.read']);
    expect((await getAuditLog(reader, entry?.id ?? '')).changes).toMatchObject({
      email: { from: 'ada@example.org', to: 'ada@example.net' },
    });
  });
});
