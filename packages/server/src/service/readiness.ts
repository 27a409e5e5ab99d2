import { type Commerce, CommerceError } from '@commerce/core';

/** Milliseconds that the database, or another process, has to answer. */
const patience = 3000;

/** @throws CommerceError `unavailable` if the answer does not come in time */
export async function inTime<T>(answer: Promise<T>, whose: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const error = new CommerceError('unavailable', `${whose} has not answered within ${patience / 1000} s`);
    timer = setTimeout(() => reject(error), patience);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Readiness to answer requests that need the database. */
export class Readiness {
  readonly #commerce: Commerce;
  #looking: Promise<void> | undefined;

  constructor(commerce: Commerce) {
    this.#commerce = commerce;
  }

  /** @throws CommerceError `unavailable` if the database does not answer in time, is gone or is not up to date */
  async check(): Promise<void> {
    // Simultaneous checks share one query: a hanging database must not get one more with each.
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined;
    });
    await inTime(this.#looking, 'the database');
  }

  async #look(): Promise<void> {
    let pending: string[];
    try {
      ({ pending } = await this.#commerce.migrationStatus());
    } catch (error) {
      if (error instanceof CommerceError) throw error;
      // Such as a damaged file. Any such error means that requests would fail.
      throw new CommerceError('unavailable', 'the database does not respond correctly', { cause: error });
    }
    if (pending.length > 0) throw new CommerceError('unavailable', `the database is missing ${pending.join(', ')}`);
  }
}
