import { newProduct, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { type Answer, type Received, startSubscriber } from '@commerce/test-support/harness/subscriber';
import { until } from '@commerce/test-support/harness/until';
import { afterEach, expect, it } from 'vitest';
import {
  type Context,
  createWebhook,
  deleteProduct,
  deleteWebhook,
  type EventPattern,
  getWebhook,
  updateProduct,
  updateWebhook,
} from '../index.ts';
import { fakeClock } from '../testing/index.ts';

/** HMAC-SHA256 by Web Crypto, which shares no code with the signing. */
async function hmac(key: Buffer, message: Buffer): Promise<Buffer> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const imported = await crypto.subtle.importKey('raw', Uint8Array.from(key), algorithm, false, ['sign']);
  return Buffer.from(await crypto.subtle.sign('HMAC', imported, Uint8Array.from(message)));
}

forEachStorage('delivery of webhooks', (database) => {
  const clock = fakeClock('2026-05-05T05:05:05.555Z');
  const commerce = useCommerce(database, { clock, allowInsecureWebhooks: true, random: () => 0.5 });
  const closing: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
  });

  async function subscribe(
    answer?: (received: Received) => Answer,
    events: EventPattern[] = ['product.created'],
    secret?: string,
  ) {
    const shop = await newShop(commerce());
    const subscriber = await startSubscriber(answer);
    closing.push(subscriber.close);
    const webhook = await createWebhook(shop, { url: subscriber.url, events, ...(secret ? { secret } : {}) });
    return { shop, subscriber, webhook };
  }

  async function deliveriesOf(shop: Context) {
    const rows = await shop.engine.storage.db
      .selectFrom('deliveries')
      .selectAll()
      .where('store_id', '=', shop.store.id)
      .orderBy('id')
      .execute();
    return rows.map((row) => ({ ...row, log: JSON.parse(row.log) as Record<string, unknown>[] }));
  }

  it.each([
    [
      'a secret of the form of Standard Webhooks',
      'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
      (s: string) => Buffer.from(s.slice(6), 'base64'),
    ],
    ['a secret of another form', 'hunter2 hunter2 hunter2 ünïcode', (s: string) => Buffer.from(s)],
    ['a secret that only begins like one', 'whsec_not base64 at all!', (s: string) => Buffer.from(s)],
  ])('sends the event signed twice over the very bytes, with %s', async (_, secret, standardKey) => {
    const { shop, subscriber } = await subscribe(undefined, ['product.created'], secret);
    const product = await newProduct(shop, { title: 'Größe "M" 👕', description: 'a\u2028b</script>' });
    clock.advance(1500);
    expect(await commerce().deliverDue()).toBe(1);

    const [{ headers, body, path } = { headers: {}, body: Buffer.alloc(0), path: '' }] = subscriber.received;
    const [event] = await shop.engine.storage.db
      .selectFrom('events')
      .select(['id', 'data'])
      .where('store_id', '=', shop.store.id)
      .execute();
    expect(path).toBe('/hook');
    expect(JSON.parse(body.toString('utf8'))).toEqual({
      id: event?.id,
      type: 'product.created',
      event: 'product.created',
      timestamp: product.createdAt,
      storeId: shop.store.id,
      data: product,
    });
    expect(body.toString('utf8')).toContain(`"data":${event?.data}}`);
    const seconds = String(Math.floor(clock.now() / 1000));
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'content-length': String(body.length),
      'user-agent': 'Commerce-Webhook/1.0',
      'x-webhook-id': event?.id,
      'x-webhook-event': 'product.created',
      'x-webhook-timestamp': product.createdAt,
      'x-webhook-signature': `sha256=${(await hmac(Buffer.from(secret), body)).toString('hex')}`,
      'webhook-id': event?.id,
      'webhook-timestamp': seconds,
    });
    const signedContent = Buffer.concat([Buffer.from(`${event?.id}.${seconds}.`), body]);
    expect(headers['webhook-signature']).toBe(
      `v1,${(await hmac(standardKey(secret), signedContent)).toString('base64')}`,
    );
  });

  it('sends a deleted product in its last state, and each subscriber its own events', async () => {
    const { shop, subscriber } = await subscribe(undefined, ['product.deleted']);
    const all = await startSubscriber();
    closing.push(all.close);
    await createWebhook(shop, { url: all.url, events: ['product.*', 'order.*'] });
    const product = await newProduct(shop);
    await updateProduct(shop, product.id, { title: 'Cup' });
    await deleteProduct(shop, product.id);
    await newProduct(await newShop(commerce()));
    expect(await commerce().deliverDue()).toBe(4);
    const bodies = (received: Received[]) => received.map(({ body }) => JSON.parse(body.toString('utf8')));
    expect(bodies(subscriber.received)).toMatchObject([
      { type: 'product.deleted', data: { id: product.id, title: 'Cup', status: 'deleted' } },
    ]);
    expect(
      bodies(all.received)
        .map(({ type }) => type)
        .sort(),
    ).toEqual(['product.created', 'product.deleted', 'product.updated']);
  });

  it('tries five times: at once, then 5 s, 25 s, 2 min and 10 min after the failure before', async () => {
    const { shop, subscriber, webhook } = await subscribe(() => 500);
    await newProduct(shop);
    const times: number[] = [];
    for (const [attempt, wait] of [0, 5000, 25_000, 120_000, 600_000].entries()) {
      if (wait > 0) {
        clock.advance(wait - 1);
        expect(await commerce().deliverDue()).toBe(0);
        clock.advance(1);
      }
      times.push(clock.now());
      expect(await commerce().deliverDue()).toBe(1);
      expect(subscriber.received).toHaveLength(attempt + 1);
    }
    clock.advance(365 * 86_400_000);
    expect(await commerce().deliverDue()).toBe(0);
    const [delivery] = await deliveriesOf(shop);
    expect(delivery).toMatchObject({ status: 'failed', attempts: 5, due_at: null, locked_until: null });
    expect(delivery?.log).toEqual(
      times.map((at) => ({
        at: new Date(at).toISOString(),
        latencyMs: expect.any(Number),
        responseCode: 500,
        responseBody: '',
        error: 'answered 500',
      })),
    );
    expect((await getWebhook(shop, webhook.id)).lastTriggeredAt).toBeNull();

    const sent = subscriber.received;
    expect(new Set(sent.map(({ body }) => body.toString('base64'))).size).toBe(1);
    expect(new Set(sent.map(({ headers }) => headers['x-webhook-signature'])).size).toBe(1);
    expect(new Set(sent.map(({ headers }) => headers['x-webhook-timestamp'])).size).toBe(1);
    expect(sent.map(({ headers }) => Number(headers['webhook-timestamp']))).toEqual(
      times.map((at) => Math.floor(at / 1000)),
    );
    expect(new Set(sent.map(({ headers }) => headers['webhook-signature'])).size).toBe(5);
  });

  it('stops at the first success and records its time', async () => {
    const answers = [500, 204];
    const { shop, subscriber, webhook } = await subscribe(() => answers.shift() ?? 500);
    await newProduct(shop);
    await commerce().deliverDue();
    clock.advance(5000);
    expect(await commerce().deliverDue()).toBe(1);
    clock.advance(86_400_000);
    expect(await commerce().deliverDue()).toBe(0);
    expect(subscriber.received).toHaveLength(2);
    expect(await deliveriesOf(shop)).toMatchObject([
      {
        status: 'succeeded',
        attempts: 2,
        due_at: null,
        log: [{ responseCode: 500 }, { responseCode: 204, error: null }],
      },
    ]);
    expect((await getWebhook(shop, webhook.id)).lastTriggeredAt).toBe(new Date(clock.now() - 86_400_000).toISOString());
  });

  it.each([
    [200, 'succeeded'],
    [201, 'succeeded'],
    [202, 'succeeded'],
    [204, 'succeeded'],
    [299, 'succeeded'],
    [301, 'pending'],
    [302, 'pending'],
    [303, 'pending'],
    [304, 'pending'],
    [307, 'pending'],
    [308, 'pending'],
    [400, 'pending'],
    [401, 'pending'],
    [404, 'pending'],
    [410, 'failed'],
    [429, 'pending'],
    [500, 'pending'],
    [502, 'pending'],
    [503, 'pending'],
    [599, 'pending'],
  ])('takes %i for %s and never follows where it points', async (status, expected) => {
    const { shop, subscriber } = await subscribe(() => (response) => {
      response.writeHead(status, { location: '/elsewhere', 'retry-after': '1' }).end();
    });
    await newProduct(shop);
    expect(await commerce().deliverDue()).toBe(1);
    expect(subscriber.received.map(({ path }) => path)).toEqual(['/hook']);
    const error = expected === 'succeeded' ? null : `answered ${status}`;
    expect(await deliveriesOf(shop)).toMatchObject([
      { status: expected, attempts: 1, log: [{ responseCode: status, error }] },
    ]);
  });

  it('tries again when nobody listens', async () => {
    const { shop, subscriber } = await subscribe();
    await subscriber.close();
    await newProduct(shop);
    expect(await commerce().deliverDue()).toBe(1);
    expect(await deliveriesOf(shop)).toMatchObject([
      { status: 'pending', attempts: 1, log: [{ responseCode: null, error: expect.stringContaining('ECONNREFUSED') }] },
    ]);
  });

  it('uses the secret and address of the moment', async () => {
    const { shop, subscriber, webhook } = await subscribe(() => 500);
    const moved = await startSubscriber();
    closing.push(moved.close);
    await newProduct(shop);
    await commerce().deliverDue();
    const secret = 'the secret after the change';
    await updateWebhook(shop, webhook.id, { secret, url: moved.url });
    clock.advance(5000);
    await commerce().deliverDue();
    expect(subscriber.received).toHaveLength(1);
    const [sent] = moved.received;
    expect(sent?.headers['x-webhook-signature']).toBe(
      `sha256=${(await hmac(Buffer.from(secret), sent?.body ?? Buffer.alloc(0))).toString('hex')}`,
    );
  });

  it.each(['switched off', 'deleted'])('sends nothing more to a subscription that was %s meanwhile', async (how) => {
    const { shop, subscriber, webhook } = await subscribe(() => 500);
    await newProduct(shop);
    await commerce().deliverDue();
    if (how === 'deleted') await deleteWebhook(shop, webhook.id);
    else await updateWebhook(shop, webhook.id, { isActive: false });
    clock.advance(5000);
    expect(await commerce().deliverDue()).toBe(0);
    if (how !== 'deleted') {
      await updateWebhook(shop, webhook.id, { isActive: true });
      expect(await commerce().deliverDue()).toBe(0);
    }
    expect(subscriber.received).toHaveLength(1);
    expect(await deliveriesOf(shop)).toMatchObject([{ status: 'cancelled', attempts: 1 }]);
  });

  it('keeps a delivery cancelled when its attempt ends after its subscription was deleted', async () => {
    let ended = () => {};
    const { shop, subscriber, webhook } = await subscribe(() => (response) => {
      ended = () => response.writeHead(200).end();
    });
    await newProduct(shop);
    const attempt = commerce().deliverDue();
    await until('the attempt is under way', () => subscriber.received.length === 1);
    await deleteWebhook(shop, webhook.id);
    ended();
    await attempt;
    expect(await deliveriesOf(shop)).toMatchObject([{ status: 'cancelled', attempts: 0, due_at: null }]);
  });
});
