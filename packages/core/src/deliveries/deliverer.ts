import { setMaxListeners } from 'node:events';
import type { Engine } from '../context.ts';
import { CommerceError } from '../errors.ts';
import { observers } from '../observers.ts';
import { appSubscribers } from './app-subscribers.ts';
import { type AttemptOutcome, attemptDelivery } from './attempt.ts';
import { blockedQueues } from './blocked.ts';
import { type Claim, claimDeliveries, nextDue } from './claims.ts';
import { deliverers, type Queue } from './wake.ts';

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

/** The shortest pause between two looks at all queues, however many retries are to come. */
const minInterval = 100;

/** An attempt that takes longer is set aside: others get the room that it had. */
const slowAfter = 1_000;

/** What a subscriber gets at once: little at first and after a failure, more with each success. */
const firstWidth = 2;
const maxWidth = 64;

/** How long a subscriber is left alone after a failure: one that refuses at once would keep a processor busy with its queue. */
const restAfterFailure = 50;

/** How long a queue is left alone of which nothing could be taken: at first, and after many times. */
const shortestBlock = 1_000;
const longestBlock = 60_000;

/** What is known of a subscriber: its last attempt succeeded, or failed, or there was none. */
type Standing = 'good' | 'new' | 'failing';

/** A queue as this process knows it. */
interface Lane extends Queue {
  /** How many deliveries may be under way to this subscriber; those that are only being recorded do not count. */
  width: number;
  active: number;
  standing: Standing;
  /** Whether it has failed just now. */
  isResting: boolean;
  /** Whether there may be something due. */
  waiting: boolean;
  /** For how long it was left alone when nothing of it could be taken last, in milliseconds; 0 once something could. */
  blockedFor: number;
}

/**
 * Sends what is due, as long as it runs: at once after a commit of this process, and on a timer for everything else. Each
 * subscriber has a lane of its own, so that none waits for another.
 */
export class Deliverer {
  readonly #engine: Engine;
  readonly #concurrency: number;
  /** Of one subscriber; few enough that many of them would have to hang at once to hold every place. */
  readonly #maxWidth: number;
  readonly #interval: number;
  readonly #onError: (error: unknown) => void;
  readonly #lanes = new Map<string, Lane>();
  /** Attempts under way, and those being recorded. */
  readonly #active = new Set<Promise<void>>();
  readonly #giveUp = new AbortController();
  /** Attempts under way by the standing their subscriber had: those of less than a second, and those set aside. */
  readonly #quick = { good: 0, new: 0, failing: 0 };
  readonly #slow = { good: 0, new: 0, failing: 0 };
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #look = false;
  #again = false;
  #stopped = false;

