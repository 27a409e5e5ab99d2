import type { ApiError } from '../../api/errors.ts';
import { t } from '../../words/words.ts';
import { wholeNumber } from './kinds.ts';

/** The field of a line's pieces. */
export const piecesName = (itemId: string) => `pieces.${itemId}` as const;

/** Shows refusals of lines that were sent at the fields of their pieces. */
export function atPieces(error: ApiError, lines: readonly { itemId: string }[]): ApiError {
  return error.with(
    error.details.map((detail) => {
      const [, i] = /^lines\.(\d+)\./.exec(detail.field) ?? [];
      const line = lines[Number(i)];
      return line ? { ...detail, field: piecesName(line.itemId) } : detail;
    }),
  );
}

/** What is wrong with typed pieces; undefined if nothing is. */
export const piecesRefusal = (typed: string, left: number): string | undefined =>
  piecesOf(typed, left) === undefined ? t.kit.pieces.tooMany(left) : undefined;

/** The pieces that parcels and refunds name, by the id of the line. */
export function namedPieces(
  of: readonly { lines: readonly { itemId: string; quantity: number }[] | null }[],
): Map<string, number> {
  const pieces = new Map<string, number>();
  for (const { itemId, quantity } of of.flatMap(({ lines }) => lines ?? [])) {
    pieces.set(itemId, (pieces.get(itemId) ?? 0) + quantity);
  }
  return pieces;
}

/** The typed number of pieces; undefined unless it is from 0 to what is left. */
export function piecesOf(typed: string, left: number): number | undefined {
  const quantity = wholeNumber(typed) ?? 0;
  return typeof quantity === 'number' && quantity >= 0 && quantity <= left ? quantity : undefined;
}
