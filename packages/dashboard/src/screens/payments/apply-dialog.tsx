import { useState } from 'preact/hooks';
import { api, at, had } from '../../api/client.ts';
import { type ApiError, toApiError } from '../../api/errors.ts';
import { can } from '../../api/session.ts';
import type { Schemas } from '../../api/types.ts';
import { href } from '../../browser/places.ts';
import { Icon } from '../../icons/icon.tsx';
import { Button, Dialog, Failed, Money, Shown, Time, toast, UserText, useLoad } from '../../kit/index.ts';
import { buyerOf } from '../orders/states.tsx';
import { checksOf } from './checks.ts';
import type { Payment } from './words.tsx';

type Order = Schemas['Order'];

/** Rows that are searched for orders of the same amount. */
const looked = 200;

/** Chooses the order that a payment was meant for: by its number, or from the orders that wait for exactly this amount. */
export function ApplyDialog({
  payment,
  onDone,
  onClose,
}: {
  payment: Payment;
  onDone(now: Payment): void;
  onClose(): void;
}) {
  const [number, setNumber] = useState('');
  const [asked, setAsked] = useState('');
  const [chosen, setChosen] = useState<Order>();
  const [error, setError] = useState<ApiError>();
  const [busy, setBusy] = useState(false);
  const { id, amount, currency } = payment;
  const found = useLoad(asked, async (signal) => {
    if (!can('order.read')) return [];
    const query = asked === '' ? { status: 'pending' as const, limit: looked } : { orderNumber: asked, limit: 10 };
    const { items } = await had(api.GET('/stores/{storeId}/orders', { params: { path: at(), query }, signal }));
    return asked === '' ? items.filter((order) => checksOf(payment, order).every(({ isMet }) => isMet)) : items;
  });
  const apply = async (order: Order) => {
    setBusy(true);
    setError(undefined);
    try {
      const { item } = await had(
        api.POST('/stores/{storeId}/payments/{id}/apply', {
          params: { path: at({ id }) },
          body: { orderId: order.id },
        }),
      );
      toast(`Order ${order.orderNumber} is now paid.`);
      onDone(item);
    } catch (thrown) {
      setError(toApiError(thrown));
      setBusy(false);
    }
  };
  return (
    <Dialog
      wide
      title="Apply to an order"
      onClose={onClose}
      actions={
        chosen && (
          <>
            <Button onClick={() => setChosen(undefined)}>Another order</Button>
            <Button kind="primary" busy={busy} onClick={() => void apply(chosen)}>
              Pay order {chosen.orderNumber} with it
            </Button>
          </>
        )
      }
    >
      {error && <Failed error={error} />}
      <p>
        <strong>
          <Money amount={amount} currency={currency} />
        </strong>{' '}
        came <Time at={payment.paidAt ?? payment.createdAt} />.
      </p>
      {chosen ? (
        <Chosen payment={payment} order={chosen} />
      ) : can('order.read') ? (
        <>
          <form
            class="find-order"
            onSubmit={(event) => {
              event.preventDefault();
              setAsked(number.trim());
            }}
          >
            <div class="field">
              <label htmlFor="order-number">Order number</label>
              <input
                id="order-number"
                value={number}
                autoComplete="off"
                placeholder="ORD-1001"
                onInput={({ currentTarget }) => setNumber(currentTarget.value)}
              />
            </div>
            <Button type="submit" icon="search">
              Find
            </Button>
          </form>
          <Shown of={found} what="the orders" rows={2}>
            {(orders) => (
              <div role="status">
                <h3>{asked === '' ? 'Orders with exactly this amount' : `Results for “${asked}”`}</h3>
                {orders.length === 0 ? (
                  <p class="quiet">
                    {asked === ''
                      ? `Not found in the ${looked} newest pending orders.`
                      : 'No order has this number; enter the full order number.'}
                  </p>
                ) : (
                  <ul class="candidates">
                    {orders.map((order) => (
                      <li key={order.id}>
                        <button type="button" onClick={() => setChosen(order)}>
                          <strong>{order.orderNumber}</strong>
                          <UserText>{buyerOf(order)}</UserText>
                          <Time at={order.placedAt ?? order.createdAt} />
                          <Money amount={order.total} currency={order.currency} />
                        </button>
                      </li>
                    ))}
                  </ul>
                )}
              </div>
            )}
          </Shown>
        </>
      ) : (
        <p>
          To find the order, your key needs the scope <code>order.read</code>.
        </p>
      )}
    </Dialog>
  );
}

function Chosen({ payment, order }: { payment: Payment; order: Order }) {
  const checks = checksOf(payment, order);
  return (
    <>
      <p>
        Order <a href={href(`orders/${order.id}`)}>{order.orderNumber}</a> <UserText>{buyerOf(order)}</UserText>,{' '}
        <Money amount={order.total} currency={order.currency} />
      </p>
      <ul class="checks-list">
        {checks.map(({ isMet, text }) => (
          <li key={text} class={isMet ? 'met' : 'unmet'}>
            <Icon name={isMet ? 'check' : 'warning'} />
            <span>
              <span class="unseen">{isMet ? 'Met: ' : 'Not met: '}</span>
              {text}
            </span>
          </li>
        ))}
      </ul>
      <p class="quiet">
        {checks.every(({ isMet }) => isMet)
          ? 'The order becomes paid, and its stock is taken. This cannot be undone, only refunded.'
          : 'The service will reject this at the moment, and give the reason.'}
      </p>
    </>
  );
}
