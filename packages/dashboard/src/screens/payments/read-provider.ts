import { api, at, hadItem, type Versioned } from '../../api/client.ts';
import { ApiError } from '../../api/errors.ts';
import type { Schemas } from '../../api/types.ts';

/** The settings of a provider; undefined if it has none yet. */
export async function readProvider(
  provider: string,
  signal?: AbortSignal,
): Promise<Versioned<Schemas['PaymentProvider']> | undefined> {
  try {
    return await hadItem(
      api.GET('/stores/{storeId}/payment-providers/{provider}', {
        params: { path: at({ provider }) },
        signal: signal ?? null,
      }),
    );
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return undefined;
    throw error;
  }
}
