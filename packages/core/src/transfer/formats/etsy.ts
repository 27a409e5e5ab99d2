import { readInteger, readPrice, slugFor, slugOf, slugsOfVariants } from '../files/cells.ts';
import { addAttribute, Columns } from '../files/columns.ts';
import { type CsvRecord, headerKey, type Mapped, type Problem, problem, type Row } from '../files/rows.ts';
import { isUneven, type MapContext, type Mapper } from './own.ts';
import { Slugs } from './slugs.ts';

const names = {
  title: ['title'],
  description: ['description'],
  price: ['price'],
  currency: ['currency_code'],
  quantity: ['quantity'],
  tags: ['tags'],
  materials: ['materials'],
  type1: ['variation 1 type'],
  name1: ['variation 1 name'],
  values1: ['variation 1 values'],
  type2: ['variation 2 type'],
  name2: ['variation 2 name'],
  values2: ['variation 2 values'],
  sku: ['sku'],
} as const;
type Name = keyof typeof names;

const known = new Set<string>(Object.values(names).flat());
const image = /^image([1-9]|10)$/;

/** Maximum number of products from one listing. */
const maxVariants = 2000;

/** True if a header is one of Etsy's. */
export function isEtsyHeader(header: string): boolean {
  return known.has(header) || image.test(header);
}

/** The mapper of a download of Etsy's listings; undefined for another file. */
export function etsyMapper(headers: readonly string[], context: MapContext): Mapper | undefined {
  const keys = new Set(headers.map(headerKey));
  return ['title', 'price', 'currency_code', 'quantity'].every((key) => keys.has(key))
    ? new EtsyMapper(headers, context)
    : undefined;
}

class EtsyMapper implements Mapper {
  readonly name = 'Etsy';
  readonly #columns: Columns<Name>;
  readonly #width: number;
  readonly #context: MapContext;
  readonly #slugs = new Slugs();

  constructor(headers: readonly string[], context: MapContext) {
    this.#columns = new Columns(headers, names, (header) => image.test(headerKey(header)));
    this.#width = headers.length;
    this.#context = context;
  }

  get unused(): readonly string[] {
    return this.#columns.unused;
  }

