import type { Queue } from './claims.ts';

/** A queue of which nothing can be sent, for a reason that is not its subscriber's. */
export interface BlockedQueue extends Queue {
  /** In words for the operator, such as that a secret cannot be decrypted. */
  reason: string;
}

/** The queues that this process cannot send at present. Each is tried again now and then. */
export class BlockedQueues {
  readonly #blocked = new Map<string, BlockedQueue>();

  /** @returns whether that is news */
  add({ storeId, webhookId }: Queue, reason: string): boolean {
    const key = `${storeId} ${webhookId}`;
    const isNews = this.#blocked.get(key)?.reason !== reason;
    this.#blocked.set(key, { storeId, webhookId, reason });
    return isNews;
  }

  delete({ storeId, webhookId }: Queue): void {
    if (this.#blocked.size > 0) this.#blocked.delete(`${storeId} ${webhookId}`);
  }

  list(): BlockedQueue[] {
    return [...this.#blocked.values()];
  }
}
