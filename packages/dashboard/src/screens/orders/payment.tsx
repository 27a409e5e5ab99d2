import { api, at, had } from '../../api/client.ts';
import { can } from '../../api/session.ts';
import { Button, Copy, type Fact, Facts, Section, Time, UserText, useLoad } from '../../kit/index.ts';
import { Disputes } from '../../kit/terms/disputes.tsx';
import { isSource, methodOf } from '../../kit/terms/payment.ts';
import { PaymentLink } from '../../kit/terms/payment-link.tsx';
import { t } from '../../words/words.ts';
import { senderOf } from '../refunds/refund-dialog.tsx';
import { hasMoney } from '../refunds/sums.ts';
import { type Order, PaymentState } from './states.tsx';
import { dueWords } from './unpaid.ts';

const names = t.orders.paid;

/** How the order was paid, and the button for a refund. */
export function PaymentFacts({ order, onRefund }: { order: Order; onRefund(): void }) {
  const { paymentStatus, paymentProvider: provider, paymentMethod, paymentId, placedAt, createdAt, paidAt } = order;
  const { paymentOption, reservedUntil } = order;
  const due = dueWords(order);
  return (
    <Section
      title={names.title}
      actions={
        can('order.write') &&
        hasMoney(order) && (
          <Button icon="back" onClick={onRefund}>
            {senderOf(order) ? t.refunds.action : t.refunds.record}
          </Button>
        )
      }
    >
      <Facts
        of={[
          [names.status, due ?? <PaymentState key="s" status={paymentStatus} />],
          ...(paymentOption ? [[names.option, <UserText key="o">{paymentOption.name}</UserText>] as Fact] : []),
          ...(due && reservedUntil ? [[names.until, <Time key="u" at={reservedUntil} />] as Fact] : []),
          ...(isSource(provider)
            ? [
                [
                  names.method,
                  <span key="m" class="paid-by">
                    <UserText>{methodOf(provider, paymentMethod)}</UserText>
                    {paymentId && <Copy text={paymentId} what={names.idName} />}
                  </span>,
                ] as Fact,
              ]
            : []),
          [names.placed, <Time key="p" at={placedAt ?? createdAt} />],
          ...(paidAt ? [[names.at, <Time key="a" at={paidAt} />] as Fact] : []),
        ]}
      />
      {isSource(provider) && provider !== 'manual' && paymentId && <PaymentLink provider={provider} id={paymentId} />}
    </Section>
  );
}

/** Disputes of the order's payments; renders nothing without one, or without the right to see payments. */
export function OrderDisputes({ order, turn }: { order: Order; turn: number }) {
  const { id, paidAt } = order;
  const isShown = paidAt !== null && can('payment.read');
  const loaded = useLoad(
    `${id} ${isShown}`,
    async (signal) => {
      if (!isShown) return [];
      const params = { path: at(), query: { orderId: id, limit: 200 } };
      return (await had(api.GET('/stores/{storeId}/payments', { params, signal }))).items;
    },
    String(turn),
  );
  return <Disputes payments={loaded.data ?? []} />;
}
