import { api, at, had } from '../../api/client.ts';
import { can } from '../../api/session.ts';
import type { Schemas } from '../../api/types.ts';
import { query } from '../../browser/router.ts';
import {
  Badge,
  type Column,
  ExportButton,
  type Filter,
  LinkButton,
  List,
  Money,
  Page,
  Time,
  UserText,
  useNarrow,
  valuesOf,
} from '../../kit/index.ts';
import { formatNumber } from '../../words/forms.ts';
import { t } from '../../words/words.ts';
import { initialsOf } from './initials.ts';

export type Customer = Schemas['Customer'];

/** The name of a customer, otherwise the e-mail. */
export const nameOf = ({ name, email }: Customer): string => name || email;

const { columns: names } = t.customers;

/** The initials of a person, as a picture. The name is next to it. */
export function Avatar({ customer }: { customer: Customer }) {
  return (
    <span class="avatar" aria-hidden="true">
      {initialsOf(nameOf(customer))}
    </span>
  );
}

const columns: readonly Column<Customer>[] = [
  {
    label: names.name,
    cell: (customer) => (
      <span class="person">
        <Avatar customer={customer} />
        <UserText>{nameOf(customer)}</UserText>
      </span>
    ),
    card: 'title',
    sort: { asc: 'name', desc: '-name' },
  },
  { label: names.email, cell: ({ email }) => <UserText>{email}</UserText>, card: 'meta' },
  {
    label: names.city,
    cell: ({ addresses }) => (
      <UserText>{(addresses.find(({ isDefault }) => isDefault) ?? addresses[0])?.city}</UserText>
    ),
  },
  {
    label: names.news,
    cell: ({ marketingOptIn }) => marketingOptIn && <Badge tone="good">{t.customers.subscribed}</Badge>,
  },
  { label: t.customers.figures.last, cell: ({ lastOrderAt }) => <Time at={lastOrderAt} form="day" />, end: true },
  {
    label: names.orders,
    cell: ({ orderCount }) => formatNumber(orderCount),
    end: true,
    sort: { asc: 'orders', desc: '-orders' },
  },
  {
    label: names.spent,
    cell: ({ totalSpent }) => <Money amount={totalSpent} />,
    end: true,
    card: 'amount',
    sort: { asc: 'spent', desc: '-spent' },
  },
  {
    label: names.since,
    cell: ({ createdAt }) => <Time at={createdAt} form="day" />,
    sort: { asc: 'oldest', desc: 'newest', initial: 'desc' },
  },
];

const cards: readonly Column<Customer>[] = columns.map((column) =>
  column.label === t.customers.figures.orders
    ? { ...column, cell: ({ orderCount }) => t.customers.figures.count(orderCount), card: 'state' }
    : column,
);

const filters: readonly Filter[] = [{ name: 'tag', label: t.labels.tags.filter }];

/** All customers: buyers, and customers that were added. */
export default function Customers() {
  const isNarrow = useNarrow();
  return (
    <Page
      title={t.customers.title}
      actions={
        <>
          <ExportButton what="customers" query={valuesOf(query.value, ['search', 'tag'])} />
          {can('customer.write') && (
            <LinkButton to="customers/new" icon="plus" kind="primary">
              {t.customers.add}
            </LinkButton>
          )}
        </>
      }
    >
      <List<Customer>
        what={t.customers.what}
        search={t.customers.search}
        filters={filters}
        columns={isNarrow ? cards : columns}
        idOf={({ id }) => id}
        nameOf={(customer) => t.customers.rowName(nameOf(customer))}
        to={({ id }) => `customers/${id}`}
        load={(values, window, signal) =>
          had(
            api.GET('/stores/{storeId}/customers', {
              params: { path: at(), query: { ...values, ...window } },
              signal,
            }),
          )
        }
        empty={{
          title: t.customers.empty.title,
          icon: 'customers',
          children: <p>{t.customers.empty.text}</p>,
        }}
      />
    </Page>
  );
}
