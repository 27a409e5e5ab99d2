import type { Engine } from '../context.ts';
import { type AttemptOutcome, attemptDelivery } from './attempt.ts';
import { type Claim, claimDeliveries, nextDue, type Queue } from './claims.ts';

export interface DelivererOptions {
  /** Deliveries under way at once, of all subscribers; 256 by default. */
  concurrency?: number;
  /** How often to look for what other processes left, in milliseconds; 1000 by default. */
  interval?: number;
  /** Told of faults that deliver nothing and are tried again. */
  onError?(error: unknown): void;
}

/** How long a stop waits for the attempts under way before it gives them back. */
const stopGrace = 5_000;

/** What a subscriber gets at once: little at first and after a failure, more with each success. */
const firstWidth = 2;
const mostWidth = 64;

/** A queue as this process knows it. */
interface Lane extends Queue {
  /** How many deliveries may be under way to this subscriber. */
  width: number;
  active: number;
  /** Whether its last attempt succeeded. The others share half of the room, so that however many hang, the rest goes on. */
  proven: boolean;
  /** Whether there may be something due. */
  waiting: boolean;
}

/**
 * Sends what is due, as long as it runs: at once after a commit of this process, and on a timer for everything else. Each
 * subscriber has a lane of its own, so that none waits for another.
 */
export class Deliverer {
  readonly #engine: Engine;
  readonly #concurrency: number;
  readonly #interval: number;
  readonly #onError: (error: unknown) => void;
  readonly #lanes = new Map<string, Lane>();
  readonly #active = new Set<Promise<void>>();
  readonly #giveUp = new AbortController();
  #unproven = 0;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #look = false;
  #again = false;
  #stopped = false;

  constructor(engine: Engine, options: DelivererOptions = {}) {
    this.#engine = engine;
    this.#concurrency = options.concurrency ?? 256;
    this.#interval = options.interval ?? 1000;
    this.#onError = options.onError ?? (() => {});
    this.wake();
  }

