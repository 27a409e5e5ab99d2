// The window of a long list: the rows to render, and the pages to load for them. The list is split into blocks, because no browser has room
// for a million rows.

/** Rows per request. */
export const pageSize = 50;
/** Rows per block; the links lead to the other blocks. */
export const blockSize = 10_000;
/** Rows rendered above and below the visible ones. */
export const overscan = 8;

export interface RowRange {
  /** First row, counted from 0 in the block. */
  first: number;
  /** Row after the last. */
  end: number;
}

/**
 * Rows to render.
 * @param top pixels from the top of the list to the top of the screen; negative if the list begins below it
 */
export function rowsInView(top: number, height: number, rowHeight: number, count: number): RowRange {
  const first = Math.max(0, Math.floor(top / rowHeight) - overscan);
  const end = Math.min(count, Math.ceil((top + height) / rowHeight) + overscan);
  return { first: Math.min(first, count), end: Math.max(Math.min(first, count), end) };
}

/**
 * Offsets of the pages with these rows.
 * @param start offset of the block
 */
export function pagesOf({ first, end }: RowRange, start: number): number[] {
  const offsets: number[] = [];
  if (first >= end) return offsets;
  for (let row = Math.floor(first / pageSize) * pageSize; row < end; row += pageSize) offsets.push(start + row);
  return offsets;
}

/** The block that a text of the address names, as the offset of its first row. */
export function blockOf(text: string | null): number {
  const row = /^\d{1,12}$/.test(text ?? '') ? Number(text) : 1;
  return Math.floor(Math.max(0, row - 1) / blockSize) * blockSize;
}
