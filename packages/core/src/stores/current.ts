import { type Context, lastsUntil, type TxContext } from '../engine/context.ts';
import { perEngine } from '../engine/per-engine.ts';
import { sellingEntity } from '../engine/settings/settings.ts';
import type { StoreContext } from '../engine/store.ts';
import { shareRows } from '../storage/locks.ts';
import { prepared } from '../storage/prepared.ts';
import type { StoreTable } from '../storage/tables/stores.ts';
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
  if (isRecent && entry.changes === count) {
    lastsUntil(ctx, entry.readAt + maxAge);
    return { ...ctx, store: entry.store };
  }
  const read = await requireStore(engine, store.id);
  if (stores.size >= maxEntries) stores.clear();
  stores.set(store.id, { store: read, readAt: now, changes: count });
  return { ...ctx, store: read };
}

const settingsOf = prepared<{ id: string }, Pick<StoreTable, 'settings'>>((db, p) =>
  db.selectFrom('stores').select('settings').where('id', '=', p('id')),
);

/** The context with the settings as its transaction sees them, for what is written at its end. */
export async function withStoredSettings(tx: TxContext): Promise<TxContext> {
  const [row] = await settingsOf(tx.db, { id: tx.store.id });
  return row ? { ...tx, store: { ...tx.store, settings: sellingEntity.read(row.settings) } } : tx;
}

const sharedSettings = prepared<{ id: string }, Pick<StoreTable, 'settings'>>((db, p) =>
  shareRows(db, db.selectFrom('stores').select('settings').where('id', '=', p('id'))),
);

/** The settings as they are stored. They do not change until the transaction ends, so that it can write what depends on them. */
export async function keepSettings(tx: TxContext): Promise<StoreContext['settings']> {
  const [row] = await sharedSettings(tx.db, { id: tx.store.id });
  return row ? sellingEntity.read(row.settings) : tx.store.settings;
}
