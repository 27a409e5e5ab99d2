// The one table of shortcuts. A single key, or two in sequence, works outside of text fields; with Ctrl or ⌘ everywhere.

export interface Shortcut {
  /** Such as `/`, `g o`, `j`, `Escape`, or `mod+s`, where `mod` is Ctrl, and ⌘ on a Mac. */
  keys: string;
  label: string;
  /** @returns false if it has nothing to do, so that the browser acts as usual */
  run(event: KeyboardEvent): unknown;
}

/** The parts of a pressed key that a matcher needs. */
export interface Press {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  /** Whether the focused element takes text. */
  inText: boolean;
}

/** Milliseconds within which the second of two keys has to follow. */
const pairTime = 1200;

/** Finds the shortcut of a key; remembers the first of two. */
export class KeyMatcher {
  #first: { key: string; at: number } | undefined;

  /**
   * @param hasSingles whether keys without Ctrl or ⌘ count: they would react to voice input
   * @param now milliseconds
   */
  match<T extends Pick<Shortcut, 'keys'>>(
    table: readonly T[],
    press: Press,
    hasSingles: boolean,
    now: number,
  ): T | undefined {
    const { key, ctrlKey, metaKey, altKey, inText } = press;
    if (altKey || ['Shift', 'Control', 'Meta', 'Alt', 'CapsLock'].includes(key)) return undefined;
    if (ctrlKey || metaKey) {
      this.#first = undefined;
      return table.find(({ keys }) => keys === `mod+${key.toLowerCase()}`);
    }
    if (key === 'Escape') return table.find(({ keys }) => keys === 'Escape');
    if (inText || !hasSingles) return undefined;
    const first = this.#first;
    this.#first = undefined;
    const pair =
      first && now - first.at <= pairTime ? table.find(({ keys }) => keys === `${first.key} ${key}`) : undefined;
    if (pair) return pair;
    if (table.some(({ keys }) => keys.startsWith(`${key} `))) this.#first = { key, at: now };
    return table.find(({ keys }) => keys === key);
  }
}
