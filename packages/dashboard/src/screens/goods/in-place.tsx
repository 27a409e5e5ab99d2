import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { toApiError } from '../../api/errors.ts';
import { toast } from '../../kit/index.ts';
import { explain } from '../../kit/states.tsx';
import { t } from '../../words/words.ts';

/**
 * A value that is edited in place: a button that becomes a field. Enter and leaving the field save, Escape does not; a refused value stays
 * open. In a list, use the id of the row as its key, because another row can take the same place while the user types.
 * @param label names value and thing: "Price of Blue mug"
 * @param save throws an ApiError if it is refused
 */
export function InPlace({
  value,
  label,
  children,
  save,
  inputMode,
}: {
  value: string;
  label: string;
  children: ComponentChildren;
  save(typed: string): Promise<void>;
  inputMode?: 'decimal' | 'numeric';
}) {
  const [typed, setTyped] = useState<string>();
  const [state, setState] = useState<'open' | 'busy' | 'refused'>('open');
  const input = useRef<HTMLInputElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const back = useRef(false);
  const isOpen = typed !== undefined;
  useLayoutEffect(() => {
    if (isOpen) input.current?.select();
    else if (back.current) button.current?.focus();
    back.current = false;
  }, [isOpen]);
  const close = (withFocus: boolean) => {
    back.current = withFocus;
    setTyped(undefined);
    setState('open');
  };
  const finish = async (withFocus: boolean) => {
    const wanted = (typed ?? '').trim();
    if (state === 'busy') return;
    if (wanted === value) return close(withFocus);
    setState('busy');
    try {
      await save(wanted);
      close(withFocus);
    } catch (thrown) {
      setState('refused');
      toast(t.products.inPlace.failed(label, explain(toApiError(thrown))[1]), { tone: 'bad' });
    }
  };
  if (typed === undefined) {
    return (
      <button type="button" ref={button} class="in-place" onClick={() => setTyped(value)}>
        <span class="unseen">{label}: </span>
        {children}
        <span class="unseen"> {t.products.inPlace.edit}</span>
      </button>
    );
  }
  return (
    <input
      ref={input}
      class="in-place"
      aria-label={label}
      aria-invalid={state === 'refused' ? 'true' : undefined}
      aria-busy={state === 'busy'}
      readOnly={state === 'busy'}
      inputMode={inputMode}
      autoComplete="off"
      value={typed}
      onInput={({ currentTarget }) => {
        setTyped(currentTarget.value);
        setState('open');
      }}
      onBlur={() => (state === 'refused' ? close(false) : void finish(false))}
      onKeyDown={(event) => {
        if (event.key === 'Escape') {
          event.preventDefault();
          close(true);
        } else if (event.key === 'Enter') {
          event.preventDefault();
          void finish(true);
        }
      }}
    />
  );
}
