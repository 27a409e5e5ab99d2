import { LineIndex } from './line-index.ts';
import type { ImportedResource } from './own.ts';
import { type Problem, problem, type Row } from './rows.ts';

/** Fields that no two rows of a file may have alike. */
const uniqueFields: Readonly<Record<ImportedResource, readonly string[]>> = {
  products: ['slug', 'sku'],
  categories: ['slug'],
  customers: ['email'],
  pages: ['slug'],
};

/** Finds rows that have a slug, SKU or e-mail of an earlier one. */
export class Doubles {
  readonly #seen: readonly (readonly [field: string, index: LineIndex])[];

  constructor(resource: ImportedResource) {
    this.#seen = uniqueFields[resource].map((field) => [field, new LineIndex()]);
  }

  /** Notes the row. @returns its refusal where it is a double */
  find(row: Row): Problem | undefined {
    for (const [field, index] of this.#seen) {
      const value = row.fields[field];
      if (typeof value !== 'string' || value === '') continue;
      const first = index.note(field === 'email' ? value.trim().toLowerCase() : value, row.line);
      if (first === undefined) continue;
      return problem(row.line, row.columns[field] ?? field, value, `stands on line ${first} already`);
    }
    return undefined;
  }
}
