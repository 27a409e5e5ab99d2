import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Icon, type IconName } from '../icons/icon.tsx';

export interface MenuItem {
  label: string;
  icon?: IconName;
  danger?: boolean;
  run(): void;
}

/** A button that opens a list of actions: arrow keys move in it, Escape closes it and returns the focus. */
export function Menu({ label, icon = 'more', items }: { label: string; icon?: IconName; items: readonly MenuItem[] }) {
  const [open, setOpen] = useState(false);
  const ref = useRef<HTMLDivElement>(null);
  const id = useId();
  const focus = (step: number) => {
    const all = [...(ref.current?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])];
    const i = all.indexOf(document.activeElement as HTMLElement);
    all[(i + step + all.length) % all.length]?.focus();
  };
  const close = () => {
    setOpen(false);
    ref.current?.querySelector('button')?.focus();
  };
  useLayoutEffect(() => {
    if (!open) return;
    ref.current?.querySelector<HTMLElement>('[role=menuitem]')?.focus();
    const outside = (event: Event) => {
      if (!ref.current?.contains(event.target as Node)) setOpen(false);
    };
    addEventListener('pointerdown', outside);
    return () => removeEventListener('pointerdown', outside);
  }, [open]);
  if (items.length === 0) return null;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys of the menu inside
    <div
      class="menu"
      ref={ref}
      onKeyDown={(event) => {
        if (!open) return;
        const { key } = event;
        if (key === 'ArrowDown') focus(1);
        else if (key === 'ArrowUp') focus(-1);
        else if (key === 'Escape') close();
        else if (key === 'Tab') setOpen(false);
        else return;
        if (key !== 'Tab') event.preventDefault();
        event.stopPropagation();
      }}
    >
      <button
        type="button"
        class="button plain square"
        aria-label={label}
        title={label}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        onClick={() => setOpen(!open)}
      >
        <Icon name={icon} />
      </button>
      {open && (
        <div role="menu" id={id} aria-label={label}>
          {items.map(({ label: text, icon: sign, danger, run }) => (
            <button
              key={text}
              type="button"
              role="menuitem"
              tabIndex={-1}
              class={danger ? 'danger' : ''}
              onClick={() => {
                close();
                run();
              }}
            >
              {sign && <Icon name={sign} />}
              {text}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}
