import { createHash } from 'node:crypto';
import { brandField } from '../engine/settings/feed.ts';
import { type AttributeColumn, attributeColumnNames, columnRuleOf } from '../engine/settings/feed-columns.ts';
import type { StoreContext } from '../engine/store.ts';
import { quote } from '../kernel/errors.ts';
import { minorOf } from '../kernel/money.ts';
import { parseWebAddress } from '../kernel/url.ts';
import type { Product } from '../products/fields.ts';
import type { FeedColumn, FeedRow, FeedValue, Parts } from './columns.ts';
import { measureOf, weightOf } from './measures.ts';
import { type FeedProblem, leavesOut } from './problems.ts';
import { shippingOf } from './shipping.ts';
import { cut, listedAddress, oneLine, plainText } from './texts.ts';

const maxTitle = 150;
const maxDescription = 5000;
const maxAddress = 2000;
const maxImages = 10;
const maxGroupId = 50;
const maxProductType = 750;
/** Pixels of an image, in both directions. */
const minPixels = 100;

/** An image of a product. */
export interface FeedImage {
  url: string;
  width: number;
  height: number;
}

/** A published product, with what a feed shows of other things. */
export interface FeedProduct {
  product: Product;
  /** Pieces that orders hold. */
  held: number;
  /** Its images that exist, the main one first. */
  images: readonly FeedImage[];
  /** The names of its category and that one's parent, from the root. */
  categories: readonly string[];
  /** Attributes in which the published variants of its group differ. */
  differing: readonly string[];
}

/** What the feeds say of a product: its row if it is in them, and what is wrong with it. */
export interface FeedEntry {
  row: FeedRow | undefined;
  problems: FeedProblem[];
}

/** @param markets the countries that the goods are offered in */
export function feedEntry(given: FeedProduct, store: StoreContext, markets: readonly string[]): FeedEntry {
  const { product } = given;
  const problems: FeedProblem[] = [];
  const note = (code: FeedProblem['code'], field: string, message: string) => problems.push({ code, field, message });
  const link = linkOf(product, store, note);
  const images = imagesOf(given, note);
  const prices = pricesOf(product, store);
  if (!prices) note('NO_PRICE', 'price', 'the price is 0; feeds take no goods for nothing');
  const columns = fromAttributes(product, store, note);
  if (columns.brand === undefined) {
    const from = store.settings.feed.columns.brand;
    const other = from === undefined || from === brandField ? '' : `, and no attribute ${quote(from)}`;
    note('NO_BRAND', 'brand', `the product has no brand${other}`);
  }
  const gtin = gtinOf(product, note);
  const shipping = shippingOf(product, store, markets);
  // A shop without methods may have told its shipping to the search engine itself.
  if (shipping.length === 0 && markets.length > 0 && store.settings.shippingMethods.some(({ active }) => active)) {
    note('NO_SHIPPING', 'shipping', `no shipping method takes one piece of it to ${markets.slice(0, 10).join(', ')}`);
  }
  const description = descriptionOf(product, note);
  if (problems.some(leavesOut) || link === undefined || !images || !prices) return { row: undefined, problems };
  const availability = availabilityOf(given, columns.availability_date);
  const row: Partial<Record<FeedColumn, FeedValue | undefined>> = {
    ...columns,
    id: product.id,
    title: titleOf(given),
    description,
    link,
    ...images,
    ...prices,
    availability,
    availability_date: availability === 'backorder' ? columns.availability_date : undefined,
    condition: columns.condition ?? 'new',
    gtin,
    identifier_exists: gtin === undefined && columns.mpn === undefined ? 'no' : 'yes',
    item_group_id: product.variantGroupId === null ? undefined : groupId(product.variantGroupId),
    product_type: given.categories.length > 0 ? productType(given.categories) : undefined,
    shipping,
    shipping_weight: product.requiresShipping ? weightOf(product.weight) : undefined,
    ...measureOf(product.unitPricing),
  };
  return { row: withoutBlanks(row), problems };
}

