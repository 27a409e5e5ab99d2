import { can } from '../../api/session.ts';
import { href } from '../../browser/places.ts';
import { Copy, type Fact, Facts, Money, Section, UserText } from '../../kit/index.ts';
import { variantText } from '../../kit/terms/line.ts';
import { taxText } from '../../kit/terms/tax.ts';
import { filled } from '../../words/filled.ts';
import { t } from '../../words/words.ts';
import { OptionList } from '../labels/options.tsx';
import { Thumb } from '../media/thumb.tsx';
import { lineTotal } from './amounts.ts';
import { type Order, pieces } from './states.tsx';

const names = t.orders.items;

/** The ordered items with their totals, under their names at that time, and the amounts of the order. */
export function Items({ order }: { order: Order }) {
  const { items, currency } = order;
  return (
    <Section title={names.title(pieces(order))}>
      <ul class="lines">
        {items.map((item) => (
          <Line key={item.id} item={item} currency={currency} />
        ))}
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
          ...taxFacts(order),
          [
            <strong key="n">{names.total}</strong>,
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
      {order.giftNote && (
        <div class="buyer-note">
          <h3>{names.giftNote}</h3>
          <UserText block>{order.giftNote}</UserText>
        </div>
      )}
    </Section>
  );
}

/** The tax of each rate, or why there is none, and the number of a business. */
function taxFacts({ taxes, tax, taxIncluded, taxExempt, vatId, currency }: Order): Fact[] {
  const exempt: Fact[] = taxExempt
    ? [
        [
          t.taxes.exempt,
          <span key="e" class="exempt">
            {t.taxes.reasons[taxExempt.reason]}
            {taxExempt.note && (
              <span class="quiet">
                <UserText>{taxExempt.note}</UserText>
              </span>
            )}
          </span>,
        ],
      ]
    : [];
  const byRate = taxes.map(
    (one): Fact => [
      <UserText key="r">{taxText(one, taxIncluded)}</UserText>,
      <Money key="t" amount={one.amount} currency={currency} />,
    ],
  );
  const none: Fact = [taxIncluded ? names.taxIncluded : names.tax, <Money key="t" amount={tax} currency={currency} />];
  return [
    ...(byRate.length > 0 && !taxExempt ? byRate : [none]),
    ...exempt,
    ...(vatId
      ? [
          [
            t.taxes.vatId,
            <span key="v" class="paid-by">
              <UserText>{vatId}</UserText>
              <Copy text={vatId} what={t.taxes.theVatId} />
            </span>,
          ] as Fact,
        ]
      : []),
  ];
}

function Line({ item, currency }: { item: Order['items'][number]; currency: string }) {
  const { productId, titleSnapshot, skuSnapshot } = item;
  const { quantity, unitPrice, lineDiscount, primaryImageId } = item;
  const title = <UserText>{titleSnapshot}</UserText>;
  return (
    <li>
      <Thumb id={primaryImageId} />
      <span class="what">
        {can('product.read') ? <a href={href(`products/${productId}`)}>{title}</a> : title}
        <span class="quiet">
          <UserText>{[variantText(item), skuSnapshot].filter(Boolean).join(' · ')}</UserText>
        </span>
        <OptionList options={item.options} />
        <span class="quantity">
          {names.quantity(quantity)} <Money amount={unitPrice} currency={currency} />
          {Number(lineDiscount) > 0 && (
            <span class="quiet">
              {' '}
              {filled(names.lineDiscount, { amount: <Money amount={lineDiscount} currency={currency} /> })}
            </span>
          )}
        </span>
      </span>
      <span class="price">
        <Money amount={lineTotal(item, currency)} currency={currency} />
      </span>
    </li>
  );
}
