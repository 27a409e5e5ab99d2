import { createHmac } from 'node:crypto';
import { stripeSample } from '@commerce/test-support/fixtures/samples';
import { client, initShop, sendStripe } from '@commerce/test-support/fixtures/served-shop';
import { commerceJson, type RunningServer, startServer } from '@commerce/test-support/harness/processes';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { startSubscriber } from '@commerce/test-support/harness/subscriber';
import { until } from '@commerce/test-support/harness/until';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, it } from 'vitest';

forEachStorage('from a served product to a delivered webhook', (database, dialect) => {
  let server: RunningServer;
  let shop: { storeId: string; key: string };
  let api: ReturnType<typeof client>;
  let subscriber: Awaited<ReturnType<typeof startSubscriber>>;
  let secret: string;
  let mug: { id: string };

  const order = async (quantity = 1, productId = mug.id) => {
    const file = JSON.stringify({ items: [{ productId, quantity }] });
    return (await commerceJson(['orders', 'create', '--file', '-', '--db', database.address], file)).item;
  };
  const orderNow = async (id: string) => (await api('GET', `/orders/${id}`)).body.item;
  const stockNow = async (id = mug.id) => (await api('GET', `/products/${id}`)).body.item.stock;
  const deliveredFor = (id: string) =>
    subscriber.received.filter(({ body }) => JSON.parse(String(body)).data.id === id);

  beforeAll(async () => {
    shop = await initShop(database.address);
    server = await startServer(database.address, ['--allow-insecure-webhooks'], dialect === 'sqlite');
    api = client(server.url, shop);
    subscriber = await startSubscriber();
    const created = await api('POST', '/webhooks', { url: subscriber.url, events: ['order.paid'] });
    expect(created.status).toBe(201);
    secret = created.body.item.secret;
    const product = { title: 'Mug', slug: 'mug', sku: 'MUG', price: '49.99', trackStock: true, stock: 20 };
    mug = (await api('POST', '/products', product)).body.item;
  });
  afterAll(async () => {
    await server?.stop();
    await subscriber?.close();
  });

  it('turns one signed notification into one paid order, one stock change and one verifiable webhook', async () => {
    const before = await stockNow();
    const pending = await order();
    expect(pending).toMatchObject({ status: 'pending', paymentStatus: 'pending', total: '49.99', currency: 'EUR' });

    const event = stripeSample('payment_intent.succeeded', { id: pending.id, amount: 4999 });
    expect(await sendStripe(server.url, event)).toEqual({ status: 200, body: { received: true, outcome: 'paid' } });
    const paid = await orderNow(pending.id);
    expect(paid).toMatchObject({
      status: 'paid',
      paymentStatus: 'succeeded',
      paymentProvider: 'stripe',
      paymentId: event.data.object.id,
    });
    expect(await stockNow()).toBe(before - 1);

    await until('the webhook arrives', () => deliveredFor(pending.id).length > 0);
    const [delivery] = deliveredFor(pending.id);
    if (!delivery) throw new Error('no delivery');
    const { headers, body } = delivery;
    new Webhook(secret).verify(body, headers as Record<string, string>);
    const mac = createHmac('sha256', secret).update(body).digest('hex');
    expect(headers).toMatchObject({
      'x-webhook-signature': `sha256=${mac}`,
      'x-webhook-event': 'order.paid',
      'user-agent': 'Commerce-Webhook/1.0',
      'content-type': 'application/json',
    });
    const message = JSON.parse(String(body));
    expect(message).toEqual({
      id: headers['x-webhook-id'],
      type: 'order.paid',
      event: 'order.paid',
      timestamp: headers['x-webhook-timestamp'],
      storeId: shop.storeId,
      data: paid,
    });

    expect(await sendStripe(server.url, event)).toMatchObject({ status: 200, body: { received: true } });
    const again = stripeSample('checkout.session.completed', { id: pending.id, amount: 4999 });
    expect(await sendStripe(server.url, again)).toMatchObject({ status: 200, body: { received: true } });
    expect(await orderNow(pending.id)).toEqual(paid);
    expect(await stockNow()).toBe(before - 1);
    expect(deliveredFor(pending.id)).toHaveLength(1);
  });

  it('refuses a wrong signature and a stale or future timestamp, and changes nothing', async () => {
    const pending = await order();
    const event = stripeSample('payment_intent.succeeded', { id: pending.id, amount: 4999 });
    const now = Math.floor(Date.now() / 1000);
    for (const options of [{ secret: 'whsec_wrong' }, { timestamp: now - 400 }, { timestamp: now + 400 }]) {
      const answer = await sendStripe(server.url, event, options);
      expect(answer).toMatchObject({ status: 400, body: { error: { code: 'VALIDATION_ERROR' } } });
    }
    expect(await orderNow(pending.id)).toEqual(pending);
  });

  it('stops cleanly when asked and has written nothing on standard error', async () => {
    const code = await server.stop();
    expect(server.stderr().replace(/^npm warn .*\n/gm, '')).toBe('');
    // npx itself reports the signal that ended its program.
    if (dialect === 'postgres') expect(code).toBe(0);
  });
});
