/** Rounds in which requests begin, one after the other; each begins a limited number of every store. */
export interface RoundOptions {
  /** Maximum requests of a store in a round. */
  ofStore: number;
  /** Schedules the end of the current round and the start of the next. */
  next: (begin: () => void) => void;
}

/**
 * Begins a few requests of each store in a round, so that a store that sends hundreds at once does not delay stores that send one. Requests
 * of a store begin in order of arrival.
 */
export class StoreRounds {
  readonly #ofStore: number;
  readonly #next: RoundOptions['next'];
  /** Requests of each store that the current round has begun. */
  readonly #begun = new Map<string, number>();
  /** Requests that wait for a later round. A store is listed only while requests wait. */
  readonly #lines = new Map<string, (() => void)[]>();
  #isArranged = false;

  constructor({ ofStore, next }: RoundOptions) {
    this.#ofStore = ofStore;
    this.#next = next;
  }

  /** Requests that wait. */
  get waiting(): number {
    let sum = 0;
    for (const line of this.#lines.values()) sum += line.length;
    return sum;
  }

  /** @returns the wait of the request; undefined if it can begin at once */
  enter(storeId: string): Promise<void> | undefined {
    const begun = this.#begun.get(storeId) ?? 0;
    this.#arrange();
    if (begun < this.#ofStore) {
      this.#begun.set(storeId, begun + 1);
      return undefined;
    }
    const line = this.#lines.get(storeId) ?? [];
    this.#lines.set(storeId, line);
    return new Promise((resolve) => line.push(resolve));
  }

  #arrange(): void {
    if (this.#isArranged) return;
    this.#isArranged = true;
    this.#next(() => this.#begin());
  }

  #begin(): void {
    this.#isArranged = false;
    this.#begun.clear();
    for (const [storeId, line] of this.#lines) {
      const first = line.splice(0, this.#ofStore);
      this.#begun.set(storeId, first.length);
      if (line.length === 0) this.#lines.delete(storeId);
      for (const go of first) go();
    }
    if (this.#begun.size > 0) this.#arrange();
  }
}
