import { configurePayPal } from '@commerce/test-support/fixtures/paypal';
import { useSelling } from '@commerce/test-support/fixtures/selling';
import { newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { expect, it } from 'vitest';
import { type Context, createPage, deletePage, getShop, updatePage, updateSettings } from '../index.ts';
import { openSecretBox } from '../kernel/secrets.ts';

/** The same shop with a storefront key, which anyone has. */
const anyone = (shop: Context): Context => ({
  ...shop,
  actor: { type: 'apiKey', id: 'storefront', isPublic: true },
});

const seller = {
  name: 'Tea & Co',
  address: 'Teichweg 1\n1010 Wien',
  email: 'hello@shop.example',
  phone: null,
  vatId: 'ATU12345678',
  taxNumber: '12/345/67890',
  registration: null,
};

forEachStorage('what pages must know of a shop', (database) => {
  const { openShop } = useSelling(database);

  it('is all of it, the same for a storefront key, and without secrets and the number at the tax office', async () => {
    const { shop } = await openShop(['stripe', 'square']);
    const page = (slug: string) => createPage(shop, { title: slug, slug, status: 'published' });
    const [terms, imprint] = [await page('terms'), await page('imprint')];
    const draft = await createPage(shop, { title: 'Privacy', slug: 'privacy' });
    const settings = await updateSettings(shop, {
      name: 'Tea & Co',
      taxRate: '0.2',
      taxIncluded: true,
      country: 'AT',
      locale: 'de-AT',
      timeZone: 'Europe/Vienna',
      minSubtotal: '20',
      shippingMethods: [
        { id: 'post', name: 'Post', price: '4.90', countries: ['AT', 'DE'] },
        { id: 'express', name: 'Express', price: '14.90', countries: ['AT', 'CH'], deliveryDays: { min: 1, max: 2 } },
        { id: 'shop', name: 'At the shop', kind: 'pickup', price: '0', countries: null },
        { id: 'old', name: 'Old', price: '1', countries: ['FR'], active: false },
      ],
      pages: { terms: terms.id, imprint: imprint.id, withdrawal: terms.id, privacy: draft.id },
      productUrl: 'https://shop.example/p/{slug}',
      pageUrl: 'https://shop.example/pages/{id}',
      seller,
    });
    const { taxNumber: _, ...shown } = seller;
    const answer = await getShop(shop);
    expect(answer).toEqual({
      name: 'Tea & Co',
      currency: 'EUR',
      decimals: 2,
      country: 'AT',
      locale: 'de-AT',
      timeZone: 'Europe/Vienna',
      taxIncluded: true,
      shippingMethods: [
        { id: 'post', name: 'Post', kind: 'ship', countries: ['AT', 'DE'], deliveryDays: null },
        { id: 'express', name: 'Express', kind: 'ship', countries: ['AT', 'CH'], deliveryDays: { min: 1, max: 2 } },
        { id: 'shop', name: 'At the shop', kind: 'pickup', countries: null, deliveryDays: null },
      ],
      paymentMethods: [
        { id: 'square', name: 'Square', kind: 'provider' },
        { id: 'stripe', name: 'Stripe', kind: 'provider' },
      ],
      countries: ['AT', 'DE', 'CH'],
      minSubtotal: '20.00',
      pages: { terms: 'terms', privacy: null, imprint: 'imprint', withdrawal: 'terms', shipping: null },
      productUrl: 'https://shop.example/p/{slug}',
      pageUrl: 'https://shop.example/pages/{id}',
      seller: shown,
      parties: [],
      reservationMinutes: settings.reservationMinutes,
    });
    expect(await getShop(anyone(shop))).toEqual(answer);
    await deletePage(shop, terms.id);
    await updatePage(shop, draft.id, { status: 'published', slug: 'data' });
    expect((await getShop(shop)).pages).toEqual({
      terms: null,
      privacy: 'data',
      imprint: 'imprint',
      withdrawal: null,
      shipping: null,
    });
  });

  it('is without ways to pay if the service has lost the key of their secrets', async () => {
    const { shop } = await openShop([]);
    const secrets = openSecretBox('the key of the service');
    await configurePayPal({ ...shop, engine: { ...shop.engine, secrets } }, 'http://127.0.0.1:9');
    expect((await getShop({ ...shop, engine: { ...shop.engine, secrets } })).paymentMethods).toMatchObject([
      { id: 'paypal', name: 'PayPal' },
    ]);
    expect(await getShop(shop)).toMatchObject({ name: 'Shop', paymentMethods: [] });
  });
});

forEachStorage('a shop that has said nothing yet', (database) => {
  const commerce = useCommerce(database);

  it('serves everywhere, and has no way to pay', async () => {
    const shop = await newShop(commerce(), 'JPY');
    const none = { terms: null, privacy: null, imprint: null, withdrawal: null, shipping: null };
    expect(await getShop(shop)).toMatchObject({
      decimals: 0,
      country: null,
      locale: 'en',
      shippingMethods: [],
      paymentMethods: [],
      countries: null,
      pages: none,
      seller: null,
      parties: [],
    });
  });

  it('serves everywhere if one method does', async () => {
    const shop = await newShop(commerce());
    const shippingMethods = [
      { name: 'Post', price: '1', countries: ['AT'] },
      { name: 'World', price: '9' },
    ];
    await updateSettings(shop, { shippingMethods });
    expect((await getShop(shop)).countries).toBeNull();
  });

  it('shows the settings of its own, in an application that holds a context from before', async () => {
    const [one, other] = [await newShop(commerce()), await newShop(commerce())];
    await updateSettings(one, { name: 'One', country: 'AT' });
    expect(await getShop(one)).toMatchObject({ name: 'One', country: 'AT' });
    expect(await getShop(other)).toMatchObject({ name: 'Shop', country: null });
  });
});
