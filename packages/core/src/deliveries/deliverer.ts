import { setMaxListeners } from 'node:events';
import type { Engine } from '../engine/context.ts';
import { CommerceError } from '../kernel/errors.ts';
import { appSubscribers } from './app-subscribers.ts';
import { type AttemptOutcome, attemptDelivery } from './attempt.ts';
import { blockedQueues } from './blocked.ts';
import { type Claim, claimDeliveries, nextDue } from './claims.ts';
import { type OnError, receiverOf } from './handler-errors.ts';
import { deliveryObservers } from './observers.ts';
import { deliverers, type Queue } from './wake.ts';

export interface DelivererOptions {
  /** Maximum number of concurrent deliveries to all subscribers; 256 by default. */
  concurrency?: number;
  /** Milliseconds between looks for deliveries that other processes queued or left; 1000 by default. */
  interval?: number;
  /**
   * Called when a handler of the application threw, rejected or took too long, with the `failure`. Called without one for faults of the
   * service, such as an unreachable database; it tries again. Without `onError`, both are warnings of the process (`process.emitWarning`).
   */
  onError?: OnError;
}

/** Milliseconds that a stop waits for running attempts before it releases them. */
const stopGrace = 5_000;

/** Shortest pause between two looks at all queues, in milliseconds, however many retries are due soon. */
const minInterval = 100;

/** Milliseconds after which an attempt counts as slow and gives its place to another. */
const slowAfter = 1_000;

/** Concurrent deliveries to one subscriber: few at first, one after a failure, doubled with each success. */
const firstWidth = 2;
const maxWidth = 64;
/**
 * Deliveries to one subscriber without a written outcome, as a multiple of the largest width: one width is running, another is being
 * written.
 */
const maxUnrecorded = 2;

/** Pause after a failure, in milliseconds: a subscriber that refuses at once would otherwise keep a processor busy. */
const restAfterFailure = 50;

/** Pause of a blocked queue, in milliseconds: at first, and after many attempts. */
const minBlock = 1_000;
const maxBlock = 60_000;

/** State of a subscriber: its last attempt succeeded or failed, or this process has made none. */
type Standing = 'good' | 'new' | 'failing';

/** A queue with this process's state of it. */
interface Lane extends Queue {
  /** Deliveries to this subscriber that can run at once. Deliveries that are only being recorded do not count. */
  width: number;
  active: number;
  /** Claimed deliveries whose outcome is not written yet. After a crash, these are sent twice. */
  unrecorded: number;
  standing: Standing;
  /** True during the pause after a failure. */
  isResting: boolean;
  /** True if deliveries might be due. */
  waiting: boolean;
  /** Last pause of the blocked queue, in milliseconds; 0 if it is not blocked. */
  blockedFor: number;
}

/**
 * Sends due deliveries until it is stopped: at once after a commit of this process, and on a timer for all others. Each subscriber has its
 * own lane, so no subscriber waits for another.
 */
export class Deliverer {
  readonly #engine: Engine;
  readonly #concurrency: number;
  /** Largest width of a lane, a quarter of all places, so a few hanging subscribers cannot hold every place. */
  readonly #maxWidth: number;
  readonly #interval: number;
  readonly #onError: OnError;
  readonly #lanes = new Map<string, Lane>();
  /** Running attempts, and attempts that are being recorded. */
  readonly #active = new Set<Promise<void>>();
  readonly #giveUp = new AbortController();
  /** Running attempts by the state of their subscriber at the start: quick ones, and slow ones (see `slowAfter`). */
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
    this.#onError = receiverOf(engine, options.onError);
    // Every running attempt listens to this signal, which is not a leak.
    setMaxListeners(0, this.#giveUp.signal);
    deliverers(engine).add(this);
    this.wake();
  }

