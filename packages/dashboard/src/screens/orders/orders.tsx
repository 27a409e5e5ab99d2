import type { paths } from '@commerce/server/api';
import { api, at, had } from '../../api/client.ts';
import { query } from '../../browser/router.ts';
import { type Bulk, type Column, ExportButton, List, Money, Page, Tabs, Time, UserText } from '../../kit/index.ts';
import { buyerOf, type Order, OrderState, PaymentState, paymentOptions, pieces, statusOptions } from './states.tsx';

type Query = NonNullable<paths['/stores/{storeId}/orders']['get']['parameters']['query']>;

/** Views of the list: urgent work first. */
const tabs = [
  { value: 'send', label: 'To send' },
  { value: 'pending', label: 'Pending' },
  { value: 'trouble', label: 'Problems' },
  { value: 'all', label: 'All' },
];

const ofTab: Record<string, Query> = {
  send: { status: 'paid' },
  pending: { status: 'pending' },
  trouble: { paymentStatus: 'failed' },
};

const columns: readonly Column<Order>[] = [
  { label: 'Order', cell: ({ orderNumber }) => orderNumber, card: 'title' },
  { label: 'Placed', cell: ({ placedAt, createdAt }) => <Time at={placedAt ?? createdAt} age /> },
  { label: 'Buyer', cell: (order) => <UserText>{buyerOf(order)}</UserText>, card: 'meta' },
  { label: 'Items', cell: (order) => pieces(order), end: true },
  { label: 'Payment', cell: ({ paymentStatus }) => <PaymentState status={paymentStatus} /> },
  { label: 'State', cell: ({ status }) => <OrderState status={status} />, card: 'state' },
  {
    label: 'Total',
    cell: ({ total, currency }) => <Money amount={total} currency={currency} />,
    end: true,
    card: 'amount',
  },
];

const bulk: readonly Bulk<Order>[] = [
  {
    label: 'Mark as sent',
    icon: 'truck',
    scope: 'order.write',
    ask: (orders) => ({
      title: orders.length === 1 ? 'Mark this order as sent?' : `Mark ${orders.length} orders as sent?`,
      text: 'Webhooks are notified of the shipment. To send a tracking number, add it on each order first.',
      yes: 'Mark as sent',
    }),
    each: ({ id }) =>
      had(api.PUT('/stores/{storeId}/orders/{id}', { params: { path: at({ id }) }, body: { status: 'fulfilled' } })),
  },
];

/** The orders of the shop. Orders to ship come first, because they are the usual reason for a visit. */
export default function Orders() {
  const tab = query.value.get('tab') ?? (query.value.has('search') ? 'all' : 'send');
  const isAll = tab === 'all';
  return (
    <Page title="Orders" actions={<ExportButton what="orders" />}>
      <Tabs name="tab" label="Views of the orders" tabs={tabs} current={tab} />
      <List<Order>
        what="orders"
        search="Order number, e-mail or name"
        also={['tab']}
        filters={
          isAll
            ? [
                { name: 'status', label: 'State', options: statusOptions },
                { name: 'paymentStatus', label: 'Payment', options: paymentOptions },
                { name: 'from', label: 'Created from', options: 'date' },
                { name: 'to', label: 'Created before', options: 'date' },
              ]
            : []
        }
        columns={columns}
        idOf={({ id }) => id}
        nameOf={({ orderNumber }) => `order ${orderNumber}`}
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
                title: 'No orders to send',
                icon: 'check',
                children: <p>Paid orders appear here until they are marked as sent.</p>,
              }
            : tab === 'all'
              ? {
                  title: 'No orders yet',
                  icon: 'orders',
                  children: (
                    <p>
                      Orders come from checkouts in your shop, or from <code>commerce orders create</code>.
                    </p>
                  ),
                }
              : { title: tab === 'pending' ? 'No orders are waiting for payment' : 'No failed payments', icon: 'check' }
        }
      />
    </Page>
  );
}
