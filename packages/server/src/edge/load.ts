import { CommerceError } from '@commerce/core';

/** Milliseconds between two measurements of the event loop's delay. */
const interval = 500;
/** Highest delay that does not count as overload, in milliseconds. */
const maxLateness = 1000;
/** Late measurements in a row that count as overload: one slow statement does not. */
const maxLateTimes = 3;

/** Maximum bytes of answers held at once. Above it, the clients that have left theirs unread for longest are cut off. */
const maxHeldBytes = 32 * 1024 * 1024;

/** A written answer that its client has not read yet. */
interface Leaving {
  cut(): void;
}

/** Replaces a long answer for which no room is left. */
export const tooLong = new CommerceError('unavailable', 'too much is being answered at once; try again');
const tooMany = new CommerceError('unavailable', 'too many requests are under way; try again');
const tooLate = new CommerceError('unavailable', 'the server is overloaded; try again');

/**
 * Load of a process. Refuses requests at once that it could not answer soon. A flood then costs running requests little, and clients do not
 * wait for an answer that comes too late.
 */
export class Load {
  /**
   * Running requests, until their answer has left. A request whose body is still arriving does not count, because a slow client must not
   * block others.
   */
  underWay = 0;
  readonly #max: number;
  /** In the order in which they were written. */
  readonly #leaving = new Set<Leaving>();
  /** Bytes of answers that were created and have not left yet. */
  #heldBytes = 0;
  #lateTimes = 0;
  #timer: NodeJS.Timeout | undefined;

  /** @param max maximum running requests */
  constructor(max: number) {
    this.#max = max;
  }

  /**
   * The refusal of a running request; undefined when it can be answered. Clients that do not read their answers cannot block others: the
   * one that has waited longest makes room.
   */
  refusal(): CommerceError | undefined {
    if (this.underWay > this.#max) this.#cutOldest();
    if (this.underWay > this.#max) return tooMany;
    return this.#lateTimes >= maxLateTimes ? tooLate : undefined;
  }

  /**
   * Makes room for an answer by cutting off clients that have not read theirs.
   * @param bytes held only for this answer
   * @returns false without room; a single answer has room regardless of its length
   */
  makeRoom(bytes: number): boolean {
    while (this.#heldBytes + bytes > maxHeldBytes && this.#leaving.size > 0) this.#cutOldest();
    return this.#heldBytes === 0 || this.#heldBytes + bytes <= maxHeldBytes;
  }

  /** Adds to the bytes of held answers; negative when bytes are released. */
  hold(bytes: number): void {
    this.#heldBytes += bytes;
  }

  /**
   * Counts a written answer until all its bytes have left.
   * @param cut closes its connection
   * @returns call it when they have left, or never will
   */
  leave(cut: () => void): () => void {
    const leaving = { cut };
    this.#leaving.add(leaving);
    return () => this.#leaving.delete(leaving);
  }

  #cutOldest(): void {
    const [oldest] = this.#leaving;
    oldest?.cut();
  }

  /** Starts to watch the event loop. */
  start(): void {
    let due = performance.now() + interval;
    this.#timer ??= setInterval(() => {
      const now = performance.now();
      this.sample(now - due);
      due = now + interval;
    }, interval).unref();
  }

  /** Records the delay of the event loop, in milliseconds. */
  sample(lateness: number): void {
    this.#lateTimes = lateness > maxLateness ? this.#lateTimes + 1 : 0;
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#lateTimes = 0;
  }
}
