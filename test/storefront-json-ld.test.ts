import type { components } from '@commerce/server/api';
import { dataFaults } from '@commerce/test-support/harness/structured-data';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonLdText, plainText, productJsonLd, type Thing } from '../examples/storefront-client/json-ld.ts';

type Schemas = components['schemas'];
type Product = Schemas['ListedProduct'];

const shop = {
  name: 'Tea & Co',
  currency: 'EUR',
  decimals: 2,
  country: 'DE',
  locale: 'de-DE',
  timeZone: 'Europe/Berlin',
  taxIncluded: true,
  shippingMethods: [
    { id: 'parcel', name: 'Parcel', kind: 'ship', countries: ['DE', 'CH'], deliveryDays: { min: 2, max: 4 } },
    { id: 'world', name: 'World', kind: 'ship', countries: null, deliveryDays: null },
    { id: 'shop', name: 'Shop', kind: 'pickup', countries: null, deliveryDays: { min: 0, max: 1 } },
  ],
  paymentMethods: [],
  countries: ['DE', 'CH', 'AT'],
  minSubtotal: null,
  pages: { terms: null, privacy: null, imprint: null, withdrawal: 'withdrawal', shipping: null },
  productUrl: 'https://shop.example/p/{slug}',
  pageUrl: 'https://shop.example/{slug}',
  seller: null,
  parties: [
    { id: 'maker', name: 'Maker & Sons', address: '1 Mill Lane\nSheffield', email: 'a@maker.example', url: null },
    { id: 'other', name: 'Other', address: 'Elsewhere', email: null, url: 'https://other.example' },
  ],
  reservationMinutes: 30,
} as unknown as Schemas['Shop'];

const image = { id: 'i', url: 'https://api.example/media/i.jpg', width: 800, height: 800 } as Schemas['Media'];

const product = {
  id: '0193d3ea-1c48-7b02-9d4e-6c1f0a7b3e52',
  title: 'Blue tea',
  slug: 'blue-tea',
  description: '<p>Picked &amp; dried.</p>',
  descriptionFormat: 'html',
  price: '9.90',
  compareAtPrice: '15.00',
  priorPrice: '12.00',
  sku: 'TEA',
  barcode: '4006381333931',
  gtin: '4006381333931',
  brand: 'Tea & Co',
  manufacturerId: 'maker',
  responsiblePersonId: 'other',
  safetyNotes: null,
  unitPricing: { measure: '750 ml', base: '1 l', price: '13.20' },
  variantGroupId: 'teas',
  attributes: { color: 'blue', leaf: 'whole' },
  trackStock: true,
  stock: 3,
  allowBackorder: false,
  withdrawalExempt: null,
  requiresShipping: true,
  media: [image],
} as unknown as Product;

const red = { id: 'r', slug: 'red-tea', attributes: { color: 'red', leaf: 'whole' } } as never;
const offerOf = (data: Thing) => (data.offers ?? (data.hasVariant as Thing[])[0]?.offers) as Thing;

