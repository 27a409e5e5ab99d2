import { zeroClass } from '../../engine/settings/taxes.ts';
import { quote } from '../../kernel/errors.ts';
import { parseMoney } from '../../kernel/money.ts';
import { readFlag, readInteger, readPrice, slugFor, slugOf, slugsOfVariants } from '../files/cells.ts';
import { addAttribute, Columns, isLostNumber } from '../files/columns.ts';
import { refusedFile } from '../files/csv.ts';
import { LineIndex } from '../files/line-index.ts';
import {
  type CsvRecord,
  charsOf,
  headerKey,
  headerLine,
  type Mapped,
  type Problem,
  problem,
  type Row,
} from '../files/rows.ts';
import { brandIn, isNo, unitPricingIn, weightIn } from './goods.ts';
import { type MetadataColumn, metadataColumns, metadataOf } from './metadata.ts';
import { isUneven, type MapContext, type Mapper } from './own.ts';
import { metafieldKey, type Name, names } from './shopify-columns.ts';
import { Slugs } from './slugs.ts';

/** Maximum rows of one product (2,048 variants and their pictures) and maximum characters, all held until its last row. */
const maxRows = 5000;
const maxChars = 32 * 1024 * 1024;

const options = [
  ['name1', 'value1'],
  ['name2', 'value2'],
  ['name3', 'value3'],
] as const;

/** The mapper of a product export or template of Shopify; undefined for another file. */
export function shopifyMapper(headers: readonly string[], context: MapContext): Mapper | undefined {
  const keys = new Set(headers.map(headerKey));
  const isHere = (name: Name) => names[name].some((header) => keys.has(header));
  if (!isHere('handle') || !(isHere('price') || isHere('value1') || isHere('title'))) return undefined;
  return new ShopifyMapper(headers, context);
}

class ShopifyMapper implements Mapper {
  readonly name = 'Shopify';
  readonly #columns: Columns<Name>;
  readonly #metadata: readonly MetadataColumn[];
  readonly #width: number;
  readonly #money: Pick<MapContext, 'currency' | 'decimals' | 'sign'>;
  readonly #handles = new LineIndex();
  readonly #slugs = new Slugs();
  #group: CsvRecord[] = [];
  #groupChars = 0;
  #handle = '';
  /** True if the file says that stock is tracked, but not how much there is, as for shops with several locations. */
  readonly #isWithoutStock: boolean;
  #isBegun = false;

  constructor(headers: readonly string[], context: MapContext) {
    this.#columns = new Columns(headers, names, (header) => metafieldKey(header) !== undefined);
    this.#metadata = metadataColumns(this.#columns.others, metafieldKey);
    this.#width = headers.length;
    this.#money = context;
    this.#isWithoutStock = this.#columns.has('tracker') && !this.#columns.has('quantity');
  }

  get unused(): readonly string[] {
    return this.#columns.unused;
  }

