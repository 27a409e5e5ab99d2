import { useRef } from 'preact/hooks';
import { can } from '../api/session.ts';
import { navigate, place } from '../browser/router.ts';
import { useShortcuts } from '../browser/shortcuts.ts';
import { Icon } from '../icons/icon.tsx';
import { t } from '../words/words.ts';
import { routes } from './routes.ts';

/** Screens with a search, the most used first. */
const searched = ['orders', 'products', 'customers'];

/** The search of the whole dashboard: opens a list with the text in its search. */
export function SearchBox() {
  const input = useRef<HTMLInputElement>(null);
  const places = searched.flatMap((path) => routes.filter((route) => route.path === path && can(route.scope)));
  useShortcuts([{ keys: '/', label: t.app.search.shortcut, run: () => input.current?.focus() }]);
  if (places.length === 0) return null;
  // Searches the current list by default; if it has no search, the first one that has.
  const here = places.find(({ path }) => place.value.path.split('/')[0] === path)?.path ?? places[0]?.path;
  const go = (form: HTMLFormElement) => {
    const text = input.current?.value.trim() ?? '';
    const where = String(new FormData(form).get('where') ?? searched[0]);
    if (text === '') return;
    void navigate(`${where}?search=${encodeURIComponent(text)}`);
    if (input.current) input.current.value = '';
  };
  return (
    <search>
      <form
        class="search-box"
        onSubmit={(event) => {
          event.preventDefault();
          go(event.currentTarget);
        }}
      >
        <Icon name="search" />
        <input
          ref={input}
          type="search"
          name="search-all"
          aria-label={t.app.search.label}
          placeholder={t.app.search.placeholder}
          autoComplete="off"
          dir="auto"
          onKeyDown={(event) => {
            if (event.key === 'Escape') input.current?.blur();
          }}
        />
        <select key={here} name="where" aria-label={t.app.search.where}>
          {places.map(({ path, label }) => (
            <option key={path} value={path} selected={path === here}>
              {label}
            </option>
          ))}
        </select>
      </form>
    </search>
  );
}
