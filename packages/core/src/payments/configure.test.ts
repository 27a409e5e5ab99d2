import { auditOf, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { expectDenied, invalid } from '@commerce/test-support/harness/denied';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { expect, it } from 'vitest';
import {
  type Context,
  configureProvider,
  createApiKey,
  deletePaymentProvider,
  getPaymentProvider,
  listPaymentProviders,
  updatePaymentProvider,
} from '../index.ts';
import { versionOf } from '../resources/versions.ts';
import { providerSettings } from './settings.ts';

const webhookSecret = 'whsec_test_5f2b8e0c9d7a4b1e';

forEachStorage('payment providers', (database) => {
  const commerce = useCommerce(database);
  const stored = async (shop: Context) =>
    (await providerSettings(shop.engine, 'stripe', shop.store.id)).map(({ settings }) => settings);

  it('are listed with their settings, and of a secret with its end alone', async () => {
    const [shop, other] = [await newShop(commerce()), await newShop(commerce())];
    await configureProvider(other, 'stripe', { webhookSecret });
    expect(await listPaymentProviders(shop)).toEqual({ items: [], total: 0 });
    await updatePaymentProvider(shop, 'stripe', { webhookSecret, secretKey: 'sk_test_short' });
    await updatePaymentProvider(shop, 'paypal', {
      ...{ clientId: 'AeA1QIZXiflr1_-r0U2UbWTziOWX1GRQer5jkUq4ZfWT5qwb6qQRPq7jDtv57TL4' },
      ...{ clientSecret: 'EP3PWexGKWIxv2sR', webhookId: 'WH-1', apiBase: 'https://api-m.sandbox.paypal.com' },
      makeOrders: true,
    });
    const { items, total } = await listPaymentProviders(shop);
    expect(total).toBe(2);
    expect(items).toMatchObject([
      {
        provider: 'paypal',
        makeOrders: true,
        settings: { clientSecret: { lastFour: 'v2sR' }, webhookId: 'WH-1' },
        hasPages: true,
        testMode: true,
      },
      {
        provider: 'stripe',
        makeOrders: false,
        settings: { webhookSecret: { lastFour: '4b1e' }, secretKey: { lastFour: null } },
        hasPages: true,
        testMode: true,
      },
    ]);
    expect(JSON.stringify(items)).not.toMatch(/whsec_|sk_test_|EP3PW/);
    expect(JSON.stringify(await auditOf(shop))).not.toMatch(/whsec_|sk_test_|EP3PW/);
  });

  it('take no setting of another provider, and no unknown one', async () => {
    const shop = await newShop(commerce());
    const given = { webhookSecret, merchantId: 'M-1' };
    await expectDenied(commerce(), () => updatePaymentProvider(shop, 'stripe', given), invalid('merchantId'));
    await expectDenied(commerce(), () => configureProvider(shop, 'stripe', given as never), invalid('merchantId'));
    await updatePaymentProvider(shop, 'stripe', { webhookSecret });
    const read = await getPaymentProvider(shop, 'stripe');
    expect(await updatePaymentProvider(shop, 'stripe', { ...read, makeOrders: true } as never)).toMatchObject({
      makeOrders: true,
      settings: { webhookSecret: { lastFour: '4b1e' } },
    });
  });

  it('keep what is absent, forget what is null, and require what is required', async () => {
    const shop = await newShop(commerce());
    const refused = invalid('webhookSecret');
    await expectDenied(commerce(), () => updatePaymentProvider(shop, 'stripe', { makeOrders: true }), refused);
    await updatePaymentProvider(shop, 'stripe', { webhookSecret, secretKey: 'sk_live_5f2b8e0c9d7a4b1e' });
    expect(await updatePaymentProvider(shop, 'stripe', { makeOrders: true })).toMatchObject({
      makeOrders: true,
      testMode: false,
    });
    expect(await stored(shop)).toMatchObject([{ webhookSecret, secretKey: 'sk_live_5f2b8e0c9d7a4b1e' }]);
    expect(await updatePaymentProvider(shop, 'stripe', { secretKey: null })).toMatchObject({
      hasPages: false,
      makeOrders: true,
      testMode: null,
    });
    expect(await stored(shop)).toEqual([{ webhookSecret, methods: ['card', 'link'], allowDelayed: false }]);
    await expectDenied(commerce(), () => updatePaymentProvider(shop, 'stripe', { webhookSecret: null }), refused);
    await expectDenied(commerce(), () => updatePaymentProvider(shop, 'stripe', { webhookSecret: 'whsec_…' }), refused);
    await expectDenied(commerce(), () => updatePaymentProvider(shop, 'klarna', {}), { kind: 'notFound' });
  });

  it('are changed in the version that was seen alone', async () => {
    const shop = await newShop(commerce());
    const first = await updatePaymentProvider(shop, 'stripe', { webhookSecret });
    const expected = { id: 'stripe', versions: [versionOf(JSON.stringify(first))] };
    await updatePaymentProvider({ ...shop, expected }, 'stripe', { makeOrders: true });
    const late = { ...shop, expected };
    await expectDenied(commerce(), () => updatePaymentProvider(late, 'stripe', {}), { kind: 'conflict' });
    await expectDenied(commerce(), () => deletePaymentProvider(late, 'stripe'), { kind: 'conflict' });
  });

  it('are forgotten whole', async () => {
    const shop = await newShop(commerce());
    await updatePaymentProvider(shop, 'stripe', { webhookSecret });
    await deletePaymentProvider(shop, 'stripe');
    expect(await stored(shop)).toEqual([]);
    await expectDenied(commerce(), () => deletePaymentProvider(shop, 'stripe'), { kind: 'notFound' });
    await expectDenied(commerce(), () => getPaymentProvider(shop, 'stripe'), { kind: 'notFound' });
    expect((await auditOf(shop)).at(-1)).toMatchObject({ action: 'paymentProvider.deleted' });
  });

  it('have their secrets sent by no key to another address', async () => {
    const shop = await newShop(commerce());
    const { key } = await createApiKey(shop, { name: 'settings', scopes: ['settings.write'] });
    const actor = (await commerce().identities.authenticate(key))?.actor;
    if (!actor) throw new Error('the key is nobody');
    const byKey = { ...shop, actor };
    const secret = { webhookSecret, secretKey: 'sk_test_5f2b8e0c9d7a4b1e' };
    for (const apiBase of ['https://evil.example', 'http://127.0.0.1:9', 'https://api.stripe.com.evil.example']) {
      await expectDenied(
        commerce(),
        () => updatePaymentProvider(byKey, 'stripe', { ...secret, apiBase }),
        invalid('apiBase'),
      );
    }
    await updatePaymentProvider(byKey, 'stripe', { ...secret, apiBase: 'https://api.stripe.com' });
    // The operator of the service can use a local stand-in, for trials.
    await updatePaymentProvider(shop, 'stripe', { apiBase: 'http://127.0.0.1:9' });
  });
});
