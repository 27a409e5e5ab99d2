import { standardClass } from '../../engine/settings/taxes.ts';
import { textOfHtml } from '../../kernel/html.ts';
import { readAddresses, readInteger, restoreCell, slugFor, slugOf, splitEscaped } from '../files/cells.ts';
import { addAttribute, Columns, isLostNumber } from '../files/columns.ts';
import { type CsvRecord, headerKey, type Mapped, type Problem, problem, type Row } from '../files/rows.ts';
import { unitOf } from '../files/weights.ts';
import { brandIn, weightIn, wooTaxClass } from './goods.ts';
import { type MetadataColumn, metadataColumns, metadataOf } from './metadata.ts';
import { isUneven, type MapContext, type Mapper } from './own.ts';
import { Slugs } from './slugs.ts';
import { attributeName, attributeValues, metaKey, type Name, names } from './woocommerce-columns.ts';
import { nameOf, type Parent, readParents, typesOf } from './woocommerce-parents.ts';
import { wooPrices } from './woocommerce-prices.ts';

/** The mapper of a product export of WooCommerce; undefined for another file. */
export async function wooMapper(headers: readonly string[], context: MapContext): Promise<Mapper | undefined> {
  const keys = new Set(headers.map(headerKey));
  const isHere = (name: Name) => names[name].some((header) => keys.has(header));
  if (!(isHere('type') && isHere('name') && isHere('regularPrice'))) return undefined;
  const columns = new Columns<Name>(headers, names, (header) => {
    const key = headerKey(header);
    return attributeName.test(key) || attributeValues.test(key) || metaKey(header) !== undefined;
  });
  return new WooMapper(columns, headers.length, context, await readParents(columns, context));
}

class WooMapper implements Mapper {
  readonly name = 'WooCommerce';
  readonly #columns: Columns<Name>;
  readonly #width: number;
  readonly #context: MapContext;
  readonly #parents: ReadonlyMap<string, Parent>;
  readonly #slugs = new Slugs();
  #isShortLeft = false;
  readonly #metadata: readonly MetadataColumn[];
  /** Columns with values of a program, which are not imported. */
  readonly #serialised = new Set<string>();
  readonly #attributes: { name: number; value: number; header: string }[];

