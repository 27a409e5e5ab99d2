import type { Versioned } from '../../api/client.ts';
import { toApiError } from '../../api/errors.ts';
import { itemsOf } from '../../api/items.ts';
import type { Schemas } from '../../api/types.ts';
import type { Order } from './states.tsx';

export interface MoveProps {
  read: Versioned<Order>;
  onDone(): void;
  /** Called if another user has changed the order, to read it again. */
  onStale(): void;
  onClose(): void;
}

/**
 * Changes the version of the order that is shown.
 * @param onStale called if there is a newer one
 */
export async function move(
  { item: { id }, etag }: Versioned<Order>,
  body: Schemas['OrderChanges'],
  onStale: () => void,
): Promise<void> {
  await orStale(() => itemsOf('orders').update(id, body, etag), onStale);
}

/** Runs a change of an order. @param onStale called if the state of the order does not allow it any more */
export async function orStale<T>(run: () => Promise<T>, onStale: () => void): Promise<T> {
  try {
    return await run();
  } catch (thrown) {
    if (toApiError(thrown).status === 409) onStale();
    throw thrown;
  }
}
