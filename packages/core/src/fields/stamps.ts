import { made } from './entity.ts';
import { exampleIds } from './example-ids.ts';
import { madeId, madeTime } from './kinds.ts';

/** The id of a resource, and the store that it belongs to. */
export function identity(example: string, words = 'The id, a UUIDv7.') {
  return {
    /** The id, a UUIDv7, which sorts by the time of creation. */
    id: made(madeId, { words, example, public: true }),
    /** The store it belongs to. */
    storeId: made(madeId, { words: 'The store it belongs to.', example: exampleIds.store, public: true, csv: false }),
  };
}

const created = '2026-11-20T12:00:00.000Z';

/**
 * Times of creation and of the last change.
 * @param words about the second one
 */
export function stampsOf(words: string, example = created) {
  return {
    /** Time of creation, UTC. */
    createdAt: made(madeTime, { words: 'Time of creation, UTC.', example: created, public: true }),
    /** Time of the last change, UTC. */
    updatedAt: made(madeTime, { words, example, public: true }),
  };
}

export const stamps = stampsOf('Time of the last change, UTC.', '2026-11-20T12:30:00.000Z');
