import { lockIdle } from '../api/entering.ts';
import { session } from '../api/session.ts';
import { isLeftAlone, noteActivity, watchActivity } from '../browser/activity.ts';

/** Ends the session of a tab with a key that was left alone for half an hour, also if the device slept. */
export function watchIdle(): void {
  watchActivity();
  const look = () => {
    if (session.value.state === 'in' && isLeftAlone()) lockIdle();
    if (session.value.state !== 'in') noteActivity();
  };
  setInterval(look, 15_000);
  document.addEventListener('visibilitychange', look);
}
