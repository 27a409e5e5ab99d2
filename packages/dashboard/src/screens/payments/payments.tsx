import type { paths } from '@commerce/server/api';
import { api, at, had } from '../../api/client.ts';
import { can } from '../../api/session.ts';
import { query } from '../../browser/router.ts';
import { type Column, LinkButton, List, Money, Page, Tabs, Time, UserText } from '../../kit/index.ts';
import { reasonOf } from '../../kit/terms/disputes.tsx';
import { methodOf } from '../../kit/terms/payment.ts';
import { t } from '../../words/words.ts';
import { Match, matchOptions, type Payment, PaymentStatus, providerOptions, statusOptions, whyOf } from './words.tsx';

type Query = NonNullable<paths['/stores/{storeId}/payments']['get']['parameters']['query']>;

const words = t.payments;
const { columns, empty } = words;

const tabs = [
  { value: 'inbox', label: words.tabs.inbox },
  { value: 'disputes', label: words.tabs.disputes },
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

const disputeColumns: readonly Column<Payment>[] = [
  how,
  came,
  {
    label: columns.reason,
    cell: ({ disputes }) =>
      disputes
        .filter(({ status }) => status === 'open')
        .map(reasonOf)
        .join(', '),
    card: 'meta',
  },
  {
    label: columns.answerBy,
    cell: ({ disputes }) => {
      const due = disputes.flatMap(({ status, dueAt }) => (status === 'open' && dueAt !== null ? dueAt : []));
      return due.length === 0 ? <span class="quiet">–</span> : <Time at={due.sort()[0] ?? null} />;
    },
    card: 'state',
  },
  amount,
];

const views = {
  inbox: { query: { unmatched: true }, columns: inboxColumns, icon: 'check' },
  disputes: { query: { disputed: true }, columns: disputeColumns, icon: 'check' },
  all: { query: {}, columns: allColumns, icon: 'payments' },
} as const;

/** Payments: first the ones without an order, then open disputes, then all. */
export default function Payments() {
  const asked = query.value.get('tab') ?? '';
  const tab = Object.hasOwn(views, asked) ? (asked as keyof typeof views) : 'inbox';
  const view = views[tab];
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
      <div class={tab === 'inbox' ? 'inbox' : ''}>
        <List<Payment>
          key={tab}
          what={words.many}
          also={['tab']}
          filters={
            tab !== 'all'
              ? []
              : [
                  { name: 'provider', label: columns.provider, options: providerOptions },
                  { name: 'status', label: columns.status, options: statusOptions },
                  { name: 'matched', label: columns.order, options: matchOptions },
                ]
          }
          columns={view.columns}
          idOf={({ id }) => id}
          nameOf={(payment) => words.named(payment.providerPaymentId)}
          to={({ id }) => `payments/${id}`}
          load={({ tab: _, ...values }, window, signal) =>
            had(
              api.GET('/stores/{storeId}/payments', {
                params: {
                  path: at(),
                  query: { ...(values as Query), ...view.query, ...window },
                },
                signal,
              }),
            )
          }
          empty={{ title: empty[tab].title, icon: view.icon, children: <p>{empty[tab].text}</p> }}
        />
      </div>
    </Page>
  );
}
