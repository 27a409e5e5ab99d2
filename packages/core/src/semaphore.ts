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

/** Pieces of work of a store that may wait for their turns at once; more are refused. */
const maxInLine = 10_000;

/** Milliseconds for which a store that has asked for a turn is a neighbour of the others. */
const neighbourTime = 200;
/** Milliseconds in which nothing of a store begins or ends until its work counts as waiting for something, not as taking processor time. */
const standstill = 100;

export interface TurnOptions {
  /** Pieces of work that go on at once, of all stores. */
  atOnce: number;
  /** Of one store, while no other asks for anything. */
  alone: number;
  /** Of one store beside others, while some of it ends again and again. */
  beside: number;
  /** Milliseconds that a piece of work waits for its turn at most. */
  patience: number;
}

/**
 * Lets so many pieces of work of all stores go on at once, and fewer of one store, even fewer while others ask, too: what goes on already
 * takes processor time from what comes. Where more come, the stores take turns: one that asks for a lot keeps each of the others
 * waiting for one piece of work at most.
 */
export class StoreTurns {
  readonly #options: TurnOptions;
  /** Pieces of work of each store that go on, and when one has begun or ended last. */
  readonly #going = new Map<string, { count: number; changedAt: number }>();
  /** Waiting work of each store that has some, the store whose turn is next first. */
  readonly #lines = new Map<string, Set<Waiter>>();
  #free: number;
  /** Set while work waits although turns are free. */
  #again: NodeJS.Timeout | undefined;
  /** The store that has asked last, and when; and when the last one before it has that was another. */
  #last: string | undefined;
  #lastAt = 0;
  #otherAt = Number.NEGATIVE_INFINITY;

  constructor(options: TurnOptions) {
    this.#options = options;
    this.#free = options.atOnce;
  }

  /** Whether work waits for its turn. */
  get isWaitedFor(): boolean {
    return [...this.#lines.values()].some((line) => line.size > 0);
  }

  /** Whether nothing goes on, and nothing waits. */
  get isIdle(): boolean {
    return this.#going.size === 0 && !this.isWaitedFor;
  }

  /**
   * Takes a turn of the store, which ends with `leave`.
   * @returns what is to be waited for; undefined when the turn has begun. Rejected as `unavailable` when it does not come in time.
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

  /** Begins what waits and may begin: of each store one piece of work, before another of the same. */
  #beginNext(now: number): void {
    for (const [storeId, line] of this.#lines) {
      if (this.#free === 0) return;
      if (!this.#mayBegin(storeId, now)) continue;
      // To the end, where this comes by again, or away.
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
  return new CommerceError('unavailable', 'too much waits for the database at present; try again');
}
