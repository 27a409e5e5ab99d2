import { FairQueue } from '@commerce/core';

/** Rounds in which requests begin, one after the other; each begins a limited number of every store. */
export interface RoundOptions {
  /** Maximum requests of a store in a round. */
  ofStore: number;
  /** Schedules the end of the current round and the start of the next. */
  next: (begin: () => void) => void;
}

/**
 * Begins a few requests of each store in a round, so that a store that sends hundreds at once does not delay stores that send one. The end
 * of the round ends the turns of all requests that it began.
 */
export class StoreRounds {
  readonly #turns: FairQueue;
  readonly #next: RoundOptions['next'];
  /** The store of each request that the current round has begun. */
  #begun: string[] = [];

  constructor({ ofStore, next }: RoundOptions) {
    this.#turns = new FairQueue({ ofKey: ofStore });
    this.#next = next;
  }

  /** Requests that wait. */
  get waiting(): number {
    return this.#turns.waiting;
  }

  /** @returns the wait of the request; undefined if it can begin at once */
  enter(storeId: string): Promise<void> | undefined {
    const turn = this.#turns.enter(storeId);
    if (turn) return turn.then(() => this.#count(storeId));
    this.#count(storeId);
    return undefined;
  }

  #count(storeId: string): void {
    if (this.#begun.push(storeId) === 1) this.#next(this.#end);
  }

  readonly #end = () => {
    const begun = this.#begun;
    this.#begun = [];
    for (const storeId of begun) this.#turns.leave(storeId);
  };
}