type Note = (code: FeedProblem['code'], field: string, message: string) => void;

function withoutBlanks(row: Partial<Record<FeedColumn, FeedValue | undefined>>): FeedRow {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== undefined && value.length > 0));
}

/** The title, with the values in which variants differ unless it names them. */
function titleOf({ product, differing }: FeedProduct): string {
  const title = oneLine(product.title);
  const values = differing
    .map((name) => oneLine(product.attributes[name] ?? ''))
    .filter((value) => value !== '' && !isNamed(title, value));
  if (values.length === 0) return cut(title, maxTitle);
  // At most half of it, so that the title keeps its beginning.
  const suffix = cut(`, ${values.join(', ')}`, maxTitle / 2);
  return cut(title, maxTitle - suffix.length) + suffix;
}

/** True if a title has the words of a value. One within another word does not count: there is no "S" in "Shirt". */
function isNamed(title: string, value: string): boolean {
  const words = wordsOf(value);
  return words === ' ' ? title.includes(value) : wordsOf(title).includes(words);
}

/** The words of a text, each between blanks. */
function wordsOf(text: string): string {
  return ` ${text} `.toLowerCase().replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, ' ');
}

function descriptionOf({ description, descriptionFormat, title }: Product, note: Note): string {
  const text = description === null ? '' : cut(plainText(description, descriptionFormat), maxDescription);
  if (text !== '') return text;
  note('NO_DESCRIPTION', 'description', 'the product has no description; the feeds have its title instead');
  return cut(oneLine(title), maxDescription);
}

function linkOf({ slug, id }: Product, { settings }: StoreContext, note: Note): string | undefined {
  const { productUrl } = settings;
  if (productUrl === null) {
    note('NO_LINK', 'productUrl', 'the setting productUrl is missing, which is the address of the page of a product');
    return undefined;
  }
  const link = pageAddress(productUrl, { slug, id });
  if (link.length <= maxAddress) return link;
  note('LINK_TOO_LONG', 'slug', `the address of the page has ${link.length} characters; feeds take ${maxAddress}`);
  return undefined;
}

/** The address of a page, from the setting with `{slug}` or `{id}`. */
export function pageAddress(setting: string, { slug, id }: { slug: string; id: string }): string {
  const filled = setting
    .replaceAll('{slug}', () => encodeURIComponent(slug))
    .replaceAll('{id}', () => encodeURIComponent(id));
  return parseWebAddress(filled)?.href ?? filled;
}

function imagesOf(
  { images }: FeedProduct,
  note: Note,
): Pick<FeedRow, 'image_link' | 'additional_image_link'> | undefined {
  const usable = images.flatMap((image) => {
    const url = parseWebAddress(image.url)?.href;
    return url !== undefined && url.length <= maxAddress ? [{ ...image, url }] : [];
  });
  const [first] = usable;
  if (!first) {
    const message = images.length > 0 ? 'its images have no public web address' : 'the product has no image';
    note('NO_IMAGE', 'primaryMediaId', message);
    return undefined;
  }
  const large = usable.filter(({ width, height }) => width >= minPixels && height >= minPixels);
  const [main, ...others] = large;
  if (!main) {
    const message = `its image has ${first.width} × ${first.height} pixels; feeds take at least ${minPixels} × ${minPixels}`;
    note('IMAGE_TOO_SMALL', 'primaryMediaId', message);
    return undefined;
  }
  const addresses: string[] = [];
  let length = 0;
  for (const { url } of others) {
    const address = listedAddress(url);
    length += address.length + 1;
    if (addresses.length === maxImages || length > maxAddress) break;
    addresses.push(address);
  }
  return { image_link: main.url, additional_image_link: addresses };
}