  /** Looks for due deliveries now, in the given queues or in all. */
  wake(queues?: readonly Queue[]): void {
    if (this.#stopped) return;
    if (!queues) this.#look = true;
    for (const queue of queues ?? []) this.#laneOf(queue).waiting = true;
    this.#pump();
  }

  /** Claims nothing more, waits a few seconds for running attempts, then releases the rest uncounted. */
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
      // Woken between the last round and now.
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

  /** Finds the queues with due deliveries, and sets the timer for the next one to become due. */
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

  /** Claims for each lane as many deliveries as it has room for, store by store, and starts sending them. */
  async #claimWaiting(): Promise<void> {
    const byStore = new Map<string, { lane: Lane; limit: number }[]>();
    const room = this.#room();
    for (const lane of this.#lanes.values()) {
      if (!lane.waiting || lane.isResting) continue;
      const unrecorded = maxUnrecorded * this.#maxWidth - lane.unrecorded;
      const limit = Math.min(lane.width - lane.active, unrecorded, ...roomsOf[lane.standing].map((name) => room[name]));
      if (limit <= 0) continue;
      for (const name of roomsOf[lane.standing]) room[name] -= limit;
      const wanted = byStore.get(lane.storeId) ?? [];
      wanted.push({ lane, limit });
      byStore.set(lane.storeId, wanted);
    }
    for (const [storeId, wanted] of byStore) {
      // Cleared before the claim: deliveries queued during it set the flag again.
      for (const { lane } of wanted) lane.waiting = false;
      const limits = wanted.map(({ lane, limit }) => ({ subscriberId: lane.subscriberId, limit }));
      const blocked = new Map<string, unknown>();
      let claims: Claim[] = [];
      try {
        claims = await claimDeliveries(this.#engine, storeId, limits, (id, error) => blocked.set(id, error));
      } catch (error) {
        const { storage } = this.#engine;
        if (storage.isUnavailable(error) || storage.isTransient(error)) {
          // A fault of the database, which affects all stores.
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
        // The limit was reached, so more may be due.
        if (own.length === limit) lane.waiting = true;
        for (const claim of own) this.#start(lane, claim);
      }
    }
    // Lanes that were left out for lack of room come first in the next round.
    this.#rotate([...byStore.values()].flat().map(({ lane }) => lane));
  }

  /**
   * Number of attempts that can begin, by state of the subscriber. Quick attempts share the concurrency. New and failing subscribers get
   * only a part of it, so good ones are served even if many others hang. Slow attempts are limited too, most tightly to failing
   * subscribers.
   */
  #room(): Record<Standing, number> {
    const quick = this.#quick;
    const max = this.#concurrency;
    const all = this.#active.size;
    return {
      good: Math.min(max - quick.good - quick.new - quick.failing, 4 * max - all),
      new: Math.min(Math.ceil(max / 2) - quick.new - quick.failing, 3 * max - all),
      failing: Math.min(Math.ceil(max / 4), max - this.#slow.failing) - quick.failing,
    };
  }

  /** Moves lanes that had their turn to the end. */
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
    lane.unrecorded++;
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
    // Frees the place before the attempt is recorded, which takes longer than a quick answer.
    const onOutcome = (outcome: AttemptOutcome) => {
      adjust(lane, outcome, this.#maxWidth);
      release();
      if (outcome === 'retrying' || outcome === 'failed') this.#rest(lane);
      this.#pump();
    };
    const attempt = attemptDelivery(this.#engine, claim, this.#giveUp.signal, onOutcome, this.#onError)
      .then(
        () => {},
        // The attempt is not recorded: the claim expires and the delivery is sent again.
        (error) => this.#onError(error),
      )
      .finally(() => {
        release();
        lane.unrecorded--;
        this.#active.delete(attempt);
        // A place is free for deliveries that were left out before.
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

  /** Pauses a queue that cannot be sent, longer each time; other queues continue. */
  #block(lane: Lane, error: unknown): void {
    lane.waiting = true;
    lane.blockedFor = Math.min(Math.max(minBlock, lane.blockedFor * 2), maxBlock);
    this.#rest(lane, lane.blockedFor);
    const { storeId, subscriberId } = lane;
    const reason = error instanceof CommerceError ? error.message : 'an unexpected error, see the log';
    if (blockedQueues(this.#engine).add(lane, reason)) {
      const queue = { storeId, subscriberId, reason };
      deliveryObservers(this.#engine).tell((observer) => observer.deliveryBlocked?.(queue));
    }
    this.#onError(error);
  }

  #laneOf({ storeId, subscriberId }: Queue, isFailing = false): Lane {
    const key = keyOf({ storeId, subscriberId });
    let lane = this.#lanes.get(key);
    if (!lane) {
      const start = isFailing
        ? ({ width: 1, standing: 'failing' } as const)
        : ({ width: firstWidth, standing: 'new' } as const);
      lane = {
        storeId,
        subscriberId,
        ...start,
        active: 0,
        unrecorded: 0,
        isResting: false,
        waiting: false,
        blockedFor: 0,
      };
      this.#lanes.set(key, lane);
    }
    return lane;
  }

  /** Forgets idle lanes if they are very many: lanes of ended subscriptions would otherwise stay forever. */
  #forgetIdle(): void {
    if (this.#lanes.size < 10_000) return;
    for (const [key, lane] of this.#lanes) if (!lane.waiting && lane.active === 0) this.#lanes.delete(key);
  }
}

/** Places that an attempt occupies, by the state of its subscriber. */
const roomsOf = {
  good: ['good'],
  new: ['good', 'new'],
  failing: ['good', 'new', 'failing'],
} as const satisfies Record<Standing, readonly Standing[]>;

function keyOf({ storeId, subscriberId }: Queue): string {
  return `${storeId} ${subscriberId}`;
}

function adjust(lane: Lane, outcome: AttemptOutcome, max: number): void {
  if (outcome === 'succeeded') {
    lane.standing = 'good';
    lane.width = Math.min(lane.width * 2, max);
  } else if (outcome === 'retrying' || outcome === 'failed') {
    lane.standing = 'failing';
    lane.width = 1;
  }
}

/**
 * Makes one attempt of every due delivery and waits for all of them; for tests and scripts. An error on our side, such as a secret that
 * cannot be decrypted, is thrown after everything else was sent.
 * @returns the number of attempts
 */
export async function deliverDue(engine: Engine, { onError }: Pick<DelivererOptions, 'onError'> = {}): Promise<number> {
  const onThrown = receiverOf(engine, onError);
  let attempts = 0;
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
      attempts += claims.length;
      await Promise.all(claims.map((claim) => attemptDelivery(engine, claim, undefined, undefined, onThrown)));
    }
  }
  for (const error of blocked.values()) throw error;
  return attempts;
}
