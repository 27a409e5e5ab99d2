import { perEngine } from '../engine/per-engine.ts';
import type { Queue } from './wake.ts';

/** A queue that cannot be sent, for a reason on our side. */
export interface BlockedQueue extends Queue {
  /** Reason for the operator, such as a secret that cannot be decrypted. */
  reason: string;
}

class BlockedQueues {
  readonly #blocked = new Map<string, BlockedQueue>();

  /** @returns true if the queue was not blocked before, or for another reason */
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

/** Queues that this process cannot send at present. The deliverer tries each again after a pause. */
export const blockedQueues = perEngine(() => new BlockedQueues());
