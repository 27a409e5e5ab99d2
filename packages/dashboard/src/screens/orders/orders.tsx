import type { paths } from '@commerce/server/api';
import { api, at, had } from '../../api/client.ts';
import { query } from '../../browser/router.ts';
import {
  type Bulk,
  type Column,
  ExportButton,
  type Filter,
  List,
  Money,
  Page,
  Tabs,
  Time,
  UserText,
  valuesOf,
} from '../../kit/index.ts';
import { t } from '../../words/words.ts';
import { buyerOf, type Order, OrderState, PaymentState, paymentOptions, pieces, statusOptions } from './states.tsx';

type Query = NonNullable<paths['/stores/{storeId}/orders']['get']['parameters']['query']>;

/** Views of the list: urgent work first. */
const tabs = [
  { value: 'send', label: t.orders.tabs.send },
  { value: 'pending', label: t.orders.tabs.pending },
  { value: 'trouble', label: t.orders.tabs.trouble },
  { value: 'all', label: t.orders.tabs.all },
];

const ofTab: Record<string, Pick<Query, 'status' | 'paymentStatus'>> = {
  send: { status: 'paid' },
  pending: { status: 'pending' },
  trouble: { paymentStatus: 'failed' },
};

/** Filters of the tab with all orders. */
const allFilters: readonly Filter[] = [
  { name: 'status', label: t.orders.filters.status, options: statusOptions },
  { name: 'paymentStatus', label: t.orders.filters.payment, options: paymentOptions },
  { name: 'from', label: t.orders.filters.from, options: 'date' },
  { name: 'to', label: t.orders.filters.to, options: 'date' },
];

const { columns: names } = t.orders;

const columns: readonly Column<Order>[] = [
  { label: names.order, cell: ({ orderNumber }) => orderNumber, card: 'title' },
  {
    label: names.placed,
    cell: ({ placedAt, createdAt }) => <Time at={placedAt ?? createdAt} age />,
    sort: { asc: 'oldest', desc: 'newest', initial: 'desc' },
  },
  { label: names.customer, cell: (order) => <UserText>{buyerOf(order)}</UserText>, card: 'meta' },
  { label: names.items, cell: (order) => pieces(order), end: true },
  { label: names.payment, cell: ({ paymentStatus }) => <PaymentState status={paymentStatus} /> },
  { label: names.status, cell: ({ status }) => <OrderState status={status} />, card: 'state' },
  {
    label: names.total,
    cell: ({ total, currency }) => <Money amount={total} currency={currency} />,
    end: true,
    card: 'amount',
    sort: { asc: 'total', desc: '-total' },
  },
];

const bulk: readonly Bulk[] = [
  {
    label: t.orders.send.action,
    icon: 'truck',
    scope: 'order.write',
    ask: (count) => ({
      title: t.orders.send.ask(count),
      text: t.orders.send.askText,
      yes: t.orders.send.action,
    }),
    each: ({ id }) =>
      had(api.PUT('/stores/{storeId}/orders/{id}', { params: { path: at({ id }) }, body: { status: 'fulfilled' } })),
  },
];

/** The orders of the shop. Orders to ship come first, because they are the usual reason for a visit. */
export default function Orders() {
  const tab = query.value.get('tab') ?? (query.value.has('search') ? 'all' : 'send');
  const isAll = tab === 'all';
  const filters = isAll ? allFilters : [];
  const shown = valuesOf(query.value, ['search', ...filters.map(({ name }) => name)]);
  return (
    <Page
      title={t.orders.title}
      actions={
        <ExportButton
          what="orders"
          query={{ ...shown, ...ofTab[tab] }}
          forms={[{ label: t.orders.exportItems, query: { lines: 'items' } }]}
        />
      }
    >
      <Tabs name="tab" label={t.orders.views} tabs={tabs} current={tab} />
      <List<Order>
        what={t.orders.what}
        search={t.orders.search}
        also={['tab']}
        filters={filters}
        columns={columns}
        idOf={({ id }) => id}
        nameOf={({ orderNumber }) => t.orders.rowName(orderNumber)}
        to={({ id }) => `orders/${id}`}
        load={({ tab: _, ...values }, window, signal) =>
          had(
            api.GET('/stores/{storeId}/orders', {
              params: { path: at(), query: { ...(values as Query), ...ofTab[tab], ...window } },
              signal,
            }),
          )
        }
        bulk={bulk}
        empty={
          tab === 'send'
            ? {
                title: t.orders.empty.send.title,
                icon: 'check',
                children: <p>{t.orders.empty.send.text}</p>,
              }
            : tab === 'all'
              ? {
                  title: t.orders.empty.all.title,
                  icon: 'orders',
                  children: <p>{t.orders.empty.all.text}</p>,
                }
              : {
                  title: tab === 'pending' ? t.orders.empty.pending.title : t.orders.empty.trouble.title,
                  icon: 'check',
                }
        }
      />
    </Page>
  );
}
