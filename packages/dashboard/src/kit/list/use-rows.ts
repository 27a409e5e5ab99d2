import { useEffect, useReducer, useRef } from 'preact/hooks';
import { type ApiError, isAbort, toApiError } from '../../api/errors.ts';
import { signIns } from '../../api/session.ts';
import type { Page } from '../../api/types.ts';
import { pageSize } from './window.ts';

export type Fetch<T> = (window: { limit: number; offset: number }, signal: AbortSignal) => Promise<Page<T>>;

/** The loaded rows of a list. */
export interface Rows<T> {
  total: number | undefined;
  /** The row at an offset; undefined until it is loaded. */
  at(offset: number): T | undefined;
  /** All loaded rows. */
  loaded(): T[];
  error: ApiError | undefined;
  /** Rows of the previous query, shown until the new one is answered. */
  stale: boolean;
  slow: boolean;
  /** Loads the pages at these offsets, and cancels other loads. */
  want(offsets: readonly number[]): void;
  reload(): void;
  /** Replaces a row with its changed version. */
  replace(isSame: (row: T) => boolean, changed: (row: T) => T): void;
}

interface Store<T> {
  key: string;
  pages: Map<number, T[]>;
  total: number | undefined;
  error: ApiError | undefined;
  slow: boolean;
  loading: Map<number, AbortController>;
  wanted: readonly number[];
  /** Placeholder rows until the first answer. */
  before: Pick<Store<T>, 'pages' | 'total'> | undefined;
}

/**
 * Rows of a list by pages.
 * @param key names the query; a new key cancels loads for the old one
 */
export function useRows<T>(key: string, fetch: Fetch<T>): Rows<T> {
  const [, draw] = useReducer((n: number) => n + 1, 0);
  const ref = useRef<Store<T> | undefined>(undefined);
  const current = useRef(fetch);
  current.current = fetch;
  const full = `${signIns.value} ${key}`;
  if (ref.current?.key !== full) {
    const old = ref.current;
    for (const control of old?.loading.values() ?? []) control.abort();
    const before = old?.total === undefined ? old?.before : { pages: old.pages, total: old.total };
    ref.current = fresh(full, old?.wanted ?? [0], before);
  }
  const store = ref.current as Store<T>;

  const load = (one: Store<T>, offset: number) => {
    if (one.loading.has(offset) || one.pages.has(offset)) return;
    const control = new AbortController();
    one.loading.set(offset, control);
    const slow = setTimeout(() => {
      one.slow = true;
      draw(undefined);
    }, 150);
    current
      .current({ limit: pageSize, offset }, control.signal)
      .then(
        ({ items, total }) => {
          one.pages.set(offset, items);
          one.total = total;
          one.error = undefined;
          one.before = undefined;
        },
        (thrown) => {
          if (control.signal.aborted || isAbort(thrown)) return;
          one.error = toApiError(thrown);
          const { retryAfter } = one.error;
          if (retryAfter !== undefined)
            setTimeout(() => ref.current === one && again(one), Math.max(1, retryAfter) * 1000);
        },
      )
      .finally(() => {
        clearTimeout(slow);
        one.loading.delete(offset);
        if (one.loading.size === 0) one.slow = false;
        if (ref.current === one) draw(undefined);
      });
  };
  const again = (one: Store<T>) => {
    one.error = undefined;
    for (const offset of one.wanted) load(one, offset);
    draw(undefined);
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: loads what another question wants first
  useEffect(() => {
    for (const offset of store.wanted) load(store, offset);
  }, [store]);
  useEffect(
    () => () => {
      for (const control of ref.current?.loading.values() ?? []) control.abort();
    },
    [],
  );

  const shown = store.total === undefined && store.before ? store.before : store;
  return {
    total: shown.total,
    at: (offset) => shown.pages.get(Math.floor(offset / pageSize) * pageSize)?.[offset % pageSize],
    loaded: () => [...shown.pages].sort(([a], [b]) => a - b).flatMap(([, items]) => items),
    error: store.error,
    stale: shown !== store,
    slow: store.slow,
    want(offsets) {
      store.wanted = offsets;
      for (const [offset, control] of store.loading) {
        if (!offsets.includes(offset)) {
          control.abort();
          store.loading.delete(offset);
        }
      }
      for (const offset of offsets) load(store, offset);
    },
    reload() {
      const next = fresh<T>(store.key, store.wanted, { pages: store.pages, total: store.total });
      for (const control of store.loading.values()) control.abort();
      ref.current = next;
      draw(undefined);
    },
    replace(isSame, changed) {
      for (const [offset, items] of shown.pages) {
        if (items.some(isSame))
          shown.pages.set(
            offset,
            items.map((one) => (isSame(one) ? changed(one) : one)),
          );
      }
      draw(undefined);
    },
  };
}

function fresh<T>(key: string, wanted: readonly number[], before: Store<T>['before']): Store<T> {
  return { key, pages: new Map(), total: undefined, error: undefined, slow: false, loading: new Map(), wanted, before };
}
