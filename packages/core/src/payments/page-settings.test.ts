import { newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { notificationUrl, sendSquare, signatureKey, squarePayment } from '@commerce/test-support/fixtures/square';
import { expectDenied, invalid } from '@commerce/test-support/harness/denied';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { expect, it } from 'vitest';
import { type Context, configureProvider, createOrder, createProduct, getOrder, openCommerce } from '../index.ts';
import { configureSimulation } from '../testing/index.ts';
import { findProvider, pagesOf, providerSettings } from './settings.ts';

/** The ways to pay of settings that name none. */
const chosen = { methods: ['card', 'link'], allowDelayed: false };

forEachStorage('the settings of pages to pay at', (database) => {
  const commerce = useCommerce(database);
  const settingsOf = async (shop: Context, name: string) => {
    const [present] = await providerSettings(shop.engine, findProvider(name).name, shop.store.id);
    return present?.settings as Record<string, string>;
  };
  const stripe = { webhookSecret: 'whsec_one', secretKey: 'sk_test_one', apiBase: 'http://127.0.0.1:8765' };
  const square = {
    ...{ signatureKey, notificationUrl, accessToken: 'EAAAone', locationId: 'L1' },
    apiBase: 'https://connect.squareupsandbox.com',
  };

  it('are kept when the secret of the notifications is replaced alone', async () => {
    const shop = await newShop(commerce());
    await configureProvider(shop, 'stripe', stripe);
    await configureProvider(shop, 'stripe', { webhookSecret: 'whsec_two' }, { keepPrevious: 1000 });
    expect(await settingsOf(shop, 'stripe')).toEqual({ ...chosen, ...stripe, webhookSecret: 'whsec_two' });
    await configureProvider(shop, 'square', square);
    await configureProvider(shop, 'square', { signatureKey: 'key-two', notificationUrl });
    expect(await settingsOf(shop, 'square')).toEqual({ ...square, signatureKey: 'key-two' });
    await configureProvider(shop, 'square', { signatureKey: 'key-two', notificationUrl, locationId: 'L2' });
    expect(await settingsOf(shop, 'square')).toEqual({ ...square, signatureKey: 'key-two', locationId: 'L2' });
  });

  it('are replaced together: a new key brings its own address and location', async () => {
    const shop = await newShop(commerce());
    await configureProvider(shop, 'stripe', stripe);
    await configureProvider(shop, 'stripe', { webhookSecret: 'whsec_two', secretKey: 'sk_live_two' });
    expect(await settingsOf(shop, 'stripe')).toEqual({
      ...chosen,
      webhookSecret: 'whsec_two',
      secretKey: 'sk_live_two',
    });
    await configureProvider(shop, 'square', square);
    await configureProvider(shop, 'square', { signatureKey, notificationUrl, accessToken: 'EAAAtwo' });
    expect(await settingsOf(shop, 'square')).toEqual({
      ...{ signatureKey, notificationUrl, accessToken: 'EAAAtwo' },
      apiBase: 'https://connect.squareup.com',
    });
  });

  it('are removed by null', async () => {
    const shop = await newShop(commerce());
    await configureProvider(shop, 'stripe', stripe);
    await configureProvider(shop, 'stripe', { webhookSecret: 'whsec_one', secretKey: null });
    expect(await settingsOf(shop, 'stripe')).toEqual({ ...chosen, webhookSecret: 'whsec_one' });
    expect(pagesOf('stripe').ready(await settingsOf(shop, 'stripe'))).toBe(false);
  });

  it('do not send a stored secret to another address', async () => {
    const shop = await newShop(commerce());
    await configureProvider(shop, 'stripe', stripe);
    await configureProvider(shop, 'square', square);
    const apiBase = 'https://elsewhere.example';
    await expectDenied(
      commerce(),
      () => configureProvider(shop, 'stripe', { webhookSecret: 'whsec_one', apiBase }),
      invalid('secretKey'),
    );
    await expectDenied(
      commerce(),
      () => configureProvider(shop, 'square', { signatureKey, notificationUrl, apiBase }),
      invalid('accessToken'),
    );
  });

  it.each([
    ['stripe', { webhookSecret: 'w', secretKey: 'sk_live_…' }, 'secretKey'],
    ['stripe', { webhookSecret: 'w', secretKey: '<secret>' }, 'secretKey'],
    ['stripe', { webhookSecret: 'w', secretKey: 'sk live' }, 'secretKey'],
    ['stripe', { webhookSecret: 'w', apiBase: 'http://api.stripe.com' }, 'apiBase'],
    ['square', { signatureKey, notificationUrl, locationId: '' }, 'locationId'],
  ])('are refused for %s when they are none, without repeating a secret: %o', async (name, settings, field) => {
    const shop = await newShop(commerce());
    await expectDenied(commerce(), () => configureProvider(shop, name, settings), {
      kind: 'validation',
      fields: [field],
      message: field === 'secretKey' ? /^secretKey: must be [^"]*$/ : /./,
    });
  });

  it('stored before there were pages stay valid, and make none', async () => {
    const shop = await newShop(commerce());
    // As earlier versions stored them.
    await configureProvider(shop, 'stripe', { webhookSecret: 'whsec_old' });
    expect(await settingsOf(shop, 'stripe')).toEqual({ ...chosen, webhookSecret: 'whsec_old' });
    expect(pagesOf('stripe').ready(await settingsOf(shop, 'stripe'))).toBe(false);
  });

  it('give way to those of a stand-in only where they lead to no provider', async () => {
    const shop = await newShop(commerce());
    const standIn = { webhookSecret: 'whsec_sim', secretKey: 'sk_test_sim', apiBase: 'http://127.0.0.1:9000' };
    await configureSimulation(shop, 'stripe', standIn);
    await configureSimulation(shop, 'stripe', { ...standIn, apiBase: 'http://127.0.0.1:9001' });
    expect(await settingsOf(shop, 'stripe')).toMatchObject({ apiBase: 'http://127.0.0.1:9001' });
    await configureProvider(shop, 'square', square);
    await expectDenied(commerce(), () => configureSimulation(shop, 'square', { ...square, apiBase: standIn.apiBase }), {
      kind: 'conflict',
      message: /squareupsandbox/,
    });
    const paid = { clientId: 'c', clientSecret: 's', webhookId: 'W' };
    await configureProvider(shop, 'paypal', paid);
    const other = { ...paid, apiBase: standIn.apiBase };
    await expectDenied(commerce(), () => configureSimulation(shop, 'paypal', other), { kind: 'conflict' });
    await configureSimulation(shop, 'paypal', other, { replace: true });
    expect(await settingsOf(shop, 'paypal')).toMatchObject(other);
  });

  it('are given anew after their key was lost', async () => {
    const shop = await newShop(commerce());
    const sealed = await openCommerce({
      storage: commerce().engine.storage,
      secretKey: 'a key of the tests, long enough',
    });
    await configureProvider(await sealed.store(shop.store.id), 'stripe', stripe);
    await expect(settingsOf(shop, 'stripe')).rejects.toMatchObject({ kind: 'unavailable' });
    await configureProvider(shop, 'stripe', { webhookSecret: 'whsec_two' });
    expect(await settingsOf(shop, 'stripe')).toEqual({ ...chosen, methods: ['card'], webhookSecret: 'whsec_two' });
  });
});

forEachStorage('a payment through a link of Square', (database) => {
  const commerce = useCommerce(database);

  it('pays the order in its note, where it has no reference', async () => {
    const shop = await newShop(commerce());
    await configureProvider(shop, 'square', { signatureKey, notificationUrl });
    await createProduct(shop, { title: 'Mug', slug: 'mug', sku: 'MUG', price: '12.50', status: 'published' });
    const order = await createOrder(shop, { items: [{ sku: 'MUG', quantity: 1 }] });
    const paid = squarePayment(null, 1250).completed({ note: `${order.orderNumber} ${order.id}` });
    expect(await sendSquare(shop, paid)).toEqual({ received: true, outcome: 'paid' });
    expect((await getOrder(shop, order.id)).status).toBe('paid');
  });

  it.each(['a mug', '', 'ORD-1001', '12345'])('at a till with the note %j is ignored', async (note) => {
    const shop = await newShop(commerce());
    await configureProvider(shop, 'square', { signatureKey, notificationUrl });
    expect(await sendSquare(shop, squarePayment(null, 1250).completed({ note }))).toMatchObject({ outcome: 'ignored' });
  });
});
