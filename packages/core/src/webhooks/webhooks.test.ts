import { auditOf, newProduct, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { expectDenied, invalid } from '@commerce/test-support/harness/denied';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { expect, it } from 'vitest';
import {
  type Context,
  createWebhook,
  deleteWebhook,
  type EventPattern,
  eventTypes,
  getWebhook,
  listWebhooks,
  type Scope,
  updateWebhook,
  type WebhookChanges,
  type WebhookInput,
} from '../index.ts';
import { fakeClock } from '../testing/index.ts';

const url = 'https://example.com/hook';

forEachStorage('webhook subscriptions', (database) => {
  const clock = fakeClock();
  const commerce = useCommerce(database, { clock });
  const openShop = () => newShop(commerce());

  /** The same store, seen by a key with those scopes. */
  const seenBy = (shop: Context, ...scopes: Scope[]): Context => ({
    ...shop,
    actor: { type: 'apiKey', id: 'k', scopes: new Set(scopes) },
  });

  const deliveriesOf = (shop: Context) =>
    shop.engine.storage.db
      .selectFrom('deliveries')
      .select(['subscriber_id', 'event', 'status', 'due_at', 'attempts'])
      .where('store_id', '=', shop.store.id)
      .orderBy('id')
      .execute();

  it('answer the given values, with a new secret in the form of Standard Webhooks', async () => {
    const shop = await openShop();
    const webhook = await createWebhook(shop, { url, events: ['order.paid', 'product.created'] });
    expect(webhook).toEqual({
      id: webhook.id,
      storeId: shop.store.id,
      url,
      events: ['product.created', 'order.paid'],
      secret: webhook.secret,
      isActive: true,
      disabledReason: null,
      signatureFormat: 'sha256',
      retries: 4,
      lastTriggeredAt: null,
      createdAt: new Date(clock.now()).toISOString(),
      updatedAt: new Date(clock.now()).toISOString(),
    });
    expect(webhook.secret).toMatch(/^whsec_[A-Za-z0-9+/]{32}$/);
    expect(await getWebhook(shop, webhook.id)).toEqual(webhook);
    expect(await listWebhooks(shop)).toEqual({ items: [webhook], total: 1 });
    const other = await createWebhook(shop, { url: `${url}/2`, events: ['order.paid'] });
    expect(other.secret).not.toBe(webhook.secret);
  });

  it.each<[EventPattern[], string[]]>([
    [['order.*'], eventTypes.filter((type) => type.startsWith('order.'))],
    [['product.*'], ['product.created', 'product.updated', 'product.deleted', 'product.low_stock']],
    [
      ['product.deleted', 'product.*', 'order.paid', 'order.paid'],
      ['product.created', 'product.updated', 'product.deleted', 'product.low_stock', 'order.paid'],
    ],
    [[...new Set(eventTypes.map((type) => `${type.split('.')[0]}.*` as EventPattern))], [...eventTypes]],
  ])('expand %j when they are saved', async (events, expanded) => {
    const shop = await openShop();
    const webhook = await createWebhook(shop, { url, events });
    expect(webhook.events).toEqual(expanded);
    expect((await getWebhook(shop, webhook.id)).events).toEqual(expanded);
  });

  it('show the secret to keys that may write webhooks, and its last four characters to others', async () => {
    const shop = await openShop();
    const secret = 'a secret of sixteen or more: 1234';
    const { id } = await createWebhook(shop, { url, events: ['order.paid'], secret });
    for (const actor of [shop, seenBy(shop, 'webhook.read', 'webhook.write')]) {
      expect((await getWebhook(actor, id)).secret).toBe(secret);
      expect((await listWebhooks(actor)).items[0]?.secret).toBe(secret);
    }
    const reader = seenBy(shop, 'webhook.read');
    expect((await getWebhook(reader, id)).secret).toBe('••••••••••••1234');
    expect((await listWebhooks(reader)).items[0]?.secret).toBe('••••••••••••1234');
  });

  it('keep their secret when the masked one is sent back', async () => {
    const shop = await openShop();
    const { id, secret } = await createWebhook(shop, { url, events: ['order.paid'] });
    const masked = (await getWebhook(seenBy(shop, 'webhook.read'), id)).secret;
    clock.advance(1000);
    const same = await updateWebhook(shop, id, { secret: masked });
    expect(same).toMatchObject({ secret, updatedAt: same.createdAt });
    expect(await updateWebhook(shop, id, { secret: 'another secret, longer' })).toMatchObject({
      secret: 'another secret, longer',
    });
  });

  it('have an address in a form that every program reads alike', async () => {
    const created = await createWebhook(await openShop(), {
      url: 'https://BÜCHER.example.com:443/a b/{x}?q={"a":1}|^`#there',
      events: ['order.paid'],
    });
    expect(created.url).toBe('https://xn--bcher-kva.example.com/a%20b/%7Bx%7D?q=%7B%22a%22:1%7D%7C%5E%60');
  });

  const input = (fields: object) => ({ url, events: ['order.paid'], ...fields });
  it.each<[string, unknown, string[]]>([
    ['nothing', {}, ['url', 'events']],
    ['no object', [], ['body']],
    ['plain HTTP', input({ url: 'http://example.com/hook' }), ['url']],
    ['another scheme', input({ url: 'ftp://example.com/hook' }), ['url']],
    ['a script', input({ url: 'javascript:alert(1)' }), ['url']],
    ['no address', input({ url: 'example.com' }), ['url']],
    ['an empty address', input({ url: '' }), ['url']],
    ['braces in the host', input({ url: 'https://{{shop}}.example.com/' }), ['url']],
    ['a host of signs', input({ url: 'https://a!b.example.com/' }), ['url']],
    ['a user name', input({ url: 'https://ada@example.com/' }), ['url']],
    ['a password', input({ url: 'https://:secret@example.com/' }), ['url']],
    ['an address that is too long', input({ url: `https://example.com/${'x'.repeat(2048)}` }), ['url']],
    ['no address but null', input({ url: null }), ['url']],
    ['loopback', input({ url: 'https://127.1/hook' }), ['url']],
    ['loopback by name', input({ url: 'https://localhost:8443/hook' }), ['url']],
    ['the metadata of a cloud', input({ url: 'https://169.254.169.254/latest/meta-data' }), ['url']],
    ['an address of a private network', input({ url: 'https://[::ffff:10.0.0.1]/hook' }), ['url']],
    ['no events', input({ events: [] }), ['events']],
    ['events that are no list', input({ events: 'order.paid' }), ['events']],
    ['an unknown event', input({ events: ['order.paid', 'order.exploded'] }), ['events']],
    ['an event of nothing', input({ events: ['.*'] }), ['events']],
    ['everything', input({ events: ['*'] }), ['events']],
    ['a wildcard in the middle', input({ events: ['or*.paid'] }), ['events']],
    ['a wildcard of no resource', input({ events: ['ord.*'] }), ['events']],
    ['a wildcard that is half a word', input({ events: ['order.p*'] }), ['events']],
    ['an event in capitals', input({ events: ['Order.Paid'] }), ['events']],
    ['an event that is a number', input({ events: [7] }), ['events.0']],
    ['a secret that is too short', input({ secret: 'short' }), ['secret']],
    ['a secret that is null', input({ secret: null }), ['secret']],
    ['isActive as a text', input({ isActive: 'true' }), ['isActive']],
  ])('are refused with %s', async (_, given, fields) => {
    const shop = await openShop();
    const create = () => createWebhook(shop, given as WebhookInput);
    await expectDenied(commerce(), create, invalid(...fields));
  });

  it('have an address of their own in the store, whatever its spelling', async () => {
    const shop = await openShop();
    const { id } = await createWebhook(shop, { url, events: ['order.paid'] });
    const second = await createWebhook(shop, { url: `${url}/2`, events: ['order.paid'] });
    for (const same of [
      url,
      'https://EXAMPLE.com:443/hook',
      'https://example.com./hook',
      `${url}#part`,
      'https://example.com/a/../hook',
    ]) {
      const create = () => createWebhook(shop, { url: same, events: ['order.paid'] });
      await expectDenied(commerce(), create, {
        kind: 'conflict',
        fields: ['url'],
        message: /already has a subscription/,
      });
      const update = () => updateWebhook(shop, second.id, { url: same });
      await expectDenied(commerce(), update, { kind: 'conflict', fields: ['url'] });
    }
    await createWebhook(await openShop(), { url, events: ['order.paid'] });
    await deleteWebhook(shop, id);
    expect(await updateWebhook(shop, second.id, { url })).toMatchObject({ url });
  });

  it.each<[string, WebhookChanges]>([
    ['switched off', { isActive: false }],
    ['deleted', {}],
  ])('cancel what was waiting for them when they are %s', async (how, changes) => {
    const shop = await openShop();
    const gone = await createWebhook(shop, { url, events: ['product.*'] });
    const stays = await createWebhook(shop, { url: `${url}/2`, events: ['product.created'] });
    await newProduct(shop);
    if (how === 'deleted') await deleteWebhook(shop, gone.id);
    else await updateWebhook(shop, gone.id, changes);
    await newProduct(shop);
    const waiting = { event: 'product.created', status: 'pending', due_at: clock.now(), attempts: 0 };
    const cancelled = { ...waiting, status: 'cancelled', due_at: null };
    const all = await deliveriesOf(shop);
    expect(all.filter((row) => row.subscriber_id === gone.id)).toEqual([{ ...cancelled, subscriber_id: gone.id }]);
    expect(all.filter((row) => row.subscriber_id === stays.id)).toEqual([
      { ...waiting, subscriber_id: stays.id },
      { ...waiting, subscriber_id: stays.id },
    ]);
  });

  it('keep their waiting deliveries through a change of address or events', async () => {
    const shop = await openShop();
    const { id } = await createWebhook(shop, { url, events: ['product.created'] });
    await newProduct(shop);
    await updateWebhook(shop, id, { url: `${url}/new`, events: ['order.paid'] });
    await newProduct(shop);
    expect(await deliveriesOf(shop)).toMatchObject([{ status: 'pending', event: 'product.created' }]);
  });

  it('appear in the audit log without their secrets', async () => {
    const shop = await openShop();
    const { id, secret } = await createWebhook(shop, { url, events: ['order.paid'] });
    await updateWebhook(shop, id, { secret: 'another secret, longer', isActive: false });
    await deleteWebhook(shop, id);
    const entries = (await auditOf(shop)).slice(1);
    expect(entries.map((entry) => [entry.action, JSON.parse(entry.changes)])).toEqual([
      ['webhook.created', { url, events: ['order.paid'] }],
      ['webhook.updated', { isActive: { from: true, to: false }, secret: 'changed' }],
      ['webhook.deleted', { url }],
    ]);
    expect(JSON.stringify(entries)).not.toContain(secret);
    expect(JSON.stringify(entries)).not.toContain('another secret');
  });
});