describe('productJsonLd()', () => {
  it('says what Google requires and recommends of a product, and nothing that schema.org does not know', () => {
    const data = productJsonLd(product, [], shop);
    expect(dataFaults(JSON.parse(jsonLdText(data)))).toEqual([]);
    expect(data).toEqual({
      '@context': 'https://schema.org/',
      '@type': 'Product',
      name: 'Blue tea',
      description: 'Picked & dried.',
      image: ['https://api.example/media/i.jpg'],
      url: 'https://shop.example/p/blue-tea',
      sku: 'TEA',
      gtin: '4006381333931',
      brand: { '@type': 'Brand', name: 'Tea & Co' },
      manufacturer: {
        '@type': 'Organization',
        name: 'Maker & Sons',
        address: '1 Mill Lane\nSheffield',
        email: 'a@maker.example',
      },
      color: 'blue',
      additionalProperty: [{ '@type': 'PropertyValue', name: 'leaf', value: 'whole' }],
      offers: {
        '@type': 'Offer',
        url: 'https://shop.example/p/blue-tea',
        price: '9.90',
        priceCurrency: 'EUR',
        availability: 'https://schema.org/InStock',
        itemCondition: 'https://schema.org/NewCondition',
        seller: { '@type': 'Organization', name: 'Tea & Co' },
        priceSpecification: [
          {
            '@type': 'UnitPriceSpecification',
            price: '9.90',
            priceCurrency: 'EUR',
            valueAddedTaxIncluded: true,
            referenceQuantity: {
              '@type': 'QuantitativeValue',
              value: '750',
              unitCode: 'MLT',
              valueReference: { '@type': 'QuantitativeValue', value: '1', unitCode: 'LTR' },
            },
          },
          {
            '@type': 'UnitPriceSpecification',
            price: '12.00',
            priceCurrency: 'EUR',
            priceType: 'https://schema.org/StrikethroughPrice',
            valueAddedTaxIncluded: true,
          },
        ],
        shippingDetails: [
          {
            '@type': 'OfferShippingDetails',
            shippingDestination: [
              { '@type': 'DefinedRegion', addressCountry: 'DE' },
              { '@type': 'DefinedRegion', addressCountry: 'CH' },
            ],
            deliveryTime: {
              '@type': 'ShippingDeliveryTime',
              transitTime: { '@type': 'QuantitativeValue', minValue: 2, maxValue: 4, unitCode: 'DAY' },
            },
          },
        ],
        hasMerchantReturnPolicy: {
          '@type': 'MerchantReturnPolicy',
          applicableCountry: ['AT', 'DE'],
          returnPolicyCategory: 'https://schema.org/MerchantReturnFiniteReturnWindow',
          merchantReturnDays: 14,
          merchantReturnLink: 'https://shop.example/withdrawal',
        },
      },
    });
  });

  it('makes one group of variants, the others by their addresses', () => {
    const data = productJsonLd(product, [red], shop, { groupName: 'Tea' });
    expect(dataFaults(JSON.parse(jsonLdText(data)))).toEqual([]);
    expect(data).toMatchObject({
      '@type': 'ProductGroup',
      name: 'Tea',
      productGroupID: 'teas',
      variesBy: ['https://schema.org/color'],
      hasVariant: [{ '@type': 'Product', name: 'Blue tea' }, { url: 'https://shop.example/p/red-tea' }],
    });
    const german = productJsonLd({ ...product, attributes: { Farbe: 'blau' } }, [], shop, {
      attributes: { Farbe: 'color' },
    });
    expect(german).toMatchObject({ color: 'blau' });
    expect(german.additionalProperty).toBeUndefined();
  });

  it.each([
    ['a lower price in the 30 days before', { priorPrice: '9.00' }],
    ['the same price', { priorPrice: '9.90' }],
    ['no prior price, but a price that the shop calls one', { priorPrice: null, compareAtPrice: '99.00' }],
  ])('announces no reduction with %s', (_, changes) => {
    expect(offerOf(productJsonLd({ ...product, ...changes }, [], shop)).priceSpecification).toHaveLength(1);
  });

  it.each([
    [{ stock: 0 }, 'OutOfStock'],
    [{ stock: 0, allowBackorder: true }, 'InStock'],
    [{ stock: 0, trackStock: false }, 'InStock'],
  ])('says of %j that it is %s', (changes, word) => {
    expect(offerOf(productJsonLd({ ...product, ...changes }, [], shop)).availability).toBe(
      `https://schema.org/${word}`,
    );
  });

  it('promises no return without a page about it, of exempt goods, or where the right does not hold', () => {
    const policy = (changes: object, of: object = {}) =>
      offerOf(productJsonLd({ ...product, ...of }, [], { ...shop, ...changes })).hasMerchantReturnPolicy;
    expect(policy({ pages: { ...shop.pages, withdrawal: null } })).toBeUndefined();
    expect(policy({}, { withdrawalExempt: 'made to your measure' })).toBeUndefined();
    expect(policy({ countries: ['CH', 'US'] })).toBeUndefined();
    expect(policy({ countries: null })).toMatchObject({ applicableCountry: { length: 27 } });
    expect(policy({ pageUrl: 'https://shop.example/t/{id}' })).not.toHaveProperty('merchantReturnLink');
    expect(offerOf(productJsonLd({ ...product, requiresShipping: false }, [], shop)).shippingDetails).toBeUndefined();
  });

  it('has no addresses without that of the shop, and no empty fields', () => {
    const none = { brand: null, gtin: null, sku: null, manufacturerId: 'gone', unitPricing: null, description: null };
    const bare = { ...product, ...none, attributes: {}, media: [], priorPrice: null };
    const data = productJsonLd(bare, [red], { ...shop, productUrl: null, shippingMethods: [] });
    expect((data.hasVariant as Thing[]).map((one) => Object.keys(one).sort())).toEqual([['@type', 'name', 'offers']]);
    expect(offerOf(data)).not.toHaveProperty('url');
    expect(offerOf(data)).not.toHaveProperty('shippingDetails');
  });

  it('can stand in a page whatever is in it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const title = `</script><!--${text}\u2028`;
        const written = jsonLdText(productJsonLd({ ...product, title, brand: title }, [], shop));
        expect(written).not.toMatch(/[<>&\u2028\u2029]/);
        expect((JSON.parse(written) as Thing).name).toBe(
          title.isWellFormed() ? title : JSON.parse(JSON.stringify(title)),
        );
      }),
    );
  });
});

describe('plainText()', () => {
  it.each([
    [
      'html',
      '<h1>Tea</h1><p>For <b>two</b>&nbsp;&amp; more.<br>Hot</p><ul><li>a</li><li>b</li></ul>',
      'Tea\n\nFor two & more.\nHot\n\na\n\nb',
    ],
    ['html', 'a<script>alert("</p>")</script>b<style>p{}</style>c<!-- d -->e', 'abce'],
    ['html', 'a < b &#x41;&#66; &unknown; <a title="x > y">link</a>', 'a < b AB &unknown; link'],
    ['html', 'all<script>never closed', 'all'],
    ['html', 'cut <a href="', 'cut'],
    [
      'markdown',
      '# Care\n\n- *wash* it\n- see [how](https://a.example)\n\n**Do not** iron `it`.\n\n---',
      'Care\n\nwash it\nsee how\n\nDo not iron it.',
    ],
    ['markdown', 'snake_case stays <script>x</script>', 'snake_case stays'],
    ['text', '  <b>as it is</b>  ', '<b>as it is</b>'],
  ] as const)('reads the words of %s', (format, written, words) => {
    expect(plainText(written, format).replace(/\n+/g, '\n')).toBe(words.replace(/\n+/g, '\n'));
  });

  it('takes a time that grows with the length of the text, whatever is in it', () => {
    const pieces = [
      '<',
      '<a ',
      '<a title="',
      '<script>',
      '<!--',
      '&amp;',
      '&#x',
      '[',
      '](',
      '**',
      '_a',
      '`',
      '<style',
      '</',
      ' ',
    ];
    for (const piece of [...pieces, '<script></scrip', '[a](b', "<p><a href='"]) {
      const text = piece.repeat(Math.floor(100_000 / piece.length));
      for (const format of ['html', 'markdown'] as const) {
        const start = performance.now();
        plainText(text, format);
        expect(performance.now() - start, `${piece} as ${format}`).toBeLessThan(2000);
      }
    }
  });
});
