import type { Commerce, ProviderName } from '@commerce/core';
import type { Answer, Area, Call } from './http.ts';
import { onlyAllows } from './methods.ts';
import { clientAddress } from './request/origin.ts';
import { decode } from './routes/router.ts';

const receiverPath = /^\/api\/webhooks\/[^/]+(?:\/[^/]+)?$/;

/** Receives notifications of payment providers, with and without a store in the path. */
export class Receivers implements Area {
  readonly #commerce: Commerce;
  readonly #trustProxy: boolean;

  constructor(commerce: Commerce, trustProxy: boolean) {
    this.#commerce = commerce;
    this.#trustProxy = trustProxy;
  }

  owns(path: string): boolean {
    return receiverPath.test(path);
  }

  async answer({ request, requestId, path, facts }: Call): Promise<Answer> {
    const [, , , provider = '', store] = path.split('/');
    facts.route = store === undefined ? '/api/webhooks/{provider}' : '/api/webhooks/{provider}/{storeId}';
    if (request.method !== 'POST') throw onlyAllows(request, facts, 'POST');
    const address = clientAddress(request, this.#trustProxy);
    const received = await this.#commerce.receiveNotification(
      // An unknown one is refused.
      provider as ProviderName,
      { body: () => request.readBody(), headers: request.headers },
      {
        requestId,
        // A name that cannot be decoded is not a store's; it must not be treated as the address without a store.
        ...(store === undefined ? {} : { storeId: decode(store) ?? store }),
        ...(address === undefined ? {} : { address }),
      },
    );
    return { status: 200, body: JSON.stringify(received) };
  }
}
