import { type Actor, type Commerce, type Context, requireStore } from '@commerce/core';

/** The actor of the command line in the audit log. */
export const cli: Actor = { type: 'cli', id: null };

/** The context of the store that `--store` names, or of the only one there is. */
export async function storeContext(commerce: Commerce, storeId: string | undefined): Promise<Context> {
  const store = await requireStore(commerce.engine, storeId);
  return commerce.store(store.id, cli);
}
