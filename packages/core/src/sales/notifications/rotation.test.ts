import { capture, deliver } from '@commerce/test-support/fixtures/paypal';
import { type PayPalStub, startPayPal } from '@commerce/test-support/fixtures/paypal-stub';
import { auditOf, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import {
  notificationUrl,
  sendSquare,
  signSquare,
  squarePayment,
  withSignature,
} from '@commerce/test-support/fixtures/square';
import { payment, send } from '@commerce/test-support/fixtures/stripe';
import { expectDenied } from '@commerce/test-support/harness/denied';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Context, configureProvider } from '../../index.ts';
import { fakeClock } from '../../testing/index.ts';
import { receiveNotification } from './receive.ts';

const hour = 3_600_000;
const unknown = '0190a5c8-0000-7000-8000-00000000dead';

forEachStorage('a rotated secret', (database) => {
  const clock = fakeClock();
  const commerce = useCommerce(database, { clock });
  let paypal: PayPalStub;
  beforeAll(async () => {
    paypal = await startPayPal();
  });
  afterAll(() => paypal.close());

  /** Each provider with functions to set a secret and to send a notification signed with one. */
  const providers: Record<
    string,
    {
      settings: (secret: string) => Record<string, string>;
      deliver: (shop: Context, secret: string) => Promise<unknown>;
    }
  > = {
    stripe: {
      settings: (webhookSecret) => ({ webhookSecret }),
      deliver: (shop, secret) => send(shop, payment(unknown, 100).intentSucceeded(), secret),
    },
    square: {
      settings: (signatureKey) => ({ signatureKey, notificationUrl }),
      deliver: (shop, secret) => sendSquare(shop, squarePayment(unknown, 100).completed(), secret),
    },
    paypal: {
      settings: (webhookId) => ({ clientId: 'c', clientSecret: 's', webhookId, apiBase: paypal.url }),
      // PayPal verifies only for the webhook it signed for.
      deliver: (shop, secret) => {
        for (const other of ['first', 'second', 'third', ...many]) {
          if (other === secret) paypal.strangers.delete(other);
          else paypal.strangers.add(other);
        }
        return deliver(shop, capture(unknown, '1.00').completed());
      },
    },
  };
  const many = Array.from({ length: 8 }, (_, i) => `secret-${i}`);
  const names = Object.keys(providers);

  function rotating(name: string) {
    const provider = providers[name];
    if (!provider) throw new Error(name);
    const set = (shop: Context, secret: string, keepPrevious?: number) =>
      configureProvider(shop, name, provider.settings(secret), keepPrevious === undefined ? {} : { keepPrevious });
    const taken = async (shop: Context, secret: string) =>
      expect(await provider.deliver(shop, secret)).toMatchObject({ received: true });
    const refused = (shop: Context, secret: string) =>
      expectDenied(commerce(), () => provider.deliver(shop, secret), { kind: 'validation', message: /signature/ });
    return { set, taken, refused };
  }

  it.each(names)('stops verifying when it is replaced, unless it is kept: %s', async (name) => {
    const { set, taken, refused } = rotating(name);
    const shop = await newShop(commerce());
    await set(shop, 'first');
    await taken(shop, 'first');
    await set(shop, 'second');
    await refused(shop, 'first');
    await taken(shop, 'second');
  });

  it.each(names)('verifies beside the new one while it is kept, to the millisecond: %s', async (name) => {
    const { set, taken, refused } = rotating(name);
    const shop = await newShop(commerce());
    await set(shop, 'first');
    await set(shop, 'second', 24 * hour);
    await taken(shop, 'first');
    await taken(shop, 'second');
    await refused(shop, 'third');
    clock.advance(24 * hour - 1);
    await taken(shop, 'first');
    clock.advance(1);
    await refused(shop, 'first');
    await taken(shop, 'second');
  });

  it.each(names)('may be replaced again while an older one is kept, each for its own time: %s', async (name) => {
    const { set, taken, refused } = rotating(name);
    const shop = await newShop(commerce());
    await set(shop, 'first');
    await set(shop, 'second', 10 * hour);
    clock.advance(5 * hour);
    await set(shop, 'third', 10 * hour);
    for (const secret of ['first', 'second', 'third']) await taken(shop, secret);
    clock.advance(5 * hour);
    await refused(shop, 'first');
    await taken(shop, 'second');
    clock.advance(5 * hour);
    await refused(shop, 'second');
    await taken(shop, 'third');
  });

  it.each(names)('ends at once, with all kept ones, when it is replaced without keeping any: %s', async (name) => {
    const { set, taken, refused } = rotating(name);
    const shop = await newShop(commerce());
    await set(shop, 'first');
    await set(shop, 'second', 24 * hour);
    await set(shop, 'third');
    await refused(shop, 'first');
    await refused(shop, 'second');
    await taken(shop, 'third');
  });

  it.each(names)('is one of six at most; the oldest is dropped: %s', async (name) => {
    const { set, taken, refused } = rotating(name);
    const shop = await newShop(commerce());
    for (const secret of many) await set(shop, secret, 24 * hour);
    for (const secret of many.slice(0, 2)) await refused(shop, secret);
    for (const secret of many.slice(2)) await taken(shop, secret);
  });

  it.each(names)('is in no audit entry: %s', async (name) => {
    const { set } = rotating(name);
    const shop = await newShop(commerce());
    await set(shop, 'first');
    await set(shop, 'second', hour);
    const entries = (await auditOf(shop)).filter((entry) => entry.action === 'paymentProvider.updated');
    expect(entries).toHaveLength(2);
    expect(JSON.stringify(entries)).not.toMatch(/first|second/);
  });

  it('keeps the address of Square together with its key', async () => {
    const shop = await newShop(commerce());
    const moved = 'https://new.example.com/square';
    await configureProvider(shop, 'square', { signatureKey: 'k', notificationUrl });
    await configureProvider(shop, 'square', { signatureKey: 'n', notificationUrl: moved }, { keepPrevious: hour });
    const body = JSON.stringify(squarePayment(unknown, 100).completed());
    const receive = (key: string, url: string) => () =>
      receiveNotification(commerce().engine, 'square', withSignature(body, signSquare(body, key, url)), {
        storeId: shop.store.id,
      });
    await expectDenied(commerce(), receive('n', notificationUrl), { kind: 'validation' });
    await expectDenied(commerce(), receive('k', moved), { kind: 'validation' });
    expect(await receive('k', notificationUrl)()).toMatchObject({ received: true });
    expect(await receive('n', moved)()).toMatchObject({ received: true });
  });
});
