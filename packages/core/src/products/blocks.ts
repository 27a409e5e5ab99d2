import { sql } from 'kysely';
import type { EndWriter } from '../context.ts';
import { perTransaction } from '../per-transaction.ts';
import { type PublishingStatus, publishingStatuses } from '../resources/publishing.ts';
import { prepared, preparedChange, preparedInsert } from '../storage/prepared.ts';
import type { Db } from '../storage/storage.ts';
import type { ProductBlockTable } from './table.ts';

/** A product's place in the lists, which are in the order of `(created_at, id)`, newest first. */
interface Place {
  created_at: number;
  id: string;
}

type StatusCounts = Record<PublishingStatus, number>;

const none = (): StatusCounts => ({ draft: 0, published: 0, archived: 0 });

/** Before every product: the place of a store's first block, so that each product has a block to be counted in. */
const start: Place = { created_at: 0, id: '' };

/** A block that outgrows this is cut in two. */
const maxInBlock = 4096;

/**
 * What a transaction changes in the blocks: runs of living products that follow each other in the lists, with how many there
 * are of each status. They tell where a page far down begins without walking there. Kept here until the end of the
 * transaction, when the changes of the counts are written and with them the version of the store's lists (`outdateMatches`):
 * who has written that holds the only right to change the store's blocks.
 */
export class BlockChanges {
  readonly #changes: { place: Place; counts: StatusCounts }[] = [];

  /** Notes that a product went from one status to another; undefined stands for not being in the lists. */
  move(place: Place, from: PublishingStatus | undefined, to: PublishingStatus | undefined): void {
    if (from === to) return;
    const counts = none();
    if (from !== undefined) counts[from]--;
    if (to !== undefined) counts[to]++;
    this.#changes.push({ place, counts });
  }

  async write(tx: Db, storeId: string, most = maxInBlock): Promise<void> {
    const touched = new Map<string, Block>();
    for (const { place, counts } of this.#changes.splice(0)) {
      const block = await count(tx, storeId, place, counts);
      touched.set(`${block.created_at} ${block.id}`, block);
    }
    // Only now: a cut counts the products that are there, those of this transaction among them.
    for (const block of touched.values()) await fit(tx, storeId, block, most);
  }
}

/** Changes of blocks that a transaction has collected. */
export const pendingBlocks = perTransaction(() => new BlockChanges());

/** Writes a transaction's changes of blocks; it runs after `countWriter`. */
export const blockWriter: EndWriter = {
  write: (tx) => pendingBlocks(tx).write(tx.db, tx.store.id),
  locksNothing: false,
};

type Block = Place & { size: number };

const size = sql<number>`draft + published + archived`;

const addToBlock = prepared<Place & StatusCounts & { storeId: string }, Block>((db, p) =>
  db
    .updateTable('product_blocks')
    .set((eb) => ({
      draft: eb('draft', '+', p('draft')),
      published: eb('published', '+', p('published')),
      archived: eb('archived', '+', p('archived')),
    }))
    .where('store_id', '=', p('storeId'))
    .where(({ eb, refTuple }) =>
      eb(
        refTuple('created_at', 'id'),
        'in',
        db
          .selectFrom('product_blocks as at')
          .select(['at.created_at', 'at.id'])
          .where('at.store_id', '=', p('storeId'))
          .where(({ eb, refTuple, tuple }) =>
            eb(refTuple('at.created_at', 'at.id'), '<=', tuple(p('created_at'), p('id'))),
          )
          .orderBy('at.created_at', 'desc')
          .orderBy('at.id', 'desc')
          .limit(1)
          .$asTuple('created_at', 'id'),
      ),
    )
    .returning(['created_at', 'id', size.as('size')]),
);

const insertBlock = preparedInsert<ProductBlockTable>('product_blocks');

const deleteBlock = preparedChange<Place & { storeId: string }>((db, p) =>
  db
    .deleteFrom('product_blocks')
    .where('store_id', '=', p('storeId'))
    .where('created_at', '=', p('created_at'))
    .where('id', '=', p('id')),
);

