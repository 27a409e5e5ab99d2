import { type Actor, type Commerce, type Context, requireStore } from '@commerce/core';

/** How the audit log names what is done at the command line. */
export const cli: Actor = { type: 'cli', id: null };

/** The context of the store that `--store` names, or of the only one there is. */
export async function storeContext(commerce: Commerce, storeId: string | undefined): Promise<Context> {
  const store = await requireStore(commerce.engine, storeId);
  return commerce.store(store.id, cli);
}
