import type { paths } from '@commerce/server/api';
import { api, at, had } from '../../api/client.ts';
import { can } from '../../api/session.ts';
import { query } from '../../browser/router.ts';
import { type Column, LinkButton, List, Money, Page, Tabs, Time, UserText } from '../../kit/index.ts';
import {
  Match,
  matchOptions,
  type Payment,
  PaymentStatus,
  providerNames,
  providerOptions,
  statusOptions,
  whyOf,
} from './words.tsx';

type Query = NonNullable<paths['/stores/{storeId}/payments']['get']['parameters']['query']>;

const tabs = [
  { value: 'inbox', label: 'Inbox' },
  { value: 'all', label: 'All payments' },
];

const amount: Column<Payment> = {
  label: 'Amount',
  cell: (payment) => <Money amount={payment.amount} currency={payment.currency} />,
  end: true,
  card: 'amount',
};
const came: Column<Payment> = {
  label: 'Received',
  cell: ({ paidAt, createdAt }) => <Time at={paidAt ?? createdAt} age />,
};
const provider: Column<Payment> = {
  label: 'Provider',
  cell: (payment) => providerNames[payment.provider],
  card: 'title',
};

const inboxColumns: readonly Column<Payment>[] = [
  provider,
  came,
  { label: 'Problem', cell: ({ matched }) => <Match matched={matched} />, card: 'state' },
  { label: 'Details', cell: (payment) => whyOf(payment), card: 'meta' },
  amount,
];

const allColumns: readonly Column<Payment>[] = [
  provider,
  came,
  {
    label: 'Id at the provider',
    cell: ({ provider: by, reference, providerPaymentId }) => (
      <UserText>{by === 'manual' ? reference : providerPaymentId}</UserText>
    ),
    card: 'meta',
  },
  { label: 'State', cell: ({ status }) => <PaymentStatus status={status} />, card: 'state' },
  { label: 'Order', cell: ({ matched }) => <Match matched={matched} /> },
  amount,
];

/** Payments: first the ones without an order, then all. */
export default function Payments() {
  const isInbox = query.value.get('tab') !== 'all';
  return (
    <Page
      title="Payments"
      actions={
        can('settings.read') && (
          <LinkButton to="payments/providers" icon="settings">
            Providers
          </LinkButton>
        )
      }
    >
      <Tabs name="tab" label="Views of the payments" tabs={tabs} />
      <div class={isInbox ? 'inbox' : ''}>
        <List<Payment>
          key={isInbox ? 'inbox' : 'all'}
          what="payments"
          also={['tab']}
          filters={
            isInbox
              ? []
              : [
                  { name: 'provider', label: 'Provider', options: providerOptions },
                  { name: 'status', label: 'State', options: statusOptions },
                  { name: 'matched', label: 'Order', options: matchOptions },
                ]
          }
          columns={isInbox ? inboxColumns : allColumns}
          idOf={({ id }) => id}
          nameOf={(payment) => `payment ${payment.providerPaymentId}`}
          to={({ id }) => `payments/${id}`}
          load={({ tab: _, ...values }, window, signal) =>
            had(
              api.GET('/stores/{storeId}/payments', {
                params: {
                  path: at(),
                  query: { ...(isInbox ? { unmatched: true } : (values as Query)), ...window },
                },
                signal,
              }),
            )
          }
          empty={
            isInbox
              ? {
                  title: 'All payments are matched',
                  icon: 'check',
                  children: <p>Payments that match no order are listed here until you decide.</p>,
                }
              : {
                  title: 'No payments yet',
                  icon: 'payments',
                  children: <p>Payments come from provider notifications, or are recorded on an order.</p>,
                }
          }
        />
      </div>
    </Page>
  );
}
