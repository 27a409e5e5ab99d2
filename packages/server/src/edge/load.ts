import { CommerceError } from '@commerce/core';

/** Milliseconds between two looks at how late the event loop is. */
const interval = 500;
/** Lateness that is no overload, in milliseconds. */
const maxLateness = 1000;
/** Late looks in a row that make an overload: one slow statement is none. */
const maxLateTimes = 3;

/** Bytes of answers held at once; above it, the clients that have not taken theirs for longest are cut off. */
const maxHeldBytes = 32 * 1024 * 1024;

/** Written answer that its client has not taken yet. */
interface Leaving {
  cut(): void;
}

/** Refusal in place of a long answer for which there is no room. */
export const tooLong = new CommerceError('unavailable', 'too much is being answered at once; try again');
const tooMany = new CommerceError('unavailable', 'too many requests are under way; try again');
const tooLate = new CommerceError('unavailable', 'the server is overloaded; try again');

/**
 * Work of a process. Requests it could not answer soon are refused at once, so that a flood costs those who are being served
 * little and nobody waits for an answer that comes too late to be of use.
 */
export class Load {
  /**
   * Requests under way, until their answer has left. A request whose body is still arriving does not count: a slow client
   * holds up nobody.
   */
  underWay = 0;
  readonly #max: number;
  /** In the order in which they were written. */
  readonly #leaving = new Set<Leaving>();
  /** Bytes of answers that were made and have not left yet. */
  #heldBytes = 0;
  #lateTimes = 0;
  #timer: NodeJS.Timeout | undefined;

  /** @param max requests that may be under way at once */
  constructor(max: number) {
    this.#max = max;
  }

  /**
   * The refusal of a request under way; undefined when it can be answered. A client that does not take its answer keeps nobody
   * else from being answered: the one that has waited longest makes room.
   */
  refusal(): CommerceError | undefined {
    if (this.underWay > this.#max) this.#cutOldest();
    if (this.underWay > this.#max) return tooMany;
    return this.#lateTimes >= maxLateTimes ? tooLate : undefined;
  }

  /**
   * Makes room for an answer, at the expense of those whose clients have not taken theirs.
   * @param bytes held for this answer alone
   * @returns whether there is room; an answer that is alone has it whatever its length
   */
  makeRoom(bytes: number): boolean {
    while (this.#heldBytes + bytes > maxHeldBytes && this.#leaving.size > 0) this.#cutOldest();
    return this.#heldBytes === 0 || this.#heldBytes + bytes <= maxHeldBytes;
  }

  /** Counts bytes of answers that are held from now on; negative for those no longer held. */
  hold(bytes: number): void {
    this.#heldBytes += bytes;
  }

  /**
   * Counts a written answer whose bytes have not all left.
   * @param cut closes its connection
   * @returns to be called when they have left, or never will
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

  /** Records how late the event loop was, in milliseconds. */
  sample(lateness: number): void {
    this.#lateTimes = lateness > maxLateness ? this.#lateTimes + 1 : 0;
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#lateTimes = 0;
  }
}
