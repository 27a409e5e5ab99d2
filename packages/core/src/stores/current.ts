import type { Context } from '../engine/context.ts';
import { perEngine } from '../engine/per-engine.ts';
import type { StoreContext } from '../engine/store.ts';
import { storeChanges } from './changes.ts';
import { requireStore } from './stores.ts';

/** Milliseconds for which a store is not read again; changes by other processes are noticed after that. */
const maxAge = 1000;
const maxEntries = 10_000;

const known = perEngine(() => new Map<string, { store: StoreContext; readAt: number; changes: number }>());

/**
 * The context with its store's settings, at most a second old. An application can hold a context for days, and prices follow from the
 * store's settings.
 * @throws CommerceError `notFound`
 */
export async function withCurrentStore(ctx: Context): Promise<Context> {
  const { engine, store } = ctx;
  const stores = known(engine);
  const now = engine.clock.now();
  const { count } = storeChanges(engine);
  const entry = stores.get(store.id);
  const isRecent = entry && now - entry.readAt >= 0 && now - entry.readAt < maxAge;
  if (isRecent && entry.changes === count) return { ...ctx, store: entry.store };
  const read = await requireStore(engine, store.id);
  if (stores.size >= maxEntries) stores.clear();
  stores.set(store.id, { store: read, readAt: now, changes: count });
  return { ...ctx, store: read };
}
