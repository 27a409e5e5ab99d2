import { api, at, had } from '../../api/client.ts';
import { can, who } from '../../api/session.ts';
import type { Schemas } from '../../api/types.ts';

export type ApiKey = Schemas['ApiKey'];

/** Keys per request; a store has at most five times as many. */
const pageSize = 200;
const maxPages = 5;

/** All keys and people of the store by their ids; only its own for a session that may not read them. */
export async function readKeys(signal: AbortSignal): Promise<Map<string, Pick<ApiKey, 'id' | 'name' | 'createdBy'>>> {
  const found = new Map<string, Pick<ApiKey, 'id' | 'name' | 'createdBy'>>();
  const own = who.value?.key;
  if (own) found.set(own.id, { id: own.id, name: own.name, createdBy: null });
  if (!can('apiKey.read')) return found;
  for (let page = 0; page < maxPages; page++) {
    const query = { limit: pageSize, offset: page * pageSize };
    const { items, total } = await had(
      api.GET('/stores/{storeId}/api-keys', { params: { path: at(), query }, signal }),
    );
    for (const key of items) found.set(key.id, key);
    if ((page + 1) * pageSize >= total) break;
  }
  if (can('user.read')) {
    const { items } = await had(
      api.GET('/stores/{storeId}/users', { params: { path: at(), query: { limit: pageSize } }, signal }),
    );
    for (const { id, name, email } of items) found.set(id, { id, name: name || email, createdBy: null });
  }
  return found;
}
