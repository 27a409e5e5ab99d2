import { useState } from 'preact/hooks';
import { type ApiError, toApiError } from '../../api/errors.ts';
import { Button } from '../../kit/button.tsx';
import { Dialog, toast } from '../../kit/index.ts';
import { Failed } from '../../kit/states.tsx';
import { t } from '../../words/words.ts';
import { type MoveProps, move } from './move.ts';
import type { Order } from './states.tsx';
import { holdsStock, isPayable, offlineKind } from './unpaid.ts';

const words = t.orders.cancel;

/** The effect of the cancellation on stock and money. */
function effectOf(order: Order): string {
  if (!isPayable(order)) return words.paid;
  if (order.fulfilments.length > 0) return words.shipped;
  if (holdsStock(order)) return words.offline;
  if (!order.reservedUntil) return words.open;
  return offlineKind(order) ? words.offline : words.reserved;
}

/** Cancels an order, after a question that tells the effect on stock and money. */
export function CancelDialog({ read, onDone, onStale, onClose }: MoveProps) {
  const [error, setError] = useState<ApiError>();
  const [busy, setBusy] = useState(false);
  const { orderNumber } = read.item;
  const cancel = async () => {
    setBusy(true);
    setError(undefined);
    try {
      await move(read, { status: 'cancelled' }, onStale);
      toast(words.done(orderNumber));
      onDone();
    } catch (thrown) {
      setError(toApiError(thrown));
      setBusy(false);
    }
  };
  return (
    <Dialog
      title={words.title(orderNumber)}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{words.keep}</Button>
          <Button kind="danger" busy={busy} onClick={() => void cancel()}>
            {words.action}
          </Button>
        </>
      }
    >
      {error && <Failed error={error} />}
      <p>{effectOf(read.item)}</p>
      <p>{words.final}</p>
    </Dialog>
  );
}