  /** Looks for due deliveries now: in those queues, or in all. */
  wake(queues?: readonly Queue[]): void {
    if (this.#stopped) return;
    if (!queues) this.#look = true;
    for (const queue of queues ?? []) this.#laneOf(queue).waiting = true;
    this.#pump();
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

  #pump(): void {
    if (this.#stopped) return;
    this.#again = true;
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
      // What came between the last look and now.
      if (this.#again) this.#pump();
    });
  }

  async #run(): Promise<void> {
    while (this.#again && !this.#stopped) {
      this.#again = false;
      try {
        if (this.#look) await this.#lookForDue();
        await this.#claimWaiting();
      } catch (error) {
        this.#onError(error);
        this.#timer ??= this.#lookIn(this.#interval);
      }
    }
  }

  /** Finds the queues that have something due, and sets the clock for those that will have. */
  async #lookForDue(): Promise<void> {
    this.#look = false;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const now = this.#engine.clock.now();
    let wait = this.#interval;
    try {
      for (const { dueAt, ...queue } of await nextDue(this.#engine, this.#engine.appSubscribers.names())) {
        if (dueAt <= now) this.#laneOf(queue).waiting = true;
        else wait = Math.min(wait, dueAt - now);
      }
      this.#forgetIdle();
    } finally {
      if (!this.#stopped) this.#timer = this.#lookIn(wait);
    }
  }

  #lookIn(wait: number): NodeJS.Timeout {
    return setTimeout(() => {
      this.#timer = undefined;
      this.wake();
    }, wait);
  }

  /** Takes of each queue what its lane has room for, store by store, and sends it. */
  async #claimWaiting(): Promise<void> {
    const byStore = new Map<string, { lane: Lane; limit: number }[]>();
    let room = this.#concurrency - this.#active.size;
    let unprovenRoom = Math.floor(this.#concurrency / 2) - this.#unproven;
    for (const lane of this.#lanes.values()) {
      if (!lane.waiting || room <= 0) continue;
      const limit = Math.min(lane.width - lane.active, room, lane.proven ? room : unprovenRoom);
      if (limit <= 0) continue;
      room -= limit;
      if (!lane.proven) unprovenRoom -= limit;
      const wanted = byStore.get(lane.storeId) ?? [];
      wanted.push({ lane, limit });
      byStore.set(lane.storeId, wanted);
    }
    for (const [storeId, wanted] of byStore) {
      // Before the look: what is queued during it is found by the next one.
      for (const { lane } of wanted) lane.waiting = false;
      const limits = wanted.map(({ lane, limit }) => ({ webhookId: lane.webhookId, limit }));
      let claims: Claim[];
      try {
        claims = await claimDeliveries(this.#engine, storeId, limits);
      } catch (error) {
        for (const { lane } of wanted) lane.waiting = true;
        throw error;
      }
      for (const { lane, limit } of wanted) {
        const own = claims.filter(({ webhookId }) => webhookId === lane.webhookId);
        // All that was asked for: there may be more.
        if (own.length === limit) lane.waiting = true;
        for (const claim of own) this.#start(lane, claim);
      }
    }
    // The next in line, when some were left out for want of room, begin the next round.
    this.#rotate([...byStore.values()].flat().map(({ lane }) => lane));
  }

  /** Puts lanes that had their turn behind the others. */
  #rotate(lanes: readonly Lane[]): void {
    for (const lane of lanes) {
      const key = keyOf(lane);
      this.#lanes.delete(key);
      this.#lanes.set(key, lane);
    }
  }

  #start(lane: Lane, claim: Claim): void {
    const unproven = !lane.proven;
    lane.active++;
    if (unproven) this.#unproven++;
    const attempt = attemptDelivery(this.#engine, claim, this.#giveUp.signal)
      .then(
        (outcome) => adjust(lane, outcome),
        // Not recorded: the claim runs out and the delivery is made again.
        (error) => this.#onError(error),
      )
      .finally(() => {
        this.#active.delete(attempt);
        lane.active--;
        if (unproven) this.#unproven--;
        // There may be more waiting than there was room for.
        this.#pump();
      });
    this.#active.add(attempt);
  }

  #laneOf({ storeId, webhookId }: Queue): Lane {
    const key = keyOf({ storeId, webhookId });
    let lane = this.#lanes.get(key);
    if (!lane) {
      lane = { storeId, webhookId, width: firstWidth, active: 0, proven: false, waiting: false };
      this.#lanes.set(key, lane);
    }
    return lane;
  }

  /** Lanes of subscriptions that ended would be kept for ever. */
  #forgetIdle(): void {
    if (this.#lanes.size < 10_000) return;
    for (const [key, lane] of this.#lanes) if (!lane.waiting && lane.active === 0) this.#lanes.delete(key);
  }
}

function keyOf({ storeId, webhookId }: Queue): string {
  return `${storeId} ${webhookId}`;
}

function adjust(lane: Lane, outcome: AttemptOutcome): void {
  if (outcome === 'succeeded') {
    lane.proven = true;
    lane.width = Math.min(lane.width * 2, mostWidth);
  } else if (outcome === 'retrying' || outcome === 'failed') {
    lane.proven = false;
    lane.width = 1;
  }
}

/** Makes one attempt of every delivery that is due and waits for all of them; for tests and for scripts. */
export async function deliverDue(engine: Engine): Promise<number> {
  let made = 0;
  for (;;) {
    const now = engine.clock.now();
    const due = (await nextDue(engine, engine.appSubscribers.names())).filter(({ dueAt }) => dueAt <= now);
    if (due.length === 0) return made;
    for (const { storeId, webhookId } of due) {
      const claims = await claimDeliveries(engine, storeId, [{ webhookId, limit: 64 }]);
      made += claims.length;
      await Promise.all(claims.map((claim) => attemptDelivery(engine, claim)));
    }
  }
}
