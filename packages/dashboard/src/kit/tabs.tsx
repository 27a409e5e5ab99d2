import { query, setQuery } from '../browser/router.ts';

export interface Tab {
  /** Value in the address; the first tab has none. */
  value: string;
  label: string;
  count?: number | undefined;
}

/** Views of one screen; the address names the current one. They behave like links: the back button goes through them. */
export function Tabs({
  name,
  tabs,
  label,
  current = query.value.get(name) ?? tabs[0]?.value,
}: {
  /** Name in the address. */
  name: string;
  tabs: readonly Tab[];
  label: string;
  /** The current view, if it does not come only from the address. */
  current?: string | undefined;
}) {
  return (
    <nav class="tabs" aria-label={label}>
      {tabs.map(({ value, label: text, count }, i) => (
        <button
          key={value}
          type="button"
          aria-current={value === current ? 'page' : undefined}
          onClick={() => setQuery({ [name]: i === 0 ? undefined : value, row: undefined })}
        >
          {text}
          {count !== undefined && <span class="count">{count}</span>}
        </button>
      ))}
    </nav>
  );
}