  constructor(columns: Columns<Name>, width: number, context: MapContext, parents: ReadonlyMap<string, Parent>) {
    this.#columns = columns;
    this.#width = width;
    this.#context = context;
    this.#parents = parents;
    this.#metadata = metadataColumns(columns.others, metaKey);
    const values = new Map(
      columns.others.flatMap(({ at, header }) => {
        const number = attributeValues.exec(headerKey(header))?.[1];
        return number ? [[number, { at, header }] as const] : [];
      }),
    );
    this.#attributes = columns.others.flatMap(({ at, header }) => {
      const value = values.get(attributeName.exec(headerKey(header))?.[1] ?? '');
      return value === undefined ? [] : [{ name: at, value: value.at, header: value.header }];
    });
  }

  get unused(): readonly string[] {
    const short = this.#isShortLeft ? [this.#columns.header('shortDescription')] : [];
    return [...this.#columns.unused, ...short, ...this.#serialised];
  }

  map(records: readonly CsvRecord[]): Mapped[] {
    return records.flatMap((record) => this.#map(record));
  }

  end(): Mapped[] {
    return [];
  }

  #map(record: CsvRecord): Mapped[] {
    const c = this.#columns;
    const refuse = (name: Name | null, reason: string): Mapped[] => {
      const refused = [problem(record.line, name && c.header(name), name && c.of(record, name), reason)];
      return [{ refused, line: record.line, lastRecord: record.number }];
    };
    if (isUneven(record.cells, this.#width)) {
      return refuse(
        null,
        `has ${record.cells.length} cells, but the header has ${this.#width}; a quote is probably missing`,
      );
    }
    const types = typesOf(c.of(record, 'type'));
    if (types.includes('grouped')) return refuse('type', 'a group of products cannot be imported; its products are');
    if (types.includes('external')) return refuse('type', 'a product of another shop cannot be imported');
    if (types.includes('variable')) {
      const { variations = 0, first } = this.#parents.get(nameOf(record)) ?? {};
      if (first !== undefined) {
        const name = c.of(record, 'sku').trim() === '' ? 'id' : 'sku';
        return refuse(name, `the product is already on line ${first}, with its variations`);
      }
      // Merged into its variations.
      return variations > 0 ? [] : refuse('type', 'has no variations in this file');
    }
    if (!types.includes('variation')) return [this.#product(record, undefined)];
    const parent = this.#parents.get(restoreCell(c.of(record, 'parent')).trim());
    return parent ? [this.#product(record, parent)] : refuse('parent', 'is not in this file');
  }

  #product(record: CsvRecord, parent: Parent | undefined): Mapped {
    const c = this.#columns;
    const fields: Record<string, unknown> = {};
    const problems: Problem[] = [];
    const warnings: Problem[] = [];
    const wrong = (name: Name, reason: string) =>
      problems.push(problem(record.line, c.header(name), c.of(record, name), reason));
    const warn = (name: Name, reason: string, of = record) => {
      // A fault of a parent is reported once, however many variations it has.
      const isTold = of !== record && parent?.told.has(name);
      if (of !== record) parent?.told.add(name);
      if (!isTold) warnings.push(problem(of.line, c.header(name), c.of(of, name), reason));
    };
    /** The cell of the row, or else of its parent. */
    const text = (name: Name) => {
      const own = restoreCell(c.of(record, name));
      return own === '' && parent ? restoreCell(c.of(parent.record, name)) : own;
    };
    const optional = (field: string, name: Name) => {
      if (c.has(name)) fields[field] = text(name) === '' ? null : text(name);
    };
    const title = parent ? restoreCell(c.of(parent.record, 'name')) : restoreCell(c.of(record, 'name'));
    if (title.trim() === '') wrong('name', 'must not be blank');
    fields.title = title;
    if (c.has('published')) {
      const isPublished = [record, ...(parent ? [parent.record] : [])].every(
        (of) => c.of(of, 'published').trim() === '1',
      );
      fields.status = isPublished ? 'published' : 'draft';
    }
    const isHidden = (of: CsvRecord) => c.of(of, 'visibility').trim() === 'hidden';
    const hidden = parent && isHidden(parent.record) ? parent.record : record;
    if (isHidden(hidden)) warn('visibility', 'lists here show it anyway', hidden);
    Object.assign(
      fields,
      wooPrices((name) => c.of(record, name), this.#context, wrong),
    );
    this.#stock(record, parent, fields, wrong, warn);
    if (c.has('description') || c.has('shortDescription')) {
      const description = withNewlines(text('description')) || withNewlines(text('shortDescription'));
      fields.description = description === '' ? null : description;
    }
    fields.requiresShipping = !typesOf(c.of(record, 'type')).includes('virtual');
    if (c.has('weight')) {
      const unit = unitOf(c.header('weight'));
      Object.assign(
        fields,
        weightIn(text('weight').trim(), unit, (reason) => warn('weight', reason), this.#context.sign),
      );
    }
    Object.assign(fields, this.#tax(record, parent, warn));
    optional('seoTitle', 'seoTitle');
    optional('seoDescription', 'seoDescription');
    this.#shortDescription(withNewlines(text('shortDescription')).trim(), fields);
    if (c.has('sku')) fields.sku = restoreCell(c.of(record, 'sku')) || null;
    if (c.has('barcode') || c.has('otherBarcode')) {
      const name = c.of(record, 'barcode').trim() === '' && c.has('otherBarcode') ? 'otherBarcode' : 'barcode';
      const barcode = restoreCell(c.of(record, name)).trim();
      if (isLostNumber(barcode)) warn(name, 'has lost its digits in a spreadsheet and is ignored');
      fields.barcode = barcode === '' || isLostNumber(barcode) ? null : barcode;
    }
    if (parent) {
      const sku = restoreCell(c.of(parent.record, 'sku')).trim();
      fields.variantGroupId = sku || `woo-${c.of(parent.record, 'id').trim()}`;
    }
    if (c.has('brands')) {
      const of = parent && c.of(record, 'brands') === '' ? parent.record : record;
      const brands = splitEscaped(restoreCell(c.of(of, 'brands')), ',').join(', ');
      Object.assign(
        fields,
        brandIn(brands, (reason) => warn('brands', reason, of)),
      );
    }
    const metadata = this.#metadataOf(record, parent, warnings);
    if (metadata) fields.metadata = metadata;
    const { attributes, values } = this.#attributesOf(record, parent, warnings);
    if (this.#attributes.length > 0 || c.has('tags')) fields.attributes = attributes;
    if (problems.length > 0) return { refused: problems, line: record.line, lastRecord: record.number };
    fields.slug = this.#slug(record, title, parent ? values : []);
    const row: Row = {
      line: record.line,
      lastRecord: record.number,
      fields,
      adds: ['metadata'],
      columns: this.#headers(),
      cellOf: c.cellsOf(record, ...(parent ? [parent.record] : [])),
      warnings,
      ...this.#categories(
        text('categories'),
        warn,
        c.of(record, 'categories') === '' && parent ? parent.record : record,
      ),
      ...this.#images(record, parent),
    };
    return { row };
  }

  /** A short text next to the description is for search engines, unless the file has another text for them. */
  #shortDescription(short: string, fields: Record<string, unknown>): void {
    if (short === '' || fields.description === short) return;
    if (fields.seoDescription == null) fields.seoDescription = textOfHtml(short);
    else this.#isShortLeft = true;
  }

  #stock(
    record: CsvRecord,
    parent: Parent | undefined,
    fields: Record<string, unknown>,
    wrong: (name: Name, reason: string) => void,
    warn: (name: Name, reason: string) => void,
  ): void {
    const c = this.#columns;
    const isOut = c.of(record, 'inStock').trim() === '0';
    const isBackordered = c.of(record, 'inStock').trim().toLowerCase() === 'backorder';
    if (c.has('backorders')) {
      fields.allowBackorder = /^(?:1|notify|yes)$/i.test(c.of(record, 'backorders').trim()) || isBackordered;
    }
    if (c.has('lowStock')) {
      const low = readInteger(c.of(record, 'lowStock'), this.#context.sign);
      fields.lowStockThreshold = 'value' in low && low.value >= 0 ? low.value : null;
    }
    if (!c.has('stock')) return;
    let cell = c.of(record, 'stock').trim();
    if (cell === 'parent') {
      if (parent?.sharing === 1) cell = c.of(parent.record, 'stock').trim();
      else {
        warn('stock', 'is shared with other variations, which get 0 each');
        cell = '0';
      }
    }
    if (cell === '') {
      fields.trackStock = isOut || isBackordered;
      fields.stock = 0;
      return;
    }
    const stock = readInteger(cell, this.#context.sign);
    if ('reason' in stock) {
      wrong('stock', stock.reason);
      return;
    }
    if (stock.value < 0) warn('stock', 'is below zero and imported as 0');
    fields.trackStock = true;
    fields.stock = Math.max(0, stock.value);
  }

  #tax(record: CsvRecord, parent: Parent | undefined, warn: (name: Name, reason: string) => void): object {
    const c = this.#columns;
    if (!c.has('taxClass') && !c.has('taxStatus')) return {};
    const cell = (name: Name, of = record) => c.of(of, name).trim().toLowerCase();
    const ofParent = parent && cell('taxClass') === 'parent' ? parent.record : record;
    const status = cell('taxStatus') || (parent ? cell('taxStatus', parent.record) : '');
    const taxClass = wooTaxClass(status, cell('taxClass', ofParent));
    if (taxClass === undefined) warn('taxClass', `cannot be a tax class here and is imported as "${standardClass}"`);
    return { taxClass: taxClass ?? standardClass };
  }

  /**
   * The attributes of a product. A variation has its own values. For attributes that it leaves open, or that do not vary, it has all values
   * of the parent.
   */
  #attributesOf(
    record: CsvRecord,
    parent: Parent | undefined,
    warnings: Problem[],
  ): { attributes: Record<string, string>; values: string[] } {
    const c = this.#columns;
    const attributes: Record<string, string> = {};
    const values: string[] = [];
    const add = (key: string, text: string, header: string, of: CsvRecord) => {
      if (addAttribute(attributes, key, text)) return;
      const isTold = of !== record && parent?.toldAttributes.has(header);
      if (of !== record) parent?.toldAttributes.add(header);
      if (!isTold) warnings.push(problem(of.line, header, text, 'is too long for an attribute and is ignored'));
    };
    const nameOf = (of: CsvRecord, at: number) => restoreCell(of.cells[at] ?? '').trim();
    for (const { name, value, header } of this.#attributes) {
      const cell = restoreCell(record.cells[value] ?? '');
      // A variation has one value, whose commas older files do not escape.
      const text = parent ? cell.replace(/\\([\\,])/g, '$1') : splitEscaped(cell, ',').join(', ');
      if (text.trim() === '') continue;
      add(nameOf(record, name) || nameOf(parent?.record ?? record, name), text, header, record);
      values.push(text);
    }
    if (parent) {
      for (const { name, value, header } of this.#attributes) {
        const all = splitEscaped(restoreCell(parent.record.cells[value] ?? ''), ',').join(', ');
        const key = nameOf(parent.record, name);
        if (all !== '' && !Object.hasOwn(attributes, key)) add(key, all, header, parent.record);
      }
    }
    const of = parent && restoreCell(c.of(record, 'tags')) === '' ? parent.record : record;
    add('tags', restoreCell(c.of(of, 'tags')), c.header('tags'), of);
    return { attributes, values };
  }

  /** The metadata of a product. A variation has that of its parent in fields of which it has no value. */
  #metadataOf(record: CsvRecord, parent: Parent | undefined, warnings: Problem[]): Record<string, string> | undefined {
    const of = (at: number) => (parent && (record.cells[at] ?? '') === '' ? parent.record : record);
    const textOf = ({ at, header }: MetadataColumn) => {
      const text = restoreCell(of(at).cells[at] ?? '').trim();
      if (!serialised.test(text)) return text;
      this.#serialised.add(header);
      return '';
    };
    return metadataOf(this.#metadata, textOf, ({ at, header }, value, reason) => {
      const source = of(at);
      const isTold = source !== record && parent?.toldAttributes.has(header);
      if (source !== record) parent?.toldAttributes.add(header);
      if (!isTold) warnings.push(problem(source.line, header, value, reason));
    });
  }

  /** From the name and the values, because the file contains no slugs. */
  #slug(record: CsvRecord, title: string, values: readonly string[]): string {
    const c = this.#columns;
    const all = [title, ...values].join(' ');
    const slug = slugFor('product', all, restoreCell(c.of(record, 'sku')), c.of(record, 'id').trim());
    // Two products can share a name; the id tells them apart, the same in every export.
    const id = slugOf(c.of(record, 'id'));
    return this.#slugs.take(id === undefined ? [slug] : [slug, `${slug}-${id}`], record.line);
  }

  #categories(
    cell: string,
    warn: (name: Name, reason: string, of?: CsvRecord) => void,
    of: CsvRecord,
  ): Pick<Row, 'categories'> {
    if (!this.#columns.has('categories')) return {};
    const categories: string[][] = [];
    // Names can contain an escaped comma; only a backslash before it needs further unescaping.
    for (const path of splitEscaped(cell, ',')) {
      const levels = path
        .split('>')
        .map((name) => name.trim())
        .filter((name) => name !== '');
      if (levels.length === 0 || (levels.length === 1 && levels[0]?.toLowerCase() === 'uncategorized')) continue;
      if (levels.length > 2) warn('categories', 'has more than two levels; the first two are used', of);
      categories.push(levels.slice(0, 2));
    }
    return { categories };
  }

  #images(record: CsvRecord, parent: Parent | undefined): Pick<Row, 'images' | 'primaryImage'> {
    const c = this.#columns;
    if (!c.has('images')) return {};
    const all = [record, ...(parent ? [parent.record] : [])].flatMap((of) => readAddresses(c.of(of, 'images')));
    const urls = [...new Set(all)].slice(0, 250);
    return { images: urls.map((url) => ({ url })), primaryImage: urls[0] ?? null };
  }

  #headers(): Record<string, string> {
    const c = this.#columns;
    return {
      slug: c.header('name'),
      title: c.header('name'),
      description: c.header('description'),
      price: c.header('regularPrice'),
      compareAtPrice: c.header('regularPrice'),
      sku: c.header('sku'),
      barcode: c.header(c.has('barcode') ? 'barcode' : 'otherBarcode'),
      brand: c.header('brands'),
      stock: c.header('stock'),
      status: c.header('published'),
      seoTitle: c.header('seoTitle'),
      seoDescription: c.header('seoDescription'),
      variantGroupId: c.header('parent'),
      categoryIds: c.header('categories'),
      mediaIds: c.header('images'),
      primaryMediaId: c.header('images'),
      weight: c.header('weight'),
      requiresShipping: c.header('type'),
      taxClass: c.header(c.has('taxClass') ? 'taxClass' : 'taxStatus'),
    };
  }
}

/** The beginning of a value that PHP wrote for itself, such as `a:2:{`. */
const serialised = /^(?:[aO]:\d+:["{]|s:\d+:"|[bid]:-?[\d.]+;|N;$)/;

/** The exporter writes a newline as a backslash and n, and a backslash and n with two backslashes. */
function withNewlines(text: string): string {
  return text.replace(/\\\\n|\\n/g, (found) => (found === '\\n' ? '\n' : '\\n'));
}
