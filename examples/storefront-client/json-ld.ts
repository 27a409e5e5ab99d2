import type { components } from '@commerce/server/api';

type Schemas = components['schemas'];
type Shop = Schemas['Shop'];
type Product = Schemas['ListedProduct'];
type Variant = NonNullable<Product['variants']>[number];
type Media = Schemas['Media'];

/** A part of structured data, as `JSON.stringify` takes it. */
export interface Thing {
  '@type'?: string;
  [property: string]: Value | undefined;
}
export type Value = string | number | boolean | Thing | readonly Value[];

export interface JsonLdOptions {
  /** The whole address of the page of a product; by default `productUrl` of the shop. Without any, the data has no addresses. */
  url?: (product: { id: string; slug: string }) => string | undefined;
  /** The whole address of an image; by default its `url`. */
  image?: (media: Media) => string;
  /** The name that all variants have in common; by default the title of the product. */
  groupName?: string;
  /** The attributes that are a colour, a size, a material or a pattern; by default those with an English name. */
  attributes?: Readonly<Record<string, Kind>>;
}

type Kind = 'color' | 'size' | 'material' | 'pattern';

const kinds: Readonly<Record<string, Kind>> = {
  color: 'color',
  colour: 'color',
  size: 'size',
  material: 'material',
  pattern: 'pattern',
};

const schema = 'https://schema.org/';

/** Most characters of a description that are read. */
const maxDescription = 5000;

/**
 * What search engines and assistants read of a product: a `Product` with its offer, or the `ProductGroup` of its variants. A variant has a
 * page of its own, so the group contains this product as a whole, and the others by their addresses.
 * @param product with `media`
 * @param variants the other variants, as `include=variants` answers them
 * @param shop what `GET /shop` answers
 */
export function productJsonLd(
  product: Product,
  variants: readonly Variant[],
  shop: Shop,
  options: JsonLdOptions = {},
): Thing {
  const { url = (one) => addressOf(shop.productUrl, one) } = options;
  const whole = productOf(product, shop, { ...options, url });
  if (variants.length === 0) return { '@context': schema, ...whole };
  const known = options.attributes ?? kinds;
  const all = [product, ...variants];
  const names = [...new Set(all.flatMap(({ attributes }) => Object.keys(attributes)))];
  const differing = names.filter((name) => new Set(all.map(({ attributes }) => attributes[name])).size > 1);
  const { description, brand, ...variant } = whole;
  return definite({
    '@context': schema,
    '@type': 'ProductGroup',
    name: options.groupName ?? product.title,
    description,
    brand,
    productGroupID: product.variantGroupId ?? product.id,
    variesBy: differing.map((name) => (Object.hasOwn(known, name) ? schema + known[name] : name)),
    hasVariant: [
      definite({ ...variant, description, brand }),
      ...variants.flatMap((one) => {
        const address = url(one);
        return address === undefined ? [] : [{ url: address }];
      }),
    ],
  });
}

type Given = JsonLdOptions & Required<Pick<JsonLdOptions, 'url'>>;

function productOf(product: Product, shop: Shop, options: Given): Thing {
  const { image = ({ url }) => url } = options;
  const known = options.attributes ?? kinds;
  const party = (id: string | null) => shop.parties.find((one) => one.id === id);
  const maker = party(product.manufacturerId);
  const attributes = Object.entries(product.attributes);
  const named = attributes.flatMap(([name, value]) => (Object.hasOwn(known, name) ? [[known[name], value]] : []));
  const others = attributes.filter(([name]) => !Object.hasOwn(known, name));
  return definite({
    '@type': 'Product',
    name: product.title,
    description: cut(plainText(product.description, product.descriptionFormat)),
    image: (product.media ?? []).map(image),
    url: options.url(product),
    sku: product.sku ?? undefined,
    gtin: product.gtin ?? undefined,
    brand: product.brand === null ? undefined : { '@type': 'Brand', name: product.brand },
    manufacturer:
      maker &&
      definite({
        '@type': 'Organization',
        name: maker.name,
        address: maker.address,
        email: maker.email ?? undefined,
        url: maker.url ?? undefined,
      }),
    ...Object.fromEntries(named),
    additionalProperty: others.map(([name, value]) => ({ '@type': 'PropertyValue', name, value })),
    offers: offerOf(product, shop, options),
  });
}

function offerOf(product: Product, shop: Shop, { url }: Given): Thing {
  const { price, trackStock, allowBackorder, stock } = product;
  const isGone = trackStock && !allowBackorder && stock <= 0;
  return definite({
    '@type': 'Offer',
    url: url(product),
    price,
    priceCurrency: shop.currency,
    availability: `${schema}${isGone ? 'OutOfStock' : 'InStock'}`,
    itemCondition: `${schema}NewCondition`,
    seller: { '@type': 'Organization', name: shop.seller?.name ?? shop.name },
    priceSpecification: pricesOf(product, shop),
    shippingDetails: product.requiresShipping ? shippingOf(shop) : undefined,
    hasMerchantReturnPolicy: returnsOf(product, shop),
  });
}

