import { capture, configurePayPal, transmission } from '@commerce/test-support/fixtures/paypal';
import { type PayPalStub, startPayPal } from '@commerce/test-support/fixtures/paypal-stub';
import { newProduct, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { configureStripe, payment, signed } from '@commerce/test-support/fixtures/stripe';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { configureProvider, createOrder, getOrder } from '../../index.ts';
import { fakeClock } from '../../testing/index.ts';
import { receiveNotification } from './receive.ts';

forEachStorage('the cost of strangers on the address that names no store', (database) => {
  const clock = fakeClock();
  const commerce = useCommerce(database, { clock });
  let paypal: PayPalStub;
  beforeAll(async () => {
    paypal = await startPayPal();
  });
  beforeEach(() => {
    clock.advance(61_000);
    paypal.reset();
  });
  afterAll(() => paypal.close());

  const verifications = () => paypal.asked.filter(({ path }) => path.endsWith('verify-webhook-signature')).length;
  const bare = (event: object, headers = transmission, address?: string) =>
    receiveNotification(
      commerce().engine,
      'paypal',
      { body: Buffer.from(JSON.stringify(event)), headers },
      address === undefined ? {} : { address },
    );

  it('does not call PayPal when headers alone show that it did not send this', async () => {
    const shop = await newShop(commerce());
    await configurePayPal(shop, paypal.url);
    const event = capture(null, '1.00').completed();
    for (const url of [
      'https://evil.example/cert',
      'http://api.paypal.com/cert',
      'https://api.paypal.com.evil.example/cert',
      'https://api.paypal.com:8443/cert',
      'https://user@evil.example/api.paypal.com',
      'api.paypal.com',
      '',
    ]) {
      const headers = { ...transmission, 'paypal-cert-url': url };
      await expect(bare(event, headers)).rejects.toMatchObject({ kind: 'validation' });
    }
    expect(paypal.asked).toEqual([]);
  });

  it('asks about the store of the order alone, and about one account once', async () => {
    const shops = await Promise.all(Array.from({ length: 6 }, () => newShop(commerce())));
    const shared = await configurePayPal(shops[0] as never, paypal.url);
    for (const shop of shops.slice(1, 3)) await configureProvider(shop, 'paypal', { ...shared, apiBase: paypal.url });
    for (const shop of shops.slice(3)) await configurePayPal(shop, paypal.url);
    const last = shops.at(-1) as (typeof shops)[0];
    const product = await newProduct(last, { price: '10' });
    const order = await createOrder(last, { items: [{ productId: product.id, quantity: 1 }] });
    expect(await bare(capture(order.id, '10.00').completed())).toMatchObject({ outcome: 'paid' });
    expect(verifications()).toBe(1);
    expect(await getOrder(last, order.id)).toMatchObject({ status: 'paid' });
  });

  it('asks once about what PayPal did not send, and not again for a minute', async () => {
    const { webhookId } = await configurePayPal(await newShop(commerce()), paypal.url);
    for (const { webhook_id } of await accounts()) paypal.strangers.add(webhook_id);
    paypal.strangers.add(webhookId);
    const event = capture(null, '1.00').completed();
    await expect(bare(event)).rejects.toMatchObject({ kind: 'validation' });
    const asked = verifications();
    expect(asked).toBeGreaterThan(0);
    for (let i = 0; i < 5; i++) await expect(bare(event)).rejects.toMatchObject({ kind: 'validation' });
    expect(verifications()).toBe(asked);
    clock.advance(60_000);
    await expect(bare(event)).rejects.toMatchObject({ kind: 'validation' });
    expect(verifications()).toBe(2 * asked);
  });

  it('asks about at most two notifications a second from one address', async () => {
    await configurePayPal(await newShop(commerce()), paypal.url);
    const send = (address: string) => bare(capture(null, '1.00').completed(), transmission, address);
    await send('192.0.2.1');
    await send('192.0.2.1');
    const asked = verifications();
    await expect(send('192.0.2.1')).rejects.toMatchObject({ kind: 'unavailable' });
    expect(verifications()).toBe(asked);
    await send('192.0.2.2');
    clock.advance(1000);
    await send('192.0.2.1');
  });

  it('lets other work have a turn between the secrets of many stores', async () => {
    const shops = await Promise.all(Array.from({ length: 40 }, () => newShop(commerce())));
    for (const [i, shop] of shops.entries()) await configureStripe(shop, `whsec_of_${i}_of_${database.address.length}`);
    const { engine } = commerce();
    const body = JSON.stringify({ ...payment(null, 1).intentSucceeded(), padding: 'x'.repeat(1_000_000) });
    const turnsDuring = async (at: number) => {
      let turns = 0;
      let going = true;
      const count = () => {
        turns++;
        if (going) setImmediate(count);
      };
      setImmediate(count);
      const refusal = receiveNotification(engine, 'stripe', signed(body, at, 'whsec_of_nobody'));
      await expect(refusal).rejects.toMatchObject({ kind: 'validation' });
      going = false;
      return turns;
    };
    expect(await turnsDuring(engine.clock.now())).toBeGreaterThanOrEqual(shops.length / 4 - 1);
  });

  async function accounts(): Promise<{ webhook_id: string }[]> {
    const rows = await commerce().engine.storage.db.selectFrom('payment_providers').select('settings').execute();
    return rows.flatMap(({ settings }) => {
      const { webhookId } = JSON.parse(settings) as { webhookId?: string };
      return webhookId === undefined ? [] : [{ webhook_id: webhookId }];
    });
  }
});
