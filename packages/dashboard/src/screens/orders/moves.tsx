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
    saved: `Order ${orderNumber} marked as sent.`,
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
        <p class="quiet">All fields are optional. They are sent to webhooks, such as the one that e-mails buyers.</p>
        <TextField form={form} name="tracking.carrier" label="Carrier" placeholder="DHL" />
        <TextField form={form} name="tracking.number" label="Tracking number" />
        <TextField form={form} name="tracking.url" label="Tracking link" type="url" placeholder="https://" />
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
      toast(`Order ${orderNumber} cancelled.`);
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
            Cancel order
          </Button>
        </>
      }
    >
      {error && <Failed error={error} />}
      <p>
        {status === 'paid'
          ? 'Its stock is returned at once. No money is moved: refund the buyer at the provider, and record the refund here.'
          : reservedUntil
            ? 'Its reserved stock is released at once. A later payment is listed as unmatched.'
            : 'It has not taken stock, so no stock is returned. A later payment is listed as unmatched.'}
      </p>
      <p>This cannot be undone.</p>
    </Dialog>
  );
}