/** The price, with what is in a piece and the price before a reduction, in the form that Google documents. */
function pricesOf({ price, priorPrice, unitPricing }: Product, { currency, taxIncluded }: Shop): Thing[] {
  const specification = (amount: string, more: Thing) =>
    definite({ '@type': 'UnitPriceSpecification', price: amount, priceCurrency: currency, ...more });
  const quantity = unitPricing && quantityOf(unitPricing.measure);
  const base = unitPricing && quantityOf(unitPricing.base);
  const prices = [
    specification(price, {
      valueAddedTaxIncluded: taxIncluded,
      referenceQuantity: quantity && base ? { ...quantity, valueReference: base } : undefined,
    }),
  ];
  if (priorPrice !== null && isReduced(price, priorPrice))
    prices.push(
      specification(priorPrice, { priceType: `${schema}StrikethroughPrice`, valueAddedTaxIncluded: taxIncluded }),
    );
  return prices;
}

/** Whether a price is below the lowest one of the 30 days before. Only then may a page speak of a reduction. */
function isReduced(price: string, priorPrice: string): boolean {
  // Both have all decimals of the currency.
  const minor = (amount: string) => BigInt(amount.replace('.', ''));
  return minor(price) < minor(priorPrice);
}

/** Units by their codes in UN/CEFACT Recommendation 20. */
const unitCodes: Readonly<Record<string, string>> = {
  mg: 'MGM',
  g: 'GRM',
  kg: 'KGM',
  ml: 'MLT',
  cl: 'CLT',
  l: 'LTR',
  cm: 'CMT',
  m: 'MTR',
  m2: 'MTK',
  m3: 'MTQ',
  piece: 'C62',
};

/** @param measure such as "750 ml" */
function quantityOf(measure: string): Thing | undefined {
  const [value = '', unit = ''] = measure.split(' ');
  const unitCode = unitCodes[unit];
  return unitCode === undefined ? undefined : { '@type': 'QuantitativeValue', value, unitCode };
}

/** Where to and how fast the shop sends. What it costs depends on the cart, so it is not said here. */
function shippingOf({ shippingMethods }: Shop): Thing[] {
  return shippingMethods
    .filter(({ kind, countries, deliveryDays }) => kind === 'ship' && (countries !== null || deliveryDays !== null))
    .map(({ countries, deliveryDays }) =>
      definite({
        '@type': 'OfferShippingDetails',
        shippingDestination: countries?.map((country) => ({ '@type': 'DefinedRegion', addressCountry: country })),
        deliveryTime: deliveryDays
          ? {
              '@type': 'ShippingDeliveryTime',
              transitTime: {
                '@type': 'QuantitativeValue',
                minValue: deliveryDays.min,
                maxValue: deliveryDays.max,
                unitCode: 'DAY',
              },
            }
          : undefined,
      }),
    );
}

/** The countries of the European Union, whose buyers can withdraw from a contract. */
const union = 'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK'.split(' ');

/**
 * The right of withdrawal in the European Union: 14 days. It is said of shops with a page about it, of goods that it holds for, and for the
 * countries that the shop sends to.
 */
function returnsOf({ withdrawalExempt, requiresShipping }: Product, { pages, pageUrl, countries }: Shop) {
  const served = union.filter((country) => countries === null || !requiresShipping || countries.includes(country));
  if (pages.withdrawal === null || withdrawalExempt !== null || served.length === 0) return undefined;
  return definite({
    '@type': 'MerchantReturnPolicy',
    applicableCountry: served,
    returnPolicyCategory: `${schema}MerchantReturnFiniteReturnWindow`,
    merchantReturnDays: 14,
    // The id of the page is not known here.
    merchantReturnLink: pageUrl?.includes('{id}') ? undefined : pageUrl?.replaceAll('{slug}', pages.withdrawal),
  });
}

function addressOf(template: string | null, { id, slug }: { id: string; slug: string }) {
  return template?.replaceAll('{slug}', slug).replaceAll('{id}', id);
}

/** Without the properties that nothing is known of. */
function definite(thing: Thing): Thing {
  const said = Object.entries(thing).filter(
    ([, value]) => value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0),
  );
  return Object.fromEntries(said);
}

/**
 * Data as the text of a `<script type="application/ld+json">`: no character in it can end the element.
 */
