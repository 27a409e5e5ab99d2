import { api, at, had } from '../../api/client.ts';
import { can } from '../../api/session.ts';
import type { Schemas } from '../../api/types.ts';
import { Badge, type Column, LinkButton, List, Page, Time, UserText } from '../../kit/index.ts';

export type Customer = Schemas['Customer'];

/** The name of a customer, otherwise the e-mail. */
export const nameOf = ({ name, email }: Customer): string => name || email;

const columns: readonly Column<Customer>[] = [
  { label: 'Name', cell: (customer) => <UserText>{nameOf(customer)}</UserText>, card: 'title' },
  { label: 'E-mail', cell: ({ email }) => <UserText>{email}</UserText>, card: 'meta' },
  { label: 'Phone', cell: ({ phone }) => <UserText>{phone}</UserText> },
  {
    label: 'City',
    cell: ({ addresses }) => (
      <UserText>{(addresses.find(({ isDefault }) => isDefault) ?? addresses[0])?.city}</UserText>
    ),
  },
  {
    label: 'News',
    cell: ({ marketingOptIn }) => marketingOptIn && <Badge tone="good">Wants news</Badge>,
    card: 'state',
  },
  { label: 'Since', cell: ({ createdAt }) => <Time at={createdAt} form="day" />, end: true, card: 'amount' },
];

/** All customers: buyers, and customers that were added. */
export default function Customers() {
  return (
    <Page
      title="Customers"
      actions={
        can('customer.write') && (
          <LinkButton to="customers/new" icon="plus" kind="primary">
            New customer
          </LinkButton>
        )
      }
    >
      <List<Customer>
        what="customers"
        search="Name, e-mail or phone"
        columns={columns}
        idOf={({ id }) => id}
        nameOf={(customer) => `customer ${nameOf(customer)}`}
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
          title: 'No customers yet',
          icon: 'customers',
          children: <p>Customers are added with their first order, or here.</p>,
        }}
      />
    </Page>
  );
}
