import { useState } from 'preact/hooks';
import type { Versioned } from '../../api/client.ts';
import { type ApiError, toApiError } from '../../api/errors.ts';
import { itemsOf } from '../../api/items.ts';
import type { Schemas } from '../../api/types.ts';
import { Button } from '../../kit/button.tsx';
import { Dialog, FormView, TextField, toast, useForm } from '../../kit/index.ts';
import { Failed } from '../../kit/states.tsx';
import type { Order } from './states.tsx';

interface MoveProps {
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
async function move(
  { item: { id }, etag }: Versioned<Order>,
  body: Schemas['OrderChanges'],
  onStale: () => void,
): Promise<void> {
  try {
    await itemsOf('orders').update(id, body, etag);
  } catch (thrown) {
    if (toApiError(thrown).status === 409) onStale();
    throw thrown;
  }
}

/** Marks an order as shipped, with the tracking for its buyer. */
export function SendDialog({ read, onDone, onStale, onClose }: MoveProps) {
  const { id, orderNumber } = read.item;
  const form = useForm({
    key: `orders/${id}/send`,
    read: { values: { 'tracking.carrier': '', 'tracking.number': '', 'tracking.url': '' } },
    saved: `Order ${orderNumber} is marked as sent.`,
    async save(_, __, all) {
      const tracking = {
        carrier: all['tracking.carrier'] || null,
        number: all['tracking.number'] || null,
        url: all['tracking.url'] || null,
      };
      const hasAny = Object.values(tracking).some((value) => value !== null);
      await move(read, { status: 'fulfilled', ...(hasAny ? { tracking } : {}) }, onStale);
      onDone();
      return { values: all };
    },
  });
  return (
    <Dialog title={`Mark order ${orderNumber} as sent`} onClose={onClose}>
      <FormView form={form} saveLabel="Mark as sent">
        <p class="quiet">
          Everything may stay empty. What is filled in goes to subscribers, such as the one that writes to buyers.
        </p>
        <TextField form={form} name="tracking.carrier" label="Carrier" placeholder="DHL" />
        <TextField form={form} name="tracking.number" label="Tracking number" />
        <TextField form={form} name="tracking.url" label="Address to follow it at" type="url" placeholder="https://" />
      </FormView>
    </Dialog>
  );
}

/** Cancels an order, after a question that tells the effect on stock and money. */
export function CancelDialog({ read, onDone, onStale, onClose }: MoveProps) {
  const [error, setError] = useState<ApiError>();
  const [busy, setBusy] = useState(false);
  const { orderNumber, status, reservedUntil } = read.item;
  const cancel = async () => {
    setBusy(true);
    setError(undefined);
    try {
      await move(read, { status: 'cancelled' }, onStale);
      toast(`Order ${orderNumber} is cancelled.`);
      onDone();
    } catch (thrown) {
      setError(toApiError(thrown));
      setBusy(false);
    }
  };
  return (
    <Dialog
      title={`Cancel order ${orderNumber}?`}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Keep it</Button>
          <Button kind="danger" busy={busy} onClick={() => void cancel()}>
            Cancel the order
          </Button>
        </>
      }
    >
      {error && <Failed error={error} />}
      <p>
        {status === 'paid'
          ? 'The stock that it took is given back at once. No money is moved: refund the buyer at the provider, and record that here.'
          : reservedUntil
            ? 'The stock that is held for it is free again at once. A payment that still comes in is shown among the unmatched.'
            : 'It has taken no stock, so none is given back. A payment that still comes in is shown among the unmatched.'}
      </p>
      <p>This cannot be taken back.</p>
    </Dialog>
  );
}
