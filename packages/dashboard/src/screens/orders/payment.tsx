import { api, at, had } from '../../api/client.ts';
import { can } from '../../api/session.ts';
import {
  Badge,
  Button,
  Copy,
  type Fact,
  Facts,
  Money,
  Section,
  Shown,
  Time,
  UserText,
  useLoad,
} from '../../kit/index.ts';
import { Disputes } from '../../kit/terms/disputes.tsx';
import { methodOf } from '../../kit/terms/payment.ts';
import { PaymentLink } from '../../kit/terms/payment-link.tsx';
import { t } from '../../words/words.ts';
import { isSource, type Order, PaymentState } from './states.tsx';
import { dueWords } from './unpaid.ts';

const names = t.orders.paid;

/** How the order was paid, and the button for a refund. */
export function PaymentFacts({ order, onRefund }: { order: Order; onRefund(): void }) {
  const { paymentStatus, paymentProvider: provider, paymentMethod, paymentId, placedAt, createdAt, paidAt } = order;
  const { paymentOption, reservedUntil } = order;
  const due = dueWords(order);
  const hasMoney = paymentStatus === 'succeeded' || paymentStatus === 'partially_refunded';
  return (
    <Section
      title={names.title}
      actions={
        can('order.write') &&
        hasMoney && (
          <Button icon="back" onClick={onRefund}>
            {t.orders.refund.action}
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
      const params = { path: at(), query: { orderId: id, limit: 50 } };
      return (await had(api.GET('/stores/{storeId}/payments', { params, signal }))).items;
    },
    String(turn),
  );
  return <Disputes payments={loaded.data ?? []} />;
}

/** Recorded refunds; renders nothing without refunds. */
export function Refunds({ order, turn }: { order: Order; turn: number }) {
  const { id, refundedAmount, currency } = order;
  const has = Number(refundedAmount) > 0;
  const loaded = useLoad(
    `${id} ${has}`,
    async (signal) =>
      has
        ? (
            await had(
              api.GET('/stores/{storeId}/orders/{id}/refunds', {
                params: { path: at({ id }), query: { limit: 200 } },
                signal,
              }),
            )
          ).items
        : [],
    String(turn),
  );
  if (!has) return null;
  return (
    <Section title={t.orders.refunds.title}>
      <Shown of={loaded} what={t.orders.refunds.what} rows={2}>
        {(refunds) => (
          <Facts
            of={[
              ...refunds.map(
                ({ refundId, amount, kind, recordedAt }) =>
                  [
                    <span key="r" class="paid-by">
                      <Time at={recordedAt} />
                      {kind === 'dispute' && <Badge tone="bad">{t.orders.refunds.dispute}</Badge>}
                      <Copy text={refundId} what={t.orders.refunds.id} />
                    </span>,
                    <Money key={refundId} amount={amount} currency={currency} />,
                  ] as Fact,
              ),
              [t.orders.refunds.total, <Money key="all" amount={refundedAmount} currency={currency} />],
            ]}
          />
        )}
      </Shown>
    </Section>
  );
}
