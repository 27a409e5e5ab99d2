import { useLayoutEffect, useRef } from 'preact/hooks';
import { setBarrier } from '../browser/router.ts';
import { t } from '../words/words.ts';
import { confirm } from './dialog.tsx';

/** Question before leaving. */
interface Question {
  title: string;
  text: string;
}

const keptInTab: Question = { title: t.kit.unsaved.title, text: t.kit.unsaved.text };

/** Unsaved changes: each form adds itself, with its question. */
const dirty = new Map<() => boolean, Question>();

const questionNow = () => [...dirty].find(([has]) => has())?.[1];
const isDirty = () => questionNow() !== undefined;

/** Guards unsaved changes: asks before a link, the back button or closing the tab leaves them. */
export function useUnsaved(has: () => boolean, question: Question = keptInTab): void {
  const current = useRef(has);
  current.current = has;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the question of a place stays the same
  useLayoutEffect(() => {
    const one = () => current.current();
    dirty.set(one, question);
    return () => {
      dirty.delete(one);
    };
  }, []);
}

setBarrier({
  stands: isDirty,
  ask() {
    const { title, text } = questionNow() ?? keptInTab;
    return confirm(title, text, { yes: t.kit.unsaved.leave, no: t.kit.unsaved.stay, danger: false });
  },
});

addEventListener('beforeunload', (event) => {
  if (isDirty()) event.preventDefault();
});
