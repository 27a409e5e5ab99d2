import { CommerceError } from './errors.ts';

/** Milliseconds for which a key that has asked for a turn counts as active. */
const neighbourTime = 200;
/** After this many milliseconds without a begin or an end, a key's work counts as waiting instead of taking processor time. */
const standstill = 100;

/** A small integer, which V8 counts faster than `Infinity`. */
const unlimited = 1_000_000_000;

export interface QueueOptions {
  /** Maximum number of pieces of work that run at once; unlimited by default. */
  atOnce?: number;
  /** Maximum of one key at once; unlimited by default. */
  ofKey?: number;
  /**
   * Maximum of one key while others are active and its own work keeps ending; by default the same as `ofKey`. Running work takes processor
   * time from the work of others.
   */
  beside?: number;
  /** Pieces of work of one key that can wait; more are refused at once. Unlimited by default. */
  maxWaiting?: number;
  /** Pieces of work of all keys that can wait; more are refused at once. Unlimited by default. */
  maxWaitingOfAll?: number;
  /** Maximum wait for a turn in milliseconds; unlimited by default. */
  patience?: number;
  /** The message of a refusal. */
  refusal?: string;
}

/** Running pieces of work of a key, and the time when one last began or ended. */
interface Going {
  count: number;
  changedAt: number;
}

interface Waiter {
  go(): void;
  refuse(): void;
}

/**
 * Limits the work that runs at once, in all and of each key, such as a store. Further work waits: of one key in order of arrival, while the
 * keys take turns. A busy key delays each other key by only one piece of work.
 */
export class FairQueue<K = string> {
  readonly #ofKey: number;
  readonly #beside: number | undefined;
  readonly #maxWaiting: number;
  readonly #maxWaitingOfAll: number;
  readonly #patience: number | undefined;
  readonly #refusal: string;
  readonly #going = new Map<K, Going>();
  /** Waiting work by key, never empty; the key whose turn is next is first. */
  readonly #lines = new Map<K, Set<Waiter>>();
  #free: number;
  #waiting = 0;
  /** Set while work waits although turns are free. */
  #again: NodeJS.Timeout | undefined;
  /** The last key that asked, and the time; and the time when a different key last asked before it. */
  #last: K | undefined;
  #lastAt = 0;
  #otherAt = Number.NEGATIVE_INFINITY;

  constructor({
    atOnce = unlimited,
    ofKey = unlimited,
    beside,
    maxWaiting = unlimited,
    maxWaitingOfAll = unlimited,
    patience,
    refusal = 'too much waits for the database at present; try again',
  }: QueueOptions) {
    this.#free = atOnce;
    this.#ofKey = ofKey;
    this.#beside = beside;
    this.#maxWaiting = maxWaiting;
    this.#maxWaitingOfAll = maxWaitingOfAll;
    this.#patience = patience;
    this.#refusal = refusal;
  }

  /** Number of pieces of work that wait for their turn. */
  get waiting(): number {
    return this.#waiting;
  }

  waitingOf(key: K): number {
    return this.#waiting === 0 ? 0 : (this.#lines.get(key)?.size ?? 0);
  }

  get isIdle(): boolean {
    return this.#going.size === 0 && this.#waiting === 0;
  }

  /** @throws CommerceError `unavailable` if too much waits, or the turn does not come in time */
  async run<T>(key: K, work: () => Promise<T>): Promise<T> {
    const turn = this.enter(key);
    if (turn) await turn;
    try {
      return await work();
    } finally {
      this.leave(key);
    }
  }

