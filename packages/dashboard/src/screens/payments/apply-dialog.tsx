import { useState } from 'preact/hooks';
import { api, at, had } from '../../api/client.ts';
import { type ApiError, toApiError } from '../../api/errors.ts';
import { can } from '../../api/session.ts';
import type { Schemas } from '../../api/types.ts';
import { href } from '../../browser/places.ts';
import { Icon } from '../../icons/icon.tsx';
import { Button, Dialog, Failed, FindOrder, Money, Shown, Time, toast, UserText, useLoad } from '../../kit/index.ts';
import { filled } from '../../words/filled.ts';
import { t } from '../../words/words.ts';
import { buyerOf } from '../orders/states.tsx';
import { checksOf } from './checks.ts';
import type { Payment } from './words.tsx';

type Order = Schemas['Order'];

const words = t.payments.apply;

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
      toast(words.done(order.orderNumber));
      onDone(item);
    } catch (thrown) {
      setError(toApiError(thrown));
      setBusy(false);
    }
  };
  return (
    <Dialog
      wide
      title={words.title}
      onClose={onClose}
      actions={
        chosen && (
          <>
            <Button onClick={() => setChosen(undefined)}>{words.another}</Button>
            <Button kind="primary" busy={busy} onClick={() => void apply(chosen)}>
              {words.pay(chosen.orderNumber)}
            </Button>
          </>
        )
      }
    >
      {error && <Failed error={error} />}
      <p>
        {filled(words.received, {
          amount: (
            <strong>
              <Money amount={amount} currency={currency} />
            </strong>
          ),
          time: <Time at={payment.paidAt ?? payment.createdAt} />,
        })}
      </p>
      {chosen ? (
        <Chosen payment={payment} order={chosen} />
      ) : can('order.read') ? (
        <>
          <FindOrder id="order-number" label={words.number} action={words.find} onFind={setAsked} />
          <Shown of={found} what={words.theOrders} rows={2}>
            {(orders) => (
              <div role="status">
                <h3>{asked === '' ? words.sameAmount : words.results(asked)}</h3>
                {orders.length === 0 ? (
                  <p class="quiet">{asked === '' ? words.noneOfAmount(looked) : words.noneOfNumber}</p>
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
        <p>{words.notAllowed}</p>
      )}
    </Dialog>
  );
}

function Chosen({ payment, order }: { payment: Payment; order: Order }) {
  const checks = checksOf(payment, order);
  return (
    <>
      <p>
        {filled(words.chosen, {
          number: <a href={href(`orders/${order.id}`)}>{order.orderNumber}</a>,
          buyer: <UserText>{buyerOf(order)}</UserText>,
          total: <Money amount={order.total} currency={order.currency} />,
        })}
      </p>
      <ul class="checks-list">
        {checks.map(({ isMet, text }) => (
          <li key={text} class={isMet ? 'met' : 'unmet'}>
            <Icon name={isMet ? 'check' : 'warning'} />
            <span>
              <span class="unseen">{isMet ? words.met : words.unmet}</span>
              {text}
            </span>
          </li>
        ))}
      </ul>
      <p class="quiet">{checks.every(({ isMet }) => isMet) ? words.possible : words.impossible}</p>
    </>
  );
}
