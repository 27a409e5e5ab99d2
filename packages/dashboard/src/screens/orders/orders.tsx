import type { paths } from '@commerce/server/api';
import { useRef } from 'preact/hooks';
import { api, at, had } from '../../api/client.ts';
import { desk, type Waiting } from '../../api/desk.ts';
import { can } from '../../api/session.ts';
import { query } from '../../browser/router.ts';
import {
  type Bulk,
  type Column,
  ExportButton,
  type Filter,
  LinkButton,
  List,
  Money,
  Page,
  type Rows,
  Tabs,
  Time,
  UserText,
  useNarrow,
  valuesOf,
} from '../../kit/index.ts';
import { t } from '../../words/words.ts';
import { Thumb } from '../media/thumb.tsx';
import { Fresh, type Window } from './fresh.tsx';
import {
  buyerOf,
  countryOf,
  type Order,
  OrderState,
  PaymentState,
  paymentNames,
  paymentOptions,
  statusOptions,
} from './states.tsx';

type Query = NonNullable<paths['/stores/{storeId}/orders']['get']['parameters']['query']>;

/** Views of the list: urgent work first. Those with a figure of the desk show it. */
const tabs: readonly { value: string; label: string; figure?: Waiting }[] = [
  { value: 'send', label: t.orders.tabs.send, figure: 'toSend' },
  { value: 'money', label: t.orders.tabs.money, figure: 'unpaidOffline' },
  { value: 'pending', label: t.orders.tabs.pending },
  { value: 'trouble', label: t.orders.tabs.trouble, figure: 'failedPayments' },
  { value: 'refund', label: t.orders.toRefund.tab, figure: 'toRefund' },
  { value: 'all', label: t.orders.tabs.all },
];

const ofTab: Record<string, Pick<Query, 'status' | 'paymentStatus' | 'toShip' | 'unpaidOffline' | 'toRefund'>> = {
  send: { toShip: true },
  money: { unpaidOffline: true },
  pending: { status: 'pending' },
  trouble: { status: 'pending', paymentStatus: 'failed' },
  refund: { toRefund: true },
};

const textsOf = (values: object = {}) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));

const emptyOf: Record<string, string> = {
  money: t.orders.empty.money.title,
  pending: t.orders.empty.pending.title,
  trouble: t.orders.empty.trouble.title,
  refund: t.orders.toRefund.empty,
};

/** Filters of the tab with all orders. */
const allFilters: readonly Filter[] = [
  { name: 'status', label: t.orders.filters.status, options: statusOptions },
  { name: 'paymentStatus', label: t.orders.filters.payment, options: paymentOptions },
  { name: 'from', label: t.orders.filters.from, options: 'date' },
  { name: 'until', label: t.orders.until, options: 'date' },
];

const tagFilter: Filter = { name: 'tag', label: t.labels.tags.filter };

const { columns: names } = t.orders;

const number: Column<Order> = { label: names.order, cell: ({ orderNumber }) => orderNumber, card: 'title' };
const total: Column<Order> = {
  label: names.total,
  cell: ({ total, currency }) => <Money amount={total} currency={currency} />,
  end: true,
  card: 'amount',
  sort: { asc: 'total', desc: '-total' },
};
const when = ({ placedAt, createdAt }: Order) => <Time at={placedAt ?? createdAt} age />;

/** The payment that goes without saying in each state. */
const implied: Record<Order['status'], Order['paymentStatus']> = {
  pending: 'pending',
  paid: 'succeeded',
  fulfilled: 'succeeded',
  cancelled: 'cancelled',
  refunded: 'refunded',
};

const cards: readonly Column<Order>[] = [
  number,
  {
    label: names.customer,
    cell: (order) => (
      <>
        {when(order)}
        {implied[order.status] !== order.paymentStatus && ` · ${paymentNames[order.paymentStatus]}`} ·{' '}
        <UserText>{buyerOf(order)}</UserText>
      </>
    ),
    card: 'meta',
  },
  { label: names.status, cell: (order) => <OrderState order={order} />, card: 'state' },
  total,
];

