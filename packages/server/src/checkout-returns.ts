import { type Commerce, isId, returnFromProvider } from '@commerce/core';
import type { Answer, Area, Call } from './http.ts';
import { onlyAllows } from './methods.ts';
import type { StorefrontLimit } from './resources/rate-limit.ts';
import { decode } from './routes/router.ts';

const returnPath = /^\/checkout\/return\/([^/]+)$/;

/** Receives buyers who come back from a wallet, and sends them on to the shop's page. */
export class CheckoutReturns implements Area {
  readonly #commerce: Commerce;
  readonly #storefront: StorefrontLimit;

  constructor(commerce: Commerce, storefront: StorefrontLimit) {
    this.#commerce = commerce;
    this.#storefront = storefront;
  }

  owns(path: string): boolean {
    return returnPath.test(path);
  }

  async answer({ request, requestId, path, search, facts }: Call): Promise<Answer> {
    facts.route = '/checkout/return/{checkoutId}';
    // Excludes HEAD, which programs use to look at addresses, because this captures money.
    if (request.method !== 'GET') throw onlyAllows(request, facts, 'GET');
    // The wallet is asked each time the address is opened.
    this.#storefront.count(request, 'returns', this.#commerce.engine.clock.now(), facts);
    const query = new URLSearchParams(search);
    const storeId = query.get('store');
    // A fact is logged, and any client can invent this address.
    if (storeId !== null && isId(storeId)) facts.storeId = storeId;
    const part = returnPath.exec(path)?.[1] ?? '';
    const ids = { storeId, checkoutId: decode(part) ?? part, page: query.get('token') };
    const Location = await returnFromProvider(this.#commerce.engine, ids, requestId);
    return { status: 303, headers: { Location, 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' } };
  }
}