  constructor(engine: Engine, options: DelivererOptions = {}) {
    this.#engine = engine;
    this.#concurrency = options.concurrency ?? 256;
    this.#maxWidth = Math.min(maxWidth, Math.ceil(this.#concurrency / 4));
    this.#interval = options.interval ?? 1000;
    this.#onError = options.onError ?? (() => {});
    // Every attempt under way listens to it.
    setMaxListeners(0, this.#giveUp.signal);
    deliverers(engine).add(this);
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
    deliverers(this.#engine).delete(this);
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
      for (const { dueAt, isFailing, ...queue } of await nextDue(this.#engine, appSubscribers(this.#engine).names())) {
        if (dueAt <= now) this.#laneOf(queue, isFailing).waiting = true;
        else wait = Math.min(wait, Math.max(dueAt - now, minInterval));
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
    const room = this.#room();
    for (const lane of this.#lanes.values()) {
      if (!lane.waiting || lane.isResting) continue;
      const limit = Math.min(lane.width - lane.active, ...roomsOf[lane.standing].map((name) => room[name]));
      if (limit <= 0) continue;
      for (const name of roomsOf[lane.standing]) room[name] -= limit;
      const wanted = byStore.get(lane.storeId) ?? [];
      wanted.push({ lane, limit });
      byStore.set(lane.storeId, wanted);
    }
    for (const [storeId, wanted] of byStore) {
      // Before the look: what is queued during it is found by the next one.
      for (const { lane } of wanted) lane.waiting = false;
      const limits = wanted.map(({ lane, limit }) => ({ subscriberId: lane.subscriberId, limit }));
      const blocked = new Map<string, unknown>();
      let claims: Claim[] = [];
      try {
        claims = await claimDeliveries(this.#engine, storeId, limits, (id, error) => blocked.set(id, error));
      } catch (error) {
        const { storage } = this.#engine;
        if (storage.isUnavailable(error) || storage.isTransient(error)) {
          // The matter of all stores alike.
          for (const { lane } of wanted) lane.waiting = true;
          throw error;
        }
        for (const { lane } of wanted) blocked.set(lane.subscriberId, error);
      }
      for (const { lane, limit } of wanted) {
        if (blocked.has(lane.subscriberId)) {
          this.#block(lane, blocked.get(lane.subscriberId));
          continue;
        }
        lane.blockedFor = 0;
        blockedQueues(this.#engine).delete(lane);
        const own = claims.filter(({ subscriberId }) => subscriberId === lane.subscriberId);
        // All that was asked for: there may be more.
        if (own.length === limit) lane.waiting = true;
        for (const claim of own) this.#start(lane, claim);
      }
    }
    // The next in line, when some were left out for want of room, begin the next round.
    this.#rotate([...byStore.values()].flat().map(({ lane }) => lane));
  }

  /**
   * How many attempts may begin. All that are quick share the concurrency; what may fail gets a part of it, so that however
   * many subscribers hang, the others go on. Those set aside are limited too, more closely the less is known for them.
   */
  #room(): Record<Standing, number> {
    const quick = this.#quick;
    const most = this.#concurrency;
    const all = this.#active.size;
    return {
      good: Math.min(most - quick.good - quick.new - quick.failing, 4 * most - all),
      new: Math.min(Math.ceil(most / 2) - quick.new - quick.failing, 3 * most - all),
      failing: Math.min(Math.ceil(most / 4), most - this.#slow.failing) - quick.failing,
    };
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
    const { standing } = lane;
    let counted = this.#quick;
    lane.active++;
    counted[standing]++;
    const setAside = setTimeout(() => {
      counted[standing]--;
      counted = this.#slow;
      counted[standing]++;
      this.#pump();
    }, slowAfter);
    let isHeld = true;
    const release = () => {
      if (!isHeld) return;
      isHeld = false;
      clearTimeout(setAside);
      lane.active--;
      counted[standing]--;
    };
    // The next one need not wait until this one is recorded, which takes longer than a quick answer.
    const onOutcome = (outcome: AttemptOutcome) => {
      adjust(lane, outcome, this.#maxWidth);
      release();
      if (outcome === 'retrying' || outcome === 'failed') this.#rest(lane);
      this.#pump();
    };
    const attempt = attemptDelivery(this.#engine, claim, this.#giveUp.signal, onOutcome)
      .then(
        () => {},
        // Not recorded: the claim runs out and the delivery is made again.
        (error) => this.#onError(error),
      )
      .finally(() => {
        release();
        this.#active.delete(attempt);
        // There may be more waiting than there was room for.
        this.#pump();
      });
    this.#active.add(attempt);
  }

  #rest(lane: Lane, pause = restAfterFailure): void {
    if (lane.isResting) return;
    lane.isResting = true;
    const timer = setTimeout(() => {
      lane.isResting = false;
      this.#pump();
    }, pause);
    if (pause > restAfterFailure) timer.unref();
  }

  /** Leaves a queue alone for a while, of which nothing could be taken; the queues behind it go on. */
  #block(lane: Lane, error: unknown): void {
    lane.waiting = true;
    lane.blockedFor = Math.min(Math.max(shortestBlock, lane.blockedFor * 2), longestBlock);
    this.#rest(lane, lane.blockedFor);
    const { storeId, subscriberId } = lane;
    const reason = error instanceof CommerceError ? error.message : 'an unexpected fault';
    if (blockedQueues(this.#engine).add(lane, reason))
      observers(this.#engine).deliveryBlocked({ storeId, subscriberId, reason });
    this.#onError(error);
  }

  #laneOf({ storeId, subscriberId }: Queue, isFailing = false): Lane {
    const key = keyOf({ storeId, subscriberId });
    let lane = this.#lanes.get(key);
    if (!lane) {
      const start = isFailing
        ? ({ width: 1, standing: 'failing' } as const)
        : ({ width: firstWidth, standing: 'new' } as const);
      lane = { storeId, subscriberId, ...start, active: 0, isResting: false, waiting: false, blockedFor: 0 };
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

/** The rooms that an attempt takes a place in. */
const roomsOf = {
  good: ['good'],
  new: ['good', 'new'],
  failing: ['good', 'new', 'failing'],
} as const satisfies Record<Standing, readonly Standing[]>;

function keyOf({ storeId, subscriberId }: Queue): string {
  return `${storeId} ${subscriberId}`;
}

function adjust(lane: Lane, outcome: AttemptOutcome, most: number): void {
  if (outcome === 'succeeded') {
    lane.standing = 'good';
    lane.width = Math.min(lane.width * 2, most);
  } else if (outcome === 'retrying' || outcome === 'failed') {
    lane.standing = 'failing';
    lane.width = 1;
  }
}

/**
 * Makes one attempt of every delivery that is due and waits for all of them; for tests and for scripts. What cannot be sent is
 * thrown when all else has been.
 */
export async function deliverDue(engine: Engine): Promise<number> {
  let made = 0;
  const blocked = new Map<string, unknown>();
  for (;;) {
    const now = engine.clock.now();
    const due = (await nextDue(engine, appSubscribers(engine).names())).filter(
      (queue) => queue.dueAt <= now && !blocked.has(keyOf(queue)),
    );
    if (due.length === 0) break;
    for (const { storeId, subscriberId } of due) {
      const onBlocked = (id: string, error: unknown) => blocked.set(keyOf({ storeId, subscriberId: id }), error);
      const claims = await claimDeliveries(engine, storeId, [{ subscriberId, limit: 64 }], onBlocked);
      made += claims.length;
      await Promise.all(claims.map((claim) => attemptDelivery(engine, claim)));
    }
  }
  for (const error of blocked.values()) throw error;
  return made;
}
