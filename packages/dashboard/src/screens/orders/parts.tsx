import { api, at, had } from '../../api/client.ts';
import { can } from '../../api/session.ts';
import { href } from '../../browser/places.ts';
import { Copy, type Fact, Facts, Money, Section, Shown, Time, UserText, useLoad } from '../../kit/index.ts';
import { t } from '../../words/words.ts';
import { type Order, PaymentState, pieces, providerName } from './states.tsx';

/** The ordered items, line by line, under their names at that time. */
export function Items({ order }: { order: Order }) {
  const { items, currency } = order;
  const names = t.orders.items;
  return (
    <Section title={t.orders.items.title(pieces(order))}>
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
              <span class="quantity">{t.orders.items.quantity(quantity)}</span>
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
          [names.subtotal, <Money key="s" amount={order.subtotal} currency={currency} />],
          ...(Number(order.discount) > 0
            ? [
                [
                  order.discountCode ? names.discountCode(order.discountCode) : names.discount,
                  <span key="d">
                    −<Money amount={order.discount} currency={currency} />
                  </span>,
                ] as Fact,
              ]
            : []),
          [order.shippingMethod?.name ?? names.shipping, <Money key="h" amount={order.shipping} currency={currency} />],
          [order.taxIncluded ? names.taxIncluded : names.tax, <Money key="t" amount={order.tax} currency={currency} />],
          [
            names.total,
            <strong key="a">
              <Money amount={order.total} currency={currency} />
            </strong>,
          ],
        ]}
      />
      {order.customerNote && (
        <div class="buyer-note">
          <h3>{names.customerNote}</h3>
          <UserText block>{order.customerNote}</UserText>
        </div>
      )}
    </Section>
  );
}

/** An id that people rarely need: its end, and a button to copy it. */
function Copied({ text }: { text: string }) {
  return (
    <>
      <code>…{text.slice(-6)}</code> <Copy text={text} what={t.orders.paid.idName} />
    </>
  );
}

/** The payment, with the times of its events. */
export function PaymentFacts({ order }: { order: Order }) {
  const names = t.orders.paid;
  return (
    <Section title={names.title}>
      <Facts
        of={[
          [names.status, <PaymentState key="s" status={order.paymentStatus} />],
          [names.provider, order.paymentProvider ? providerName(order.paymentProvider) : t.kit.none],
          ...(order.paymentMethod ? [[names.method, <UserText key="m">{order.paymentMethod}</UserText>] as Fact] : []),
          ...(order.paymentId ? [[names.id, <Copied key="i" text={order.paymentId} />] as Fact] : []),
          [names.placed, <Time key="p" at={order.placedAt ?? order.createdAt} />],
          [names.at, <Time key="a" at={order.paidAt} />],
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
    <Section title={t.orders.refunds.title}>
      <Shown of={loaded} what={t.orders.refunds.what} rows={2}>
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
              [t.orders.refunds.total, <Money key="all" amount={refundedAmount} currency={currency} />],
            ]}
          />
        )}
      </Shown>
    </Section>
  );
}
