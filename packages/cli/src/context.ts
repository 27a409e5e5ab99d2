import { type Actor, type Commerce, type Context, requireStore } from '@commerce/core';
import { resolveStoreId } from './resolve.ts';

/** The actor of the command line in the audit log. */
export const cli: Actor = { type: 'cli', id: null };

/** The context of the store that `--store` names by its id or name; without it, of the only store. */
export async function storeContext(commerce: Commerce, named: string | undefined): Promise<Context> {
  const id = named === undefined ? undefined : await resolveStoreId(commerce, named);
  const store = await requireStore(commerce.engine, id);
  return commerce.store(store.id, cli);
}