/** Adds to the block that a place lies in; answers the block. */
async function count(tx: Db, storeId: string, place: Place, counts: StatusCounts): Promise<Block> {
  const [block] = await addToBlock(tx, { storeId, ...place, ...counts });
  if (block) return block;
  await insertBlock(tx, [{ store_id: storeId, ...start, ...counts }]);
  return { ...start, size: counts.draft + counts.published + counts.archived };
}

/** Cuts a block that is too large, and takes away one that is empty. */
async function fit(tx: Db, storeId: string, block: Block, most: number): Promise<void> {
  if (block.size === 0 && block.id !== start.id) {
    await deleteBlock(tx, { storeId, created_at: block.created_at, id: block.id });
  }
  for (let larger = block; larger.size > most; ) larger = await cut(tx, storeId, larger, most);
}

/** Leaves the older products in a block, half as many as fit, and makes one of the newer; answers that one. */
async function cut(tx: Db, storeId: string, block: Block, most: number): Promise<Block> {
  const next = await tx
    .selectFrom('product_blocks')
    .select(['created_at', 'id'])
    .where('store_id', '=', storeId)
    .where(({ eb, refTuple, tuple }) => eb(refTuple('created_at', 'id'), '>', tuple(block.created_at, block.id)))
    .orderBy('created_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  const from = (place: Place) => {
    const living = tx
      .selectFrom('products')
      .where('store_id', '=', storeId)
      .where(({ eb, refTuple, tuple }) => eb(refTuple('created_at', 'id'), '>=', tuple(place.created_at, place.id)));
    return next
      ? living.where(({ eb, refTuple, tuple }) =>
          eb(refTuple('created_at', 'id'), '<', tuple(next.created_at, next.id)),
        )
      : living;
  };
  const middle = await from(block)
    .select(['created_at', 'id'])
    .where('status', '<>', sql.lit('deleted'))
    .orderBy('created_at')
    .orderBy('id')
    .limit(1)
    .offset(most >> 1)
    .executeTakeFirstOrThrow();
  const newer = none();
  for (const status of publishingStatuses) {
    const { n } = await from(middle)
      .select((eb) => eb.fn.countAll<number>().as('n'))
      .where('status', '=', status)
      .executeTakeFirstOrThrow();
    newer[status] = n;
  }
  const { draft, published, archived } = newer;
  await addToBlock(tx, { storeId, ...place(block), draft: -draft, published: -published, archived: -archived });
  await insertBlock(tx, [{ store_id: storeId, ...place(middle), ...newer }]);
  return { ...middle, size: draft + published + archived };
}

function place({ created_at, id }: Place): Place {
  return { created_at, id };
}

const findStart = prepared<{ storeId: string; offset: number } & StatusCounts, Place & { passed: number }>((db, p) =>
  db
    .selectFrom(
      db
        .selectFrom('product_blocks')
        .select([
          'created_at',
          'id',
          sql<number>`sum(draft * ${p('draft')} + published * ${p('published')} + archived * ${p('archived')})
            over (order by created_at desc, id desc)`.as('passed'),
        ])
        .where('store_id', '=', p('storeId'))
        .as('blocks'),
    )
    .selectAll()
    .where('passed', '<=', p('offset'))
    .orderBy('passed', 'desc')
    .orderBy('created_at')
    .orderBy('id')
    .limit(1),
);

/** Where a page begins: so many products after a place, which is that of a product on an earlier page. */
export interface PageStart {
  before: Place;
  offset: number;
}

/**
 * Sums the blocks from the newest to the one that a page begins in, of which only a part is left to walk.
 * @param status counts only those; all living ones without it
 * @returns undefined for a page that begins in the first block
 */
export async function findPageStart(
  db: Db,
  storeId: string,
  status: PublishingStatus | undefined,
  offset: number,
): Promise<PageStart | undefined> {
  const counted = (one: PublishingStatus) => (status === undefined || status === one ? 1 : 0);
  const [row] = await findStart(db, {
    storeId,
    offset,
    draft: counted('draft'),
    published: counted('published'),
    archived: counted('archived'),
  });
  return row && { before: place(row), offset: offset - row.passed };
}
