import { randomUUID } from 'node:crypto';
import { type Context, createPage, deletePage, type Webhook } from '@commerce/core';
import { type App, createApp } from '@commerce/server';
import { emittedBy, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { ask, expectRefused, newKey, type Sending } from '@commerce/test-support/harness/requests';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { beforeAll, expect, it } from 'vitest';

forEachStorage('webhooks over HTTP', (database) => {
  const commerce = useCommerce(database);
  let app: App;
  let shop: Context;
  let key: string;
  beforeAll(async () => {
    app = createApp(commerce());
    shop = await newShop(commerce());
    key = await newKey(shop);
  });
  const send = (line: string, sending: Sending = {}) => {
    const [method, path] = line.split(' ');
    return ask(app, `${method} /stores/${shop.store.id}${path}`, { key, ...sending });
  };
  let made = 0;
  const subscription = () => ({ url: `https://example.com/hook-${++made}`, events: ['order.paid'] });
  const newWebhook = async (more: object = {}) => {
    const answer = await send('POST /webhooks', { body: { ...subscription(), ...more } });
    expect(answer.status).toBe(201);
    return (answer.json as { item: Webhook }).item;
  };

  it('makes, reads, changes and ends a subscription, which emits nothing', async () => {
    const emitted = await emittedBy(shop, async () => {
      const webhook = await newWebhook({ events: ['order.*'] });
      expect(webhook).toMatchObject({ storeId: shop.store.id, isActive: true, lastTriggeredAt: null });
      expect(webhook.events).toContain('order.paid');
      expect(webhook.secret.length).toBeGreaterThan(20);
      expect(await send(`GET /webhooks/${webhook.id}`)).toMatchObject({ status: 200, json: { item: webhook } });
      const changed = await send(`PUT /webhooks/${webhook.id}`, { body: { isActive: false } });
      expect(changed).toMatchObject({ status: 200, json: { item: { isActive: false, secret: webhook.secret } } });
      expect(await send('GET /webhooks?limit=1')).toMatchObject({
        status: 200,
        json: { items: [{ id: webhook.id }], total: expect.any(Number) },
      });
      expect(await send(`DELETE /webhooks/${webhook.id}`)).toMatchObject({ status: 204, text: '' });
    });
    expect(emitted).toEqual([]);
  });

  it('shows the subscribers of the application and their deliveries to keys that read webhooks', async () => {
    const off = await commerce().on('page.deleted', () => Promise.reject(new Error('the mirror is away')), {
      name: 'mirror',
    });
    await deletePage(shop, (await createPage(shop, { title: 'P', slug: 'p' })).id);
    await commerce().deliverDue({ onError: () => {} });
    const reader = await newKey(shop, 'webhook.read');
    const list = await send('GET /subscribers', { key: reader });
    expect(list).toMatchObject({
      status: 200,
      json: { items: [{ name: 'mirror', events: ['page.deleted'], waiting: 1, failed: 0 }], total: 1 },
    });
    const deliveries = await send('GET /subscribers/mirror/deliveries?status=pending&event=page.deleted', {
      key: reader,
    });
    expect(deliveries).toMatchObject({
      status: 200,
      json: { items: [{ subscriber: 'mirror', attempts: [{ error: 'the mirror is away' }] }], total: 1 },
    });
    const other = await newKey(shop, 'page.read');
    const refused = (line: string, sending: Sending, refusal: Parameters<typeof expectRefused>[2]) =>
      expectRefused(commerce(), () => send(line, sending), refusal);
    for (const path of ['/subscribers', '/subscribers/mirror/deliveries'])
      await refused(`GET ${path}`, { key: other }, { status: 403, code: 'FORBIDDEN' });
    await refused('GET /subscribers/nobody/deliveries', {}, { status: 404, code: 'NOT_FOUND' });
    const wrong = { status: 400, code: 'VALIDATION_ERROR', fields: ['status'] };
    await refused('GET /subscribers/mirror/deliveries?status=late', {}, wrong);
    off();
    await commerce().forgetSubscriber('mirror');
  });

  it('shows the secret to keys that may write, its end to others', async () => {
    const { id, secret } = await newWebhook();
    const reader = await newKey(shop, 'webhook.read');
    for (const path of [`/webhooks/${id}`, '/webhooks']) {
      const { text } = await send(`GET ${path}`, { key: reader });
      expect(text).not.toContain(secret);
      expect(text).toContain(secret.slice(-4));
      expect((await send(`GET ${path}`)).text).toContain(secret);
    }
  });

  it('refuses an address or an event that cannot be, and never repeats a secret', async () => {
    const { id } = await newWebhook();
    const good = subscription();
    const secret = 'short-secret';
    const rows: [Record<string, unknown>, string[]][] = [
      [{ url: 'http://example.com/' }, ['url']],
      [{ events: ['order.eaten'] }, ['events']],
      [{ secret }, ['secret']],
      [{ isActive: 'yes' }, ['isActive']],
    ];
    for (const [wrong, fields] of rows) {
      const refusal = { status: 400, code: 'VALIDATION_ERROR', fields };
      for (const work of [
        () => send('POST /webhooks', { body: { ...good, ...wrong } }),
        () => send(`PUT /webhooks/${id}`, { body: wrong }),
      ]) {
        expect((await expectRefused(commerce(), work, refusal)).text).not.toContain(secret);
      }
    }
    await expectRefused(commerce(), () => send('POST /webhooks', { body: {} }), {
      status: 400,
      code: 'VALIDATION_ERROR',
      fields: ['url', 'events'],
    });
  });

  it('refuses an address that has a subscription', async () => {
    const { url } = await newWebhook();
    const { id } = await newWebhook();
    const refusal = { status: 409, code: 'CONFLICT', fields: ['url'] };
    await expectRefused(commerce(), () => send('POST /webhooks', { body: { ...subscription(), url } }), refusal);
    await expectRefused(commerce(), () => send(`PUT /webhooks/${id}`, { body: { url: `${url}#part` } }), refusal);
  });

  it('answers every id that is not a subscription of the store alike', async () => {
    const other = await newShop(commerce());
    const elsewhere = await ask(app, `POST /stores/${other.store.id}/webhooks`, {
      key: await newKey(other),
      body: subscription(),
    });
    const { id: foreign } = (elsewhere.json as { item: Webhook }).item;
    const texts = new Set<string>();
    for (const id of [randomUUID(), foreign, 'x']) {
      for (const method of ['GET', 'PUT', 'DELETE']) {
        const work = () => send(`${method} /webhooks/${id}`, { body: { isActive: false } });
        texts.add((await expectRefused(commerce(), work, { status: 404, code: 'NOT_FOUND' })).text.replace(id, '<id>'));
      }
    }
    expect([...texts]).toHaveLength(1);
  });
});
