import { sql } from 'kysely';
import type { Engine } from '../engine/context.ts';
import { perEngine } from '../engine/per-engine.ts';
import { breathe } from '../kernel/breathe.ts';
import { quarterOf } from '../kernel/calendar.ts';
import { reading, storageError, writing } from '../storage/run.ts';
import type { Db } from '../storage/storage.ts';

const hour = 3_600_000;
const day = 24 * hour;

/** Days of UTC whose sales count, with today. */
const countedDays = 90;

/** The best-selling products of a store that are kept; the others are sold too seldom to be compared. */
const maxBestSellers = 1000;

/** Stores per run. The next run continues, so that a process with many stores can still end soon. */
const maxStores = 200;

interface Round {
  /** The time at which the round began, which is also that of everything reckoned in it. */
  startedAt: number;
  /** The last store that was looked at; undefined at the end of the round. */
  after: string | undefined;
}

const rounds = perEngine((): Round => ({ startedAt: Number.NEGATIVE_INFINITY, after: undefined }));

/**
 * Reckons the best-selling products of the stores, each at most once an hour in all processes together. Called every minute by a process
 * that delivers.
 * @param options.onError receives what failed for a single store, which keeps its products until the next hour
 */
export async function reckonBestSellers(
  engine: Engine,
  { onError }: { onError: (error: unknown) => void },
): Promise<void> {
  const round = rounds(engine);
  if (round.after === undefined) {
    const now = engine.clock.now();
    if (now < round.startedAt + hour) return;
    round.startedAt = now;
  }
  const stores = await reading(engine.storage, (db) =>
    db
      .selectFrom('stores')
      .select('id')
      .where('id', '>', round.after ?? '')
      .orderBy('id')
      .limit(maxStores)
      .execute(),
  );
  for (const { id } of stores) {
    await breathe();
    await reckonStore(engine, id, round.startedAt).catch((error: unknown) =>
      onError(storageError(engine.storage, error)),
    );
  }
  round.after = stores.length === maxStores ? stores.at(-1)?.id : undefined;
}

async function reckonStore(engine: Engine, storeId: string, now: number): Promise<void> {
  const { storage } = engine;
  const from = quarterOf(Math.floor(now / day) * day - (countedDays - 1) * day);
  if (!(await reading(storage, (db) => isDue(db, storeId, { from, now })))) return;
  // Only one process reckons. If it fails, the store waits for the next hour.
  if (!(await writing(storage, (db) => claim(db, storeId, now)))) return;
  const ids = await storage.scan(storeId, (db) => readBest(db, storeId, from));
  await writing(storage, (db) =>
    db
      .updateTable('best_sellers')
      .set({ ids: JSON.stringify(ids) })
      .where('store_id', '=', storeId)
      .where('reckoned_at', '=', now)
      .execute(),
  );
}

/** False for a store that was reckoned within the hour, and for one that has sold nothing and has no products to take away. */
async function isDue(db: Db, storeId: string, { from, now }: { from: string; now: number }): Promise<boolean> {
  const known = await db
    .selectFrom('best_sellers')
    .select(['ids', 'reckoned_at'])
    .where('store_id', '=', storeId)
    .executeTakeFirst();
  if (known && known.reckoned_at > now - hour) return false;
  if (known && known.ids !== '[]') return true;
  return (await sold(db, storeId, from).select('value').limit(1).executeTakeFirst()) !== undefined;
}

async function claim(db: Db, storeId: string, now: number): Promise<boolean> {
  const claimed = await db
    .insertInto('best_sellers')
    .values({ store_id: storeId, ids: '[]', reckoned_at: now })
    .onConflict((conflict) =>
      conflict
        .column('store_id')
        .doUpdateSet({ reckoned_at: now })
        .where('best_sellers.reckoned_at', '<=', now - hour),
    )
    .returning('store_id')
    .executeTakeFirst();
  return claimed !== undefined;
}

/** Pieces by quarters of an hour and products, as the statistics count them: an erased order leaves 0, and refunds change nothing. */
function sold(db: Db, storeId: string, from: string) {
  return db
    .selectFrom('list_totals')
    .where('list_totals.store_id', '=', storeId)
    .where('list_totals.list', '=', 'sales.productQuantity')
    .where('list_totals.value', '>=', from);
}

async function readBest(db: Db, storeId: string, from: string): Promise<string[]> {
  const pieces = sold(db, storeId, from)
    // After a time such as 2027-08-01T00:15 and a space.
    .select((eb) => [sql<string>`substr(value, 18)`.as('product_id'), eb.fn.sum<number>('n').as('pieces')])
    .groupBy('product_id')
    .having((eb) => eb.fn.sum<number>('n'), '>', 0);
  const rows = await db
    .selectFrom(pieces.as('sold'))
    .innerJoin('products', (join) =>
      join.onRef('products.id', '=', 'sold.product_id').on('products.store_id', '=', storeId),
    )
    .select('products.id')
    .where('products.status', '<>', 'deleted')
    .orderBy('sold.pieces', 'desc')
    .orderBy('products.created_at', 'desc')
    .orderBy('products.id', 'desc')
    .limit(maxBestSellers)
    .execute();
  return rows.map(({ id }) => id);
}
