import type { Engine } from '../context.ts';
import { attemptDelivery, claimDeliveries, nextDue } from './deliver.ts';

export interface DelivererOptions {
  /** Deliveries under way at once; 64 by default. */
  concurrency?: number;
  /** How often to look for what other processes left, in milliseconds; 1000 by default. */
  interval?: number;
  /** Told of faults that deliver nothing and are tried again. */
  onError?(error: unknown): void;
}

/** How long a stop waits for the attempts under way before it gives them back. */
const stopGrace = 5_000;

/** Sends what is due, as long as it runs: at once after a commit of this process, and on a timer for everything else. */
export class Deliverer {
  readonly #engine: Engine;
  readonly #concurrency: number;
  readonly #interval: number;
  readonly #onError: (error: unknown) => void;
  readonly #active = new Set<Promise<void>>();
  readonly #giveUp = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #again = false;
  #stopped = false;

  constructor(engine: Engine, options: DelivererOptions = {}) {
    this.#engine = engine;
    this.#concurrency = options.concurrency ?? 64;
    this.#interval = options.interval ?? 1000;
    this.#onError = options.onError ?? (() => {});
    this.wake();
  }

  /** Looks for due deliveries now. */
  wake(): void {
    if (this.#stopped) return;
    this.#again = true;
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
  }

  /** Takes nothing new, lets the attempts under way end for a few seconds, then gives back the rest, uncounted. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#running;
    const grace = setTimeout(() => this.#giveUp.abort(), stopGrace);
    await Promise.all(this.#active);
    clearTimeout(grace);
  }

  async #run(): Promise<void> {
    clearTimeout(this.#timer);
    let wait = this.#interval;
    while (this.#again && !this.#stopped) {
      this.#again = false;
      try {
        wait = await this.#claimDue();
      } catch (error) {
        this.#onError(error);
        wait = this.#interval;
      }
    }
    if (this.#stopped) return;
    this.#timer = setTimeout(() => this.wake(), wait);
  }

  /** Starts what is due as far as there is room; returns how long to wait before looking again. */
  async #claimDue(): Promise<number> {
    const now = this.#engine.clock.now();
    const stores = await nextDue(this.#engine);
    const due = stores.filter((store) => store.dueAt <= now);
    let room = this.#concurrency - this.#active.size;
    for (const [i, { storeId }] of due.entries()) {
      // Each store gets its share of the room, so that a busy one does not hold up the rest.
      const share = Math.ceil(room / (due.length - i));
      if (share <= 0) return this.#interval;
      const claims = await claimDeliveries(this.#engine, storeId, share);
      room -= claims.length;
      for (const claim of claims) this.#start(claim);
      if (claims.length === share) this.#again ||= room > 0;
    }
    const later = stores.filter((store) => store.dueAt > now).map((store) => store.dueAt - now);
    return Math.min(this.#interval, ...later);
  }

  #start(claim: Parameters<typeof attemptDelivery>[1]): void {
    const attempt = attemptDelivery(this.#engine, claim, this.#giveUp.signal)
      // Not recorded: the claim runs out and the delivery is made again.
      .catch((error) => this.#onError(error))
      .finally(() => {
        this.#active.delete(attempt);
        // There may be more waiting than there was room for.
        this.wake();
      });
    this.#active.add(attempt);
  }
}

/** Makes one attempt of every delivery that is due and waits for all of them; for tests and for scripts. */
export async function deliverDue(engine: Engine): Promise<number> {
  let made = 0;
  for (;;) {
    const now = engine.clock.now();
    const due = (await nextDue(engine)).filter((store) => store.dueAt <= now);
    if (due.length === 0) return made;
    for (const { storeId } of due) {
      const claims = await claimDeliveries(engine, storeId, 64);
      made += claims.length;
      await Promise.all(claims.map((claim) => attemptDelivery(engine, claim)));
    }
  }
}