const payment: Column<Order> = {
  label: names.payment,
  cell: ({ paymentStatus }) => <PaymentState status={paymentStatus} />,
};

const columnsWith = (...states: Column<Order>[]): readonly Column<Order>[] => [
  number,
  { label: names.placed, cell: when, sort: { asc: 'oldest', desc: 'newest', initial: 'desc' } },
  {
    label: names.customer,
    cell: (order) => (
      <span class="two-lines">
        <UserText>{buyerOf(order)}</UserText>
        <span class="quiet">{countryOf(order)}</span>
      </span>
    ),
  },
  { label: names.items, cell: (order) => <FirstItem order={order} /> },
  ...states,
  { label: names.status, cell: (order) => <OrderState order={order} />, card: 'state' },
  total,
];

/** Orders to ship are paid, or their status says how they will be. */
const toShip = columnsWith();
const others = columnsWith(payment);

/** The first item, and the number of further lines. */
function FirstItem({ order: { items } }: { order: Order }) {
  const [first, ...further] = items;
  if (!first) return null;
  return (
    <span class="first-item">
      <Thumb id={first.primaryImageId} />
      <span class="quiet">{t.orders.items.quantity(first.quantity)}</span>
      <UserText>{first.titleSnapshot}</UserText>
      {further.length > 0 && <span class="quiet">{t.orders.items.more(further.length)}</span>}
    </span>
  );
}

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

function counted({ value, label, figure }: (typeof tabs)[number]) {
  return { value, label, count: (figure && desk.value?.[figure]) || undefined };
}

/** The orders of the shop. Orders to ship come first, because they are the usual reason for a visit. */
export default function Orders() {
  const tab = query.value.get('tab') ?? (query.value.has('search') ? 'all' : 'send');
  const isAll = tab === 'all';
  const isNarrow = useNarrow();
  const rows = useRef<Rows<Order>>(undefined);
  const values = useRef<Record<string, string>>({});
  const load = ({ tab: _, ...given }: Record<string, string>, window: Window, signal: AbortSignal) => {
    values.current = given;
    const asked = { ...(given as Query), ...ofTab[tab], ...window };
    return had(api.GET('/stores/{storeId}/orders', { params: { path: at(), query: asked }, signal }));
  };
  const filters = isAll ? [...allFilters, tagFilter] : [tagFilter];
  const shown = valuesOf(query.value, ['search', ...filters.map(({ name }) => name)]);
  return (
    <Page
      title={t.orders.title}
      actions={
        <>
          <ExportButton
            what="orders"
            query={{ ...shown, ...textsOf(ofTab[tab]) }}
            forms={[{ label: t.orders.exportItems, query: { lines: 'items' } }]}
          />
          {can('order.write') && can('settings.read') && (
            <LinkButton to="orders/new" icon="plus" kind="primary">
              {t.newOrder.title}
            </LinkButton>
          )}
        </>
      }
    >
      <Tabs
        name="tab"
        label={t.orders.views}
        tabs={tabs.filter(({ value }) => value !== 'money' || value === tab || desk.value?.unpaidOffline).map(counted)}
        current={tab}
      />
      <Fresh rows={rows} load={(window, signal) => load(values.current, window, signal)} />
      <List<Order>
        what={t.orders.what}
        search={t.orders.search}
        also={['tab']}
        filters={filters}
        columns={isNarrow ? cards : tab === 'send' ? toShip : others}
        idOf={({ id }) => id}
        nameOf={({ orderNumber }) => t.orders.rowName(orderNumber)}
        to={({ id }) => `orders/${id}`}
        load={load}
        onRows={(now) => {
          rows.current = now;
        }}
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
                  title: emptyOf[tab] ?? t.orders.empty.all.title,
                  icon: 'check',
                }
        }
      />
    </Page>
  );
}
