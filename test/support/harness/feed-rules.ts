import { XMLParser, XMLValidator } from 'fast-xml-parser';

/** A product of a feed as a search engine reads it: one text of each column, and several of those that can be repeated. */
export type ReadRow = Record<string, string | (string | Record<string, string>)[]>;

/** Reads a table with tabs: a cell with a quotation mark is quoted, and the mark doubled. */
export function readTsv(text: string): Record<string, string>[] {
  const lines: string[][] = [[]];
  let cell = '';
  let isQuoted = false;
  for (let i = 0; i < text.length; i++) {
    const sign = text[i] as string;
    if (isQuoted) {
      if (sign !== '"') cell += sign;
      else if (text[i + 1] === '"') cell += text[++i];
      else isQuoted = false;
    } else if (sign === '"' && cell === '') isQuoted = true;
    else if (sign === '\t' || sign === '\n') {
      lines.at(-1)?.push(cell);
      cell = '';
      if (sign === '\n') lines.push([]);
    } else cell += sign;
  }
  if (isQuoted || cell !== '' || lines.pop()?.length !== 0) throw new Error('the last line has no end');
  const [names = [], ...rows] = lines;
  return rows.map((cells) => {
    if (cells.length !== names.length) throw new Error(`a row has ${cells.length} cells, and the head ${names.length}`);
    return Object.fromEntries(names.map((name, i) => [name, cells[i] as string]));
  });
}

const repeated = ['item', 'g:additional_image_link', 'g:shipping', 'g:certification'];

/** Reads RSS 2.0 with the namespace of Google. */
export function readFeedXml(text: string): ReadRow[] {
  const valid = XMLValidator.validate(text);
  if (valid !== true) throw new Error(`not well formed: ${JSON.stringify(valid)}`);
  const parser = new XMLParser({
    ignoreAttributes: false,
    parseTagValue: false,
    trimValues: false,
    isArray: (name) => repeated.includes(name),
    // Without a bound on entities: the feed has five, thousands of times.
    processEntities: { enabled: true, maxTotalExpansions: 1e9, maxExpandedLength: 1e9 },
  });
  const { rss } = parser.parse(text);
  if (rss['@_version'] !== '2.0' || rss['@_xmlns:g'] !== 'http://base.google.com/ns/1.0') throw new Error('no feed');
  for (const name of ['title', 'link', 'description']) if (typeof rss.channel[name] !== 'string') throw new Error(name);
  const items = (rss.channel.item ?? []) as Record<string, unknown>[];
  return items.map((item) => withoutPrefix(item) as ReadRow);
}

function withoutPrefix(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutPrefix);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => name !== '#text')
      .map(([name, one]) => [name.replace(/^g:/, ''), withoutPrefix(one)]),
  );
}

/** The row of a table in the form of the one in XML, but for shipping, whose parts are joined in both. */
export function sameForm(row: ReadRow): Record<string, string> {
  const market = ['target_countries', 'store_country', 'is_eligible_search', 'is_eligible_checkout'];
  const texts = Object.entries(row).map(([name, value]) => [name, joined(name, value)] as const);
  return Object.fromEntries(texts.filter(([name, text]) => text !== '' && !market.includes(name)));
}

function joined(name: string, value: ReadRow[string]): string {
  if (typeof value === 'string') return value;
  return value
    .map((one) => {
      if (typeof one === 'string') return one;
      if (name !== 'shipping') return Object.values(one).join(':');
      return [one.country, one.region ?? '', one.service ?? '', one.price].join(':');
    })
    .join(',');
}

const decimals: Record<string, number> = { JPY: 0, KWD: 3 };
const units = /^\d+(?:\.\d+)? (?:oz|lb|mg|g|kg|floz|pt|qt|gal|ml|cl|l|cbm|in|ft|yd|cm|m|sqft|sqm|ct)$/;
const bases =
  /^(?:(?:1|2|4|8|10|100) (?:oz|lb|mg|g|kg|floz|pt|qt|gal|ml|cl|l|cbm|in|ft|yd|cm|m|sqft|sqm|ct)|75 cl|750 ml|50 kg|1000 kg)$/;
