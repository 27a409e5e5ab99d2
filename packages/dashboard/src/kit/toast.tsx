import { signal } from '@preact/signals';
import { t } from '../words/words.ts';
import { Button } from './button.tsx';

interface Toast {
  id: number;
  text: string;
  tone: 'good' | 'bad';
  undo?: (() => void) | undefined;
}

const toasts = signal<Toast[]>([]);
let last = 0;

/** Milliseconds that a message stays; an error stays until it is closed. */
const stay = 6000;

/**
 * Announces shortly that an action is done, also to screen readers.
 * @param undo reverts it, if that is possible
 */
export function toast(text: string, { tone = 'good', undo }: { tone?: 'good' | 'bad'; undo?: () => void } = {}): void {
  const id = ++last;
  toasts.value = [...toasts.value.slice(-3), { id, text, tone, undo }];
  if (tone === 'good') setTimeout(() => close(id), undo ? 2 * stay : stay);
}

function close(id: number): void {
  toasts.value = toasts.value.filter((one) => one.id !== id);
}

/** The messages. Both regions always exist, because screen readers only announce changes of known regions. */
export function Toasts() {
  const region = (tone: 'good' | 'bad') =>
    toasts.value
      .filter((one) => one.tone === tone)
      .map(({ id, text, undo }) => (
        <div key={id} class={`toast ${tone}`}>
          <p dir="auto">{text}</p>
          {undo && (
            <Button
              kind="quiet"
              onClick={() => {
                undo();
                close(id);
              }}
            >
              {t.kit.undo}
            </Button>
          )}
          <Button kind="quiet" icon="close" label={t.kit.closeMessage} onClick={() => close(id)} />
        </div>
      ));
  return (
    <div class="toasts">
      <div role="status">{region('good')}</div>
      <div role="alert">{region('bad')}</div>
    </div>
  );
}
