import { auditOf, newProduct, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { expectDenied, invalid } from '@commerce/test-support/harness/denied';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { expect, it } from 'vitest';
import { noMail } from '../engine/settings/mail.ts';
import {
  type Context,
  createOrder,
  createPage,
  deletePage,
  getSettings,
  type OrderInput,
  type SettingsChanges,
  updateSettings,
} from '../index.ts';
import { versionOf } from '../resources/versions.ts';

const standard = { id: 'standard', name: 'Standard', price: '4.9', freeFrom: '50', countries: ['de', 'AT'] };

const usualMethod = {
  ...{ kind: 'ship', rates: null, freeFrom: null, minSubtotal: null, countries: null },
  ...{ postalPrefixes: null, deliveryDays: null, active: true },
};

const seller = { name: 'Tea & Co', address: 'Teichweg 1\n1010 Wien', email: 'hello@shop.example' };

forEachStorage('settings', (database) => {
  const commerce = useCommerce(database);

  it('begin without tax, shipping and pages that may sell', async () => {
    const shop = await newShop(commerce(), 'JPY');
    expect(await getSettings(shop)).toEqual({
      name: 'Shop',
      currency: 'JPY',
      taxRate: '0',
      taxIncluded: false,
      taxes: null,
      shippingMethods: [],
      paymentMethods: [],
      maxOpenOffline: 100,
      reservationMinutes: 31,
      maxQuantity: 100,
      returnUrls: [],
      manualPayments: false,
      timeZone: 'UTC',
      country: null,
      locale: 'en',
      minSubtotal: null,
      pages: { terms: null, privacy: null, imprint: null, withdrawal: null, shipping: null },
      productUrl: null,
      pageUrl: null,
      seller: null,
      mail: noMail,
      orderUrl: null,
      invoices: {
        enabled: false,
        on: 'paid',
        prefix: 'INV-{year}-',
        creditPrefix: 'CN-{year}-',
        digits: 4,
        keepYears: 10,
        note: null,
      },
      parties: [],
      feed: { enabled: false, columns: {}, targetCountries: null, token: null },
      ucp: { enabled: false, host: null },
    });
  });

  it('make the token of the feeds when they are enabled first, and never write it down', async () => {
    const shop = await newShop(commerce());
    const productUrl = 'https://shop.example/p/{slug}';
    await expectDenied(commerce(), () => updateSettings(shop, { feed: { enabled: true } }), invalid('feed.enabled'));
    const first = await updateSettings(shop, { productUrl, feed: { enabled: true, columns: { color: 'Farbe' } } });
    const { token } = first.feed;
    expect(first.feed).toEqual({ enabled: true, columns: { color: 'Farbe' }, targetCountries: null, token });
    expect(await getSettings(shop)).toEqual(first);
    await expectDenied(commerce(), () => updateSettings(shop, { productUrl: null }), invalid('productUrl'));
    // Read, edited and sent back, it stays.
    const second = await updateSettings(shop, {
      feed: { ...first.feed, targetCountries: ['de'], token: 'x' } as never,
    });
    expect(second.feed).toEqual({ ...first.feed, targetCountries: ['DE'] });
    await updateSettings(shop, { feed: { enabled: false } });
    expect((await updateSettings(shop, { feed: { enabled: true } })).feed).toEqual({
      enabled: true,
      columns: {},
      targetCountries: null,
      token,
    });
    const entries = await auditOf(shop);
    expect(entries.length).toBeGreaterThan(3);
    expect(JSON.stringify(entries)).not.toContain(token);
    const stored = await shop.engine.storage.db
      .selectFrom('stores')
      .select('settings')
      .where('id', '=', shop.store.id)
      .executeTakeFirstOrThrow();
    expect(stored.settings).not.toContain(token);
    // A copy of the settings gives another store a token of its own.
    const other = await newShop(commerce());
    const { currency: _, ...all } = await getSettings(shop);
    const copied = await updateSettings(other, all as never);
    expect(copied.feed.token).toMatch(/^[\w-]{43}$/);
    expect(copied.feed.token).not.toBe(token);
    for (const feed of [
      { enabled: true, columns: { colour: 'x' } },
      { enabled: true, columns: { color: '' } },
      { enabled: true, columns: { color: null } },
      { enabled: true, targetCountries: ['UK'] },
      { enabled: true, targetCountries: [] },
      { enabled: true, url: 'x' },
      { enabled: 'yes' },
    ]) {
      await expect(updateSettings(shop, { feed } as never), JSON.stringify(feed)).rejects.toMatchObject({
        kind: 'validation',
        details: [{ field: expect.stringMatching(/^feed\./) }],
      });
    }
  });

  it('name a host to agents, which no other store can have', async () => {
    const shop = await newShop(commerce());
    const other = await newShop(commerce());
    const set = (of: Context, host: unknown) => updateSettings(of, { ucp: { enabled: true, host } } as never);
    for (const [given, host] of [
      ['Shop.Example', 'shop.example'],
      ['shop.example.', 'shop.example'],
      ['shop.example:443', 'shop.example'],
      [' api.shop.example:8443 ', 'api.shop.example:8443'],
      ['müller.example', 'xn--mller-kva.example'],
      ['127.0.0.1:8080', '127.0.0.1:8080'],
      ['[::1]:8080', '[::1]:8080'],
      [null, null],
    ]) {
      expect((await set(shop, given)).ucp, String(given)).toEqual({ enabled: true, host });
    }
    // Two stores can have none.
    expect((await set(other, null)).ucp).toEqual({ enabled: true, host: null });
    await set(shop, 'shop.example');
    await expectDenied(commerce(), () => set(other, 'SHOP.example:443'), {
      kind: 'conflict',
      message: 'ucp.host "shop.example" is the host of another store of this service',
      fields: ['ucp.host'],
    });
    expect((await set(other, 'shop.example:8443')).ucp.host).toBe('shop.example:8443');
    // Replaced as a whole, which gives the host back.
    expect((await updateSettings(shop, { ucp: { enabled: true } })).ucp).toEqual({ enabled: true, host: null });
    expect((await set(other, 'shop.example')).ucp.host).toBe('shop.example');
    for (const host of [
      'https://shop.example',
      'shop.example/x',
      '',
      ' ',
      'a b',
      'x@shop.example',
      '*.shop',
      'x:99999',
      7,
    ]) {
      await expect(set(shop, host), String(host)).rejects.toMatchObject({
        kind: 'validation',
        details: [{ field: 'ucp.host' }],
      });
    }
    for (const ucp of [{ enabled: 'yes' }, { enabled: true, path: 'x' }]) {
      await expect(updateSettings(shop, { ucp } as never)).rejects.toMatchObject({ kind: 'validation' });
    }
    const settings = (await auditOf(shop)).filter(({ changes }) =>
      JSON.stringify(changes).includes('shop.example:8443'),
    );
    expect(settings.length).toBeGreaterThan(0);
  });

  it.each([
    ['https://shop.example/order#{token}', true],
    ['https://mytokens.shop/token/order.html?x=token#order={token}', true],
    ['http://127.0.0.1:8080/order.html#{token}', true],
    ['http://shop.example/order#{token}', false],
    ['https://shop.example/order?{token}', false],
    ['https://shop.example/{token}#order', false],
    ['https://shop.example/order#{token}{token}', false],
    ['https://user:secret@shop.example/order#{token}', false],
    ['javascript:alert(1)//#{token}', false],
  ])('take %s as the address of the page of an order: %s', async (orderUrl, isTaken) => {
    const shop = await newShop(commerce());
    if (isTaken) expect((await updateSettings(shop, { orderUrl })).orderUrl).toBe(orderUrl);
    else await expectDenied(commerce(), () => updateSettings(shop, { orderUrl }), invalid('orderUrl'));
  });

  it('take what pages of the shop ask for, in the usual spelling', async () => {
    const shop = await newShop(commerce());
    const { id: terms } = await createPage(shop, { title: 'Terms', slug: 'terms' });
    const changes: SettingsChanges = {
      country: 'at',
      locale: 'DE-at',
      minSubtotal: '20',
      pages: { terms },
      productUrl: 'https://shop.example/p/{slug}?ref={id}',
      pageUrl: 'http://localhost:8080/page.html#{id}',
      seller: { ...seller, vatId: 'ATU12345678' },
    };
    const after = await updateSettings(shop, changes);
    expect(after).toMatchObject({
      ...changes,
      country: 'AT',
      locale: 'de-AT',
      minSubtotal: '20.00',
      pages: { terms, privacy: null, imprint: null, withdrawal: null, shipping: null },
      seller: { ...seller, vatId: 'ATU12345678', phone: null, taxNumber: null, registration: null },
    });
    expect(await getSettings(shop)).toEqual(after);
    expect(await updateSettings(shop, after)).toEqual(after);
    expect((await auditOf(shop)).filter(({ action }) => action === 'settings.updated')).toHaveLength(1);
    expect((await commerce().store(shop.store.id)).store.settings).toMatchObject({
      minSubtotal: '20.00',
      locale: 'de-AT',
    });
  });

  it('replace the pages and the seller as a whole', async () => {
    const shop = await newShop(commerce());
    const { id } = await createPage(shop, { title: 'Terms', slug: 'terms' });
    await updateSettings(shop, { pages: { terms: id, privacy: id }, seller: { ...seller, phone: '1' } });
    const { pages, seller: sells } = await updateSettings(shop, { pages: { imprint: id }, seller });
    expect(pages).toEqual({ terms: null, privacy: null, imprint: id, withdrawal: null, shipping: null });
    expect(sells).toMatchObject({ ...seller, phone: null });
    expect((await updateSettings(shop, { seller: null, country: null })).seller).toBeNull();
  });

  it('keep the id of a page that is deleted, and take it again, but not a page of no shop or of another one', async () => {
    const shop = await newShop(commerce());
    const { id: terms } = await createPage(shop, { title: 'Terms', slug: 'terms' });
    const { id: foreign } = await createPage(await newShop(commerce()), { title: 'Terms', slug: 'terms' });
    const { pages } = await updateSettings(shop, { pages: { terms } });
    await deletePage(shop, terms);
    expect(await updateSettings(shop, { name: 'Tea', pages })).toMatchObject({ name: 'Tea', pages });
    for (const id of [foreign, shop.store.id, 'terms']) {
      const change = () => updateSettings(shop, { pages: { ...pages, privacy: id } });
      await expectDenied(commerce(), change, invalid('pages.privacy'));
    }
    await updateSettings(shop, { pages: {} });
    await expectDenied(commerce(), () => updateSettings(shop, { pages }), invalid('pages.terms'));
  });

  it('have the name of the field that is not one of theirs', async () => {
    const shop = await newShop(commerce());
    const wrong: [object, string][] = [
      [{ minOrder: '20' }, 'minOrder'],
      [{ pages: { cookies: null } }, 'pages.cookies'],
      [{ seller: { ...seller, fax: '1' } }, 'seller.fax'],
    ];
    for (const [changes, field] of wrong) {
      await expectDenied(commerce(), () => updateSettings(shop, changes), invalid(field));
    }
  });

  it('take the name of a time zone in any case, and no other text', async () => {
    const shop = await newShop(commerce());
    expect((await updateSettings(shop, { timeZone: 'europe/BERLIN' })).timeZone).toBe('Europe/Berlin');
    for (const timeZone of ['Berlin', '+02:00', '', 'UTC\0', 'x'.repeat(65)]) {
      await expectDenied(commerce(), () => updateSettings(shop, { timeZone }), invalid('timeZone'));
    }
    expect((await getSettings(shop)).timeZone).toBe('Europe/Berlin');
  });

  it('keep what is absent, and replace shipping methods as a whole, with the ids that they are given', async () => {
    const shop = await newShop(commerce());
    const first = await updateSettings(shop, {
      taxRate: '0.19',
      shippingMethods: [standard, { name: 'Express', price: '12' }],
      returnUrls: ['https://Shop.example/', 'http://localhost:8080'],
    });
    expect(first).toMatchObject({ taxRate: '0.19', returnUrls: ['https://shop.example', 'http://localhost:8080'] });
    const [, express] = first.shippingMethods;
    expect(first.shippingMethods).toEqual([
      { ...usualMethod, id: 'standard', name: 'Standard', price: '4.90', freeFrom: '50.00', countries: ['DE', 'AT'] },
      { ...usualMethod, id: expect.stringMatching(/^[0-9a-f-]{36}$/), name: 'Express', price: '12.00' },
    ]);
    const second = await updateSettings(shop, {
      shippingMethods: [{ id: express?.id, name: 'Faster', price: '15' }],
      taxIncluded: true,
    });
    expect(second).toEqual({
      ...first,
      taxIncluded: true,
      shippingMethods: [{ ...usualMethod, id: express?.id, name: 'Faster', price: '15.00' }],
    });
    expect(await getSettings(shop)).toEqual(second);
    expect((await auditOf(shop)).filter(({ action }) => action === 'settings.updated')).toHaveLength(2);
    // Sending an answer back changes nothing.
    expect(await updateSettings(shop, second)).toEqual(second);
    expect((await auditOf(shop)).filter(({ action }) => action === 'settings.updated')).toHaveLength(2);
  });

  it('name the code of a country that another code was given for, and take every country', async () => {
    const shop = await newShop(commerce());
    const ships = (...countries: string[]) => updateSettings(shop, { shippingMethods: [{ ...standard, countries }] });
    await expect(ships('uk')).rejects.toThrow(/must be "GB", not "UK"/);
    await expect(ships('EL')).rejects.toThrow(/must be "GR", not "EL"/);
    const { shippingMethods } = await ships('gb', 'GR', 'XK', 'US', 'TW', 'CI');
    expect(shippingMethods[0]?.countries).toEqual(['GB', 'GR', 'XK', 'US', 'TW', 'CI']);
  });

  it.each<[string, SettingsChanges, RegExp]>([
    [
      'bands that do not rise',
      { shippingMethods: [{ name: 'Post', rates: [5, 5].map((upToWeight) => ({ upToWeight, price: '1' })) }] },
      /shippingMethods.0.rates.1.upToWeight: must be more than in the band before, not 5/,
    ],
    [
      'bands of two kinds',
      {
        shippingMethods: [
          {
            name: 'Post',
            rates: [
              { upToWeight: 5, price: '1' },
              { upToSubtotal: '5', price: '1' },
            ],
          },
        ],
      },
      /shippingMethods.0.rates: must all be by upToWeight, or all by upToSubtotal/,
    ],
    [
      'a tax of shipping that no rate is of',
      {
        country: 'DE',
        taxes: { scope: 'origin', rates: [{ country: 'DE', class: 'books', rate: '0.07' }], shipping: 'book' },
      },
      /taxes.shipping: must be one of proportional, none, standard, books: a class needs a rate, not "book"/,
    ],
    [
      'a provider of another way to pay',
      { paymentMethods: [{ kind: 'transfer', name: 'Transfer', provider: 'stripe' }] },
      /paymentMethods.0.provider: must be left out for the kind "transfer", not "stripe"/,
    ],
  ])('say what is wrong with %s', async (_, changes, message) => {
    await expect(updateSettings(await newShop(commerce()), changes)).rejects.toThrow(message);
  });

  it.each<[string, SettingsChanges, string]>([
    ['a blank name', { name: ' ' }, 'name'],
    ['a rate above all', { taxRate: '1.1' }, 'taxRate'],
    ['a rate in per cent', { taxRate: '19 %' }, 'taxRate'],
    ['too short a reservation', { reservationMinutes: 30 }, 'reservationMinutes'],
    ['too long a reservation', { reservationMinutes: 1411 }, 'reservationMinutes'],
    ['no place for an unpaid order', { maxOpenOffline: 0 }, 'maxOpenOffline'],
    ['too many unpaid orders', { maxOpenOffline: 10_001 }, 'maxOpenOffline'],
    ['no pieces at all', { maxQuantity: 0 }, 'maxQuantity'],
    ['more pieces than an order may have', { maxQuantity: 1_000_001 }, 'maxQuantity'],
    ['a page in place of an origin', { returnUrls: ['https://shop.example/thanks'] }, 'returnUrls.0'],
    ['an origin of no web', { returnUrls: ['ftp://shop.example'] }, 'returnUrls.0'],
    ['an origin with a name', { returnUrls: ['https://me@shop.example'] }, 'returnUrls.0'],
    ['origins by a wildcard', { returnUrls: ['https://*.shop.example'] }, 'returnUrls.0'],
    ...['UK', 'EL', 'ZZ', 'EU', 'AB', 'DD'].map((code): [string, SettingsChanges, string] => [
      `the country ${code}`,
      { shippingMethods: [{ ...standard, countries: ['DE', code] }] },
      'shippingMethods.0.countries.1',
    ]),
    ['too many origins', { returnUrls: Array.from({ length: 21 }, (_, i) => `https://s${i}.example`) }, 'returnUrls'],
    ['two methods of one id', { shippingMethods: [standard, standard] }, 'shippingMethods'],
    [
      'a country in words',
      { shippingMethods: [{ ...standard, countries: ['Germany'] }] },
      'shippingMethods.0.countries.0',
    ],
    ['no country at all', { shippingMethods: [{ ...standard, countries: [] }] }, 'shippingMethods.0.countries'],
    ['a price of half a cent', { shippingMethods: [{ ...standard, price: '1.005' }] }, 'shippingMethods.0.price'],
    ...['U', 'UK', 'Germany', 'D1'].map((code): [string, SettingsChanges, string] => [
      `the shop in ${code}`,
      { country: code },
      'country',
    ]),
    ...['', 'german', 'de_AT', 'x'.repeat(36)].map((locale): [string, SettingsChanges, string] => [
      `the language "${locale}"`,
      { locale },
      'locale',
    ]),
    ['a language of null', { locale: null as never }, 'locale'],
    ['a smallest order of half a cent', { minSubtotal: '1.005' }, 'minSubtotal'],
    ...[
      'https://shop.example/p',
      'shop.example/{slug}',
      'ftp://shop.example/{slug}',
      'https://{slug}.example/',
      'https://shop.example{slug}/x',
      'https://{slug}@shop.example/',
      'https://me:you@shop.example/{slug}',
      'https://shop.example/{sku}/{slug}',
      'https://shop.example/ {slug}',
      ' https://shop.example/{slug}',
      `https://shop.example/${'x'.repeat(2000)}/{slug}`,
    ].flatMap((url): [string, SettingsChanges, string][] => [
      [`products at ${url.slice(0, 40)}`, { productUrl: url }, 'productUrl'],
      [`pages at ${url.slice(0, 40)}`, { pageUrl: url }, 'pageUrl'],
    ]),
    ['a seller without an address', { seller: { name: 'Tea', email: 'a@x.example' } as never }, 'seller.address'],
    ['a seller without a name', { seller: { ...seller, name: ' ' } }, 'seller.name'],
    ['a seller with a long address', { seller: { ...seller, address: 'x'.repeat(501) } }, 'seller.address'],
    ['a seller with two e-mails', { seller: { ...seller, email: 'a@x.example, b@x.example' } }, 'seller.email'],
    ['a seller with a blank number', { seller: { ...seller, taxNumber: '' } }, 'seller.taxNumber'],
    ['no pages at all', { pages: null as never }, 'pages'],
    ['a page that is a number', { pages: { terms: 1 as never } }, 'pages.terms'],
    ['an id with blanks', { shippingMethods: [{ ...standard, id: 'a b' }] }, 'shippingMethods.0.id'],
  ])('refuse %s', async (_, changes, field) => {
    const shop = await newShop(commerce());
    const before = await getSettings(shop);
    await expectDenied(commerce(), () => updateSettings(shop, changes), invalid(field));
    expect(await getSettings(shop)).toEqual(before);
  });

  it('are held to the version that somebody has seen', async () => {
    const shop = await newShop(commerce());
    const version = versionOf(JSON.stringify(await getSettings(shop)));
    const seen = { ...shop, expected: { id: shop.store.id, versions: [version] } };
    await updateSettings(seen, { taxRate: '0.1' });
    await expect(updateSettings(seen, { taxRate: '0.2' })).rejects.toMatchObject({ kind: 'conflict' });
    expect((await getSettings(shop)).taxRate).toBe('0.1');
  });

  it.each<[string, Partial<OrderInput>, SettingsChanges, object]>([
    ['the rate of tax', {}, {}, { tax: '3.80', taxRate: '0.19', total: '23.80', taxIncluded: false }],
    ['no rate where the order states one', { taxRate: '0' }, {}, { tax: '0.00', taxRate: '0', total: '20.00' }],
    [
      'tax that prices hold, in shipping too',
      { shipping: '3.80' },
      { taxIncluded: true },
      { tax: '3.80', total: '23.80', taxIncluded: true },
    ],
    [
      'the price of a shipping method, untaxed where tax is added',
      { shippingMethodId: 'standard', shippingAddress: { country: ' at ' } },
      {},
      { shipping: '4.90', tax: '3.80', total: '28.70', shippingMethod: { id: 'standard', kind: 'ship' } },
    ],
    [
      'no price from a subtotal on',
      { shippingMethodId: 'standard', shippingAddress: { country: 'DE' } },
      { shippingMethods: [{ ...standard, freeFrom: '20' }] },
      { shipping: '0.00', total: '23.80' },
    ],
    [
      'the subtotal before the discount for that',
      { shippingMethodId: 'standard', shippingAddress: { country: 'DE' }, discount: '5' },
      { shippingMethods: [{ ...standard, freeFrom: '20' }] },
      { shipping: '0.00', discount: '5.00', tax: '2.85', total: '17.85' },
    ],
    ['no shipping that nobody asked for', {}, {}, { shipping: '0.00', shippingMethod: null }],
  ])('give an order %s', async (_, order, changes, expected) => {
    // A context from before the change, which an application can still hold.
    const shop = await newShop(commerce());
    await updateSettings(shop, { taxRate: '0.19', shippingMethods: [standard], ...changes });
    const { id: productId } = await newProduct(shop, { price: '10' });
    expect(await createOrder(shop, { items: [{ productId, quantity: 2 }], ...order })).toMatchObject(expected);
  });

  it.each<[string, Partial<OrderInput>, RegExp, field?: string]>([
    ['that the store does not have', { shippingMethodId: 'drone' }, /"drone"; the shipping methods are: "standard"/],
    [
      'that does not serve the country',
      { shippingAddress: { country: 'US' } },
      /no shipping method serves the country "US"/,
      'shippingAddress.country',
    ],
    ['to nowhere', {}, /is required/, 'shippingAddress.country'],
    ['beside a price of its own', { shipping: '1' }, /together with shipping/],
  ])('refuse a shipping method %s', async (_, order, message, field = 'shippingMethodId') => {
    const shop = await newShop(commerce());
    await updateSettings(shop, { shippingMethods: [standard] });
    const { id: productId } = await newProduct(shop, { price: '10' });
    const input = { items: [{ productId, quantity: 1 }], shippingMethodId: 'standard', ...order };
    await expectDenied(commerce(), () => createOrder(shop, input), {
      kind: 'validation',
      fields: [field],
      message,
    });
  });
});
