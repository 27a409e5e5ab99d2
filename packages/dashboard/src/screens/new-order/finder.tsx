import type { ComponentChildren } from 'preact';
import { useEffect, useId, useState } from 'preact/hooks';
import { isAbort, toApiError } from '../../api/errors.ts';
import { explain } from '../../api/explain.ts';
import { Suggest } from '../../kit/form/suggest.tsx';
import { t } from '../../words/words.ts';

/** Milliseconds after the last key before the search begins. */
const pause = 250;

/** Finds one of many by a search of the service. */
export function Finder<T extends { id: string }>({
  label,
  placeholder,
  reason,
  load,
  show,
  onPick,
}: {
  label: string;
  placeholder: string;
  /** Why the field was refused. */
  reason?: string | undefined;
  load(search: string, signal: AbortSignal): Promise<readonly T[]>;
  show(one: T): ComponentChildren;
  onPick(one: T): void;
}) {
  const id = useId();
  const [typed, setTyped] = useState('');
  const [found, setFound] = useState<readonly T[]>();
  const [failed, setFailed] = useState<string>();
  const search = typed.trim();
  // biome-ignore lint/correctness/useExhaustiveDependencies: begins with another text
  useEffect(() => {
    setFound(undefined);
    setFailed(undefined);
    if (search === '') return;
    const control = new AbortController();
    const timer = setTimeout(async () => {
      try {
        setFound(await load(search, control.signal));
      } catch (thrown) {
        if (!control.signal.aborted && !isAbort(thrown)) setFailed(explain(toApiError(thrown))[1]);
      }
    }, pause);
    return () => {
      clearTimeout(timer);
      control.abort();
    };
  }, [search]);
  const said = failed ?? reason;
  return (
    <div class="field">
      <label htmlFor={id}>{label}</label>
      <Suggest
        id={id}
        label={label}
        placeholder={placeholder}
        typed={typed}
        onTyped={setTyped}
        found={(found ?? []).map((one) => ({ value: one.id, shown: show(one) }))}
        onPick={(picked) => {
          const one = found?.find((other) => other.id === picked);
          if (!one) return;
          setTyped('');
          onPick(one);
        }}
        aria-invalid={said ? 'true' : undefined}
        aria-describedby={`${id}-said`}
      />
      <p id={`${id}-said`} class={said ? 'reason' : 'hint'} role="status">
        {said ?? (found?.length === 0 && search !== '' ? t.newOrder.nothingFound : '')}
      </p>
    </div>
  );
}
