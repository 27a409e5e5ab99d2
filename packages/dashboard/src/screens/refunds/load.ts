import { api, at, had } from '../../api/client.ts';
import type { Refund } from './sums.ts';

/** Refunds that are read at once. */
const limit = 200;

/** All refunds of an order that are made or under way, or those that failed; oldest first. */
async function read(id: string, signal: AbortSignal, query: { status?: 'failed' }): Promise<Refund[]> {
  const all: Refund[] = [];
  for (let total = 1; all.length < total; ) {
    const params = { path: at({ id }), query: { limit, offset: all.length, ...query } };
    const page = await had(api.GET('/stores/{storeId}/orders/{id}/refunds', { params, signal }));
    all.push(...page.items);
    // One that changes its status meanwhile is missing in the later pages.
    total = page.items.length === 0 ? 0 : page.total;
  }
  return all;
}

/** The refunds of an order, oldest first, that are made or under way. */
export const loadMadeRefunds = (id: string, signal: AbortSignal): Promise<Refund[]> => read(id, signal, {});

/** The refunds of an order, oldest first: those that are made or under way, and those that failed. */
export async function loadRefunds(id: string, signal: AbortSignal): Promise<{ made: Refund[]; failed: Refund[] }> {
  const [made, failed] = await Promise.all([loadMadeRefunds(id, signal), read(id, signal, { status: 'failed' })]);
  return { made, failed };
}
