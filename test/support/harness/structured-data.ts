/** A part of structured data. */
interface Thing {
  [property: string]: unknown;
}

type Check = (value: unknown) => boolean;

const schema = 'https://schema.org/';
const isText: Check = (value) => typeof value === 'string' && value.trim() !== '';
const isAmount: Check = (value) => typeof value === 'string' && /^\d+(\.\d+)?$/.test(value);
const isCurrency: Check = (value) => typeof value === 'string' && /^[A-Z]{3}$/.test(value);
const isCountry: Check = (value) => typeof value === 'string' && /^[A-Z]{2}$/.test(value);
const isAddress: Check = (value) => typeof value === 'string' && /^https?:\/\/\S+$/.test(value);
const isUnitCode: Check = (value) => typeof value === 'string' && /^[A-Z0-9]{2,3}$/.test(value);
const isDays: Check = (value) => Number.isInteger(value) && Number(value) >= 0;
const isYes: Check = (value) => typeof value === 'boolean';
const one =
  (...names: string[]): Check =>
  (value) =>
    names.some((name) => value === schema + name);
const list =
  (check: Check, most: number): Check =>
  (value) =>
    Array.isArray(value) && value.length > 0 && value.length <= most && value.every(check);
const part =
  (...types: string[]): Check =>
  (value) =>
    isThing(value) && types.includes(String(value['@type']));
const parts = (...types: string[]) => list(part(...types), 250);

function isThing(value: unknown): value is Thing {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A GTIN by its length and check digit. */
const isGtin: Check = (value) => {
  if (typeof value !== 'string' || !/^(\d{8}|\d{12,14})$/.test(value)) return false;
  const digits = [...value].reverse().map(Number);
  return digits.reduce((sum, digit, i) => sum + digit * (i % 2 === 0 ? 1 : 3), 0) % 10 === 0;
};

/**
 * Properties by type, as schema.org defines them and as Google reads them for merchant listings, variants, shipping and returns. A name with
 * `!` is required by Google.
 */
const types: Record<string, Record<string, Check>> = {
  Product: {
    'name!': (value) => isText(value) && String(value).length <= 255,
    'image!': list(isAddress, 100),
    'offers!': part('Offer'),
    description: (value) => isText(value) && String(value).length <= 5000,
    url: isAddress,
    sku: isText,
    gtin: isGtin,
    brand: part('Brand'),
    manufacturer: part('Organization'),
    color: isText,
    size: isText,
    material: isText,
    pattern: isText,
    additionalProperty: parts('PropertyValue'),
  },
  ProductGroup: {
    'name!': isText,
    'productGroupID!': isText,
    'variesBy!': list((value) => isText(value), 20),
    'hasVariant!': list((value) => part('Product')(value) || (isThing(value) && isAddress(value.url)), 251),
    description: isText,
    brand: part('Brand'),
  },
  Offer: {
    'price!': isAmount,
    'priceCurrency!': isCurrency,
    availability: one('InStock', 'OutOfStock', 'PreOrder', 'BackOrder'),
    itemCondition: one('NewCondition', 'UsedCondition', 'RefurbishedCondition'),
    url: isAddress,
    seller: part('Organization'),
    priceSpecification: parts('UnitPriceSpecification'),
    shippingDetails: parts('OfferShippingDetails'),
    hasMerchantReturnPolicy: part('MerchantReturnPolicy'),
  },
  UnitPriceSpecification: {
    'price!': isAmount,
    'priceCurrency!': isCurrency,
    priceType: one('StrikethroughPrice'),
    valueAddedTaxIncluded: isYes,
    referenceQuantity: part('QuantitativeValue'),
  },
  QuantitativeValue: {
    value: isAmount,
    minValue: isDays,
    maxValue: isDays,
    'unitCode!': isUnitCode,
    valueReference: part('QuantitativeValue'),
  },
  OfferShippingDetails: { shippingDestination: parts('DefinedRegion'), deliveryTime: part('ShippingDeliveryTime') },
  ShippingDeliveryTime: { 'transitTime!': part('QuantitativeValue') },
  DefinedRegion: { 'addressCountry!': isCountry },
  MerchantReturnPolicy: {
    'applicableCountry!': list(isCountry, 50),
    'returnPolicyCategory!': one('MerchantReturnFiniteReturnWindow', 'MerchantReturnNotPermitted'),
    'merchantReturnDays!': isDays,
    merchantReturnLink: isAddress,
  },
  Brand: { 'name!': isText },
  Organization: { 'name!': isText, address: isText, email: isText, url: isAddress },
  PropertyValue: { 'name!': isText, 'value!': isText },
};

/**
 * What is wrong with structured data of a product: unknown types and properties, missing required ones, wrong values, and prices of one
 * offer that differ. Shares no code with the function that makes it.
 */
export function dataFaults(data: unknown): string[] {
  if (!isThing(data)) return ['no object'];
  const faults = data['@context'] === schema ? [] : [`@context: ${String(data['@context'])}`];
  if (data['@type'] !== 'Product' && data['@type'] !== 'ProductGroup') faults.push(`@type: ${String(data['@type'])}`);
  const { '@context': _, ...rest } = data;
  return [...faults, ...faultsOf(rest, '')];
}

function faultsOf(thing: Thing, at: string): string[] {
  const type = String(thing['@type']);
  // Google reads a variant that only has an address: its page says the rest.
  if (thing['@type'] === undefined && Object.keys(thing).join() === 'url') return [];
  const known = types[type];
  if (!known) return [`${at}: no type ${type}`];
  const faults = Object.keys(known).flatMap((name) =>
    name.endsWith('!') && thing[name.slice(0, -1)] === undefined ? [`${at}: ${type} needs ${name.slice(0, -1)}`] : [],
  );
  for (const [name, value] of Object.entries(thing)) {
    if (name === '@type') continue;
    const check = known[name] ?? known[`${name}!`];
    const place = `${at}/${name}`;
    if (!check) faults.push(`${place}: ${type} has no such property`);
    else if (!check(value)) faults.push(`${place}: ${JSON.stringify(value)}`);
    for (const inner of [value].flat()) if (isThing(inner)) faults.push(...faultsOf(inner, place));
  }
  if (type === 'Offer' && Array.isArray(thing.priceSpecification)) {
    const present = (thing.priceSpecification as Thing[]).filter(({ priceType }) => priceType === undefined);
    if (present.some(({ price }) => price !== thing.price)) faults.push(`${at}: two prices of one offer`);
  }
  return faults;
}
