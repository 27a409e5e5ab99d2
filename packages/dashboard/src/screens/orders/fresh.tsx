import { useEffect, useRef, useState } from 'preact/hooks';
import { deskChanges } from '../../api/desk.ts';
import type { Page } from '../../api/types.ts';
import type { Rows } from '../../kit/index.ts';
import { t } from '../../words/words.ts';

export interface Window {
  limit: number;
  offset: number;
}

/** Pixels from the top within which new rows do not move what is read. */
const nearTop = 200;

/**
 * Keeps a list up to date: loads it again when something changes in the shop. Above a scrolled list, it only says how many rows are new,
 * because they would move those that are being read.
 * @param load loads rows of the current view
 */
export function Fresh<T>({
  rows,
  load,
}: {
  rows: { readonly current: Rows<T> | undefined };
  load(window: Window, signal: AbortSignal): Promise<Page<T>>;
}) {
  const [more, setMore] = useState(0);
  const turn = deskChanges.value;
  const seen = useRef(turn);
  const current = useRef(load);
  current.current = load;
  const show = () => {
    setMore(0);
    rows.current?.reload();
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: with every change, and not for the state of arrival
  useEffect(() => {
    if (seen.current === turn) return;
    seen.current = turn;
    if (scrollY <= nearTop) return show();
    const control = new AbortController();
    current.current({ limit: 1, offset: 0 }, control.signal).then(
      ({ total }) => {
        const added = total - (rows.current?.total ?? total);
        if (added > 0) setMore(added);
        else show();
      },
      () => {}, // The next change asks again.
    );
    return () => control.abort();
  }, [turn]);
  return (
    <div class="fresh" role="status">
      {more > 0 && (
        <button
          type="button"
          class="button primary"
          onClick={() => {
            show();
            scrollTo(0, 0);
            document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });
          }}
        >
          {t.orders.fresh(more)}
        </button>
      )}
    </div>
  );
}