  /**
   * Takes a turn of the key, which ends with `leave`.
   * @returns undefined if the turn has begun; otherwise a promise of it, rejected as `unavailable` if the turn does not come
   */
  enter(key: K): Promise<void> | undefined {
    const now = this.#beside === undefined ? 0 : this.#noteArrival(key);
    const going = this.#going.get(key);
    if (this.#mayBegin(key, going, now) && this.waitingOf(key) === 0) {
      this.#begin(key, going, now);
      return undefined;
    }
    const turn = this.#wait(key);
    if (this.#beside !== undefined) this.#beginNext(this.#lines.keys(), now);
    return turn;
  }

  leave(key: K): void {
    const now = this.#beside === undefined ? 0 : performance.now();
    const going = this.#going.get(key);
    if (going && going.count > 1) {
      going.count--;
      going.changedAt = now;
    } else this.#going.delete(key);
    this.#free++;
    if (this.#waiting === 0) return;
    // If a turn was free before, the others wait for the end of their own work.
    const onlyThis = this.#free > 1 && this.#beside === undefined;
    this.#beginNext(onlyThis ? [key] : this.#lines.keys(), now);
  }

  /** Refuses all waiting work of a key. */
  drop(key: K): void {
    for (const waiter of this.#lines.get(key) ?? []) waiter.refuse();
  }

  #noteArrival(key: K): number {
    if (key !== this.#last) {
      if (this.#last !== undefined) this.#otherAt = this.#lastAt;
      this.#last = key;
    }
    this.#lastAt = performance.now();
    return this.#lastAt;
  }

  /** Starts waiting work of these keys within the limits: one piece of work of each key before another of the same key. */
  #beginNext(keys: Iterable<K>, now: number): void {
    for (const key of keys) {
      if (this.#free === 0) return;
      const line = this.#lines.get(key);
      const [next] = line ?? [];
      const going = this.#going.get(key);
      if (!line || !next || !this.#mayBegin(key, going, now)) continue;
      this.#remove(key, next);
      if (line.size > 0) {
        // To the end of the lines, where a loop over all of them reaches it again.
        this.#lines.delete(key);
        this.#lines.set(key, line);
      }
      this.#begin(key, going, now);
      next.go();
    }
    if (this.#beside === undefined || this.#free === 0 || this.#waiting === 0) return;
    this.#again ??= setTimeout(() => {
      this.#again = undefined;
      this.#beginNext(this.#lines.keys(), performance.now());
    }, standstill);
  }

  #mayBegin(key: K, going: Going | undefined, now: number): boolean {
    if (this.#free === 0) return false;
    if (!going) return true;
    if (this.#beside === undefined) return going.count < this.#ofKey;
    const othersAt = key === this.#last ? this.#otherAt : this.#lastAt;
    const hasMore = now - othersAt > neighbourTime || now - going.changedAt >= standstill;
    return going.count < (hasMore ? this.#ofKey : this.#beside);
  }

  #begin(key: K, going: Going | undefined, now: number): void {
    this.#free--;
    if (going) {
      going.count++;
      going.changedAt = now;
    } else this.#going.set(key, { count: 1, changedAt: now });
  }

  #wait(key: K): Promise<void> {
    if (this.waitingOf(key) >= this.#maxWaiting || this.#waiting >= this.#maxWaitingOfAll) {
      return Promise.reject(new CommerceError('unavailable', this.#refusal));
    }
    return new Promise((resolve, reject) => {
      let timer: NodeJS.Timeout | undefined;
      const waiter: Waiter = {
        go: () => {
          clearTimeout(timer);
          resolve();
        },
        refuse: () => {
          clearTimeout(timer);
          this.#remove(key, waiter);
          reject(new CommerceError('unavailable', this.#refusal));
        },
      };
      if (this.#patience !== undefined) timer = setTimeout(waiter.refuse, this.#patience);
      const line = this.#lines.get(key);
      if (line) line.add(waiter);
      else this.#lines.set(key, new Set([waiter]));
      this.#waiting++;
    });
  }

  #remove(key: K, waiter: Waiter): void {
    const line = this.#lines.get(key);
    if (!line?.delete(waiter)) return;
    this.#waiting--;
    if (line.size === 0) this.#lines.delete(key);
  }
}
