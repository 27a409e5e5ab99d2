import { lockIdle } from '../api/entering.ts';
import { session } from '../api/session.ts';

/** Milliseconds without input after which the session ends. */
export const idleTime: number = 30 * 60_000;

/** Ends the session of a tab that was idle for half an hour, also if the device slept. */
export function watchIdle(): void {
  let touched = Date.now();
  const touch = () => {
    touched = Date.now();
  };
  for (const type of ['pointerdown', 'keydown', 'wheel', 'touchstart'] as const) {
    addEventListener(type, touch, { capture: true, passive: true });
  }
  const look = () => {
    if (session.value.state === 'in' && Date.now() - touched >= idleTime) lockIdle();
    if (session.value.state !== 'in') touch();
  };
  setInterval(look, 15_000);
  document.addEventListener('visibilitychange', look);
}
