let touched = Date.now();

/** Notes input on the page from now on. */
export function watchActivity(): void {
  for (const type of ['pointerdown', 'keydown', 'wheel', 'touchstart'] as const) {
    addEventListener(type, noteActivity, { capture: true, passive: true });
  }
}

export function noteActivity(): void {
  touched = Date.now();
}

/** Milliseconds without input after which a page counts as left alone. */
export const idleTime: number = 30 * 60_000;

export function isLeftAlone(): boolean {
  return Date.now() - touched >= idleTime;
}
