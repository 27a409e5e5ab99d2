import { auditOf, newProduct, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { expectDenied, invalid } from '@commerce/test-support/harness/denied';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { type Answer, type Received, startSubscriber } from '@commerce/test-support/harness/subscriber';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { transact } from '../engine/transaction.ts';
import {
  type Context,
  createWebhook,
  deleteWebhook,
  getDelivery,
  getWebhook,
  listDeliveries,
  redeliver,
  replayWebhook,
  rotateWebhookSecret,
  testWebhook,
  updateProduct,
  updateWebhook,
  type WebhookInput,
} from '../index.ts';
import { maxReplayed } from '../kernel/limits.ts';
import { fakeClock } from '../testing/index.ts';
import { verifyWebhook } from '../webhooks/verify.ts';
import { storeEvents } from './outbox.ts';
import { forgetOldDeliveries } from './retention.ts';

const day = 86_400_000;

forEachStorage('what subscriptions were sent', (database) => {
  const clock = fakeClock('2026-05-05T05:05:05.555Z');
  const commerce = useCommerce(database, { clock, allowInsecureWebhooks: true, random: () => 0.5 });
  const closing: (() => Promise<void>)[] = [];
  let shop: Context;
  beforeEach(async () => {
    shop = await newShop(commerce());
  });
  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
  });

  async function subscribe(answer?: (received: Received) => Answer, more: Partial<WebhookInput> = {}) {
    const subscriber = await startSubscriber(answer);
    closing.push(subscriber.close);
    const webhook = await createWebhook(shop, { url: subscriber.url, events: ['product.*'], ...more });
    return { ...subscriber, webhook, id: webhook.id };
  }
  const idsOf = (received: Received[]) => received.map(({ headers }) => headers['webhook-id']);

  describe('is listed', () => {
    it('with every attempt, newest first, by status and by event', async () => {
      const answers = [500, 200, 410];
      const { id, received } = await subscribe(() => (response) => {
        response.writeHead(answers.shift() ?? 200).end('said so');
      });
      const product = await newProduct(shop);
      await commerce().deliverDue();
      clock.advance(5000);
      await commerce().deliverDue();
      await updateProduct(shop, product.id, { title: 'Cup' });
      await commerce().deliverDue();
      await updateProduct(shop, product.id, { title: 'Jug' });

      const { items, total } = await listDeliveries(shop, id);
      expect(total).toBe(3);
      expect(items.map(({ event, status, attempts }) => [event, status, attempts.length])).toEqual([
        ['product.updated', 'pending', 0],
        ['product.updated', 'failed', 1],
        ['product.created', 'succeeded', 2],
      ]);
      expect(items[2]).toEqual({
        id: expect.any(String),
        webhookId: id,
        eventId: received[0]?.headers['webhook-id'],
        event: 'product.created',
        status: 'succeeded',
        attempts: [
          {
            at: '2026-05-05T05:05:05.555Z',
            responseCode: 500,
            latencyMs: expect.any(Number),
            error: 'answered 500',
            responseBody: 'said so',
          },
          {
            at: '2026-05-05T05:05:10.555Z',
            responseCode: 200,
            latencyMs: expect.any(Number),
            error: null,
            responseBody: 'said so',
          },
        ],
        nextAttemptAt: null,
        createdAt: '2026-05-05T05:05:05.555Z',
      });
      expect(items[0]?.nextAttemptAt).toBe(new Date(clock.now()).toISOString());
      for (const delivery of items) expect(await getDelivery(shop, id, delivery.id)).toMatchObject(delivery);
      const some = async (query: Parameters<typeof listDeliveries>[2]) => (await listDeliveries(shop, id, query)).total;
      expect(await some({ status: 'failed' })).toBe(1);
      expect(await some({ event: 'product.updated' })).toBe(2);
      expect(await some({ event: 'product.updated', status: 'succeeded' })).toBe(0);
      expect((await listDeliveries(shop, id, { limit: 1, offset: 1 })).items).toEqual([items[1]]);
    });

    it('to its own store alone', async () => {
      const { id } = await subscribe();
      await newProduct(shop);
      const [delivery] = (await listDeliveries(shop, id)).items;
      const other = await newShop(commerce());
      const { id: own } = await createWebhook(other, { url: 'http://127.0.0.1:9/', events: ['page.*'] });
      const missing = { kind: 'notFound' as const };
      await expectDenied(commerce(), () => listDeliveries(other, id), missing);
      await expectDenied(commerce(), () => getDelivery(other, own, delivery?.id ?? ''), missing);
      await expectDenied(commerce(), () => redeliver(other, own, delivery?.id ?? ''), missing);
      await expectDenied(commerce(), () => redeliver(shop, id, 'x'), missing);
      await expectDenied(commerce(), () => testWebhook(other, id), missing);
      await expectDenied(commerce(), () => rotateWebhookSecret(other, id), missing);
    });
  });

  it('is sent once more, with the same event id and body', async () => {
    const { id, received } = await subscribe();
    await newProduct(shop);
    await commerce().deliverDue();
    const [first] = (await listDeliveries(shop, id)).items;
    const again = await redeliver(shop, id, first?.id ?? '');
    expect(again).toMatchObject({ eventId: first?.eventId, status: 'pending', attempts: [] });
    expect(again.id).not.toBe(first?.id);
    await commerce().deliverDue();
    expect(received[1]?.body).toEqual(received[0]?.body);
    const { body } = await getDelivery(shop, id, again.id);
    expect(body).toBe(received[0]?.body.toString());
    expect(new Set(idsOf(received)).size).toBe(1);
    expect((await auditOf(shop)).at(-1)).toMatchObject({ action: 'webhook.redelivered', resource_id: id });
  });

  it('is sent at once when it waits for its next attempt', async () => {
    const { id, received } = await subscribe(() => 503);
    await newProduct(shop);
    await commerce().deliverDue();
    expect(await commerce().deliverDue()).toBe(0);
    const [delivery] = (await listDeliveries(shop, id)).items;
    expect(await redeliver(shop, id, delivery?.id ?? '')).toMatchObject({ id: delivery?.id, status: 'pending' });
    expect(await commerce().deliverDue()).toBe(1);
    expect(received).toHaveLength(2);
  });

  it('may be a test, which no other subscriber receives', async () => {
    const { id, received, webhook } = await subscribe();
    const other = await subscribe();
    expect(await testWebhook(shop, id)).toMatchObject({ event: 'webhook.test', status: 'pending', webhookId: id });
    await commerce().deliverDue();
    const [one] = received;
    const event = verifyWebhook({ body: one?.body ?? '', headers: one?.headers ?? {} }, webhook.secret, {
      now: clock.now(),
    });
    expect(event).toMatchObject({ type: 'webhook.test', storeId: shop.store.id, data: { webhookId: id } });
    expect(other.received).toEqual([]);
  });

  it('is nothing while a subscription is switched off', async () => {
    const { id } = await subscribe(() => 500);
    await newProduct(shop);
    const [delivery] = (await listDeliveries(shop, id)).items;
    await updateWebhook(shop, id, { isActive: false });
    expect(await getDelivery(shop, id, delivery?.id ?? '')).toMatchObject({ status: 'cancelled', nextAttemptAt: null });
    const off = { kind: 'conflict' as const, message: /switched off/ };
    await expectDenied(commerce(), () => redeliver(shop, id, delivery?.id ?? ''), off);
    await expectDenied(commerce(), () => testWebhook(shop, id), off);
    await expectDenied(commerce(), () => replayWebhook(shop, id, { since: '2026-01-01T00:00:00Z' }), off);
  });

  describe('is replayed', () => {
    it('as far as it was missed: after failures, while switched off, and before it existed', async () => {
      const before = await newProduct(shop);
      let status = 410;
      const { id, received } = await subscribe(() => status);
      const failed = await newProduct(shop);
      await commerce().deliverDue();
      status = 200;
      const delivered = await newProduct(shop);
      await commerce().deliverDue();
      await updateWebhook(shop, id, { isActive: false });
      const missed = await newProduct(shop);
      await updateWebhook(shop, id, { isActive: true });
      received.length = 0;
      expect(await replayWebhook(shop, id, { since: '2026-01-01T00:00:00Z' })).toEqual({ queued: 3 });
      // A second replay finds them waiting.
      expect(await replayWebhook(shop, id, { since: '2026-01-01T00:00:00Z' })).toEqual({ queued: 0 });
      await commerce().deliverDue();
      const resources = received.map(({ body }) => JSON.parse(body.toString()).data.id);
      expect(resources.sort()).toEqual([before.id, failed.id, missed.id].sort());
      expect(await replayWebhook(shop, id, { since: '2026-01-01T00:00:00Z', all: true })).toEqual({ queued: 4 });
      await commerce().deliverDue();
      expect(received.map(({ body }) => JSON.parse(body.toString()).data.id)).toContain(delivered.id);
    });

    it('in parts where very much was missed: another replay goes on with the rest', async () => {
      for (let i = 0; i < maxReplayed + 700; i += 950) {
        await transact(shop, (tx) =>
          storeEvents(
            tx,
            Array.from({ length: 950 }, () => ({
              id: tx.engine.ids.next(tx.now),
              type: 'page.created',
              resourceId: tx.store.id,
              json: '{}',
            })),
          ),
        );
      }
      const { id } = await subscribe(undefined, { events: ['page.created'] });
      const since = '2026-01-01T00:00:00Z';
      expect(await replayWebhook(shop, id, { since })).toEqual({ queued: maxReplayed });
      expect(await replayWebhook(shop, id, { since })).toEqual({ queued: 950 * 6 - maxReplayed });
      expect(await replayWebhook(shop, id, { since })).toEqual({ queued: 0 });
      await deleteWebhook(shop, id);
    });

    it('since a time, for the events of the subscription, in any number', async () => {
      await newProduct(shop);
      clock.advance(1000);
      const since = new Date(clock.now()).toISOString();
      for (let i = 0; i < 520; i++) await newProduct(shop);
      const { id } = await subscribe(undefined, { events: ['product.created'] });
      const [{ id: productId } = { id: '' }] = [await newProduct(shop)];
      await commerce().deliverDue();
      await updateProduct(shop, productId, { title: 'Cup' });
      expect(await replayWebhook(shop, id, { since })).toEqual({ queued: 520 });
      const { total } = await listDeliveries(shop, id, { status: 'pending' });
      expect(total).toBe(520);
      await updateWebhook(shop, id, { isActive: false });
    });

    it('also where the clock was set back since', async () => {
      const since = new Date(clock.now()).toISOString();
      const { id } = await subscribe(undefined, { events: ['product.created'] });
      await updateWebhook(shop, id, { isActive: false });
      await newProduct(shop);
      clock.advance(-60_000);
      await newProduct(shop);
      await updateWebhook(shop, id, { isActive: true });
      try {
        expect(await replayWebhook(shop, id, { since })).toEqual({ queued: 2 });
      } finally {
        clock.advance(60_000);
        await deleteWebhook(shop, id);
      }
    });

    it.each(['yesterday', '2026-13-01T00:00:00Z', '2026-01-01T00:00:00', 5])('not since %j', async (since) => {
      const { id } = await subscribe();
      const work = () => replayWebhook(shop, id, { since: since as string });
      await expectDenied(commerce(), work, invalid('since'));
    });
  });

  it('is signed with the old secret and the new one for 24 hours', async () => {
    const { id, received, webhook } = await subscribe();
    const rotated = await rotateWebhookSecret(shop, id);
    expect(rotated.secret).toMatch(/^whsec_/);
    expect(rotated.secret).not.toBe(webhook.secret);
    expect(await getWebhook(shop, id)).toEqual(rotated);
    const verifies = async (secret: string) => {
      await newProduct(shop);
      await commerce().deliverDue();
      const last = received.at(-1);
      try {
        verifyWebhook({ body: last?.body ?? '', headers: last?.headers ?? {} }, secret, { now: clock.now() });
        return true;
      } catch {
        return false;
      }
    };
    expect([await verifies(webhook.secret), await verifies(rotated.secret)]).toEqual([true, true]);
    clock.advance(day - 1);
    expect(await verifies(webhook.secret)).toBe(true);
    clock.advance(1);
    expect([await verifies(webhook.secret), await verifies(rotated.secret)]).toEqual([false, true]);
    expect(await rotateWebhookSecret(shop, id, { secret: 'a secret of my own' })).toMatchObject({
      secret: 'a secret of my own',
    });
    const changes = (await auditOf(shop)).map((entry) => entry.changes).join();
    for (const secret of [webhook.secret, rotated.secret, 'a secret of my own']) expect(changes).not.toContain(secret);
  });

  it('is signed with bare hex when so configured', async () => {
    const { received, webhook } = await subscribe(undefined, { signatureFormat: 'hex' });
    expect(webhook.signatureFormat).toBe('hex');
    await newProduct(shop);
    await commerce().deliverDue();
    expect(received[0]?.headers['x-webhook-signature']).toMatch(/^[0-9a-f]{64}$/);
  });

  it('is tried as often as the subscription states', async () => {
    const { id, received } = await subscribe(() => 500, { retries: 0 });
    await newProduct(shop);
    await commerce().deliverDue();
    clock.advance(day);
    await commerce().deliverDue();
    expect(received).toHaveLength(1);
    expect((await listDeliveries(shop, id)).items).toMatchObject([{ status: 'failed' }]);
    // A change applies to the next attempt, also for waiting deliveries.
    await updateWebhook(shop, id, { retries: 1 });
    await newProduct(shop);
    await commerce().deliverDue();
    clock.advance(5000);
    await commerce().deliverDue();
    expect(received).toHaveLength(3);
    expect((await listDeliveries(shop, id, { limit: 1 })).items).toMatchObject([{ status: 'failed' }]);
    for (const retries of [-1, 5, 1.5, '2' as never]) {
      await expectDenied(commerce(), () => updateWebhook(shop, id, { retries }), invalid('retries'));
    }
  });

  it.each<[number, string, number]>([
    [429, '60', 60_000],
    [503, '1', 5_000],
    [500, '999999', 3_600_000],
    [429, new Date(Date.parse('2026-05-05T05:05:05.555Z') + 10 * day).toUTCString(), 3_600_000],
  ])('is tried after what a %i with Retry-After %s asks for, at most an hour', async (status, header, wait) => {
    const { id } = await subscribe(() => (response) => {
      response.writeHead(status, { 'retry-after': header }).end();
    });
    await newProduct(shop);
    await commerce().deliverDue();
    const [delivery] = (await listDeliveries(shop, id)).items;
    expect(Date.parse(delivery?.nextAttemptAt ?? '') - clock.now()).toBe(wait);
  });

  it('is kept for 30 days', async () => {
    const { id } = await subscribe();
    for (let i = 0; i < 3; i++) await newProduct(shop);
    await commerce().deliverDue();
    clock.advance(30 * day - 1);
    await newProduct(shop);
    await commerce().deliverDue();
    await forgetOldDeliveries(commerce().engine);
    expect((await listDeliveries(shop, id)).total).toBe(4);
    clock.advance(2);
    await forgetOldDeliveries(commerce().engine);
    expect((await listDeliveries(shop, id)).total).toBe(1);
    const events = await shop.engine.storage.db
      .selectFrom('events')
      .select('id')
      .where('store_id', '=', shop.store.id)
      .execute();
    expect(events).toHaveLength(1);
  });

  it('is cancelled when the subscription was deleted while its event was written', async () => {
    const { id } = await subscribe();
    await newProduct(shop);
    const { db } = shop.engine.storage;
    await db.transaction().execute((tx) => tx.deleteFrom('webhooks').where('store_id', '=', shop.store.id).execute());
    await forgetOldDeliveries(commerce().engine);
    const rows = await db.selectFrom('deliveries').select('status').where('subscriber_id', '=', id).execute();
    expect(rows).toEqual([{ status: 'cancelled' }]);
  });
});
