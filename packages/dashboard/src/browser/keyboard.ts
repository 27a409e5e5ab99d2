// The one table of shortcuts. A key alone, or two one after the other, works where nothing is typed; with Ctrl or ⌘ everywhere.

export interface Shortcut {
  /** Such as `/`, `g o`, `j`, `Escape`, or `mod+s`, where `mod` is Ctrl, and ⌘ on a Mac. */
  keys: string;
  label: string;
  /** @returns false where it has nothing to do, so that the browser does what it would */
  run(event: KeyboardEvent): unknown;
}

/** What a matcher needs of a pressed key. */
export interface Press {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  /** Whether something is typed into the element that has the focus. */
  inText: boolean;
}

/** Milliseconds within which the second of two keys has to come. */
const pairTime = 1200;

/** Finds the shortcut that a key belongs to; remembers the first of two. */
export class KeyMatcher {
  #first: { key: string; at: number } | undefined;

  /**
   * @param hasSingles whether keys without Ctrl or ⌘ count: some people type with their voice
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
