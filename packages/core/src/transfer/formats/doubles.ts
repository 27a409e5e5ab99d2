import { LineIndex } from '../files/line-index.ts';
import { type Problem, problem, type Row, shownField } from '../files/rows.ts';
import { type ImportedResource, resourceOf } from './own.ts';

/** Finds rows that have a slug, SKU or e-mail of an earlier one. */
export class Doubles {
  readonly #seen: readonly (readonly [field: string, index: LineIndex])[];

  constructor(resource: ImportedResource) {
    this.#seen = resourceOf(resource).keys.map(({ field }) => [field, new LineIndex()]);
  }

  /**
   * Notes the row.
   * @param isClearing if true, removes a SKU of an earlier row from this one, with a warning
   * @returns its refusal if it is a double
   */
  find(row: Row, isClearing: boolean): Problem | undefined {
    for (const [field, index] of this.#seen) {
      const value = row.fields[field];
      if (typeof value !== 'string' || value.trim() === '') continue;
      const first = index.note(field === 'email' ? value.trim().toLowerCase() : value.trim(), row.line);
      if (first === undefined) continue;
      const { column, value: cell } = shownField(row, field);
      const told = (reason: string) => problem(row.line, column, cell, reason);
      if (field !== 'sku' || !isClearing) return told(`is already on line ${first}`);
      row.fields.sku = null;
      // A new list, because rows of one product share theirs.
      row.warnings = [...row.warnings, told(`is already on line ${first}; the product is imported without a SKU`)];
    }
    return undefined;
  }
}
