import type { paths } from '@commerce/server/api';
import { api, at, had } from '../../api/client.ts';
import { can } from '../../api/session.ts';
import { query } from '../../browser/router.ts';
import { type Column, LinkButton, List, Money, Page, Tabs, Time, UserText } from '../../kit/index.ts';
import { methodOf } from '../../kit/terms/payment.ts';
import { t } from '../../words/words.ts';
import { Match, matchOptions, type Payment, PaymentStatus, providerOptions, statusOptions, whyOf } from './words.tsx';

type Query = NonNullable<paths['/stores/{storeId}/payments']['get']['parameters']['query']>;

const words = t.payments;
const { columns, empty } = words;

const tabs = [
  { value: 'inbox', label: words.tabs.inbox },
  { value: 'all', label: words.tabs.all },
];

const amount: Column<Payment> = {
  label: columns.amount,
  cell: (payment) => <Money amount={payment.amount} currency={payment.currency} />,
  end: true,
  card: 'amount',
};
const came: Column<Payment> = {
  label: columns.received,
  cell: ({ paidAt, createdAt }) => <Time at={paidAt ?? createdAt} age />,
};
const how: Column<Payment> = {
  label: columns.payment,
  cell: ({ provider, method }) => <UserText>{methodOf(provider, method)}</UserText>,
  card: 'title',
};

const inboxColumns: readonly Column<Payment>[] = [
  how,
  came,
  { label: columns.problem, cell: ({ matched }) => <Match matched={matched} />, card: 'state' },
  { label: columns.details, cell: (payment) => whyOf(payment), card: 'meta' },
  amount,
];

const allColumns: readonly Column<Payment>[] = [
  how,
  came,
  {
    label: columns.reference,
    cell: ({ provider: by, reference, providerPaymentId }) => (
      <UserText>{by === 'manual' ? reference : providerPaymentId}</UserText>
    ),
    card: 'meta',
  },
  { label: columns.status, cell: ({ status }) => <PaymentStatus status={status} />, card: 'state' },
  { label: columns.order, cell: ({ matched }) => <Match matched={matched} /> },
  amount,
];

/** Payments: first the ones without an order, then all. */
export default function Payments() {
  const isInbox = query.value.get('tab') !== 'all';
  return (
    <Page
      title={words.title}
      actions={
        can('settings.read') && (
          <LinkButton to="payments/providers" icon="settings">
            {words.providersLink}
          </LinkButton>
        )
      }
    >
      <Tabs name="tab" label={words.views} tabs={tabs} />
      <div class={isInbox ? 'inbox' : ''}>
        <List<Payment>
          key={isInbox ? 'inbox' : 'all'}
          what={words.many}
          also={['tab']}
          filters={
            isInbox
              ? []
              : [
                  { name: 'provider', label: columns.provider, options: providerOptions },
                  { name: 'status', label: columns.status, options: statusOptions },
                  { name: 'matched', label: columns.order, options: matchOptions },
                ]
          }
          columns={isInbox ? inboxColumns : allColumns}
          idOf={({ id }) => id}
          nameOf={(payment) => words.named(payment.providerPaymentId)}
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
              ? { title: empty.inbox.title, icon: 'check', children: <p>{empty.inbox.text}</p> }
              : { title: empty.all.title, icon: 'payments', children: <p>{empty.all.text}</p> }
          }
        />
      </div>
    </Page>
  );
}