export function jsonLdText(data: Thing): string {
  return JSON.stringify(data).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Cuts a text at a word. */
function cut(text: string): string {
  if (text.length <= maxDescription) return text;
  const start = text.slice(0, maxDescription);
  const end = Math.max(start.lastIndexOf(' '), start.lastIndexOf('\n'));
  return start.slice(0, end > 0 ? end : maxDescription).trimEnd();
}

/**
 * The words of a text without its markup. Paragraphs, headings and entries of lists end with line breaks.
 */
export function plainText(text: string | null, format: 'text' | 'markdown' | 'html'): string {
  const words =
    format === 'html' ? withoutTags(text ?? '') : format === 'markdown' ? withoutMarks(text ?? '') : (text ?? '');
  return words
    .split('\n')
    .map((line) => line.replace(/[\t\r\f\v \u00a0]+/g, ' ').trim())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

/** Elements after which a line ends. */
const blocks = new Set(
  'address article blockquote br caption dd details div dl dt figure h1 h2 h3 h4 h5 h6 hr li ol p pre section table tr ul'.split(
    ' ',
  ),
);

/** Elements whose content nobody reads. */
const unread = new Set('head iframe noembed noscript object script style svg template textarea title'.split(' '));

/** One pass, so that any text takes a time that grows with its length alone. */
function withoutTags(html: string): string {
  let words = '';
  let at = 0;
  while (at < html.length) {
    const open = html.indexOf('<', at);
    if (open < 0) return words + decoded(html.slice(at));
    words += decoded(html.slice(at, open));
    if (html.startsWith('<!--', open)) {
      const end = html.indexOf('-->', open);
      if (end < 0) return words;
      at = end + 3;
      continue;
    }
    const [, slash, given] = /^<(\/?)([a-z][a-z0-9]{0,20})/i.exec(html.slice(open, open + 24)) ?? [];
    if (given === undefined) {
      // No element begins here, as in "a < b"; declarations and the like end with the next bracket.
      const isOther = /[/!?]/.test(html[open + 1] ?? '');
      const end = isOther ? html.indexOf('>', open) : open;
      if (end < 0) return words;
      if (!isOther) words += '<';
      at = end + 1;
      continue;
    }
    const name = given.toLowerCase();
    const end = endOfTag(html, open);
    if (end < 0) return words;
    at = end + 1;
    if (blocks.has(name)) words += name === 'li' || name === 'br' || name === 'tr' ? '\n' : '\n\n';
    if (name === 'td' || name === 'th') words += ' ';
    if (unread.has(name) && slash === '' && html[end - 1] !== '/') {
      const close = endOf(html, name, at);
      if (close < 0) return words;
      at = close;
    }
  }
  return words;
}

/** The bracket that ends a tag; one in a quoted value does not. -1 if the text ends before. */
function endOfTag(html: string, open: number): number {
  let quote = '';
  for (let at = open + 1; at < html.length; at++) {
    const character = html[at] ?? '';
    if (quote !== '') {
      if (character === quote) quote = '';
    } else if (character === '>') return at;
    else if ((character === '"' || character === "'") && html[at - 1] === '=') quote = character;
  }
  return -1;
}

/** The tag that ends an element; -1 if none does. */
function endOf(html: string, name: string, from: number): number {
  for (let at = from; ; ) {
    const close = html.indexOf('</', at);
    if (close < 0) return -1;
    if (html.slice(close + 2, close + 2 + name.length).toLowerCase() === name) return close;
    at = close + 2;
  }
}

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  shy: '',
  ndash: '–',
  mdash: '—',
  hellip: '…',
  bull: '•',
  middot: '·',
  deg: '°',
  euro: '€',
  pound: '£',
  copy: '©',
  reg: '®',
  trade: '™',
  times: '×',
  frac12: '½',
  auml: 'ä',
  ouml: 'ö',
  uuml: 'ü',
  Auml: 'Ä',
  Ouml: 'Ö',
  Uuml: 'Ü',
  szlig: 'ß',
  eacute: 'é',
  egrave: 'è',
  agrave: 'à',
  ccedil: 'ç',
  laquo: '«',
  raquo: '»',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
  bdquo: '„',
};

function decoded(text: string): string {
  return text.replace(/&(#x[0-9a-f]{1,6}|#[0-9]{1,7}|[a-z][a-z0-9]{1,7});/gi, (whole, name: string) => {
    if (!name.startsWith('#')) return entities[name] ?? whole;
    const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
    return code > 31 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : ' ';
  });
}

/** Markdown can contain HTML. Links keep their words. */
function withoutMarks(markdown: string): string {
  return withoutTags(markdown)
    .split('\n')
    .map((line) =>
      line
        .replace(/^ {0,3}(?:#{1,6} |> ?|[-*+] |\d{1,9}[.)] )/, '')
        .replace(/^ {0,3}(?:=+|-{2,}|[*_]{3,}|`{3,}\w{0,20}|~{3,}\w{0,20})$/, '')
        .replace(/!?\[([^[\]]{0,1000})\]\([^()]{0,2000}\)/g, '$1')
        .replace(/\*\*|__|~~|`/g, '')
        .replace(/(^|[\s(])[*_](?=\S)|(?<=\S)[*_](?=[\s).,;:!?]|$)/g, '$1')
        .replace(/\\([\\`*_{}[\]()#+.!-])/g, '$1'),
    )
    .join('\n');
}
