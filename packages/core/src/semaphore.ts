import { CommerceError } from './errors.ts';

interface Waiter {
  go(): void;
  timer: NodeJS.Timeout | undefined;
}

/** Lets so many pieces of work go on at once; the others wait in the order they came. */
export class Semaphore {
  readonly #atOnce: number;
  readonly #patience: number | undefined;
  readonly #maxWaiting: number;
  readonly #line: Waiter[] = [];
  #going = 0;

  /**
   * @param patience milliseconds that a piece of work waits for its turn at most
   * @param maxWaiting pieces of work that wait; another is refused at once
   */
  constructor(atOnce: number, patience?: number, maxWaiting = Number.POSITIVE_INFINITY) {
    this.#maxWaiting = maxWaiting;
    this.#atOnce = atOnce;
    this.#patience = patience;
  }

  get isIdle(): boolean {
    return this.#going === 0;
  }

  /** How many wait for their turn. */
  get waiting(): number {
    return this.#line.length;
  }

  /** @throws CommerceError `unavailable` when the turn does not come in time */
  async run<T>(work: () => Promise<T>): Promise<T> {
    await this.enter();
    try {
      return await work();
    } finally {
      this.leave();
    }
  }

  /**
   * Waits for a turn, which ends with `leave`.
   * @throws CommerceError `unavailable` when it does not come in time
   */
  async enter(): Promise<void> {
    if (this.#going >= this.#atOnce) await this.#waitInLine();
    else this.#going++;
  }

  leave(): void {
    // Handed over, not given back: nobody who comes meanwhile goes first.
    const next = this.#line.shift();
    if (next) next.go();
    else this.#going--;
  }

  #waitInLine(): Promise<void> {
    if (this.#line.length >= this.#maxWaiting) return Promise.reject(tooMuch());
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        go: () => {
          clearTimeout(waiter.timer);
          resolve();
        },
        timer: undefined,
      };
      this.#line.push(waiter);
      if (this.#patience === undefined) return;
      waiter.timer = setTimeout(() => {
        this.#line.splice(this.#line.indexOf(waiter), 1);
        reject(tooMuch());
      }, this.#patience);
    });
  }
}

/** Semaphore of each store, so that none has them all. */
export class StoreSemaphores {
  readonly #atOnce: number;
  readonly #patience: number;
  readonly #maxWaiting: number | undefined;
  readonly #stores = new Map<string, Semaphore>();

  /**
   * @param atOnce of one store
   * @param patience milliseconds that a piece of work waits for its turn at most
   * @param maxWaiting pieces of work of one store that wait; another is refused at once
   */
  constructor(atOnce: number, patience: number, maxWaiting?: number) {
    this.#maxWaiting = maxWaiting;
    this.#atOnce = atOnce;
    this.#patience = patience;
  }

  get isIdle(): boolean {
    return this.#stores.size === 0;
  }

  /**
   * Waits for a turn of the store.
   * @returns ends the turn
   * @throws CommerceError `unavailable` when it does not come in time
   */
  async enter(storeId: string): Promise<() => void> {
    const turns = this.#stores.get(storeId) ?? new Semaphore(this.#atOnce, this.#patience, this.#maxWaiting);
    this.#stores.set(storeId, turns);
    await turns.enter();
    return () => {
      turns.leave();
      if (turns.isIdle && this.#stores.get(storeId) === turns) this.#stores.delete(storeId);
    };
  }
}

function tooMuch(): CommerceError {
  return new CommerceError('unavailable', 'too much waits for the database at present; try again');
}
