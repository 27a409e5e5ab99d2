import { type Commerce, signIn } from '@commerce/core';
import type { Answer, Area, Call } from './http.ts';
import { onlyAllows } from './methods.ts';
import { readJson } from './routes/input.ts';

export const signInPath = '/dashboard/sign-in';

/** Exchanges a code for a key, for whoever was given the code alone. */
export class SignIns implements Area {
  readonly #commerce: Commerce;

  constructor(commerce: Commerce) {
    this.#commerce = commerce;
  }

  owns(path: string): boolean {
    return path === signInPath;
  }

  async answer({ request, requestId, facts }: Call): Promise<Answer> {
    facts.route = signInPath;
    if (request.method !== 'POST') throw onlyAllows(request, facts, 'POST');
    const { value } = await readJson(request);
    const item = await signIn(this.#commerce.engine, value as never, requestId);
    facts.storeId = item.storeId;
    facts.keyPrefix = item.prefix;
    return { status: 201, headers: { 'Cache-Control': 'no-store' }, body: JSON.stringify({ item }) };
  }
}
