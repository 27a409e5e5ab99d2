import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { query, setQuery } from '../../browser/router.ts';
import { useShortcuts } from '../../browser/shortcuts.ts';
import { Icon } from '../../icons/icon.tsx';
import { t } from '../../words/words.ts';
import { useNarrow } from '../narrow.ts';
import { maxAtOnce } from './bulk-bar.tsx';
import { type Column, ListRow, type RowDeeds } from './row.tsx';
import { noSelection, type Selection, toggle, toggleAll } from './selection.ts';
import { nextSort, orderOf } from './sorting.ts';
import type { Rows } from './use-rows.ts';
import { blockSize, pagesOf, type RowRange, rowsInView } from './window.ts';

/** Items in rows: their columns, their names and their links. */
export interface Listed<T> {
  /** Name of the rows, in the plural and as inside a sentence: "orders". */
  what: string;
  columns: readonly Column<T>[];
  idOf(row: T): string;
  /** Link of a row. */
  to?(row: T): string;
  /** Name of a row for screen readers: "order ORD-1001". */
  nameOf(row: T): string;
}

interface TableProps<T> extends Listed<T> {
  rows: Rows<T>;
  total: number;
  /** Offset of the first row of the block. */
  block: number;
  /** Undefined if rows cannot be selected. */
  selection: Selection | undefined;
  onSelect(selection: Selection): void;
  open(to: string): void;
}

/** Heights of a row in pixels, the same as in `list.css`. */
const heights = { wide: 57, card: 85 };

