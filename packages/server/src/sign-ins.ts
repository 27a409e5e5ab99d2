import { type Commerce, CommerceError, maxUnverifiedDepth, signIn } from '@commerce/core';
import { readJson } from './bodies/input.ts';
import type { Answer, Area, Call } from './http.ts';
import { onlyAllows } from './methods.ts';
import { AddressLimit } from './request/address-limits.ts';
import { clientAddress } from './request/origin.ts';

export const signInPath = '/dashboard/sign-in';

/** Failed sign-ins per minute that one network address is allowed. */
const maxFailures = 20;

/** Exchanges a code for a key; the client has only the code. */
export class SignIns implements Area {
  readonly #commerce: Commerce;

  readonly #trustProxy: boolean;
  readonly #failures = new AddressLimit(maxFailures);

  constructor(commerce: Commerce, trustProxy: boolean) {
    this.#commerce = commerce;
    this.#trustProxy = trustProxy;
  }

  owns(path: string): boolean {
    return path === signInPath;
  }

  async answer({ request, requestId, facts }: Call): Promise<Answer> {
    facts.route = signInPath;
    if (request.method !== 'POST') throw onlyAllows(request, facts, 'POST');
    const { engine } = this.#commerce;
    const address = clientAddress(request, this.#trustProxy);
    const wait = this.#failures.wait(address, engine.clock.now());
    if (wait > 0) {
      facts.headers = { ...facts.headers, 'Retry-After': String(wait) };
      const what = `${maxFailures} failed sign-ins a minute`;
      throw new CommerceError('rateLimited', `the limit for one network address is ${what}; try again in ${wait} s`);
    }
    const { value } = await readJson(request, { max: 4096, maxDepth: maxUnverifiedDepth });
    const item = await signIn(engine, value as never, requestId, address).catch((error: unknown) => {
      if (error instanceof CommerceError && error.kind === 'unauthorized') {
        this.#failures.take(address, engine.clock.now());
      }
      throw error;
    });
    facts.storeId = item.storeId;
    facts.keyPrefix = item.prefix;
    return { status: 201, headers: { 'Cache-Control': 'no-store' }, body: JSON.stringify({ item }) };
  }
}
