import type { Context, Engine } from '../context.ts';
import { perEngine } from '../per-engine.ts';
import type { StoreContext } from './scope.ts';
import { requireStore } from './stores.ts';

/** Milliseconds for which a store is not read again; its changes in other processes are noticed then. */
const maxAge = 1000;
const maxEntries = 10_000;

const known = perEngine(() => new Map<string, { store: StoreContext; readAt: number }>());

/**
 * The context with its store as it is now, within a second: an application may hold a context for days, and prices follow from the
 * store's settings.
 * @throws CommerceError `notFound`
 */
export async function withCurrentStore(ctx: Context): Promise<Context> {
  const { engine, store } = ctx;
  const stores = known(engine);
  const now = engine.clock.now();
  const entry = stores.get(store.id);
  if (entry && now - entry.readAt >= 0 && now - entry.readAt < maxAge) return { ...ctx, store: entry.store };
  const read = await requireStore(engine, store.id);
  if (stores.size >= maxEntries) stores.clear();
  stores.set(store.id, { store: read, readAt: now });
  return { ...ctx, store: read };
}

/** Number of changes of stores that this process has made: what was read of a store before the last one is read again. */
export const storeChanges = perEngine(() => ({ count: 0 }));

/** Has stores read again, after a change in this process. */
export function storeChanged(engine: Engine): void {
  storeChanges(engine).count++;
  known(engine).clear();
}
