import type { Column } from './row.tsx';

type Sorted = Pick<Column<never>, 'sort' | 'end'>;

/**
 * The order of a column.
 * @param current value of `sort` in the address
 * @returns undefined if the list is ordered by another column
 */
export function orderOf({ sort }: Sorted, current: string | null): 'asc' | 'desc' | undefined {
  if (!sort) return undefined;
  if (!current) return sort.initial;
  if (current === sort.asc) return 'asc';
  return current === sort.desc ? 'desc' : undefined;
}

/**
 * The value of `sort` after a click on the heading: texts begin with A, numbers with the largest.
 * @returns undefined for the order that the list has without a value
 */
export function nextSort(column: Sorted, current: string | null): string | undefined {
  const { sort, end } = column;
  if (!sort) return undefined;
  const order = orderOf(column, current);
  const next = order === undefined ? (end ? 'desc' : 'asc') : order === 'asc' ? 'desc' : 'asc';
  return next === sort.initial ? undefined : sort[next];
}

/** An order that no column has. */
export interface Order {
  /** The value of `sort`; empty for the order that the list has without a value. */
  value: string;
  label: string;
}

/** The value of an address, if one of the columns or further orders has it. */
export function knownSort(
  columns: readonly Sorted[],
  current: string | null,
  orders: readonly Order[] = [],
): string | undefined {
  const known = [
    ...columns.flatMap(({ sort }) => (sort ? [sort.asc, sort.desc] : [])),
    ...orders.map(({ value }) => value),
  ];
  return current && known.includes(current) ? current : undefined;
}
