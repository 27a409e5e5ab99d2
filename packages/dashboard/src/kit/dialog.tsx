import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { t } from '../words/words.ts';
import { Button } from './button.tsx';

interface DialogProps {
  title: string;
  children: ComponentChildren;
  /** Buttons at the bottom, the confirming one last. */
  actions?: ComponentChildren;
  onClose(): void;
  /** Whether Escape and a click outside close it; true by default. */
  closes?: boolean;
  wide?: boolean;
}

/** A layer above the page: keeps the focus inside while it is open, and then returns it. */
export function Dialog({ title, children, actions, onClose, closes = true, wide }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const id = useId();
  useLayoutEffect(() => {
    const before = document.activeElement;
    const dialog = ref.current;
    dialog?.showModal();
    return () => {
      dialog?.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: a click beside it closes it; Escape does for keys
    <dialog
      ref={ref}
      class={wide ? 'wide' : ''}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        if (closes) onClose();
      }}
      onClick={(event) => {
        if (closes && event.target === ref.current) onClose();
      }}
    >
      <div class="dialog-body">
        <header>
          <h2 id={id}>{title}</h2>
          {closes && <Button kind="quiet" icon="close" label={t.kit.close} onClick={onClose} />}
        </header>
        {children}
        {actions && <footer>{actions}</footer>}
      </div>
    </dialog>
  );
}

interface Question {
  title: string;
  text: ComponentChildren;
  yes: string;
  no: string;
  danger: boolean;
  answer(yes: boolean): void;
}

const questions = signal<Question[]>([]);

/** Asks before an irreversible action; the text says what will happen. */
export function confirm(
  title: string,
  text: ComponentChildren,
  { yes, no = t.kit.cancel, danger = true }: { yes: string; no?: string; danger?: boolean },
): Promise<boolean> {
  return new Promise((resolve) => {
    const question: Question = {
      title,
      text,
      yes,
      no,
      danger,
      answer(value) {
        questions.value = questions.value.filter((one) => one !== question);
        resolve(value);
      },
    };
    questions.value = [...questions.value, question];
  });
}

/** The open questions; part of the frame. */
export function Questions() {
  return (
    <>
      {questions.value.map(({ title, text, yes, no, danger, answer }) => (
        <Dialog
          key={title}
          title={title}
          onClose={() => answer(false)}
          actions={
            <>
              <Button onClick={() => answer(false)}>{no}</Button>
              <Button kind={danger ? 'danger' : 'primary'} onClick={() => answer(true)}>
                {yes}
              </Button>
            </>
          }
        >
          {typeof text === 'string' ? <p dir="auto">{text}</p> : text}
        </Dialog>
      ))}
    </>
  );
}
