import { type CsvRecord, headerKey } from './rows.ts';

/** The columns of a foreign format that a file has, by our names for them. */
export class Columns<Name extends string> {
  readonly #headers: readonly string[];
  readonly #places = new Map<Name, { at: number; header: string }>();
  readonly unused: string[] = [];
  readonly others: { at: number; header: string }[] = [];

  /**
   * @param names their headers, as `headerKey` spells them, by our names; the preferred one first
   * @param isOther true for an unnamed header that is still read
   */
  constructor(
    headers: readonly string[],
    names: Readonly<Record<Name, readonly string[]>>,
    isOther: (header: string) => boolean,
  ) {
    this.#headers = headers;
    const byHeader = new Map(headers.map((header, at) => [headerKey(header), { at, header }]));
    const taken = new Set<number>();
    // If several headers mean one column, the first of its names counts, regardless of their order in the file.
    for (const name in names) {
      const header = names[name].find((one) => byHeader.has(one));
      const place = header === undefined ? undefined : byHeader.get(header);
      if (!place || taken.has(place.at)) continue;
      taken.add(place.at);
      this.#places.set(name, place);
    }
    for (const [at, header] of headers.entries()) {
      if (taken.has(at)) continue;
      if (isOther(header)) this.others.push({ at, header });
      else if (header !== '') this.unused.push(header);
    }
  }

  has(name: Name): boolean {
    return this.#places.has(name);
  }

  /** The column's header, for messages. */
  header(name: Name): string {
    return this.#places.get(name)?.header ?? name;
  }

  /** The cells of some records by header, for messages, from the first record that has one. */
  cellsOf(...records: readonly CsvRecord[]): (header: string) => string | undefined {
    return (header) => {
      const at = this.#headers.indexOf(header);
      return records.map(({ cells }) => cells[at]).find((cell) => cell !== undefined && cell !== '');
    };
  }

  /** The cell of a column; empty if there is none. */
  of({ cells }: CsvRecord, name: Name): string {
    const place = this.#places.get(name);
    return place === undefined ? '' : (cells[place.at] ?? '');
  }
}

/** True if a spreadsheet has shortened a long number, losing its last digits. */
export function isLostNumber(cell: string): boolean {
  return /^\d([.,]\d+)?E\+\d+$/i.test(cell.trim());
}

/** Maximum characters of an attribute's name and of its value. */
export const maxKey = 64;
export const maxAttributeValue = 255;

/** Adds an attribute if it fits and its name is free. */
export function addAttribute(attributes: Record<string, string>, key: string, value: string): boolean {
  const [name, text] = [key.trim(), value.trim()];
  if (name === '' || text === '' || name === '__proto__') return true;
  if ([...name].length > maxKey || [...text].length > maxAttributeValue) return false;
  if (!Object.hasOwn(attributes, name)) attributes[name] = text;
  return true;
}
