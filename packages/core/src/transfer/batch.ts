import type { BulkOutcome, BulkRow } from '../collection/kind.ts';
import type { Context } from '../engine/context.ts';
import type { CommerceError } from '../kernel/errors.ts';
import { type Problem, problem, type Row, shownField } from './files/rows.ts';

/** Maximum characters in the rows of a batch, because descriptions can be long. */
const maxChars = 1024 * 1024;

/** Rows that wait to be written together. */
export class Batch {
  readonly rows: Row[] = [];
  /** Everything in the file that this batch completes: rows, including refused ones, and warnings about the file. */
  done = 0;
  /** Warnings about the file as a whole. */
  readonly told: Problem[] = [];
  /** Reasons why rows were refused before they could be written. */
  readonly refused: Problem[][] = [];
  /** The last line of the refused rows. */
  lastRefused = 0;
  #chars = 0;
  /** Slugs of its rows: a category can be the parent of a later one. */
  readonly #slugs = new Set<string>();

  constructor(readonly maxRows: number) {}

  get isFull(): boolean {
    return this.rows.length >= this.maxRows || this.#chars >= maxChars || this.done >= 10 * this.maxRows;
  }

  add(row: Row): void {
    this.rows.push(row);
    this.done++;
    this.#chars += sizeOf(row);
    if (typeof row.fields.slug === 'string') this.#slugs.add(row.fields.slug);
  }

  /** Notes a row that is not written. */
  refuse(problems: Problem[], line: number): void {
    this.refused.push(problems);
    this.lastRefused = Math.max(this.lastRefused, line);
    this.done++;
  }

  tell(warnings: readonly Problem[]): void {
    this.told.push(...warnings);
    this.done++;
  }

  /** True if the batch contains the parent category of this row, which has to be written first. */
  hasParentOf({ parentSlug }: Row): boolean {
    return typeof parentSlug === 'string' && this.#slugs.has(parentSlug);
  }
}

/** Approximate number of characters of a row. */
function sizeOf({ fields, chars }: Row): number {
  let size = 200;
  if (chars !== undefined) return size + chars;
  for (const name in fields) {
    const value = fields[name];
    if (typeof value === 'string') size += value.length;
    else if (typeof value === 'object' && value !== null) size += 200;
  }
  return size;
}

/** Converts a row to the batch's form. */
export function bulkRow(row: Row, { engine }: Context): BulkRow {
  const input: Record<string, unknown> = { ...row.fields };
  const { kept, found, adds } = row;
  // The ids belong to the store that the file comes from.
  if (found) for (const field in found.fields) delete input[field];
  if (found?.isWhole) Object.assign(input, found.fields);
  const onlyNew = found && !found.isWhole ? { ...row.onlyNew, ...found.fields } : row.onlyNew;
  if (!kept?.id) return { input, adds, onlyNew };
  // A future time would sort above every later item.
  const isPast = kept.createdAt === undefined || Date.parse(kept.createdAt) <= engine.clock.now();
  const { publishedAt, ...facts } = isPast ? kept : { id: kept.id };
  const isOut = input.status === 'published' && publishedAt === null;
  return { input, adds, onlyNew, kept: publishedAt === undefined || isOut ? facts : { ...facts, publishedAt } };
}

/** Reasons why rows of a batch were refused, and the warnings about the other rows. */
export function problemsOfBatch(
  rows: readonly Row[],
  outcomes: readonly BulkOutcome[],
): [refused: Problem[], warnings: Problem[]] {
  const refused: Problem[] = [];
  const warnings: Problem[] = [];
  for (const [i, row] of rows.entries()) {
    const outcome = outcomes[i];
    if (outcome?.kind === 'refused') refused.push(...problemsOf(row, outcome.error));
    else if (outcome?.kind !== 'left') {
      const ofItem = outcome?.warnings ?? [];
      warnings.push(...row.warnings, ...ofItem.map((one) => problemOf(row, one)));
    }
  }
  return [refused, warnings];
}

function problemsOf(row: Row, error: CommerceError): Problem[] {
  const details = error.details.length > 0 ? error.details : [{ field: '', reason: error.message }];
  return details.map((detail) => problemOf(row, detail));
}

function problemOf(row: Row, { field, reason }: { field: string; reason: string }): Problem {
  const { column, value } = shownField(row, field.split('.')[0] ?? '');
  return problem(row.line, column, value, reason);
}
