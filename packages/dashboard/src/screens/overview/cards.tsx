import type { ComponentChildren } from 'preact';
import { api, at, had } from '../../api/client.ts';
import type { Page, Schemas } from '../../api/types.ts';
import { href } from '../../browser/places.ts';
import { Badge, Money, Section, Shown, Time, UserText, useLoad } from '../../kit/index.ts';
import { formatNumber } from '../../words/forms.ts';
import { t } from '../../words/words.ts';
import { buyerOf } from '../orders/states.tsx';
import { providerNames } from '../payments/words.tsx';

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
      actions={total ? <Badge tone={urgent ? 'bad' : 'wait'}>{formatNumber(total)}</Badge> : undefined}
    >
      <Shown of={loaded} what={title} rows={3}>
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
                {all > items.length ? t.overview.all(all) : t.overview.list}
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
      title={t.overview.toSend.title}
      to="orders"
      none={t.overview.toSend.none}
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
      title={t.overview.unmatched.title}
      to="payments"
      none={t.overview.unmatched.none}
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
            {providerNames[payment.provider]} <span class="quiet">{<Time at={payment.createdAt} age />}</span>
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
      title={t.overview.lowStock.title}
      to="products?lowStock=true"
      none={t.overview.lowStock.none}
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
        end: <Badge tone={product.stock === 0 ? 'bad' : 'wait'}>{t.overview.lowStock.left(product.stock)}</Badge>,
      })}
    />
  );
}

export function FailingDeliveries() {
  return (
    <Tile<Schemas['Delivery']>
      title={t.overview.deliveries.title}
      to="webhooks"
      none={t.overview.deliveries.none}
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
    <Section title={t.overview.best.title}>
      <Shown of={loaded} what={t.overview.best.what} rows={4}>
        {({ items }) =>
          items.length === 0 ? (
            <p class="quiet">{t.overview.best.none}</p>
          ) : (
            <ol class="tile-rows">
              {items.map(({ productId, title, quantity, gross }) => (
                <li key={productId}>
                  <a href={href(`products/${productId}`)}>
                    <UserText>{title}</UserText>
                  </a>
                  <span class="quiet">{t.overview.best.quantity(quantity)}</span>
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
