import { useState } from 'preact/hooks';
import { api, at, had } from '../../api/client.ts';
import type { Schemas } from '../../api/types.ts';
import { Dialog, FindOrder, Money, Shown, Time, UserText, useLoad } from '../../kit/index.ts';
import { t } from '../../words/words.ts';
import { buyerOf } from '../orders/states.tsx';

const words = t.withdrawals;

/** The number of an order as customers write it: "#1001" and "ord-1001" are searched as 1001. */
const digitsOf = (written: string) => /\d+\s*$/.exec(written)?.[0].trim() ?? written.trim();

/** Chooses the order of a withdrawal by its number. */
export function MatchDialog({
  asked: written,
  onPick,
  onClose,
}: {
  /** The number as the customer wrote it. */
  asked: string;
  onPick(order: Schemas['Order']): Promise<unknown>;
  onClose(): void;
}) {
  const [asked, setAsked] = useState(digitsOf(written));
  const [busy, setBusy] = useState('');
  const found = useLoad(asked, async (signal) => {
    if (asked === '') return [];
    const query = { search: asked, limit: 10 };
    return (await had(api.GET('/stores/{storeId}/orders', { params: { path: at(), query }, signal }))).items;
  });
  return (
    <Dialog wide title={words.matchTitle} onClose={onClose}>
      <FindOrder
        id="withdrawn-order"
        label={words.orderNumber}
        action={words.find}
        initial={digitsOf(written)}
        onFind={setAsked}
      />
      <Shown of={found} what={words.theOrders} rows={2}>
        {(orders) => (
          <div role="status">
            {asked !== '' && <h3>{words.results(asked)}</h3>}
            {asked !== '' && orders.length === 0 && <p class="quiet">{words.none}</p>}
            <ul class="candidates">
              {orders.map((order) => (
                <li key={order.id}>
                  <button
                    type="button"
                    aria-busy={busy === order.id || undefined}
                    onClick={async () => {
                      if (busy !== '') return;
                      setBusy(order.id);
                      await onPick(order);
                      setBusy('');
                    }}
                  >
                    <strong>{order.orderNumber}</strong>
                    <UserText>{buyerOf(order)}</UserText>
                    <Time at={order.placedAt ?? order.createdAt} />
                    <Money amount={order.total} currency={order.currency} />
                  </button>
                </li>
              ))}
            </ul>
          </div>
        )}
      </Shown>
    </Dialog>
  );
}
