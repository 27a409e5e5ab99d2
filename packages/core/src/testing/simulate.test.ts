import { startPayPal } from '@commerce/test-support/fixtures/paypal-stub';
import { newProduct, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { notificationUrl, signatureKey } from '@commerce/test-support/fixtures/square';
import { expectDenied, snapshot } from '@commerce/test-support/harness/denied';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { WebhooksHelper } from 'square';
import Stripe from 'stripe';
import { expect, it } from 'vitest';
import {
  type Context,
  configureProvider,
  createOrder,
  getOrder,
  getPayment,
  listPayments,
  listRefunds,
  refundOrder,
} from '../index.ts';
import { receiveNotification } from '../sales/notifications/receive.ts';
import { fakeClock, type Simulation, type SimulationInput, simulateNotification } from './index.ts';

const webhookSecret = 'whsec_of_the_simulation';

forEachStorage('simulated notifications', (database) => {
  const clock = fakeClock('2026-11-20T12:00:00.250Z');
  const commerce = useCommerce(database, { clock });

  async function pending(currency = 'EUR', price = '12.50') {
    const shop = await newShop(commerce(), currency);
    await configureProvider(shop, 'stripe', { webhookSecret });
    await configureProvider(shop, 'square', { signatureKey, notificationUrl });
    const paypal = { clientId: 'c', clientSecret: 's', webhookId: 'W' };
    await configureProvider(shop, 'paypal', { ...paypal, apiBase: 'http://127.0.0.1:8765' });
    const mug = await newProduct(shop, { price, sku: 'MUG', trackStock: true, stock: 9 });
    const order = await createOrder(shop, { items: [{ productId: mug.id, quantity: 1 }] });
    return { shop, order };
  }

  const receive = (shop: Context, provider: string, { body, headers }: Simulation) => {
    const names = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
    return receiveNotification(
      commerce().engine,
      provider,
      { body: Buffer.from(body), headers: Object.fromEntries(names) },
      { storeId: shop.store.id },
    );
  };

  it.each(['succeeded', 'failed', 'refunded'] as const)(
    'have signatures that Stripe’s and Square’s own libraries accept: %s',
    async (event) => {
      const { shop, order } = await pending();
      if (event === 'refunded') {
        await receive(
          shop,
          'stripe',
          await simulateNotification(shop, { provider: 'stripe', orderId: order.id, event: 'succeeded' }),
        );
      }
      const stripe = await simulateNotification(shop, { provider: 'stripe', orderId: order.id, event });
      const constructed = Stripe.webhooks.constructEvent(
        stripe.body,
        stripe.headers['Stripe-Signature'] ?? '',
        webhookSecret,
        300,
        undefined,
        clock.now(),
      );
      expect(constructed).toMatchObject({ object: 'event', id: expect.stringMatching(/^evt_/) });
      expect(stripe).toMatchObject({ path: `/api/webhooks/stripe/${shop.store.id}`, stub: null });

      if (event === 'refunded') return;
      const square = await simulateNotification(shop, { provider: 'square', orderId: order.id, event });
      const check = (requestBody: string) =>
        WebhooksHelper.verifySignature({
          requestBody,
          signatureHeader: square.headers['X-Square-HmacSha256-Signature'] ?? '',
          signatureKey,
          notificationUrl,
        });
      expect(await check(square.body)).toBe(true);
      expect(await check(`${square.body} `)).toBe(false);
    },
  );

  it('have distinct event ids', async () => {
    const { shop, order } = await pending();
    for (const provider of ['stripe', 'paypal', 'square']) {
      const input = { provider, orderId: order.id, event: 'succeeded' } as const;
      const [one, two] = [await simulateNotification(shop, input), await simulateNotification(shop, input)];
      const id = ({ body }: Simulation) => (JSON.parse(body).id ?? JSON.parse(body).event_id) as string;
      expect(id(one)).not.toBe(id(two));
    }
  });

  it('send nothing and change nothing', async () => {
    const { shop, order } = await pending();
    const before = await snapshot(commerce());
    for (const provider of ['stripe', 'paypal', 'square']) {
      await simulateNotification(shop, { provider, orderId: order.id, event: 'succeeded' });
    }
    expect(await snapshot(commerce())).toEqual(before);
  });

  it.each([
    ['EUR', '12.50'],
    ['JPY', '1250'],
    ['KWD', '12.500'],
    ['ISK', '1250'],
    ['HUF', '12.50'],
    ['MGA', '12.00'],
  ])('pay, fail and give back an order in %s, over each provider', async (currency, price) => {
    const stub = await startPayPal();
    try {
      for (const provider of ['stripe', 'square', 'paypal']) {
        const { shop, order } = await pending(currency, price);
        const paypal = { clientId: currency, clientSecret: shop.store.id, webhookId: 'W', apiBase: stub.url };
        await configureProvider(shop, 'paypal', paypal);
        const tell = async (event: SimulationInput['event']) =>
          receive(shop, provider, await simulateNotification(shop, { provider, orderId: order.id, event }));
        expect(await tell('failed')).toEqual({ received: true, outcome: 'recorded' });
        expect((await getOrder(shop, order.id)).paymentStatus).toBe('failed');
        expect(await tell('succeeded')).toEqual({ received: true, outcome: 'paid' });
        await refundOrder(shop, order.id, { amount: '1' });
        expect(await tell('refunded')).toEqual({ received: true, outcome: 'recorded' });
        expect(await getOrder(shop, order.id)).toMatchObject({ status: 'refunded', refundedAmount: order.total });
        expect((await listRefunds(shop, order.id)).total).toBe(2);
      }
    } finally {
      await stub.close();
    }
  });

  it.each<[string, Partial<SimulationInput>, { kind: 'validation' | 'notFound' | 'conflict'; fields?: string[] }]>([
    ['an unknown provider', { provider: 'cash' }, { kind: 'notFound' }],
    ['neither order nor items', { orderId: undefined as never }, { kind: 'validation', fields: ['orderId'] }],
    ['both', { items: [{ sku: 'MUG', quantity: 1 }] }, { kind: 'validation', fields: ['orderId'] }],
    ['a malformed order id', { orderId: 'x' }, { kind: 'validation', fields: ['orderId'] }],
    ['an unknown order', { orderId: '0190a5c8-0000-7000-8000-00000000dead' }, { kind: 'notFound' }],
    [
      'items with an unknown SKU',
      { orderId: undefined as never, items: [{ sku: 'NONE', quantity: 1 }] },
      { kind: 'validation', fields: ['items'] },
    ],
    [
      'refunded items',
      { orderId: undefined as never, items: [{ sku: 'MUG', quantity: 1 }], event: 'refunded' },
      { kind: 'validation', fields: ['items'] },
    ],
    ['a refund of what was not paid', { event: 'refunded' }, { kind: 'conflict' }],
    [
      'items through Square without a token',
      { provider: 'square', orderId: undefined as never, items: [{ sku: 'MUG', quantity: 1 }] },
      { kind: 'validation', fields: ['items'] },
    ],
  ])('are refused for %s', async (_, input, denial) => {
    const { shop, order } = await pending();
    await expectDenied(
      commerce(),
      () => simulateNotification(shop, { provider: 'stripe', orderId: order.id, event: 'succeeded', ...input }),
      denial,
    );
  });

  it('are refused for a provider that is not configured, or that would really be called', async () => {
    const shop = await newShop(commerce());
    const mug = await newProduct(shop, { sku: 'MUG' });
    const { id: orderId } = await createOrder(shop, { items: [{ productId: mug.id, quantity: 1 }] });
    const simulate = (provider: string) => () => simulateNotification(shop, { provider, orderId, event: 'succeeded' });
    for (const provider of ['stripe', 'paypal', 'square']) {
      await expectDenied(commerce(), simulate(provider), {
        kind: 'validation',
        fields: ['provider'],
        message: /is not configured in this store/,
      });
    }
    await configureProvider(shop, 'paypal', { clientId: 'c', clientSecret: 'a-secret', webhookId: 'W' });
    await expectDenied(commerce(), simulate('paypal'), {
      kind: 'validation',
      fields: ['provider'],
      message: /uses https:\/\/api-m\.paypal\.com(?!.*a-secret)/,
    });
  });

  it('are refused for an order paid through another provider, and for a refunded one', async () => {
    const { shop, order } = await pending();
    const simulate = (provider: string, event: SimulationInput['event']) =>
      simulateNotification(shop, { provider, orderId: order.id, event });
    await receive(shop, 'stripe', await simulate('stripe', 'succeeded'));
    await expectDenied(commerce(), () => simulate('square', 'refunded'), {
      kind: 'conflict',
      message: /not paid through/,
    });
    await refundOrder(shop, order.id, { amount: order.total });
    await expectDenied(commerce(), () => simulate('stripe', 'refunded'), {
      kind: 'conflict',
      message: /already fully refunded/,
    });
  });

  it.each(['stripe', 'square'])('tell of a dispute of %s, which is won or lost', async (provider) => {
    const { shop, order } = await pending();
    const tell = async (event: SimulationInput['event']) => {
      clock.advance(1000);
      return receive(shop, provider, await simulateNotification(shop, { provider, orderId: order.id, event }));
    };
    await expect(tell('disputed')).rejects.toMatchObject({ kind: 'conflict' });
    await tell('succeeded');
    const [paid] = (await listPayments(shop)).items;
    await tell('disputed');
    expect((await getPayment(shop, paid?.id ?? '')).disputes).toMatchObject([{ amount: '12.50', status: 'open' }]);
    await tell('dispute-lost');
    expect(await getOrder(shop, order.id)).toMatchObject({ status: 'refunded', refundedAmount: '12.50' });
    await tell('dispute-won');
    expect(await getOrder(shop, order.id)).toMatchObject({ status: 'paid', refundedAmount: '0.00' });
  });
});
