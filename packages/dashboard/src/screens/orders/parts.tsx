import { api, at, had } from '../../api/client.ts';
import { can } from '../../api/session.ts';
import { href } from '../../browser/places.ts';
import { type Fact, Facts, Money, Section, Shown, Time, UserText, useLoad } from '../../kit/index.ts';
import { type Order, PaymentState } from './states.tsx';

/** The ordered items, line by line, under their names at that time. */
export function Items({ order }: { order: Order }) {
  const { items, currency } = order;
  return (
    <Section title={`Items (${items.reduce((sum, { quantity }) => sum + quantity, 0)})`}>
      <ul class="lines">
        {items.map(
          ({
            id,
            productId,
            titleSnapshot,
            variantTitle,
            attributesSnapshot,
            skuSnapshot,
            quantity,
            unitPrice,
            lineDiscount,
          }) => (
            <li key={id}>
              <span class="quantity">{quantity} ×</span>
              <span class="what">
                {can('product.read') ? (
                  <a href={href(`products/${productId}`)}>
                    <UserText>{titleSnapshot}</UserText>
                  </a>
                ) : (
                  <UserText>{titleSnapshot}</UserText>
                )}
                <span class="quiet">
                  <UserText>
                    {[variantTitle ?? Object.values(attributesSnapshot).join(', '), skuSnapshot]
                      .filter(Boolean)
                      .join(' · ')}
                  </UserText>
                </span>
              </span>
              <span class="price">
                <Money amount={unitPrice} currency={currency} />
                {Number(lineDiscount) > 0 && (
                  <span class="quiet">
                    −<Money amount={lineDiscount} currency={currency} />
                  </span>
                )}
              </span>
            </li>
          ),
        )}
      </ul>
      <Facts
        of={[
          ['Subtotal', <Money key="s" amount={order.subtotal} currency={currency} />],
          ...(Number(order.discount) > 0
            ? [
                [
                  order.discountCode ? `Discount ${order.discountCode}` : 'Discount',
                  <span key="d">
                    −<Money amount={order.discount} currency={currency} />
                  </span>,
                ] as Fact,
              ]
            : []),
          [order.shippingMethod?.name ?? 'Shipping', <Money key="h" amount={order.shipping} currency={currency} />],
          [order.taxIncluded ? 'Tax, included' : 'Tax', <Money key="t" amount={order.tax} currency={currency} />],
          [
            'Total',
            <strong key="a">
              <Money amount={order.total} currency={currency} />
            </strong>,
          ],
        ]}
      />
      {order.customerNote && (
        <div class="buyer-note">
          <h3>Buyer note</h3>
          <UserText block>{order.customerNote}</UserText>
        </div>
      )}
    </Section>
  );
}

/** The payment, with the times of its events. */
export function PaymentFacts({ order }: { order: Order }) {
  return (
    <Section title="Payment">
      <Facts
        of={[
          ['State', <PaymentState key="s" status={order.paymentStatus} />],
          ['Provider', order.paymentProvider ?? '–'],
          ...(order.paymentMethod ? [['Method', <UserText key="m">{order.paymentMethod}</UserText>] as Fact] : []),
          ...(order.paymentId ? [['Id at the provider', <code key="i">{order.paymentId}</code>] as Fact] : []),
          ['Placed', <Time key="p" at={order.placedAt ?? order.createdAt} />],
          ['Paid', <Time key="a" at={order.paidAt} />],
        ]}
      />
    </Section>
  );
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
    <Section title="Refunds">
      <Shown of={loaded} what="the refunds" rows={2}>
        {(refunds) => (
          <Facts
            of={[
              ...refunds.map(
                ({ refundId, amount, recordedAt }) =>
                  [
                    <>
                      <Time at={recordedAt} /> · <code>{refundId}</code>
                    </>,
                    <Money key={refundId} amount={amount} currency={currency} />,
                  ] as Fact,
              ),
              ['Together', <Money key="all" amount={refundedAmount} currency={currency} />],
            ]}
          />
        )}
      </Shown>
    </Section>
  );
}
