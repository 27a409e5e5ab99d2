import { useEffect } from 'preact/hooks';
import { can } from '../../api/session.ts';
import {
  Badge,
  Button,
  Copy,
  formatMoney,
  Money,
  Section,
  Shown,
  Time,
  type Tone,
  UserText,
  useLoad,
} from '../../kit/index.ts';
import { causeOf } from '../../kit/terms/refund.ts';
import { filled } from '../../words/filled.ts';
import { t } from '../../words/words.ts';
import { loadRefunds } from './load.ts';
import { hasMoney, type Order, type Refund } from './sums.ts';

const words = t.refunds;

const tones: Record<Refund['status'], Tone> = { pending: 'wait', succeeded: 'good', failed: 'bad' };

/** Milliseconds after which refunds that are under way are looked at again. */
const pause = 15_000;

interface ListProps {
  order: Order;
  turn: number;
  /** Tries a failed refund again. */
  onAgain(failed: Refund): void;
  /** Reads the order again. */
  onChanged(): void;
}

/** The refunds of an order, the newest first: made, under way and failed. Renders nothing without one. */
export function Refunds({ order, turn, onAgain, onChanged }: ListProps) {
  const { id, paidAt, refundedAmount, currency } = order;
  const isPaid = paidAt !== null;
  const loaded = useLoad(
    `${id} ${isPaid}`,
    async (signal) => (isPaid ? loadRefunds(id, signal) : { made: [], failed: [] }),
    String(turn),
  );
  const { made = [], failed = [] } = loaded.data ?? {};
  const isWaiting = made.some(({ status }) => status === 'pending');
  // biome-ignore lint/correctness/useExhaustiveDependencies: each look ends with another turn
  useEffect(() => {
    if (!isWaiting) return;
    const timer = setTimeout(onChanged, pause);
    return () => clearTimeout(timer);
  }, [isWaiting, turn]);
  const all = [...made, ...failed].sort((a, b) => (a.recordedAt < b.recordedAt ? 1 : -1));
  if (!loaded.error && all.length === 0) return null;
  return (
    <Section title={words.title}>
      <Shown of={loaded} what={words.what} rows={2}>
        {() => (
          <>
            <ul class="refunds">
              {all.map((refund) => (
                <li key={refund.refundId}>
                  <OneRefund refund={refund} order={order} />
                  {refund.status === 'failed' && hasMoney(order) && can('order.write') && (
                    <Button icon="refresh" onClick={() => onAgain(refund)}>
                      {words.again}
                    </Button>
                  )}
                </li>
              ))}
            </ul>
            {Number(refundedAmount) > 0 && (
              <p class="refund-total">
                {filled(words.total, { amount: <strong>{formatMoney(refundedAmount, currency)}</strong> })}
              </p>
            )}
          </>
        )}
      </Shown>
    </Section>
  );
}

function OneRefund({ refund, order }: { refund: Refund; order: Order }) {
  const { refundId, providerRefundId, amount, status, kind, error, reason, lines, shipping, recordedAt } = refund;
  const titleOf = (itemId: string) => order.items.find(({ id }) => id === itemId)?.titleSnapshot;
  return (
    <>
      <p class="refund-facts">
        <strong>
          <Money amount={amount} currency={order.currency} />
        </strong>
        <Badge tone={tones[status]}>{words.statuses[status]}</Badge>
        {kind === 'dispute' && <Badge tone="bad">{words.dispute}</Badge>}
        <span class="quiet">
          <Time at={recordedAt} />
        </span>
        <Copy text={providerRefundId ?? refundId} what={words.id} />
      </p>
      {(lines || shipping) && (
        <ul class="refund-parts">
          {lines?.map(({ itemId, quantity }) => (
            <li key={itemId}>
              {t.orders.items.quantity(quantity)} <UserText>{titleOf(itemId)}</UserText>
            </li>
          ))}
          {shipping && <li>{words.shipping}</li>}
        </ul>
      )}
      {reason && (
        <p>
          {words.reason} <UserText>{reason}</UserText>
        </p>
      )}
      {status === 'pending' && <p class="quiet">{words.pending}</p>}
      {status === 'failed' && (
        <>
          <p>{causeOf(error)}</p>
          <p class="quiet">{words.failedHint}</p>
          {error && (
            <details class="technical">
              <summary>{t.kit.refusals.details}</summary>
              <p dir="auto">{error}</p>
            </details>
          )}
        </>
      )}
    </>
  );
}