/** The rows as a table, or as cards on a phone. Only visible rows are rendered, and only their pages are loaded. */
export function ListTable<T>(props: TableProps<T>) {
  const { what, columns, rows, total, block, selection, onSelect, idOf, nameOf, to, open } = props;
  const body = useRef<HTMLTableSectionElement>(null);
  const isPhone = useNarrow();
  const rowHeight = isPhone ? heights.card : heights.wide;
  const count = Math.max(0, Math.min(total - block, blockSize));
  const range = useRange(body, rowHeight, count);
  const { first, end } = range;
  const wanted = pagesOf(range, block).join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: asks when other pages come into sight, and not while one scrolls past
  useEffect(() => {
    const timer = setTimeout(() => wanted !== '' && rows.want(wanted.split(',').map(Number)), 60);
    return () => clearTimeout(timer);
  }, [wanted]);

  const order: string[] = [];
  for (let i = first; i < end; i++) {
    const row = rows.at(block + i);
    if (row !== undefined) order.push(idOf(row));
  }
  const focusRow = (step: number) => {
    const links = [...(body.current?.querySelectorAll<HTMLElement>('[data-row]') ?? [])];
    const i = links.findIndex((link) => link.closest('tr')?.contains(document.activeElement));
    links[i === -1 ? (step > 0 ? 0 : links.length - 1) : Math.max(0, Math.min(links.length - 1, i + step))]?.focus();
  };
  const focusedId = () => document.activeElement?.closest('tr')?.dataset.id;
  useShortcuts([
    { keys: 'j', label: t.kit.list.nextRow, run: () => focusRow(1) },
    { keys: 'k', label: t.kit.list.previousRow, run: () => focusRow(-1) },
    ...(selection
      ? [
          {
            keys: 'x',
            label: t.kit.list.selectRow,
            run: () => {
              const id = focusedId();
              if (id) onSelect(toggle(byIds(selection), id, order));
            },
          },
        ]
      : []),
  ]);
  /** The selection by ids. */
  const byIds = (from: Selection): Selection =>
    from.isEverything ? { ids: new Set(rows.loaded().map(idOf)), anchor: undefined } : from;
  const deeds = useRef<RowDeeds>({ pick() {}, open });
  deeds.current = {
    pick: (id, isRange) => selection && onSelect(toggle(byIds(selection), id, order, isRange)),
    open,
  };
  const isPicked = (id: string) => selection?.isEverything === true || selection?.ids.has(id) === true;
  const drawn = [];
  for (let i = first; i < end; i++) {
    const row = rows.at(block + i);
    const id = row === undefined ? undefined : idOf(row);
    drawn.push(
      <ListRow
        key={i}
        index={i}
        row={row}
        id={id}
        name={row === undefined ? '' : nameOf(row)}
        target={row === undefined ? undefined : to?.(row)}
        columns={columns}
        isSelected={selection && id !== undefined && isPicked(id)}
        deeds={deeds}
      />,
    );
  }
  const span = columns.length + (selection ? 1 : 0);
  return (
    <table
      role="table"
      class={`rows${rows.stale && rows.slow ? ' dimmed' : ''}`}
      aria-label={what}
      aria-rowcount={count + 1}
      aria-busy={rows.slow}
    >
      <thead role="rowgroup">
        <tr role="row" aria-rowindex={1}>
          {selection && (
            <th role="columnheader" class="pick">
              <label>
                <input
                  type="checkbox"
                  aria-label={t.kit.list.selectAll(what)}
                  checked={order.length > 0 && order.every(isPicked)}
                  onClick={() =>
                    onSelect(
                      selection.isEverything
                        ? noSelection
                        : toggleAll(selection, rows.loaded().slice(0, maxAtOnce).map(idOf)),
                    )
                  }
                />
              </label>
            </th>
          )}
          {columns.map((column) => (
            <Heading key={column.label} column={column} />
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup" ref={body}>
        <Gap height={first * rowHeight} span={span} />
        {drawn}
        <Gap height={(count - end) * rowHeight} span={span} />
      </tbody>
    </table>
  );
}

const ariaOrder = { asc: 'ascending', desc: 'descending' } as const;

/** The heading of a column; a button if the list can be ordered by it. */
function Heading<T>({ column }: { column: Column<T> }) {
  const { label, end: atEnd, card, sort } = column;
  const current = query.value.get('sort');
  const order = orderOf(column, current);
  return (
    <th
      role="columnheader"
      scope="col"
      class={`${atEnd ? 'end ' : ''}${card ? '' : 'wide-only'}`}
      aria-sort={sort && (order ? ariaOrder[order] : 'none')}
    >
      {sort ? (
        <button
          type="button"
          class="sort"
          onClick={() => setQuery({ sort: nextSort(column, current), row: undefined })}
        >
          {label}
          <span class="sort-mark">{order && <Icon name={order === 'asc' ? 'up' : 'down'} />}</span>
        </button>
      ) : (
        label
      )}
    </th>
  );
}

/** Space for rows that are not rendered. */
function Gap({ height, span }: { height: number; span: number }) {
  if (height <= 0) return null;
  return (
    <tr aria-hidden="true" class="gap">
      <td colSpan={span} style={{ height: `${height}px` }} />
    </tr>
  );
}

/** The visible rows, updated on scrolling. */
function useRange(body: { current: HTMLElement | null }, rowHeight: number, count: number): RowRange {
  const [range, setRange] = useState<RowRange>({ first: 0, end: Math.min(count, 25) });
  useLayoutEffect(() => {
    let frame = 0;
    const look = () => {
      frame = 0;
      const top = body.current?.getBoundingClientRect().top ?? 0;
      const next = rowsInView(-top, innerHeight, rowHeight, count);
      setRange((old) => (old.first === next.first && old.end === next.end ? old : next));
    };
    const later = () => {
      if (frame === 0) frame = requestAnimationFrame(look);
    };
    look();
    addEventListener('scroll', later, { passive: true });
    addEventListener('resize', later);
    return () => {
      cancelAnimationFrame(frame);
      removeEventListener('scroll', later);
      removeEventListener('resize', later);
    };
  }, [rowHeight, count, body]);
  return { first: Math.min(range.first, count), end: Math.min(range.end, count) };
}
