import { type Commerce, CommerceError } from '@commerce/core';

/** How long the database may take to answer, in milliseconds. */
const patience = 3000;

/** Whether requests that need the database can be worked on. */
export class Readiness {
  readonly #commerce: Commerce;
  #looking: Promise<void> | undefined;

  constructor(commerce: Commerce) {
    this.#commerce = commerce;
  }

  /** @throws CommerceError `unavailable` where the database does not answer in time, is gone or not up to date */
  async check(): Promise<void> {
    // Those who ask together look once: a database that hangs must not be given one more query with every question.
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
      // Such as a file that was damaged: whatever it is, requests would fail.
      throw new CommerceError('unavailable', 'the database does not answer as it should', { cause: error });
    }
    if (pending.length > 0) throw new CommerceError('unavailable', `the database lacks ${pending.join(', ')}`);
  }
}
