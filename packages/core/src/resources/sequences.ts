import { sql } from 'kysely';
import type { Context, Engine } from '../engine/context.ts';
import { perEngine } from '../engine/per-engine.ts';
import { prepared } from '../storage/prepared.ts';
import { runTransaction, storageError, turnOf } from '../storage/run.ts';
import type { Db } from '../storage/storage.ts';

const advance = prepared<{ storeId: string; name: string; first: number; by: number }, { last: number }>((db, p) =>
  db
    .insertInto('sequences')
    .values({ store_id: p('storeId'), name: p('name'), last: p('first') })
    .onConflict((conflict) =>
      conflict.columns(['store_id', 'name']).doUpdateSet({ last: sql<number>`sequences.last + ${p('by')}` }),
    )
    .returning('last'),
);

async function advanceBy(db: Db, storeId: string, name: string, first: number, by: number): Promise<number> {
  const [row] = await advance(db, { storeId, name, first: first + by - 1, by });
  if (!row) throw new Error(`sequence ${name} gave no number`);
  return row.last;
}

/**
 * The next number of a store's sequence. Other transactions of the store that need a number wait until this one ends. This keeps the
 * numbers without gaps, unless a transaction rolls back.
 */
export function nextNumber(
  tx: Db,
  { storeId, name, first }: { storeId: string; name: 'orders'; first: number },
): Promise<number> {
  return advanceBy(tx, storeId, name, first, 1);
}

/**
 * Consecutive numbers of a sequence, from 1 on. Other transactions that need one of the same sequence wait until this one ends. This keeps
 * the numbers without gaps: with a rollback, they are given out again.
 * @returns the first of them
 */
export async function nextNumbers(
  tx: Db,
  { storeId, name, count }: { storeId: string; name: `invoices ${string}`; count: number },
): Promise<number> {
  return (await advanceBy(tx, storeId, name, 1, count)) - count + 1;
}

/** Numbers that a process takes from a sequence at once. */
const blockSize = 256;
/** The next block is taken when this many numbers are left, so that no caller waits for its commit. */
const minLeft = blockSize / 2;
const maxBlocks = 10_000;

interface NumberBlock {
  next: number;
  last: number;
  /** The next block, after it was requested. */
  following?: Promise<NumberBlock> | undefined;
}

const blocks = perEngine(() => new Map<string, Promise<NumberBlock>>());

/**
 * A number of a store's sequence that no other caller gets, in any process. Gaps and any order are possible, so that no transaction waits
 * for another. Take it before the transaction that uses it.
 * @throws CommerceError `unavailable` when the database cannot be reached.
 */
export async function takeNumber({ engine, store }: Context, name: 'products'): Promise<number> {
  // A block would be wasted, because no other transaction could use the rest.
  if (engine.unit) return takeNumbers({ engine, store }, name, 1);
  const known = blocks(engine);
  const key = `${store.id} ${name}`;
  for (;;) {
    let taken = known.get(key);
    if (!taken) {
      taken = takeBlock(engine, store.id, name);
      if (known.size >= maxBlocks) known.clear();
      known.set(key, taken);
    }
    let block: NumberBlock;
    try {
      block = await taken;
    } catch (error) {
      if (known.get(key) === taken) known.delete(key);
      throw error;
    }
    if (block.next <= block.last) {
      if (block.last - block.next < minLeft) block.following ??= takeAhead(engine, store.id, name, block);
      return block.next++;
    }
    // Other waiting callers have used up the block. The first of them to notice switches to the next block.
    if (known.get(key) !== taken) continue;
    if (block.following) known.set(key, block.following);
    else known.delete(key);
  }
}

/** Takes the block after another one; if that fails, the next number tries again. */
function takeAhead(engine: Engine, storeId: string, name: string, before: NumberBlock): Promise<NumberBlock> {
  const taking = takeBlock(engine, storeId, name);
  taking.catch(() => {
    before.following = undefined;
  });
  return taking;
}

async function takeBlock({ storage }: Engine, storeId: string, name: string): Promise<NumberBlock> {
  try {
    const endTurn = await turnOf(storage, storeId);
    const last = await runTransaction(storage, (db) => advanceBy(db, storeId, name, 1, blockSize)).finally(endTurn);
    return { next: last - blockSize + 1, last };
  } catch (error) {
    throw storageError(storage, error);
  }
}

/**
 * Consecutive numbers, each like one of `takeNumber`, for many new items at once.
 * @returns the first of them
 * @throws CommerceError `unavailable` when the database cannot be reached.
 */
export async function takeNumbers(
  { engine, store }: Pick<Context, 'engine' | 'store'>,
  name: 'products',
  count: number,
): Promise<number> {
  const { storage } = engine;
  try {
    const endTurn = await turnOf(storage, store.id);
    const taken = runTransaction(storage, (db) => advanceBy(db, store.id, name, 1, count)).finally(endTurn);
    return (await taken) - count + 1;
  } catch (error) {
    throw storageError(storage, error);
  }
}
