import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { type ApiError, isAbort, toApiError } from '../api/errors.ts';
import { signIns } from '../api/session.ts';

export interface Loaded<T> {
  /** The last loaded data; kept during a reload, and if that fails. */
  data: T | undefined;
  error: ApiError | undefined;
  /** Loading for longer than 150 ms: time to show it. */
  slow: boolean;
  loading: boolean;
  reload(): void;
  /** Replaces the data with a known version, such as the answer to a save. */
  set(data: T): void;
}

/** Milliseconds before a wait is shown. */
const patience = 150;
/** Automatic retries if the service is busy. */
const maxAgain = 5;

/**
 * Loads data, again whenever `key` changes; cancels a load for an older key.
 * @param key names the data: another key is other data, and no old data is shown for it
 * @param within part of the key; a change of it keeps the old data on the screen, dimmed, such as for filters
 */
export function useLoad<T>(key: string, load: (signal: AbortSignal) => Promise<T>, within = ''): Loaded<T> {
  const [state, setState] = useState<{ key: string; data?: T; error?: ApiError; loading: boolean; slow: boolean }>({
    key,
    loading: true,
    slow: false,
  });
  const [turn, setTurn] = useState(0);
  const current = useRef(load);
  current.current = load;
  const signedIn = signIns.value;
  // biome-ignore lint/correctness/useExhaustiveDependencies: loads again when one of these changes
  useEffect(() => {
    const control = new AbortController();
    let again: ReturnType<typeof setTimeout> | undefined;
    let times = 0;
    setState((old) => ({ ...(old.key === key ? old : { key }), loading: true, slow: false }));
    const slow = setTimeout(() => setState((old) => (old.loading ? { ...old, slow: true } : old)), patience);
    const run = async () => {
      try {
        const data = await current.current(control.signal);
        if (!control.signal.aborted) setState({ key, data, loading: false, slow: false });
      } catch (thrown) {
        if (control.signal.aborted || isAbort(thrown)) return;
        const error = toApiError(thrown);
        setState((old) => ({ ...old, error, loading: false, slow: false }));
        if (error.retryAfter !== undefined && times++ < maxAgain) {
          again = setTimeout(run, Math.max(1, error.retryAfter) * 1000);
        }
      } finally {
        clearTimeout(slow);
      }
    };
    void run();
    const online = () => void run();
    addEventListener('online', online);
    return () => {
      removeEventListener('online', online);
      clearTimeout(slow);
      clearTimeout(again);
      control.abort();
    };
  }, [key, within, turn, signedIn]);
  const reload = useCallback(() => setTurn((old) => old + 1), []);
  const set = useCallback((data: T) => setState({ key, data, loading: false, slow: false }), [key]);
  const isOwn = state.key === key;
  return {
    data: isOwn ? state.data : undefined,
    error: isOwn ? state.error : undefined,
    loading: state.loading || !isOwn,
    slow: state.slow,
    reload,
    set,
  };
}