const longest: Record<string, number> = {
  id: 50,
  title: 150,
  description: 5000,
  link: 2000,
  image_link: 2000,
  additional_image_link: 2000,
  brand: 70,
  mpn: 70,
  item_group_id: 50,
  color: 100,
  size: 100,
  material: 200,
  pattern: 100,
  product_type: 750,
  google_product_category: 750,
  custom_label_0: 100,
};
const values: Record<string, readonly string[]> = {
  availability: ['in_stock', 'out_of_stock', 'preorder', 'backorder'],
  condition: ['new', 'refurbished', 'used'],
  gender: ['male', 'female', 'unisex'],
  age_group: ['newborn', 'infant', 'toddler', 'kids', 'adult'],
  identifier_exists: ['yes', 'no'],
  adult: ['yes', 'no'],
  is_bundle: ['yes', 'no'],
};

/**
 * What is wrong with a product, by Google's product data specification (support.google.com/merchants/answer/7052112). Written from that page,
 * and shares nothing with what writes feeds.
 */
export function faultsOf(given: ReadRow): string[] {
  const row = sameForm(given);
  const faults: string[] = [];
  const check = (isRight: boolean, what: string) => {
    if (!isRight) faults.push(`${what}: ${JSON.stringify(row)}`);
  };
  const needed = 'id title description link image_link availability price brand condition identifier_exists'.split(' ');
  for (const name of needed) check((row[name] ?? '').trim() !== '', `${name} is missing`);
  for (const [name, text] of Object.entries(row)) {
    check([...text].length <= (longest[name] ?? 100_000), `${name} is too long`);
    check(values[name]?.includes(text) ?? true, `${name} has no such value`);
    check(!/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069\ufffe\uffff]/u.test(text), `${name} has a control character`);
    check(text.isWellFormed(), `${name} has half a character`);
    check(text === text.trim(), `${name} begins or ends with a blank`);
  }
  for (const name of ['link', 'image_link']) check(isAddress(row[name] ?? ''), `${name} is no address`);
  const more = row.additional_image_link?.split(',') ?? [];
  check(more.length <= 10 && more.every(isAddress), 'additional_image_link');
  const [price, sale] = [amountOf(row.price ?? ''), amountOf(row.sale_price ?? row.price ?? '')];
  check(price !== undefined && price > 0, 'price');
  check(row.sale_price === undefined || (sale !== undefined && sale > 0 && sale < (price ?? 0)), 'sale_price');
  const isLater = ['preorder', 'backorder'].includes(row.availability ?? '');
  check(isLater === (row.availability_date !== undefined), 'availability_date belongs to preorder and backorder');
  check(
    /^\d{4}-\d\d-\d\dT\d\d:\d\d(?:Z|[+-]\d{4})$/.test(row.availability_date ?? '2026-01-01T00:00Z'),
    'availability_date',
  );
  check(row.gtin === undefined || isGtin(row.gtin), 'gtin');
  const isKnown = row.gtin !== undefined || (row.brand !== undefined && row.mpn !== undefined);
  check(row.identifier_exists === (isKnown ? 'yes' : 'no'), 'identifier_exists');
  const shipping = row.shipping?.split(',') ?? [];
  check(shipping.length <= 100, 'too many values of shipping');
  for (const value of shipping) {
    const [country = '', region, service, cost = '', ...rest] = value.split(':');
    check(/^[A-Z]{2}$/.test(country) && region === '' && service !== undefined && rest.length === 0, 'shipping');
    check(amountOf(cost) !== undefined, 'the price of shipping');
  }
  check(/^\d+(?:\.\d+)? (?:g|kg|lb|oz)$/.test(row.shipping_weight ?? '1 g'), 'shipping_weight');
  check(units.test(row.unit_pricing_measure ?? '1 l'), 'unit_pricing_measure');
  check(bases.test(row.unit_pricing_base_measure ?? '1 l'), 'unit_pricing_base_measure');
  return faults;
}

function isAddress(text: string): boolean {
  return /^https?:\/\/[\x21-\x7e]+$/.test(text) && URL.canParse(text);
}

function amountOf(text: string): number | undefined {
  const [, number = '', part = '', currency = ''] = /^(\d+(?:\.(\d+))?) ([A-Z]{3})$/.exec(text) ?? [];
  return number !== '' && part.length === (decimals[currency] ?? 2) ? Number(number) : undefined;
}

function isGtin(text: string): boolean {
  if (!/^(?:\d{8}|\d{12}|\d{13}|\d{14})$/.test(text)) return false;
  const digits = [...text.padStart(14, '0')].map(Number);
  const sum = digits.slice(0, 13).reduce((so, digit, i) => so + digit * (i % 2 === 0 ? 3 : 1), 0);
  return (10 - (sum % 10)) % 10 === digits[13] && !/^.(?:2|02|04)/.test(text.padStart(14, '0'));
}
