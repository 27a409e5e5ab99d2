import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { query, setQuery } from '../../browser/router.ts';
import { useShortcuts } from '../../browser/shortcuts.ts';
import { Icon } from '../../icons/icon.tsx';
import { t } from '../../words/words.ts';
import { Button } from '../button.tsx';
import { useNarrow } from '../narrow.ts';
import type { Filter } from './query.ts';
import type { Column } from './row.tsx';
import { orderOf } from './sorting.ts';

/** Milliseconds after the last key before a search runs. */
const pause = 250;

/** The search and the filters of a list; their values are in the address. */
export function ListFilters({
  search,
  filters,
  values,
}: {
  search: string | undefined;
  filters: readonly Filter[];
  values: Record<string, string>;
}) {
  const isNarrow = useNarrow();
  const chosen = filters.filter(({ name }) => values[name] !== undefined);
  const isAny = chosen.length > 0 || values.search !== undefined;
  const fields = filters.map((filter) => (
    <FilterField key={filter.name} filter={filter} value={values[filter.name] ?? ''} />
  ));
  return (
    <search class="filters">
      {search && <SearchField label={search} value={values.search ?? ''} />}
      {/* On a phone they would leave no room for the list. */}
      {isNarrow && filters.length > 1 ? (
        <details open={chosen.length > 0}>
          <summary>{chosen.length > 0 ? t.kit.list.filtersChosen(chosen.length) : t.kit.list.filters}</summary>
          <div class="filters">{fields}</div>
        </details>
      ) : (
        fields
      )}
      {isAny && (
        <Button
          kind="quiet"
          onClick={() =>
            setQuery(
              Object.fromEntries(
                ['search', 'row', ...filters.map(({ name }) => name)].map((name) => [name, undefined]),
              ),
            )
          }
        >
          {t.kit.list.clear}
        </Button>
      )}
    </search>
  );
}

/** The control of a filter: a choice, a day, or a text. */
function FilterField({ filter: { name, label, options }, value }: { filter: Filter; value: string }) {
  const id = useId();
  const set = (next: string) => setQuery({ [name]: next, row: undefined });
  return (
    <div class="filter">
      <label htmlFor={id}>{label}</label>
      {options === undefined && (
        <input
          id={id}
          value={value}
          autoComplete="off"
          spellcheck={false}
          onChange={({ currentTarget }) => set(currentTarget.value.trim())}
        />
      )}
      {options === 'date' && (
        <input id={id} type="date" value={value} onChange={({ currentTarget }) => set(currentTarget.value)} />
      )}
      {typeof options === 'object' && (
        <select id={id} value={value} onChange={({ currentTarget }) => set(currentTarget.value)}>
          <option value="">{t.kit.list.all}</option>
          {options.map(([one, text]) => (
            <option key={one} value={one}>
              {text}
            </option>
          ))}
        </select>
      )}
    </div>
  );
}

/** Searches shortly after the last key; the list cancels the previous search. */
function SearchField({ label, value }: { label: string; value: string }) {
  const [typed, setTyped] = useState(value);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const input = useRef<HTMLInputElement>(null);
  // Another address, such as that of going back, has another text; that of what was typed lacks the space before the next word.
  // biome-ignore lint/correctness/useExhaustiveDependencies: compared when the address is another one
  useLayoutEffect(() => {
    if (typed.trim() !== value) setTyped(value);
  }, [value]);
  useLayoutEffect(() => () => clearTimeout(timer.current), []);
  useShortcuts([{ keys: '/', label: t.kit.list.searchShortcut, run: () => input.current?.focus() }]);
  const ask = (text: string) => setQuery({ search: text.trim(), row: undefined }, { replace: true });
  return (
    <label class="search-field">
      <span class="unseen">{t.kit.list.search(label)}</span>
      <Icon name="search" />
      <input
        ref={input}
        type="search"
        placeholder={label}
        value={typed}
        dir="auto"
        autoComplete="off"
        spellcheck={false}
        onInput={({ currentTarget }) => {
          setTyped(currentTarget.value);
          clearTimeout(timer.current);
          timer.current = setTimeout(ask, pause, currentTarget.value);
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          clearTimeout(timer.current);
          ask(typed);
        }}
      />
    </label>
  );
}

/** The order of a list on a phone, where the columns have no headings. */
export function SortField<T>({ columns }: { columns: readonly Column<T>[] }) {
  const id = useId();
  const current = query.value.get('sort');
  const orders = columns.flatMap((column) => {
    const { label, sort, end } = column;
    if (!sort) return [];
    const names = end ? t.kit.list.numbers : sort.initial ? t.kit.list.times : t.kit.list.texts;
    return (['asc', 'desc'] as const).map((order) => ({
      value: sort[order],
      label: names[order](label),
      isChosen: orderOf(column, current) === order,
    }));
  });
  if (orders.length === 0) return null;
  return (
    <div class="filters">
      <div class="filter">
        <label htmlFor={id}>{t.kit.list.sort}</label>
        <select
          id={id}
          value={orders.find(({ isChosen }) => isChosen)?.value ?? ''}
          onChange={({ currentTarget }) => {
            const initial = columns.find(({ sort }) => sort?.initial)?.sort;
            const isInitial = initial && initial[initial.initial ?? 'desc'] === currentTarget.value;
            setQuery({ sort: isInitial ? undefined : currentTarget.value, row: undefined });
          }}
        >
          {orders.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      </div>
    </div>
  );
}
