import { sql } from 'kysely';
import type { Context, Engine } from '../context.ts';
import { perEngine } from '../per-engine.ts';
import { prepared } from '../storage/prepared.ts';
import { runTransaction, storageError } from '../storage/run.ts';
import type { Db } from '../storage/storage.ts';

/** The last number given out of a per-store sequence (`orders`, `products`). */
export interface SequenceTable {
  store_id: string;
  name: string;
  last: number;
}

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
 * The next number of a store's sequence. Other transactions of the store that want one wait until this one ends, which is
 * what makes the numbers free of gaps while nothing rolls back.
 */
export function nextNumber(
  tx: Db,
  { storeId, name, first }: { storeId: string; name: 'orders'; first: number },
): Promise<number> {
  return advanceBy(tx, storeId, name, first, 1);
}

/** Numbers that a process takes from a sequence at once. */
const blockSize = 64;
const maxBlocks = 10_000;

interface NumberBlock {
  next: number;
  last: number;
}

const blocks = perEngine(() => new Map<string, Promise<NumberBlock>>());

/**
 * A number of a store's sequence that nobody else is given, in no process: without gaps and order being promised, so that no
 * transaction waits for another. To be taken before the transaction that uses it.
 * @throws CommerceError `unavailable` when the database cannot be reached.
 */
export async function takeNumber({ engine, store }: Context, name: 'products'): Promise<number> {
  const known = blocks(engine);
  const key = `${store.id} ${name}`;
  for (;;) {
    const taken = known.get(key);
    const block = await (taken ?? startBlock(engine, known, key, store.id, name));
    if (block.next <= block.last) return block.next++;
    // Used up by those who waited for it, too; the first of them to see it starts another.
    if (known.get(key) === taken) known.delete(key);
  }
}

/**
 * Numbers that follow each other, as `takeNumber` gives one: for many new items at once.
 * @returns the first of them
 * @throws CommerceError `unavailable` when the database cannot be reached.
 */
export async function takeNumbers({ engine, store }: Context, name: 'products', count: number): Promise<number> {
  const { storage } = engine;
  try {
    const endTurn = await storage.takeTurn(store.id);
    const taken = runTransaction(storage, (db) => advanceBy(db, store.id, name, 1, count)).finally(endTurn);
    return (await taken) - count + 1;
  } catch (error) {
    throw storageError(storage, error);
  }
}

function startBlock(
  engine: Engine,
  known: Map<string, Promise<NumberBlock>>,
  key: string,
  storeId: string,
  name: string,
): Promise<NumberBlock> {
  const { storage } = engine;
  const starting = storage
    .takeTurn(storeId)
    .then((endTurn) => runTransaction(storage, (db) => advanceBy(db, storeId, name, 1, blockSize)).finally(endTurn))
    .then((last) => ({ next: last - blockSize + 1, last }))
    .catch((error) => {
      if (known.get(key) === starting) known.delete(key);
      throw storageError(storage, error);
    });
  if (known.size >= maxBlocks) known.clear();
  known.set(key, starting);
  return starting;
}
