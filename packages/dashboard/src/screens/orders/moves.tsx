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

const noTracking = { carrier: '', number: '', url: '' };

/** The form of a tracking; without any text, there is none. */
function useTracking(
  { read, onDone, onStale }: MoveProps,
  { name, saved, start, status }: { name: string; saved: string; start: Order['tracking']; status?: 'fulfilled' },
) {
  const { carrier, number, url } = start ?? noTracking;
  return useForm({
    key: `orders/${read.item.id}/${name}`,
    read: { values: { 'tracking.carrier': carrier ?? '', 'tracking.number': number ?? '', 'tracking.url': url ?? '' } },
    saved,
    async save(_, __, all) {
      const tracking = {
        carrier: all['tracking.carrier'] || null,
        number: all['tracking.number'] || null,
        url: all['tracking.url'] || null,
      };
      const hasAny = Object.values(tracking).some((value) => value !== null);
      if (status) await move(read, { status, ...(hasAny ? { tracking } : {}) }, onStale);
      else await move(read, { tracking: hasAny ? tracking : null }, onStale);
      onDone();
      return { values: all };
    },
  });
}

function TrackingFields({ form }: { form: ReturnType<typeof useTracking> }) {
  return (
    <>
      <TextField form={form} name="tracking.carrier" label={t.orders.send.carrier} placeholder="DHL" />
      <TextField form={form} name="tracking.number" label={t.orders.send.number} />
      <TextField form={form} name="tracking.url" label={t.orders.send.link} type="url" placeholder="https://" />
    </>
  );
}

/** Marks an order as shipped, with the tracking for its buyer. */
export function SendDialog(props: MoveProps) {
  const { orderNumber } = props.read.item;
  const saved = t.orders.send.done(orderNumber);
  const form = useTracking(props, { name: 'send', saved, start: null, status: 'fulfilled' });
  return (
    <Dialog title={t.orders.send.title(orderNumber)} onClose={props.onClose}>
      <FormView form={form} saveLabel={t.orders.send.action}>
        <p class="quiet">{t.orders.send.hint}</p>
        <TrackingFields form={form} />
      </FormView>
    </Dialog>
  );
}

/** Adds the tracking of an order that was sent, or corrects it. */
export function TrackingDialog(props: MoveProps) {
  const { orderNumber, tracking } = props.read.item;
  const form = useTracking(props, { name: 'tracking', saved: t.orders.tracking.saved, start: tracking });
  return (
    <Dialog title={t.orders.tracking.title(orderNumber)} onClose={props.onClose}>
      <FormView form={form}>
        <TrackingFields form={form} />
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
