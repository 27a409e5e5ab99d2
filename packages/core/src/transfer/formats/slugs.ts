import { slugByHash, slugFor, slugOf } from '../files/cells.ts';
import { LineIndex } from '../files/line-index.ts';
import type { Row } from '../files/rows.ts';
import { type ImportedResource, nounOf, resourceOf } from './own.ts';

/** Maximum slugs whose next number is remembered; a later one gets the number of its line. */
const maxNumbered = 100_000;

/** The slugs of a file's rows; keeps derived slugs unique. */
export class Slugs {
  readonly #lines = new LineIndex();
  readonly #numbers = new Map<string, number>();

  /** Notes a slug of the row at a line. @returns false if an earlier row has it */
  note(slug: string, line: number): boolean {
    return this.#lines.note(slug, line) === undefined;
  }

  /** The first of the slugs that no earlier row has, else the first one with a number. */
  take(slugs: readonly string[], line: number): string {
    for (const slug of slugs) if (this.note(slug, line)) return slug;
    const [first = ''] = slugs;
    for (;;) {
      const known = this.#numbers.get(first);
      const number = known ?? (this.#numbers.size < maxNumbered ? 2 : line);
      if (known !== undefined || this.#numbers.size < maxNumbered) this.#numbers.set(first, number + 1);
      const slug = `${first}-${number}`;
      if (this.note(slug, line)) return slug;
      if (number === line) return slugByHash(first, String(line));
    }
  }

  /** The slugs of a product's variants. A slug that an earlier product has gets a digest of this product's name. */
  takeVariants(slugs: readonly string[], name: string, line: number): string[] {
    const free = new Map([...new Set(slugs)].map((slug) => [slug, this.take([slug, slugByHash(slug, name)], line)]));
    return slugs.map((slug) => free.get(slug) ?? slug);
  }
}

/** Gives rows of our own formats without a slug one from their name, then from name and SKU, then with a number. */
export class MissingSlugs {
  readonly #resource: ImportedResource;
  readonly #isMatched: boolean;
  readonly #slugs = new Slugs();

  constructor(resource: ImportedResource, match: string | undefined) {
    this.#resource = resource;
    this.#isMatched = match === undefined || match === 'slug';
  }

  complete(row: Row): void {
    const field = resourceOf(this.#resource).named;
    if (field === undefined) return;
    const { slug, [field]: name, sku } = row.fields;
    if (slug !== undefined && slug !== null && slug !== '') {
      if (typeof slug === 'string') this.#slugs.note(slug, row.line);
      return;
    }
    if (typeof name !== 'string' || name.trim() === '') return;
    const code = typeof sku === 'string' ? sku : '';
    const plain = slugFor(nounOf[this.#resource], name, code, row.kept?.id ?? '');
    const withSku = code === '' ? undefined : slugOf(`${plain} ${code}`);
    const made = this.#slugs.take(withSku === undefined ? [plain] : [plain, withSku], row.line);
    // A row that is found by another field keeps the stored slug.
    if (this.#isMatched) row.fields.slug = made;
    else {
      delete row.fields.slug;
      row.onlyNew = { ...row.onlyNew, slug: made };
    }
    row.columns = { ...row.columns, slug: row.columns[field] ?? field };
  }
}
