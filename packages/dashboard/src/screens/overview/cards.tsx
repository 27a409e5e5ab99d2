import type { ComponentChildren } from 'preact';
import { api, at, had } from '../../api/client.ts';
import type { Page, Schemas } from '../../api/types.ts';
import { href } from '../../browser/places.ts';
import { Badge, Money, Section, Shown, Time, UserText, useLoad } from '../../kit/index.ts';
import { buyerOf } from '../orders/states.tsx';

/** Rows per list. */
const shownRows = 5;

interface TileProps<T> {
  title: string;
  /** List with all of them. */
  to: string;
  /** Shown if the card is empty. */
  none: string;
  /** Whether some of them need attention at once. */
  urgent?: boolean;
  load(signal: AbortSignal): Promise<Page<T>>;
  row(item: T): { key: string; to: string; main: ComponentChildren; end: ComponentChildren };
}

/** The newest items of a list, their number, and a link to all. */
function Tile<T>({ title, to, none, urgent, load, row }: TileProps<T>) {
  const loaded = useLoad(title, load);
  const total = loaded.data?.total;
  return (
    <Section
      title={title}
      actions={total ? <Badge tone={urgent ? 'bad' : 'wait'}>{total.toLocaleString()}</Badge> : undefined}
    >
      <Shown of={loaded} what={title.toLowerCase()} rows={3}>
        {({ items, total: all }) =>
          all === 0 ? (
            <p class="quiet">{none}</p>
          ) : (
            <>
              <ul class="tile-rows">
                {items.map((item) => {
                  const { key, to: target, main, end } = row(item);
                  return (
                    <li key={key}>
                      <a href={href(target)}>{main}</a>
                      <span>{end}</span>
                    </li>
                  );
                })}
              </ul>
              <a class="all" href={href(to)}>
                {all > items.length ? `All ${all.toLocaleString()}` : 'To the list'}
              </a>
            </>
          )
        }
      </Shown>
    </Section>
  );
}

export function ToSend() {
  return (
    <Tile<Schemas['Order']>
      title="To send"
      to="orders"
      none="Every paid order has been sent."
      load={(signal) =>
        had(
          api.GET('/stores/{storeId}/orders', {
            params: { path: at(), query: { status: 'paid', limit: shownRows } },
            signal,
          }),
        )
      }
      row={(order) => ({
        key: order.id,
        to: `orders/${order.id}`,
        main: (
          <>
            {order.orderNumber} <span class="quiet">{<UserText>{buyerOf(order)}</UserText>}</span>
          </>
        ),
        end: <Money amount={order.total} currency={order.currency} />,
      })}
    />
  );
}

export function UnmatchedPayments() {
  return (
    <Tile<Schemas['Payment']>
      title="Payments without an order"
      to="payments"
      none="Every payment has an order."
      urgent
      load={(signal) =>
        had(
          api.GET('/stores/{storeId}/payments', {
            params: { path: at(), query: { unmatched: true, limit: shownRows } },
            signal,
          }),
        )
      }
      row={(payment) => ({
        key: payment.id,
        to: 'payments',
        main: (
          <>
            {payment.provider} <span class="quiet">{<Time at={payment.createdAt} age />}</span>
          </>
        ),
        end: <Money amount={payment.amount} currency={payment.currency} />,
      })}
    />
  );
}

export function LowStock() {
  return (
    <Tile<Schemas['Product']>
      title="Low stock"
      to="products?lowStock=true"
      none="No products are low on stock."
      load={(signal) =>
        had(
          api.GET('/stores/{storeId}/products', {
            params: { path: at(), query: { lowStock: true, limit: shownRows } },
            signal,
          }),
        )
      }
      row={(product) => ({
        key: product.id,
        to: `products/${product.id}`,
        main: <UserText>{product.title}</UserText>,
        end: <Badge tone={product.stock === 0 ? 'bad' : 'wait'}>{product.stock} left</Badge>,
      })}
    />
  );
}

export function FailingDeliveries() {
  return (
    <Tile<Schemas['Delivery']>
      title="Failed deliveries"
      to="webhooks"
      none="All events were delivered."
      urgent
      load={(signal) =>
        had(
          api.GET('/stores/{storeId}/deliveries', {
            params: { path: at(), query: { status: 'failed', limit: shownRows } },
            signal,
          }),
        )
      }
      row={(delivery) => ({
        key: delivery.id,
        to: `webhooks/${delivery.webhookId}`,
        main: delivery.event,
        end: <Time at={delivery.createdAt} age />,
      })}
    />
  );
}

/** The best-selling products of the last 30 days. */
export function BestSellers() {
  const loaded = useLoad('best', (signal) =>
    had(api.GET('/stores/{storeId}/statistics/products', { params: { path: at(), query: { limit: 10 } }, signal })),
  );
  return (
    <Section title="Best sellers of the last 30 days">
      <Shown of={loaded} what="the best sellers" rows={4}>
        {({ items }) =>
          items.length === 0 ? (
            <p class="quiet">No sales.</p>
          ) : (
            <ol class="tile-rows">
              {items.map(({ productId, title, quantity, gross }) => (
                <li key={productId}>
                  <a href={href(`products/${productId}`)}>
                    <UserText>{title}</UserText>
                  </a>
                  <span class="quiet">{quantity.toLocaleString()} ×</span>
                  <span>
                    <Money amount={gross} />
                  </span>
                </li>
              ))}
            </ol>
          )
        }
      </Shown>
    </Section>
  );
}
