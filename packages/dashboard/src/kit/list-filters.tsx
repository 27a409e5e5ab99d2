import { useEffect, useRef, useState } from 'preact/hooks';
import { setQuery } from '../app/router.ts';
import { useShortcuts } from '../app/shortcuts.ts';
import { Icon } from '../icons/icon.tsx';
import { Button } from './button.tsx';
import type { Filter } from './list-query.ts';

/** Milliseconds without a key after which a search is asked. */
const pause = 250;

/** The search and the filters of a list, whose values stand in the address. */
export function ListFilters({
  search,
  filters,
  values,
}: {
  search: string | undefined;
  filters: readonly Filter[];
  values: Record<string, string>;
}) {
  const isAny = Object.keys(values).some((name) => name === 'search' || filters.some((one) => one.name === name));
  return (
    <search class="filters">
      {search && <SearchField label={search} value={values.search ?? ''} />}
      {filters.map(({ name, label, options }) =>
        options ? (
          <label key={name} class="filter">
            <span>{label}</span>
            <select
              value={values[name] ?? ''}
              onChange={({ currentTarget }) => setQuery({ [name]: currentTarget.value, from: undefined })}
            >
              <option value="">All</option>
              {options.map(([value, text]) => (
                <option key={value} value={value}>
                  {text}
                </option>
              ))}
            </select>
          </label>
        ) : (
          <label key={name} class="filter">
            <span>{label}</span>
            <input
              value={values[name] ?? ''}
              autoComplete="off"
              spellcheck={false}
              onChange={({ currentTarget }) => setQuery({ [name]: currentTarget.value.trim(), from: undefined })}
            />
          </label>
        ),
      )}
      {isAny && (
        <Button
          kind="quiet"
          onClick={() =>
            setQuery(
              Object.fromEntries(
                ['search', 'from', ...filters.map(({ name }) => name)].map((name) => [name, undefined]),
              ),
            )
          }
        >
          Clear
        </Button>
      )}
    </search>
  );
}

/** Asks a little after the last key; what was asked before is given up by the list. */
function SearchField({ label, value }: { label: string; value: string }) {
  const [typed, setTyped] = useState(value);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const input = useRef<HTMLInputElement>(null);
  // Another address, such as that of going back, has another text.
  useEffect(() => setTyped(value), [value]);
  useEffect(() => () => clearTimeout(timer.current), []);
  useShortcuts([{ keys: '/', label: 'Search this list', run: () => input.current?.focus() }]);
  const ask = (text: string) => setQuery({ search: text.trim(), from: undefined }, { replace: true });
  return (
    <label class="search-field">
      <span class="unseen">Search: {label}</span>
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
