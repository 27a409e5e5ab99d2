import { useState } from 'preact/hooks';
import type { Versioned } from '../../api/client.ts';
import { type ApiError, toApiError } from '../../api/errors.ts';
import { itemsOf } from '../../api/items.ts';
import type { Schemas } from '../../api/types.ts';
import { Button } from '../../kit/button.tsx';
import { Dialog, FormView, TextField, toast, useForm } from '../../kit/index.ts';
import { Failed } from '../../kit/states.tsx';
import { t } from '../../words/words.ts';
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
    saved: t.orders.send.done(orderNumber),
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
    <Dialog title={t.orders.send.title(orderNumber)} onClose={onClose}>
      <FormView form={form} saveLabel={t.orders.send.action}>
        <p class="quiet">{t.orders.send.hint}</p>
        <TextField form={form} name="tracking.carrier" label={t.orders.send.carrier} placeholder="DHL" />
        <TextField form={form} name="tracking.number" label={t.orders.send.number} />
        <TextField form={form} name="tracking.url" label={t.orders.send.link} type="url" placeholder="https://" />
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
      toast(t.orders.cancel.done(orderNumber));
      onDone();
    } catch (thrown) {
      setError(toApiError(thrown));
      setBusy(false);
    }
  };
  return (
    <Dialog
      title={t.orders.cancel.title(orderNumber)}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t.orders.cancel.keep}</Button>
          <Button kind="danger" busy={busy} onClick={() => void cancel()}>
            {t.orders.cancel.action}
          </Button>
        </>
      }
    >
      {error && <Failed error={error} />}
      <p>
        {status === 'paid' ? t.orders.cancel.paid : reservedUntil ? t.orders.cancel.reserved : t.orders.cancel.open}
      </p>
      <p>{t.orders.cancel.final}</p>
    </Dialog>
  );
}
