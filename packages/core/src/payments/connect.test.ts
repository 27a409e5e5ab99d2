import { publicUrl, useSelling } from '@commerce/test-support/fixtures/selling';
import { auditOf, newShop, useTwoProcesses } from '@commerce/test-support/fixtures/shop';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { expect, it } from 'vitest';
import {
  type Context,
  checkProvider,
  connectProvider,
  createCheckout,
  deletePaymentProvider,
  disconnectProvider,
  getCheckout,
  getPaymentProvider,
  listPaymentProviders,
  type ProviderName,
  providerNames,
  returnFromProvider,
} from '../index.ts';
import { settingsNow } from './connect.ts';
import { findProvider } from './settings.ts';

/** The settings that a shop gives to connect, out of those of a whole account. */
const given: Record<ProviderName, readonly string[]> = {
  stripe: ['secretKey', 'apiBase'],
  paypal: ['clientId', 'clientSecret', 'apiBase'],
  square: ['accessToken', 'locationId', 'apiBase'],
};

forEachStorage('a connected provider', (database) => {
  const { clock, commerce, stub, openShop, receiver } = useSelling(database);
  const twoProcesses = useTwoProcesses(database, { clock, publicUrl });

  const keyOf = (account: Record<string, string>) => account.secretKey ?? account.accessToken ?? '';
  const urlOf = (shop: Context, provider: ProviderName) => `${publicUrl}/api/webhooks/${provider}/${shop.store.id}`;

  /** A shop without settings, and what it needs to connect its account. */
  async function unconnected(provider: ProviderName) {
    const opened = await openShop([]);
    const { shop } = opened;
    const target = receiver(shop, provider);
    const account = stub().account(provider, target);
    const settings = Object.fromEntries(given[provider].map((name) => [name, account[name]]));
    const endpoints = () => stub().endpoints(target);
    return { ...opened, target, account, settings, endpoints };
  }

  it.each(providerNames)('%s has one endpoint with every event that is read, and sells', async (provider) => {
    const { shop, input, settings, endpoints } = await unconnected(provider);
    expect(await connectProvider(shop, provider, settings)).toMatchObject({ provider, hasPages: true });
    expect(endpoints()).toMatchObject([{ url: urlOf(shop, provider), isOn: true }]);
    expect(endpoints()[0]?.events).toEqual([...findProvider(provider).events]);
    expect(await checkProvider(shop, provider)).toMatchObject({ status: 'ok', url: urlOf(shop, provider) });
    const checkout = await createCheckout(shop, input());
    const page = stub().books(provider).at(-1)?.page ?? '';
    const { location } = await stub().act(provider, page, 'pay');
    if (provider === 'paypal') {
      const query = new URL(location ?? '').searchParams;
      await returnFromProvider(commerce().engine, {
        storeId: shop.store.id,
        checkoutId: query.get('checkout') ?? checkout.id,
        page: query.get('token'),
      });
    }
    await stub().settled();
    expect((await getCheckout(shop, checkout.id)).status).toBe('paid');
  });

  it.each(providerNames)(
    '%s keeps its endpoint when it is connected again, with the events of now',
    async (provider) => {
      const { shop, settings, endpoints } = await unconnected(provider);
      await connectProvider(shop, provider, settings);
      const [first] = endpoints();
      first?.events.pop();
      Object.assign(first ?? {}, { isOn: provider === 'paypal' });
      expect((await checkProvider(shop, provider)).status).toBe(provider === 'paypal' ? 'incomplete' : 'off');
      // Nothing is missing any more.
      await connectProvider(shop, provider);
      expect(endpoints()).toHaveLength(1);
      expect(endpoints()).toMatchObject([{ id: first?.id, isOn: true, events: [...findProvider(provider).events] }]);
    },
  );

  it('replaces an endpoint of Stripe whose secret it does not hold, after the new one is stored', async () => {
    const { shop, account, settings, endpoints } = await unconnected('stripe');
    stub().addEndpoint('stripe', keyOf(account), urlOf(shop, 'stripe'), ['charge.succeeded']);
    stub().addEndpoint('stripe', keyOf(account), 'https://other.example/hook', ['charge.succeeded']);
    const [old, other] = endpoints().map(({ id }) => id);
    stub().fault('stripe.deleteEndpoint', { status: 500 }, { status: 500 });
    await expect(connectProvider(shop, 'stripe', settings)).rejects.toMatchObject({ kind: 'unavailable' });
    // Connected already, and the old one is still there.
    expect(await checkProvider(shop, 'stripe')).toMatchObject({ status: 'ok' });
    await connectProvider(shop, 'stripe');
    const ids = endpoints().map(({ id }) => id);
    expect(ids).toHaveLength(2);
    expect(ids).toContain(other);
    expect(ids).not.toContain(old);
  });

  it('made no second endpoint after an answer that never came', async () => {
    const { shop, settings, endpoints } = await unconnected('stripe');
    stub().fault('stripe.createEndpoint', 'reset', 'reset');
    await expect(connectProvider(shop, 'stripe', settings)).rejects.toMatchObject({ kind: 'unavailable' });
    expect((await listPaymentProviders(shop)).total).toBe(0);
    await connectProvider(shop, 'stripe', settings);
    expect(endpoints()).toHaveLength(1);
    expect((await checkProvider(shop, 'stripe')).status).toBe('ok');
  });

  it.each(providerNames)(
    '%s has one endpoint, whose secret is stored, after two connect it at once',
    async (provider) => {
      const { shop, settings, endpoints } = await unconnected(provider);
      const either = await twoProcesses(shop);
      // Each has seen that there is none.
      const late = { delay: 200 };
      stub().fault(`${provider}.createEndpoint`, late, late);
      await Promise.all([1, 2].map(() => connectProvider(either(), provider, settings)));
      expect(endpoints()).toHaveLength(1);
      const [left] = endpoints();
      const proof = {
        stripe: { endpointId: left?.id, webhookSecret: left?.secret },
        paypal: { webhookId: left?.id },
        square: { signatureKey: left?.secret },
      };
      expect((await settingsNow(shop, provider))?.settings).toMatchObject(proof[provider]);
      expect(await checkProvider(shop, provider)).toMatchObject({ status: 'ok' });
    },
  );

  it('names the right that a key lacks, and stores nothing', async () => {
    const { shop, settings } = await unconnected('stripe');
    const message = "The provided key 'rk_test_***' does not have the required permissions: rak_webhook_write";
    const fault = { status: 403, body: { error: { type: 'invalid_request_error', message } } };
    stub().fault('stripe.endpoints', fault);
    await expect(connectProvider(shop, 'stripe', settings)).rejects.toMatchObject({
      kind: 'validation',
      details: [{ field: 'secretKey', reason: expect.stringContaining('rak_webhook_write') }],
    });
    expect((await listPaymentProviders(shop)).total).toBe(0);
    await connectProvider(shop, 'stripe', settings);
    stub().fault('stripe.list', fault);
    expect(await checkProvider(shop, 'stripe')).toMatchObject({
      status: 'refused',
      missingRights: [{ right: 'Checkout Sessions', reason: expect.stringContaining('rak_webhook_write') }],
    });
  });

  it.each([
    ['https://localhost', 'loopback'],
    ['https://10.0.0.1', 'private'],
    ['http://api.example', 'https'],
  ])('needs a public https address: not %s', async (address, why) => {
    const { shop, settings } = await unconnected('stripe');
    await expect(connectProvider(shop, 'stripe', settings, { publicUrl: address })).rejects.toMatchObject({
      kind: 'conflict',
      message: expect.stringContaining(why),
    });
    expect((await listPaymentProviders(shop)).total).toBe(0);
  });

  it('needs the key once', async () => {
    const shop = await newShop(commerce());
    for (const [provider, field] of [
      ['stripe', 'secretKey'],
      ['paypal', 'clientId'],
      ['square', 'accessToken'],
    ] as const) {
      await expect(connectProvider(shop, provider, {})).rejects.toMatchObject({
        kind: 'validation',
        details: [{ field }],
      });
    }
  });

  it('does not send a key to an address that an API key chooses', async () => {
    const { shop, settings } = await unconnected('stripe');
    const actor = { type: 'apiKey', id: 'key', scopes: ['settings.write'] } as unknown as Context['actor'];
    stub().calls.length = 0;
    await expect(connectProvider({ ...shop, actor }, 'stripe', settings)).rejects.toMatchObject({
      kind: 'validation',
      details: [{ field: 'apiBase' }],
    });
    expect(stub().calls).toEqual([]);
  });

  it.each(providerNames)('%s is disconnected: the endpoint and the settings are gone', async (provider) => {
    const { shop, settings, endpoints } = await unconnected(provider);
    await connectProvider(shop, provider, settings);
    stub().fault(`${provider}.deleteEndpoint`, { status: 500 }, { status: 500 });
    await expect(disconnectProvider(shop, provider)).rejects.toMatchObject({ kind: 'unavailable' });
    expect(await getPaymentProvider(shop, provider)).toMatchObject({ hasPages: true });
    await disconnectProvider(shop, provider);
    expect(endpoints()).toEqual([]);
    await expect(getPaymentProvider(shop, provider)).rejects.toMatchObject({ kind: 'notFound' });
    await expect(disconnectProvider(shop, provider)).rejects.toMatchObject({ kind: 'notFound' });
    expect((await auditOf(shop)).map(({ action }) => action)).toContain('paymentProvider.deleted');
  });

  it('is checked: without an endpoint, and without an answer', async () => {
    const { shop, settings, endpoints } = await unconnected('stripe');
    await connectProvider(shop, 'stripe', settings);
    expect(endpoints()).toHaveLength(1);
    stub().fault('stripe.endpoints', { status: 500 }, { status: 500 });
    expect(await checkProvider(shop, 'stripe')).toMatchObject({ status: 'unreachable' });
    expect(await checkProvider(shop, 'stripe', { publicUrl: 'https://moved.example' })).toMatchObject({
      status: 'missing',
      message: expect.stringContaining('moved.example'),
    });
    await deletePaymentProvider(shop, 'stripe');
    await expect(checkProvider(shop, 'stripe')).rejects.toMatchObject({ kind: 'notFound' });
  });
});
