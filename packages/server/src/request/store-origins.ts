import { type Engine, findStore } from '@commerce/core';

/** Milliseconds after which a store's settings are read again. */
const maxAge = 1000;

const maxStores = 10_000;

/** Database look-ups per second for ids that name no store: a preflight needs no key. */
const maxMisses = 100;

const none: readonly string[] = [];

interface Known {
  origins: readonly string[];
  readAt: number;
}

/** Origins whose pages can call a store from a browser, from its settings; this process remembers them for a second. */
export class StoreOrigins {
  readonly #engine: Engine;
  readonly #known = new Map<string, Known>();
  readonly #reading = new Map<string, Promise<readonly string[]>>();
  #misses = { second: 0, n: 0 };

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** None for a store that does not exist, or cannot be looked up at present. */
  of(storeId: string): readonly string[] | Promise<readonly string[]> {
    const now = this.#engine.clock.now();
    const known = this.#known.get(storeId);
    if (known && now >= known.readAt && now - known.readAt < maxAge) return known.origins;
    const second = Math.floor(now / 1000);
    if (this.#misses.second !== second) this.#misses = { second, n: 0 };
    const { size } = this.#reading;
    // Ids that are being looked up can be misses too.
    if (!known && !this.#reading.has(storeId) && this.#misses.n + size >= maxMisses) return none;
    const reading = this.#reading.get(storeId) ?? this.#read(storeId, now).finally(() => this.#reading.delete(storeId));
    this.#reading.set(storeId, reading);
    return reading;
  }

  async #read(storeId: string, now: number): Promise<readonly string[]> {
    try {
      const store = await findStore(this.#engine, storeId);
      this.#known.delete(storeId);
      if (!store) {
        this.#misses.n++;
        return none;
      }
      const origins = store.settings.returnUrls;
      this.#known.set(storeId, { origins, readAt: now });
      const [oldest] = this.#known.keys();
      if (this.#known.size > maxStores && oldest !== undefined) this.#known.delete(oldest);
      return origins;
    } catch {
      // The request itself reports the database's fault.
      return this.#known.get(storeId)?.origins ?? none;
    }
  }
}
