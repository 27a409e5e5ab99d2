import { api, at, had } from '../../api/client.ts';
import type { Refund } from './sums.ts';

/** Most refunds of an order that are read. */
const limit = 200;

/** The refunds of an order, oldest first: those that are made or under way, and those that failed. */
export async function loadRefunds(id: string, signal: AbortSignal): Promise<{ made: Refund[]; failed: Refund[] }> {
  const read = async (query: { status?: 'failed' }) =>
    (
      await had(
        api.GET('/stores/{storeId}/orders/{id}/refunds', {
          params: { path: at({ id }), query: { limit, ...query } },
          signal,
        }),
      )
    ).items;
  const [made, failed] = await Promise.all([read({}), read({ status: 'failed' })]);
  return { made, failed };
}
