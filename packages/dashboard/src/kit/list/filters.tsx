import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { query, setQuery } from '../../browser/router.ts';
import { useShortcuts } from '../../browser/shortcuts.ts';
import { Icon } from '../../icons/icon.tsx';
import { t } from '../../words/words.ts';
import { amountText, readAmount } from '../amount.ts';
import { Button } from '../button.tsx';
import { amountRefusal, shopDecimals } from '../form/amount-input.tsx';
import { useNarrow } from '../narrow.ts';
import type { Filter } from './query.ts';
import type { Column } from './row.tsx';
import { type Order, orderOf } from './sorting.ts';

/** Milliseconds after the last key before a search runs. */
const pause = 250;

/** The search and the filters of a list; their values are in the address. */
export function ListFilters({
  search,
  filters,
  values,
  children,
}: {
  search: string | undefined;
  filters: readonly Filter[];
  values: Record<string, string>;
  /** Further controls behind the filters. */
  children?: ComponentChildren;
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
      {children}
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

/** The control of a filter: a choice, a day, an amount, or a text. */
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
      {options === 'amount' && <AmountFilter key={value} id={id} value={value} set={set} />}
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

/** An amount as people type it. A text that is no amount filters nothing, and its reason is shown. */
function AmountFilter({ id, value, set }: { id: string; value: string; set(next: string): void }) {
  const [reason, setReason] = useState<string>();
  const decimals = shopDecimals();
  return (
    <>
      <input
        id={id}
        defaultValue={amountText(value)}
        dir="auto"
        inputMode="decimal"
        autoComplete="off"
        aria-invalid={reason ? 'true' : undefined}
        aria-describedby={reason ? `${id}-reason` : undefined}
        onChange={({ currentTarget }) => {
          const typed = currentTarget.value.trim();
          const amount = readAmount(typed, decimals) ?? typed;
          const refusal = amountRefusal(amount, decimals);
          setReason(refusal);
          if (!refusal) set(amount);
        }}
      />
      {reason && (
        <p class="reason" id={`${id}-reason`}>
          {reason}
        </p>
      )}
    </>
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

/** The order of a list: on a phone, where the columns have no headings, and for orders that no column has. */
export function SortField<T>({
  columns,
  orders: further = [],
}: {
  columns: readonly Column<T>[];
  orders?: readonly Order[] | undefined;
}) {
  const id = useId();
  const current = query.value.get('sort');
  const ofColumns = columns.flatMap((column) => {
    const { label, sort, end } = column;
    if (!sort) return [];
    const names = end ? t.kit.list.numbers : sort.initial ? t.kit.list.times : t.kit.list.texts;
    return (['asc', 'desc'] as const).map((order) => ({
      value: sort[order],
      label: names[order](label),
      isChosen: orderOf(column, current) === order,
    }));
  });
  const orders = [...further.map((one) => ({ ...one, isChosen: one.value === (current ?? '') })), ...ofColumns];
  if (orders.length === 0) return null;
  return (
    <div class="filter">
      <label htmlFor={id}>{t.kit.list.sort}</label>
      <select
        id={id}
        value={orders.find(({ isChosen }) => isChosen)?.value ?? ''}
        onChange={({ currentTarget }) => {
          const initial = columns.find(({ sort }) => sort?.initial)?.sort;
          const isInitial = initial && initial[initial.initial ?? 'desc'] === currentTarget.value;
          setQuery({ sort: isInitial ? undefined : currentTarget.value || undefined, row: undefined });
        }}
      >
        {orders.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    </div>
  );
}
