import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { t } from '../words/words.ts';
import { Button } from './button.tsx';
import { Copy } from './copy.tsx';
import { Dialog } from './dialog.tsx';
import { useUnsaved } from './unsaved.ts';

/**
 * A secret that is hidden until the user shows it.
 * @param what names it: "the secret"
 */
export function Secret({ text, what }: { text: string; what: string }) {
  const [isShown, setShown] = useState(false);
  return (
    <span class="secret">
      <code>{isShown ? text : `… ${text.slice(-4)}`}</code>
      <Button kind="quiet" pressed={isShown} onClick={() => setShown(!isShown)}>
        {isShown ? t.kit.hide : t.kit.show}
      </Button>
      <Copy text={text} what={what} />
    </span>
  );
}

/** Shows a secret that is never shown again, until the user confirms that it is stored. */
export function ShownOnce({
  title,
  text,
  what,
  children,
  onDone,
}: {
  title: string;
  text: string;
  what: string;
  children?: ComponentChildren;
  onDone(): void;
}) {
  const [isKept, setKept] = useState(false);
  useUnsaved(() => !isKept, {
    title: t.kit.secret.leave(what),
    text: t.kit.secret.once,
  });
  return (
    <Dialog
      title={title}
      closes={false}
      onClose={() => {}}
      actions={
        <Button
          kind="primary"
          onClick={() => {
            setKept(true);
            // After the guard is removed.
            setTimeout(onDone);
          }}
        >
          {t.kit.secret.saved}
        </Button>
      }
    >
      {children}
      <p class="shown-once">
        <code>{text}</code>
        <Copy text={text} what={what} />
      </p>
    </Dialog>
  );
}