/** The price, and the lower one that it is reduced to; undefined for nothing. */
function pricesOf(
  { price, compareAtPrice }: Product,
  { currency }: StoreContext,
): Pick<FeedRow, 'price' | 'sale_price'> | undefined {
  const now = minorOf(price);
  if (now <= 0n) return undefined;
  if (compareAtPrice === null || minorOf(compareAtPrice) <= now) return { price: `${price} ${currency}` };
  return { price: `${compareAtPrice} ${currency}`, sale_price: `${price} ${currency}` };
}

/** The values of the columns that attributes fill, and the brand. */
function fromAttributes(product: Product, { settings }: StoreContext, note: Note) {
  const values: Partial<Record<AttributeColumn, FeedValue>> = {};
  for (const column of attributeColumnNames) {
    const said = settings.feed.columns[column];
    const attribute = Object.hasOwn(product.attributes, said ?? column)
      ? product.attributes[said ?? column]
      : undefined;
    const usual = column === 'brand' || said === brandField ? product.brand : undefined;
    // The brand is the field, unless the settings name an attribute for it.
    const given = said === undefined || said === brandField ? (usual ?? attribute) : (attribute ?? usual);
    const text = oneLine(given ?? '');
    if (text === '') continue;
    const value = taken(column, text);
    if (value !== undefined) values[column] = value;
    else note('VALUE_NOT_TAKEN', column, `${quote(text)} is left out: it ${expected(column)}`);
  }
  return values as typeof values & { brand?: string; mpn?: string; condition?: string; availability_date?: string };
}

/** A value in the spelling that the column takes; undefined if it takes no such value. */
function taken(column: AttributeColumn, text: string): FeedValue | undefined {
  const { maxLength, values, form } = columnRuleOf(column);
  if (values) return values.find((value) => value.toLowerCase() === text.toLowerCase());
  if (column === 'availability_date') return form?.test(text) ? moment(text) : undefined;
  if (form && !form.test(text)) return undefined;
  if (column === 'certification') {
    const [authority = '', name = '', code = ''] = text.split(':');
    return [
      { certification_authority: authority, certification_name: name, certification_code: code },
    ] satisfies Parts[];
  }
  return cut(text, maxLength ?? maxProductType);
}

function expected(column: AttributeColumn): string {
  const { values, example } = columnRuleOf(column);
  return values ? `must be one of ${values.join(', ')}` : `must look like ${quote(example ?? '')}`;
}

/** A day or a time as Google reads it, to the minute in UTC; undefined for one that no calendar has. */
function moment(text: string): string | undefined {
  const [year = 0, month = 0, day = 0] = text.slice(0, 10).split('-').map(Number);
  const isDay = new Date(Date.UTC(year, month - 1, day)).toISOString().startsWith(text.slice(0, 10));
  const time = Date.parse(text.length > 10 ? text.replace(/([+-]\d{2})(\d{2})$/, '$1:$2') : `${text}T00:00Z`);
  return isDay && Number.isFinite(time) ? `${new Date(time).toISOString().slice(0, 16)}Z` : undefined;
}

function gtinOf({ gtin, barcode }: Product, note: Note): string | undefined {
  if (gtin !== null) return gtin;
  if (barcode !== null) {
    note('BARCODE_NOT_GTIN', 'barcode', `${quote(barcode)} is left out: it is no GTIN with a right check digit`);
  }
  return undefined;
}

/** `backorder` needs a date on which it is sent, so without one it is in stock while it can be bought. */
function availabilityOf({ product, held }: FeedProduct, date: string | undefined): string {
  const { trackStock, stock, allowBackorder } = product;
  if (!trackStock || stock - held > 0) return 'in_stock';
  if (!allowBackorder) return 'out_of_stock';
  return date === undefined ? 'in_stock' : 'backorder';
}

function groupId(group: string): string {
  if (group.length <= maxGroupId && oneLine(group) === group) return group;
  return createHash('sha256').update(group).digest('hex').slice(0, 40);
}

function productType(names: readonly string[]): string {
  return cut(names.map((name) => oneLine(name.replaceAll('>', ' '))).join(' > '), maxProductType);
}