  map(records: readonly CsvRecord[]): Mapped[] {
    const mapped: Mapped[] = [];
    if (!this.#isBegun && this.#isWithoutStock) {
      const reason =
        'the file does not contain quantities, like exports of shops with several locations: new products do not track ' +
        'their stock, and existing products keep theirs';
      mapped.push({ told: [problem(headerLine, names.quantity[0], null, reason)] });
    }
    this.#isBegun = true;
    for (const record of records) {
      const handle = this.#columns.of(record, 'handle').trim();
      if (this.#group.length > 0 && (handle !== this.#handle || isUneven(record.cells, this.#width))) {
        mapped.push(...this.#end());
      }
      if (isUneven(record.cells, this.#width)) {
        const reason = `has ${record.cells.length} cells, but the header has ${this.#width}; a quote is probably missing`;
        mapped.push(refuse(record, null, null, reason));
      } else if (handle === '') {
        mapped.push(
          refuse(record, this.#columns.header('handle'), '', 'must not be blank: it identifies the product of the row'),
        );
      } else {
        this.#handle = handle;
        this.#group.push(record);
        this.#groupChars += charsOf(record.cells);
        if (this.#group.length > maxRows || this.#groupChars > maxChars) {
          const most = this.#group.length > maxRows ? `${maxRows} rows` : `${maxChars} characters`;
          throw refusedFile(`the product ${quote(handle)} from line ${this.#group[0]?.line} on has more than ${most}`);
        }
      }
    }
    return mapped;
  }

  end(): Mapped[] {
    return this.#end();
  }

  /** The variants of the product whose rows are complete. */
  #end(): Mapped[] {
    const group = this.#group;
    this.#group = [];
    this.#groupChars = 0;
    const [first] = group;
    if (!first) return [];
    const handle = this.#handle;
    const earlier = this.#handles.note(handle, first.line);
    if (earlier !== undefined) {
      const reason = `is repeated: the rows of a product must follow each other, and line ${earlier} already has it`;
      return group.map((record) => refuse(record, this.#columns.header('handle'), handle, reason));
    }
    const c = this.#columns;
    const variants = group.filter((record, i) => i === 0 || this.#isVariant(record));
    const values = variants.map((record) =>
      options.map(([, value]) => c.of(record, value).trim()).filter((value) => value !== ''),
    );
    const warnings: Problem[] = [];
    const shared = this.#sharedFields(group, first, warnings);
    const base = this.#slugBase(handle, first, warnings);
    const plain = variants.length === 1 ? [base] : slugsOfVariants(base, values);
    const slugs = this.#slugs.takeVariants(plain, handle, first.line);
    let at = 0;
    return group.flatMap((record): Mapped[] => {
      if (record !== variants[at]) return this.#isLost(record) ? [this.#refuseLost(record)] : [];
      const slug = slugs[at++];
      const mapped = this.#variant(record, first, shared, at === 1 ? warnings : []);
      if ('row' in mapped) Object.assign(mapped.row.fields, { slug, variantGroupId: handle.slice(0, 255) });
      return [mapped];
    });
  }

  /** True if a row is neither a variant nor a picture, but sells something. */
  #isLost(record: CsvRecord): boolean {
    const c = this.#columns;
    const sold = ['price', 'sku'] as const;
    return c.of(record, 'image').trim() === '' && sold.some((name) => c.of(record, name).trim() !== '');
  }

  #refuseLost(record: CsvRecord): Mapped {
    return refuse(
      record,
      this.#columns.header('value1'),
      '',
      'must not be blank: it identifies the variant of the row',
    );
  }

  #isVariant(record: CsvRecord): boolean {
    const c = this.#columns;
    if (c.has('value1')) return c.of(record, 'value1').trim() !== '';
    return c.of(record, 'price').trim() !== '' || c.of(record, 'sku').trim() !== '';
  }

  /** Fields common to all variants of a product, from its first row, and the pictures from all rows. */
  #sharedFields(
    group: readonly CsvRecord[],
    first: CsvRecord,
    warnings: Problem[],
  ): Partial<Row> & Pick<Row, 'fields'> {
    const c = this.#columns;
    const fields: Record<string, unknown> = {};
    const text = (field: string, name: Name) => {
      if (c.has(name)) fields[field] = c.of(first, name) === '' ? null : c.of(first, name);
    };
    text('title', 'title');
    text('description', 'body');
    text('seoTitle', 'seoTitle');
    text('seoDescription', 'seoDescription');
    const status = this.#status(first, warnings);
    if (status !== undefined) fields.status = status;
    if (c.has('vendor')) {
      const warn = (reason: string) =>
        warnings.push(problem(first.line, c.header('vendor'), c.of(first, 'vendor'), reason));
      Object.assign(fields, brandIn(c.of(first, 'vendor'), warn));
    }
    const metadata = metadataOf(
      this.#metadata,
      ({ at }) => first.cells[at] ?? '',
      ({ header }, value, reason) => warnings.push(problem(first.line, header, value, reason)),
    );
    if (metadata) fields.metadata = metadata;
    if (/^(?:true|yes|1)$/i.test(c.of(first, 'giftCard').trim())) {
      warnings.push(problem(first.line, c.header('giftCard'), 'true', 'is imported as a regular product'));
    }
    return { fields, adds: ['metadata'], ...this.#categories(first), ...this.#images(group) };
  }

  #status(first: CsvRecord, warnings: Problem[]): string | undefined {
    const c = this.#columns;
    const status = c.of(first, 'status').trim().toLowerCase();
    const published = readFlag(c.of(first, 'published'));
    const isPublished = 'value' in published ? published.value : undefined;
    switch (status) {
      case 'active':
        return isPublished === false ? 'draft' : 'published';
      case 'archived':
      case 'draft':
        return status;
      case 'unlisted':
        warnings.push(
          problem(first.line, c.header('status'), status, 'is imported as a draft: it would be listed otherwise'),
        );
        return 'draft';
      case '':
        return isPublished === undefined ? undefined : isPublished ? 'published' : 'draft';
      default:
        // Refused with the field's own words.
        return status;
    }
  }

  #categories(first: CsvRecord): { categories?: string[][] } {
    const c = this.#columns;
    if (!c.has('type') && !c.has('category')) return {};
    const type = c.of(first, 'type').trim();
    if (type !== '') return { categories: [[type]] };
    const path = c
      .of(first, 'category')
      .split('>')
      .map((name) => name.trim())
      .filter((name) => name !== '' && name.toLowerCase() !== 'uncategorized');
    return { categories: path.length === 0 ? [] : [path.slice(-2)] };
  }

