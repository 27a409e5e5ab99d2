import { useEffect, useRef } from 'preact/hooks';
import { confirm } from '../kit/dialog.tsx';
import { setBarrier } from './router.ts';

/** What is unsaved at the moment: each form adds itself. */
const dirty = new Set<() => boolean>();

const isDirty = () => [...dirty].some((one) => one());

/** Guards changes that are not saved: one is asked before leaving, by a link, by going back or by closing the tab. */
export function useUnsaved(has: () => boolean): void {
  const current = useRef(has);
  current.current = has;
  useEffect(() => {
    const one = () => current.current();
    dirty.add(one);
    return () => {
      dirty.delete(one);
    };
  }, []);
}

setBarrier({
  stands: isDirty,
  ask: () =>
    confirm(
      'Leave without saving?',
      'What you have changed here is kept in this tab, and offered when you come back.',
      {
        yes: 'Leave',
        no: 'Stay',
        danger: false,
      },
    ),
});

addEventListener('beforeunload', (event) => {
  if (isDirty()) event.preventDefault();
});
