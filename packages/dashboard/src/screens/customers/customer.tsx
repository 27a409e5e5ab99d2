import { api, at, had } from '../../api/client.ts';
import { can } from '../../api/session.ts';
import {
  actAfter,
  Badge,
  type Column,
  Copy,
  deleteItem,
  ExternalLink,
  type Fact,
  Facts,
  LinkButton,
  List,
  Menu,
  Money,
  Page,
  type ScreenProps,
  Section,
  Shown,
  Time,
  UserText,
  useItem,
} from '../../kit/index.ts';
import { linesOf } from '../orders/buyer.tsx';
import { type Order, OrderState, PaymentState, pieces } from '../orders/states.tsx';
import { type Customer, nameOf } from './customers.tsx';

/** One customer: contact, addresses and orders. */
export default function CustomerScreen({ params }: ScreenProps) {
  const { id = '' } = params;
  const loaded = useItem('customers', id);
  const customer = loaded.data?.item;
  const remove = (email: string, etag: string) =>
    deleteItem('customers', id, {
      title: 'Delete this customer?',
      text: `${email} and all of their addresses are deleted permanently. A customer with orders cannot be deleted; anonymise them instead.`,
      said: 'Customer deleted.',
      etag,
    });
  return (
    <Page
      title={customer ? nameOf(customer) : 'Customer'}
      back={{ to: 'customers', label: 'Customers' }}
      beside={customer?.marketingOptIn && <Badge tone="good">Wants news</Badge>}
      actions={
        loaded.data && (
          <>
            {can('customer.write') && (
              <LinkButton to={`customers/${id}/edit`} icon="edit">
                Edit
              </LinkButton>
            )}
            <Menu
              label="More to do"
              items={[
                ...(can('customer.delete')
                  ? [
                      {
                        label: 'Anonymise…',
                        icon: 'lock' as const,
                        danger: true,
                        run: () => void anonymise(id).then((done) => done && loaded.reload()),
                      },
                      {
                        label: 'Delete',
                        icon: 'trash' as const,
                        danger: true,
                        run: () => loaded.data && void remove(loaded.data.item.email, loaded.data.etag),
                      },
                    ]
                  : []),
              ]}
            />
          </>
        )
      }
    >
      <Shown of={loaded} what="the customer" rows={6}>
        {({ item }) => (
          <div class="columns">
            {can('order.read') ? (
              <Section title="Orders" quiet>
                <OrdersOf id={id} />
              </Section>
            ) : (
              <p class="quiet">
                Their orders need the scope <code>order.read</code>.
              </p>
            )}
            <div class="aside">
              <Contact customer={item} />
              <Addresses customer={item} />
            </div>
          </div>
        )}
      </Shown>
    </Page>
  );
}

/** Erases the person, after a question that tells what is lost; true if it was done. */
function anonymise(id: string): Promise<boolean> {
  return actAfter(
    {
      title: 'Anonymise this customer?',
      text:
        'Name, e-mail, phone and addresses are erased permanently: here, in orders, in payment data and in the audit log. ' +
        'Orders keep their amounts, region and country for tax reports. Data already sent to webhooks cannot be erased.',
      yes: 'Anonymise',
    },
    () => had(api.POST('/stores/{storeId}/customers/{id}/anonymise', { params: { path: at({ id }) } })),
    'Customer anonymised.',
  );
}

const columns: readonly Column<Order>[] = [
  { label: 'Order', cell: ({ orderNumber }) => orderNumber, card: 'title' },
  { label: 'Placed', cell: ({ placedAt, createdAt }) => <Time at={placedAt ?? createdAt} form="day" />, card: 'meta' },
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

function OrdersOf({ id }: { id: string }) {
  return (
    <List<Order>
      what="orders"
      columns={columns}
      idOf={(order) => order.id}
      nameOf={({ orderNumber }) => `order ${orderNumber}`}
      to={(order) => `orders/${order.id}`}
      load={(_, window, signal) =>
        had(
          api.GET('/stores/{storeId}/orders', {
            params: { path: at(), query: { customerId: id, ...window } },
            signal,
          }),
        )
      }
      empty={{ title: 'No orders yet', icon: 'orders' }}
    />
  );
}

function Contact({ customer }: { customer: Customer }) {
  const { email, phone, createdAt, marketingOptIn } = customer;
  return (
    <Section title="Contact">
      <p>
        <ExternalLink to={`mailto:${email}`}>{email}</ExternalLink> <Copy text={email} what="the e-mail address" />
      </p>
      {phone && (
        <p>
          <UserText>{phone}</UserText> <Copy text={phone} what="the phone number" />
        </p>
      )}
      <Facts
        of={[
          ['News by e-mail', marketingOptIn ? 'Yes' : 'No'],
          ['Customer since', <Time key="since" at={createdAt} form="day" />] as Fact,
        ]}
      />
    </Section>
  );
}

function Addresses({ customer: { addresses } }: { customer: Customer }) {
  if (addresses.length === 0) {
    return (
      <Section title="Addresses">
        <p class="quiet">None saved</p>
      </Section>
    );
  }
  return (
    <>
      {addresses.map((address, i) => (
        <Section
          key={address.id}
          title={address.isDefault ? 'Default address' : `Address ${i + 1}`}
          actions={<Copy text={linesOf(address).join('\n')} what="the address" />}
        >
          <UserText block>{linesOf(address).join('\n')}</UserText>
          {address.phone && (
            <p class="quiet">
              <UserText>{address.phone}</UserText>
            </p>
          )}
        </Section>
      ))}
    </>
  );
}
