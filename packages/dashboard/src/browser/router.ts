import { computed, signal } from '@preact/signals';
import { href, root } from './places.ts';

// The router: addresses below the dashboard, and guards against leaving one. It is our own because unsaved changes have to stop the back
// button, and that needs a number for every history entry.

export interface Place {
  /** Path below the dashboard without outer slashes, such as `orders/1f…`; empty for the first screen. */
  path: string;
  /** The query with its question mark, or an empty text. */
  search: string;
}

interface Kept {
  index: number;
}

const start = root.pathname.replace(/\/$/, '');

function placeOf(): Place {
  const path = location.pathname.slice(start.length).replace(/^\/+|\/+$/g, '');
  return { path, search: location.search };
}

export const place = signal<Place>(placeOf());

/** The query of the address. */
export const query = computed(() => new URLSearchParams(place.value.search));

/** How the place was reached: `move` focuses its heading, `back` restores the scroll position, `same` does neither. */
export const arrival = signal<{ kind: 'move' | 'back' | 'same'; scrollTo: number }>({ kind: 'same', scrollTo: 0 });

let index = (history.state as Kept | null)?.index ?? 0;
const scrolled = new Map<number, number>();

/** A guard against leaving a place. */
export interface Barrier {
  stands(): boolean;
  /** Asks whether to leave all the same. */
  ask(): Promise<boolean>;
}

let barrier: Barrier | undefined;

/** Sets the guard of the current place. */
export function setBarrier(next: Barrier): void {
  barrier = next;
}

export interface Going {
  /** Replaces the history entry. */
  replace?: boolean;
  /** Keeps the focus and the scroll position, as a filter does. */
  quiet?: boolean;
}

/** Goes to a place such as `orders?status=paid`. */
export async function navigate(to: string, { replace = false, quiet = false }: Going = {}): Promise<void> {
  const next = new URL(href(to), location.href);
  const leaves = next.pathname !== location.pathname;
  if (leaves && barrier?.stands() && !(await barrier.ask())) return;
  scrolled.set(index, scrollY);
  if (!replace) index++;
  history[replace ? 'replaceState' : 'pushState']({ index } satisfies Kept, '', next);
  arrival.value = { kind: quiet ? 'same' : 'move', scrollTo: 0 };
  place.value = placeOf();
}

/** Changes some values of the query; an empty value is removed. */
export function setQuery(changes: Record<string, string | undefined>, { replace = false } = {}): void {
  const next = new URLSearchParams(location.search);
  for (const [name, value] of Object.entries(changes)) {
    if (value) next.set(name, value);
    else next.delete(name);
  }
  const text = next.toString();
  if (`?${text}` === location.search || (text === '' && location.search === '')) return;
  void navigate(`${placeOf().path || '.'}${text ? `?${text}` : ''}`, { replace, quiet: true });
}

/** Listens to links, and to back and forward. */
export function startRouter(): void {
  history.scrollRestoration = 'manual';
  history.replaceState({ index } satisfies Kept, '');
  document.addEventListener('click', (event) => {
    const to = targetOf(event);
    if (to === undefined) return;
    event.preventDefault();
    void navigate(to);
  });
  /** Called once the browser is back at the guarded place. */
  let returned: (() => void) | undefined;
  let mayPass = false;
  addEventListener('popstate', async (event) => {
    if (returned) {
      returned();
      returned = undefined;
      return;
    }
    const next = (event.state as Kept | null)?.index ?? 0;
    const leaves = placeOf().path !== place.value.path;
    if (leaves && !mayPass && barrier?.stands()) {
      // The address has already changed: it is set back during the question.
      await new Promise<void>((resolve) => {
        returned = resolve;
        history.go(index - next);
      });
      mayPass = await barrier.ask();
      if (mayPass) history.go(next - index);
      return;
    }
    mayPass = false;
    scrolled.set(index, scrollY);
    index = next;
    arrival.value = { kind: leaves ? 'back' : 'same', scrollTo: scrolled.get(index) ?? 0 };
    place.value = placeOf();
  });
}

/** The place in the dashboard that a click leads to; undefined if the browser handles the click. */
function targetOf(event: MouseEvent): string | undefined {
  if (event.defaultPrevented || event.button !== 0) return undefined;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return undefined;
  const link = (event.target as Element | null)?.closest?.('a');
  if (!link?.href || link.target || link.hasAttribute('download') || link.origin !== location.origin) return undefined;
  if (link.pathname !== start && !link.pathname.startsWith(`${start}/`)) return undefined;
  if (link.hash !== '' && link.pathname === location.pathname) return undefined;
  return (link.pathname.slice(start.length + 1) || '.') + link.search;
}
