import { api, at, had } from '../../api/client.ts';
import { who } from '../../api/session.ts';
import type { Schemas } from '../../api/types.ts';

/** What this shop and this service allow. */
export interface Ways {
  settings: Schemas['Settings'];
  /** Providers that open pages to pay at. */
  providers: Schemas['PaymentProvider'][];
  /** Whether the service takes orders besides those of a checkout. */
  isOpen: boolean;
}

/** Asks for what the shop and the service allow. */
export async function loadWays(signal: AbortSignal): Promise<Ways> {
  const params = { path: at() };
  const [{ item: settings }, { items }, isOpen] = await Promise.all([
    had(api.GET('/stores/{storeId}/settings', { params, signal })),
    had(api.GET('/stores/{storeId}/payment-providers', { params, signal })),
    takesOrders(signal),
  ]);
  return { settings, providers: items.filter(({ hasPages }) => hasPages), isOpen };
}

/** A service that does not take orders over the interface leaves POST out of the methods that it allows. */
async function takesOrders(signal: AbortSignal): Promise<boolean> {
  // People always can.
  if (who.value?.user) return true;
  // The document of the interface does not list OPTIONS, which every path answers.
  const ask = api.OPTIONS as unknown as (path: string, init: object) => Promise<{ response: Response }>;
  const { response } = await ask('/stores/{storeId}/orders', { params: { path: at() }, signal });
  return (response.headers.get('Allow') ?? '').split(', ').includes('POST');
}