  /** The pictures of the product in the order of their positions. */
  #images(group: readonly CsvRecord[]): Pick<Row, 'images'> {
    const c = this.#columns;
    if (!c.has('image')) return {};
    const pictures = group.flatMap((record, i) => {
      const url = c.of(record, 'image').trim();
      const position = readInteger(c.of(record, 'imagePosition'));
      const altText = c.of(record, 'imageAlt').trim() || null;
      return url === '' ? [] : [{ url, altText, position: 'value' in position ? position.value : 1e9 + i }];
    });
    pictures.sort((a, b) => a.position - b.position);
    const unique = new Map(pictures.map(({ url, altText }) => [url, { url, altText }]));
    return { images: [...unique.values()].slice(0, 250) };
  }

  #slugBase(handle: string, first: CsvRecord, warnings: Problem[]): string {
    const other = slugFor('product', handle, this.#columns.of(first, 'sku'), '');
    if (slugOf(handle) !== undefined && !/[^\P{L}\p{Script=Latin}]/u.test(handle)) return other;
    const reason = `has letters that a slug cannot have; the slug is "${other}" instead`;
    warnings.push(problem(first.line, this.#columns.header('handle'), handle, reason));
    return other;
  }

  #variant(
    record: CsvRecord,
    first: CsvRecord,
    shared: Partial<Row> & Pick<Row, 'fields'>,
    warnings: Problem[],
  ): Mapped {
    const c = this.#columns;
    const fields: Record<string, unknown> = { ...shared.fields };
    const problems: Problem[] = [];
    const wrong = (name: Name, reason: string) =>
      problems.push(problem(record.line, c.header(name), c.of(record, name), reason));
    const warn = (name: Name, reason: string) =>
      warnings.push(problem(record.line, c.header(name), c.of(record, name), reason));
    const cell = (name: Name) => c.of(record, name).trim();
    if (c.has('price')) {
      const price = readPrice(cell('price'), this.#money);
      if (cell('price') === '') wrong('price', 'must not be blank');
      else if ('reason' in price) wrong('price', price.reason);
      else fields.price = price.value;
    }
    if (c.has('compareAtPrice')) {
      const before = cell('compareAtPrice') === '' ? undefined : readPrice(cell('compareAtPrice'), this.#money);
      if (before && 'reason' in before) wrong('compareAtPrice', before.reason);
      else fields.compareAtPrice = before && this.#isAbove(before.value, fields.price) ? before.value : null;
    }
    if (c.has('sku')) fields.sku = cell('sku') === '' ? null : c.of(record, 'sku');
    if (c.has('barcode')) fields.barcode = this.#barcode(cell('barcode'), warn);
    if (c.has('tracker') && !this.#isWithoutStock) fields.trackStock = cell('tracker') !== '';
    if (c.has('policy')) fields.allowBackorder = cell('policy').toLowerCase() === 'continue';
    if (c.has('quantity')) {
      const stock = cell('quantity') === '' ? { value: 0 } : readInteger(cell('quantity'), this.#money.sign);
      if ('reason' in stock) wrong('quantity', stock.reason);
      else {
        fields.stock = Math.max(0, stock.value);
        if (stock.value < 0) warn('quantity', 'is below zero and imported as 0');
        if (cell('quantity') === '' && cell('tracker') !== '') warn('quantity', 'is blank and imported as 0');
      }
    }
    if (c.has('grams'))
      Object.assign(
        fields,
        weightIn(cell('grams'), 'g', (reason) => warn('grams', reason), this.#money.sign),
      );
    if (c.has('measure') && c.has('base')) {
      const [measure, base] = [
        { amount: cell('measure'), unit: cell('measureUnit') },
        { amount: cell('base'), unit: cell('baseUnit') },
      ];
      Object.assign(
        fields,
        unitPricingIn(measure, base, (reason) => warn('measure', reason), this.#money.sign),
      );
    }
    if (c.has('requiresShipping')) fields.requiresShipping = !isNo(cell('requiresShipping'));
    // Goods that are taxed can be of any class, which the shop has chosen here.
    if (isNo(cell('taxable'))) fields.taxClass = zeroClass;
    if (problems.length > 0) return { refused: problems, line: record.line, lastRecord: record.number };
    const sources = ['value1', 'value2', 'value3', 'tags'] as const;
    // A file with only prices does not change the attributes.
    if (sources.some((name) => c.has(name))) {
      fields.attributes = this.#attributes(record, first, warnings);
    }
    const row: Row = {
      ...shared,
      line: record.line,
      lastRecord: record.number,
      fields,
      columns: {
        slug: c.header('handle'),
        title: c.header('title'),
        description: c.header('body'),
        price: c.header('price'),
        compareAtPrice: c.header('compareAtPrice'),
        sku: c.header('sku'),
        barcode: c.header('barcode'),
        stock: c.header('quantity'),
        status: c.header('status'),
        seoTitle: c.header('seoTitle'),
        seoDescription: c.header('seoDescription'),
        categoryIds: c.header(c.has('type') ? 'type' : 'category'),
        mediaIds: c.header('image'),
        primaryMediaId: c.header('variantImage'),
        weight: c.header('grams'),
        requiresShipping: c.header('requiresShipping'),
        taxClass: c.header('taxable'),
        brand: c.header('vendor'),
        unitPricing: c.header('measure'),
      },
      cellOf: c.cellsOf(record, first),
      warnings,
    };
    if (c.has('variantImage') || shared.images)
      row.primaryImage = cell('variantImage') || (shared.images?.[0]?.url ?? null);
    return { row };
  }

  #isAbove(price: string, other: unknown): boolean {
    const { decimals } = this.#money;
    const [a, b] = [parseMoney(price, decimals), parseMoney(String(other ?? '0'), decimals)];
    return a === undefined || b === undefined || a > b;
  }

  #barcode(cell: string, warn: (name: Name, reason: string) => void): string | null {
    const barcode = cell.replace(/^'/, '');
    if (!isLostNumber(barcode)) return barcode === '' ? null : barcode;
    warn('barcode', 'has lost its digits in a spreadsheet and is ignored');
    return null;
  }

  #attributes(record: CsvRecord, first: CsvRecord, warnings: Problem[]): Record<string, string> {
    const c = this.#columns;
    const attributes: Record<string, string> = {};
    const add = (key: string, value: string, header: string) => {
      if (addAttribute(attributes, key, value)) return;
      warnings.push(problem(record.line, header, value, 'is too long for an attribute and is ignored'));
    };
    for (const [name, value] of options) {
      const text = c.of(record, value).trim();
      if (text !== 'Default Title') add(c.of(first, name), text, c.header(value));
    }
    add('tags', c.of(first, 'tags'), c.header('tags'));
    return attributes;
  }
}

function refuse(record: CsvRecord, column: string | null, value: string | null, reason: string): Mapped {
  return { refused: [problem(record.line, column, value, reason)], line: record.line, lastRecord: record.number };
}