  map(records: readonly CsvRecord[]): Mapped[] {
    return records.flatMap((record) => this.#listing(record));
  }

  end(): Mapped[] {
    return [];
  }

  /** A product for each choice of values of a listing. */
  #listing(record: CsvRecord): Mapped[] {
    const c = this.#columns;
    const problems: Problem[] = [];
    const wrong = (name: Name, reason: string) =>
      problems.push(problem(record.line, c.header(name), c.of(record, name), reason));
    const refused = (): Mapped[] => [{ refused: problems, line: record.line, lastRecord: record.number }];
    if (isUneven(record.cells, this.#width)) {
      const reason = `has ${record.cells.length} cells, but the header has ${this.#width}; a quote is probably missing`;
      problems.push(problem(record.line, null, null, reason));
      return refused();
    }
    const { currency } = this.#context;
    const title = c.of(record, 'title').trim();
    if (title === '') wrong('title', 'must not be blank');
    const code = c.of(record, 'currency').trim().toUpperCase();
    if (code !== '' && code !== currency) wrong('currency', `must be ${currency}, the currency of the store`);
    const price = readPrice(c.of(record, 'price'), this.#context);
    if (c.of(record, 'price').trim() === '') wrong('price', 'must not be blank');
    else if ('reason' in price) wrong('price', price.reason);
    const quantity = readInteger(c.of(record, 'quantity'), this.#context.sign);
    if ('reason' in quantity) wrong('quantity', quantity.reason);
    const choices = this.#choices(record);
    if (choices.length > maxVariants) {
      wrong(
        'values1',
        `would create ${choices.length} products with the other variation; at most ${maxVariants} are supported`,
      );
    }
    if (problems.length > 0 || 'reason' in price || 'reason' in quantity) return refused();
    const skus = listOf(c.of(record, 'sku'));
    const plain = slugFor('product', title, skus[0] ?? '', '');
    const withSku = skus[0] === undefined ? undefined : slugOf(`${plain} ${skus[0]}`);
    const base = this.#slugs.take(withSku === undefined ? [plain] : [plain, withSku], record.line);
    const isOne = choices.length === 1;
    const warnings: Problem[] = [];
    const warn = (name: Name, reason: string) =>
      warnings.push(problem(record.line, c.header(name), c.of(record, name), reason));
    if (skus.length > 0 && skus.length !== choices.length) {
      warn('sku', `has ${skus.length} SKUs for ${choices.length} products, and is ignored`);
    }
    if (!isOne && quantity.value !== 0) warn('quantity', `is shared by ${choices.length} products: each gets 0`);
    const images = this.#images(record);
    const fields = {
      title,
      ...(c.has('description') ? { description: c.of(record, 'description') || null } : {}),
      price: price.value,
      trackStock: true,
      stock: isOne ? quantity.value : 0,
      variantGroupId: isOne ? null : base,
    };
    const slugs = isOne
      ? [base]
      : this.#slugs.takeVariants(
          slugsOfVariants(
            base,
            choices.map((choice) => [...choice.values()]),
          ),
          base,
          record.line,
        );
    return choices.map((choice, i): Mapped => {
      const row: Row = {
        line: record.line,
        lastRecord: record.number,
        fields: {
          ...fields,
          slug: slugs[i],
          ...(c.has('sku') ? { sku: skus.length === choices.length ? (skus[i] ?? null) : null } : {}),
          attributes: this.#attributes(record, choice, i === 0 ? warnings : []),
        },
        columns: this.#headers(),
        cellOf: c.cellsOf(record),
        warnings: i === 0 ? warnings : [],
        ...(images ? { images, primaryImage: images[0]?.url ?? null } : {}),
      };
      return { row };
    });
  }

  /**
   * The values of each product of a listing by the names of its variations; a single one without values for a listing without variations.
   */
  #choices(record: CsvRecord): Map<string, string>[] {
    const c = this.#columns;
    let choices = [new Map<string, string>()];
    for (const [type, name, all] of [
      ['type1', 'name1', 'values1'],
      ['type2', 'name2', 'values2'],
    ] as const) {
      const values = listOf(c.of(record, all));
      // The name is the shop's own word, the type is Etsy's.
      const key = c.of(record, name).trim() || c.of(record, type).trim() || c.header(name);
      const count = values.length * choices.length;
      // Counted without building them: a cell can have a million commas.
      if (count > maxVariants) return new Array<Map<string, string>>(count);
      if (values.length > 0) choices = values.flatMap((value) => choices.map((one) => new Map([...one, [key, value]])));
    }
    return choices;
  }

  #images(record: CsvRecord): { url: string }[] | undefined {
    const { others } = this.#columns;
    if (others.length === 0) return undefined;
    const urls = others.map(({ at }) => (record.cells[at] ?? '').trim()).filter((url) => url !== '');
    return [...new Set(urls)].map((url) => ({ url }));
  }

  #attributes(record: CsvRecord, choice: ReadonlyMap<string, string>, warnings: Problem[]): Record<string, string> {
    const c = this.#columns;
    const attributes: Record<string, string> = {};
    const add = (key: string, value: string, header: string) => {
      if (addAttribute(attributes, key, value)) return;
      warnings.push(problem(record.line, header, value, 'is too long for an attribute and is ignored'));
    };
    for (const [key, value] of choice) add(key, value, key);
    add('materials', c.of(record, 'materials'), c.header('materials'));
    add('tags', c.of(record, 'tags'), c.header('tags'));
    return attributes;
  }

  #headers(): Record<string, string> {
    const c = this.#columns;
    return {
      slug: c.header('title'),
      title: c.header('title'),
      description: c.header('description'),
      price: c.header('price'),
      stock: c.header('quantity'),
      sku: c.header('sku'),
      mediaIds: c.header('title'),
    };
  }
}

function listOf(cell: string): string[] {
  return cell
    .split(',')
    .map((value) => value.trim())
    .filter((value) => value !== '');
}
