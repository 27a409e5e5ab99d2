import type { ComponentChildren, RefObject } from 'preact';
import { useState } from 'preact/hooks';

export interface Suggestion {
  /** Unique within the list, without spaces. */
  value: string;
  shown: ComponentChildren;
}

interface SuggestProps {
  id: string;
  /** Name of the list. */
  label: string;
  placeholder?: string | undefined;
  typed: string;
  onTyped(text: string): void;
  found: readonly Suggestion[];
  onPick(value: string): void;
  input?: RefObject<HTMLInputElement | null>;
  'aria-describedby'?: string | undefined;
  'aria-invalid'?: 'true' | undefined;
}

/** A line of text with a list of suggestions: the arrow keys mark one, Enter or a click picks it, Escape clears the text. */
export function Suggest(props: SuggestProps) {
  const { id, label, placeholder, typed, onTyped, found, onPick, input, ...control } = props;
  const [marked, setMarked] = useState(0);
  const current = found[Math.min(marked, found.length - 1)];
  const pick = (value: string) => {
    setMarked(0);
    onPick(value);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && found.length > 0) setMarked((marked + step + found.length) % found.length);
    else if (event.key === 'Enter') {
      if (current) pick(current.value);
    } else if (event.key === 'Escape' && typed !== '') onTyped('');
    else return;
    // Enter would send the form, and Escape would close the dialog around it.
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div class="suggest">
      <input
        {...control}
        id={id}
        ref={input}
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={found.length > 0}
        aria-controls={`${id}-list`}
        aria-activedescendant={current && `${id}-${current.value}`}
        placeholder={placeholder}
        dir="auto"
        autoComplete="off"
        spellcheck={false}
        value={typed}
        onInput={({ currentTarget }) => {
          setMarked(0);
          onTyped(currentTarget.value);
        }}
        onKeyDown={onKeyDown}
        onBlur={() => onTyped('')}
      />
      <div role="listbox" id={`${id}-list`} aria-label={label} class="suggestions" hidden={found.length === 0}>
        {found.map(({ value, shown }) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the input keeps the focus, and handles the keys
          <div
            key={value}
            id={`${id}-${value}`}
            role="option"
            tabIndex={-1}
            aria-selected={value === current?.value}
            // Before the input loses the focus, which would close the list.
            onPointerDown={(event) => event.preventDefault()}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => pick(value)}
          >
            {shown}
          </div>
        ))}
      </div>
    </div>
  );
}
