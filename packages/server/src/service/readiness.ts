import { type Commerce, CommerceError } from '@commerce/core';

/** Milliseconds the database may take to answer. */
const patience = 3000;

/** Readiness to answer requests that need the database. */
export class Readiness {
  readonly #commerce: Commerce;
  #looking: Promise<void> | undefined;

  constructor(commerce: Commerce) {
    this.#commerce = commerce;
  }

  /** @throws CommerceError `unavailable` where the database does not answer in time, is gone or not up to date */
  async check(): Promise<void> {
    // Checks that come together share one look: a database that hangs must not get one more query with each.
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined;
    });
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      const error = new CommerceError('unavailable', `the database has not answered within ${patience / 1000} s`);
      timer = setTimeout(() => reject(error), patience);
    });
    try {
      await Promise.race([this.#looking, late]);
    } finally {
      clearTimeout(timer);
    }
  }

  async #look(): Promise<void> {
    let pending: string[];
    try {
      ({ pending } = await this.#commerce.migrationStatus());
    } catch (error) {
      if (error instanceof CommerceError) throw error;
      // Such as a damaged file: whatever it is, requests would fail.
      throw new CommerceError('unavailable', 'the database does not answer as it should', { cause: error });
    }
    if (pending.length > 0) throw new CommerceError('unavailable', `the database lacks ${pending.join(', ')}`);
  }
}
