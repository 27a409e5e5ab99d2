import { perEngine } from '../per-engine.ts';
import type { Queue } from './wake.ts';

/** A queue of which nothing can be sent, for a reason that is not its subscriber's. */
export interface BlockedQueue extends Queue {
  /** In words for the operator, such as that a secret cannot be decrypted. */
  reason: string;
}

/** The queues that this process cannot send at present. Each is tried again now and then. */
class BlockedQueues {
  readonly #blocked = new Map<string, BlockedQueue>();

  /** @returns whether that is news */
  add({ storeId, subscriberId }: Queue, reason: string): boolean {
    const key = `${storeId} ${subscriberId}`;
    const isNews = this.#blocked.get(key)?.reason !== reason;
    this.#blocked.set(key, { storeId, subscriberId, reason });
    return isNews;
  }

  delete({ storeId, subscriberId }: Queue): void {
    if (this.#blocked.size > 0) this.#blocked.delete(`${storeId} ${subscriberId}`);
  }

  list(): BlockedQueue[] {
    return [...this.#blocked.values()];
  }
}

/** Queues that this process cannot send at present. */
export const blockedQueues = perEngine(() => new BlockedQueues());
