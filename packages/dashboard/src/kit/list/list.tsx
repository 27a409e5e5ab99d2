import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';
import { can } from '../../api/session.ts';
import type { Page as RowPage } from '../../api/types.ts';
import { navigate, query, setQuery } from '../../browser/router.ts';
import type { IconName } from '../../icons/icon.tsx';
import { t } from '../../words/words.ts';
import { Button } from '../button.tsx';
import { useNarrow } from '../narrow.ts';
import { Empty, Failed, Skeleton } from '../states.tsx';
import type { Target } from './bulk.ts';
import { type Bulk, BulkBar } from './bulk-bar.tsx';
import { ListFilters, SortField } from './filters.tsx';
import { type Filter, keyOf, valuesOf } from './query.ts';
import { noSelection, type Selection } from './selection.ts';
import { knownSort, type Order } from './sorting.ts';
import { type Listed, ListTable } from './table.tsx';
import { collect } from './task.ts';
import { type Task, TaskDialog } from './task-dialog.tsx';
import { type Rows, useRows } from './use-rows.ts';
import { blockOf, blockSize } from './window.ts';

export interface ListProps<T> extends Listed<T> {
  /**
   * Loads a page of rows.
   * @param values filters, search, tab and `sort` of the address by their names
   */
  load(
    values: Record<string, string>,
    window: { limit: number; offset: number },
    signal: AbortSignal,
  ): Promise<RowPage<T>>;
  filters?: readonly Filter[];
  /** Names of further values of the address that the rows depend on, such as the tab. */
  also?: readonly string[];
  /** Label of the search, which names the searched fields; without it there is no search. */
  search?: string;
  /** Orders that no column has; a choice beside the filters has them and those of the columns. */
  orders?: readonly Order[];
  bulk?: readonly Bulk[];
  /** Shown if the list is empty. */
  empty: { title: string; icon?: IconName; children?: ComponentChildren };
  /** The items of a row that stands for several; by default a row is one item. */
  targetsOf?(row: T): readonly Target[];
  /** The number of items that match, if they are more than the rows. */
  matching?(): number | undefined;
  /** Called before the rows are loaded again, because items were changed. */
  onStale?(): void;
  /** Receives the rows, for a screen that changes them itself. */
  onRows?(rows: Rows<T>): void;
}

/** A list: filters and search in the address, rows loaded on scrolling, and bulk actions. */
export function List<T>(props: ListProps<T>) {
  const { what, columns, filters = [], also = [], search, bulk = [], empty, idOf, nameOf, load, onRows } = props;
  const filterNames = [...filters.map(({ name }) => name), ...(search ? ['search'] : [])];
  const sort = knownSort(columns, query.value.get('sort'), props.orders);
  const values = { ...valuesOf(query.value, [...filterNames, ...also]), ...(sort ? { sort } : {}) };
  const key = keyOf(values);
  const rows = useRows<T>(key, (window, signal) => load(values, window, signal));
  onRows?.(rows);
  const [selection, setSelection] = useState<Selection>(noSelection);
  const [task, setTask] = useState<Task>();
  const targetsOf = props.targetsOf ?? ((row: T) => [{ id: idOf(row), name: nameOf(row) }]);
  const reload = () => {
    props.onStale?.();
    rows.reload();
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: another question has other rows
  useLayoutEffect(() => setSelection(noSelection), [key]);
  const actions = bulk.filter(({ scope }) => can(scope));
  const { total, error } = rows;
  const block = blockOf(query.value.get('row'));
  const isNarrow = useNarrow();
  const sorting = <SortField columns={columns} orders={props.orders} />;
  const isFiltered = Object.keys(values).some((name) => filterNames.includes(name));
  return (
    <div class="list">
      {(search || filters.length > 0) && (
        <ListFilters search={search} filters={filters} values={values}>
          {!isNarrow && props.orders && sorting}
        </ListFilters>
      )}
      {isNarrow && <div class="filters">{sorting}</div>}
      <p class="list-count" role="status">
        {total !== undefined && !rows.stale ? t.kit.list.counted(props.matching?.() ?? total, what) : ' '}
      </p>
      {error && <Failed error={error} onRetry={reload} what={t.kit.list.the(what)} />}
      {total === undefined && !error && rows.slow && <Skeleton rows={6} />}
      {total === 0 &&
        (isFiltered ? (
          <Empty title={t.kit.list.noMatch(what)} icon="search">
            <Button onClick={() => setQuery(Object.fromEntries(filterNames.map((name) => [name, undefined])))}>
              {t.kit.list.clearFilters}
            </Button>
          </Empty>
        ) : (
          <Empty {...empty} />
        ))}
      {total !== undefined && total > 0 && (
        <>
          <ListTable
            {...props}
            rows={rows}
            total={total}
            block={block}
            selection={actions.length > 0 ? selection : undefined}
            onSelect={setSelection}
            open={(to) => void navigate(to)}
          />
          {total > blockSize && <Blocks total={total} block={block} />}
        </>
      )}
      {selection.ids.size > 0 && (
        <BulkBar
          what={what}
          actions={actions}
          rows={rows}
          selection={selection}
          onSelect={setSelection}
          onTask={setTask}
          everything={(signal, onFound) =>
            collect((window, own) => load(values, window, own), targetsOf, signal, onFound)
          }
          idOf={idOf}
          targetsOf={targetsOf}
          matching={props.matching?.()}
          reload={reload}
        />
      )}
      {task && (
        <TaskDialog
          task={task}
          onClose={() => {
            setTask(undefined);
            setSelection(noSelection);
            reload();
          }}
        />
      )}
    </div>
  );
}

/** Links to the previous and the next block. */
function Blocks({ total, block }: { total: number; block: number }) {
  const go = (from: number) => {
    setQuery({ row: from === 0 ? undefined : String(from + 1) });
    scrollTo(0, 0);
  };
  return (
    <nav class="blocks" aria-label={t.kit.list.pages}>
      {block > 0 && <Button onClick={() => go(block - blockSize)}>{t.kit.list.previous}</Button>}
      <span>{t.kit.list.range(block + 1, Math.min(total, block + blockSize), total)}</span>
      {block + blockSize < total && <Button onClick={() => go(block + blockSize)}>{t.kit.list.next}</Button>}
    </nav>
  );
}
