import { CommerceError } from './errors.ts';

interface Waiter {
  go(): void;
  timer: NodeJS.Timeout | undefined;
}

/** Runs a limited number of pieces of work at once; the others wait in the order in which they came. */
export class Semaphore {
  readonly #atOnce: number;
  readonly #patience: number | undefined;
  readonly #maxWaiting: number;
  readonly #line: Waiter[] = [];
  #going = 0;

  /**
   * @param patience maximum wait for a turn in milliseconds
   * @param maxWaiting pieces of work that can wait; another is refused at once
   */
  constructor(atOnce: number, patience?: number, maxWaiting = Number.POSITIVE_INFINITY) {
    this.#maxWaiting = maxWaiting;
    this.#atOnce = atOnce;
    this.#patience = patience;
  }

  get isIdle(): boolean {
    return this.#going === 0;
  }

  /** Number of pieces of work that wait for their turn. */
  get waiting(): number {
    return this.#line.length;
  }

  /** @throws CommerceError `unavailable` if the turn does not come in time */
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
   * @throws CommerceError `unavailable` if it does not come in time
   */
  async enter(): Promise<void> {
    if (this.#going >= this.#atOnce) await this.#waitInLine();
    else this.#going++;
  }

  leave(): void {
    // The turn is handed over, not given back, so that later work cannot overtake.
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

/** One semaphore for each store, so that no store takes all turns. */
export class StoreSemaphores {
  readonly #atOnce: number;
  readonly #patience: number;
  readonly #maxWaiting: number | undefined;
  readonly #stores = new Map<string, Semaphore>();

  /**
   * @param atOnce pieces of work of one store that run at once
   * @param patience maximum wait for a turn in milliseconds
   * @param maxWaiting pieces of work of one store that can wait; another is refused at once
   */
  constructor(atOnce: number, patience: number, maxWaiting?: number) {
    this.#maxWaiting = maxWaiting;
    this.#atOnce = atOnce;
    this.#patience = patience;
  }

  /**
   * Waits for a turn of the store.
   * @returns ends the turn
   * @throws CommerceError `unavailable` if it does not come in time
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

/** Pieces of work of a store that can wait for turns at once; more are refused. */
const maxInLine = 10_000;

/** Milliseconds for which a store that has asked for a turn counts as active. */
const neighbourTime = 200;
/** After this many milliseconds without a begin or an end, a store's work counts as waiting instead of taking processor time. */
const standstill = 100;

export interface TurnOptions {
  /** Maximum number of pieces of work that run at once, of all stores. */
  atOnce: number;
  /** Maximum of one store, while no other store is active. */
  alone: number;
  /** Maximum of one store while others are active and its own work keeps ending. */
  beside: number;
  /** Maximum wait for a turn in milliseconds. */
  patience: number;
}

/**
 * Limits the work of all stores that runs at once. The limit of one store is lower, and lower still while others are active, because
 * running work takes processor time from new work. If more work comes, the stores take turns: a busy store delays each other store by only
 * one piece of work.
 */
export class StoreTurns {
  readonly #options: TurnOptions;
  /** Running pieces of work of each store, and the time when one last began or ended. */
  readonly #going = new Map<string, { count: number; changedAt: number }>();
  /** Waiting work by store; the store whose turn is next is first. */
  readonly #lines = new Map<string, Set<Waiter>>();
  #free: number;
  /** Set while work waits although turns are free. */
  #again: NodeJS.Timeout | undefined;
  /** The last store that asked, and the time; and the time when a different store last asked before it. */
  #last: string | undefined;
  #lastAt = 0;
  #otherAt = Number.NEGATIVE_INFINITY;

  constructor(options: TurnOptions) {
    this.#options = options;
    this.#free = options.atOnce;
  }

  /** True if work waits for its turn. */
  get isWaitedFor(): boolean {
    return [...this.#lines.values()].some((line) => line.size > 0);
  }

  /** True when idle. */
  get isIdle(): boolean {
    return this.#going.size === 0 && !this.isWaitedFor;
  }

  /**
   * Takes a turn of the store, which ends with `leave`.
   * @returns undefined if the turn has begun; otherwise a promise of it, rejected as `unavailable` if the turn does not come in time
   */
  enter(storeId: string): Promise<void> | undefined {
    const now = performance.now();
    if (storeId !== this.#last) {
      if (this.#last !== undefined) this.#otherAt = this.#lastAt;
      this.#last = storeId;
    }
    this.#lastAt = now;
    if (!this.#lines.has(storeId) && this.#mayBegin(storeId, now)) {
      this.#begin(storeId, now);
      return undefined;
    }
    const turn = this.#waitInLine(storeId);
    this.#beginNext(now);
    return turn;
  }

  leave(storeId: string): void {
    const now = performance.now();
    const going = this.#going.get(storeId);
    if (going && going.count > 1) {
      going.count--;
      going.changedAt = now;
    } else this.#going.delete(storeId);
    this.#free++;
    if (this.#lines.size > 0) this.#beginNext(now);
  }

  /** Starts waiting work within the limits: one piece of work of each store before another of the same store. */
  #beginNext(now: number): void {
    for (const [storeId, line] of this.#lines) {
      if (this.#free === 0) return;
      if (!this.#mayBegin(storeId, now)) continue;
      // Moves the store to the end, where this loop reaches it again, or removes it.
      this.#lines.delete(storeId);
      const [next] = line;
      if (!next) continue;
      line.delete(next);
      if (line.size > 0) this.#lines.set(storeId, line);
      this.#begin(storeId, now);
      next.go();
    }
    if (this.#free === 0 || this.#lines.size === 0) return;
    this.#again ??= setTimeout(() => {
      this.#again = undefined;
      this.#beginNext(performance.now());
    }, standstill);
  }

  #mayBegin(storeId: string, now: number): boolean {
    if (this.#free === 0) return false;
    const going = this.#going.get(storeId);
    if (!going) return true;
    const othersAt = storeId === this.#last ? this.#otherAt : this.#lastAt;
    const hasMore = now - othersAt > neighbourTime || now - going.changedAt >= standstill;
    const { alone, beside } = this.#options;
    return going.count < (hasMore ? alone : beside);
  }

  #begin(storeId: string, now: number): void {
    this.#free--;
    const going = this.#going.get(storeId);
    if (going) {
      going.count++;
      going.changedAt = now;
    } else this.#going.set(storeId, { count: 1, changedAt: now });
  }

  #waitInLine(storeId: string): Promise<void> {
    const line = this.#lines.get(storeId) ?? new Set();
    if (line.size >= maxInLine) return Promise.reject(tooMuch());
    this.#lines.set(storeId, line);
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        go: () => {
          clearTimeout(waiter.timer);
          resolve();
        },
        timer: setTimeout(() => {
          line.delete(waiter);
          reject(tooMuch());
        }, this.#options.patience),
      };
      line.add(waiter);
    });
  }
}

function tooMuch(): CommerceError {
  return new CommerceError('unavailable', 'too many requests are waiting for the database; try again');
}
