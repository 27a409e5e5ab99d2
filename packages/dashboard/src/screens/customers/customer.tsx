import type { ComponentChildren } from 'preact';
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
  NoScope,
  Page,
  type ScreenProps,
  Section,
  Shown,
  Time,
  UserText,
  useItem,
} from '../../kit/index.ts';
import { formatNumber } from '../../words/forms.ts';
import { t } from '../../words/words.ts';
import { MetadataFacts } from '../labels/metadata.tsx';
import { TagLinks } from '../labels/tags.tsx';
import { linesOf } from '../orders/buyer.tsx';
import { type Order, OrderState, pieces } from '../orders/states.tsx';
import { Avatar, type Customer, nameOf } from './customers.tsx';

/** One customer: contact, addresses and orders. */
export default function CustomerScreen({ params }: ScreenProps) {
  const { id = '' } = params;
  const loaded = useItem('customers', id);
  const customer = loaded.data?.item;
  const remove = (email: string, etag: string) =>
    deleteItem('customers', id, {
      title: t.customers.remove.title,
      text: t.customers.remove.text(email),
      said: t.customers.remove.done,
      etag,
    });
  return (
    <Page
      title={customer ? nameOf(customer) : t.customers.one}
      back={{ to: 'customers', label: t.customers.title }}
      beside={
        customer && (
          <>
            <Avatar customer={customer} />
            {customer.marketingOptIn && <Badge tone="good">{t.customers.subscribed}</Badge>}
          </>
        )
      }
      actions={
        loaded.data && (
          <>
            {can('customer.write') && (
              <LinkButton to={`customers/${id}/edit`} icon="edit">
                {t.customers.edit}
              </LinkButton>
            )}
            <Menu
              label={t.kit.moreActions}
              items={[
                ...(can('customer.delete')
                  ? [
                      {
                        label: t.customers.anonymise.action,
                        icon: 'lock' as const,
                        danger: true,
                        run: () => void anonymise(id).then((done) => done && loaded.reload()),
                      },
                      {
                        label: t.kit.remove,
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
      <Shown of={loaded} what={t.customers.the} rows={6}>
        {({ item }) => (
          <>
            <Figures customer={item} />
            <div class="columns">
              {can('order.read') ? (
                <Section title={t.customers.orders} quiet>
                  <OrdersOf id={id} />
                </Section>
              ) : (
                <NoScope scope="order.read" what={t.orders.what} />
              )}
              <div class="aside">
                <Contact customer={item} />
                <Addresses customer={item} />
                <MetadataFacts metadata={item.metadata} />
              </div>
            </div>
          </>
        )}
      </Shown>
    </Page>
  );
}

/** What a customer has bought so far. */
function Figures({ customer: { orderCount, totalSpent, lastOrderAt, createdAt } }: { customer: Customer }) {
  const { figures } = t.customers;
  const all: [label: string, value: ComponentChildren][] = [
    [figures.orders, formatNumber(orderCount)],
    [figures.spent, <Money key="s" amount={totalSpent} />],
    [figures.last, <Time key="l" at={lastOrderAt} form="day" />],
    [t.customers.since, <Time key="c" at={createdAt} form="day" />],
  ];
  return (
    <dl class="customer-figures card">
      {all.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Erases the person, after a question that tells what is lost; true if it was done. */
function anonymise(id: string): Promise<boolean> {
  return actAfter(
    {
      title: t.customers.anonymise.title,
      text: t.customers.anonymise.text,
      yes: t.customers.anonymise.yes,
    },
    () => had(api.POST('/stores/{storeId}/customers/{id}/anonymise', { params: { path: at({ id }) } })),
    t.customers.anonymise.done,
  );
}

const { columns: names } = t.orders;

const columns: readonly Column<Order>[] = [
  { label: names.order, cell: ({ orderNumber }) => orderNumber, card: 'title' },
  {
    label: names.placed,
    cell: ({ placedAt, createdAt }) => <Time at={placedAt ?? createdAt} form="day" />,
    card: 'meta',
  },
  { label: names.items, cell: (order) => pieces(order), end: true },
  { label: names.status, cell: (order) => <OrderState order={order} />, card: 'state' },
  {
    label: names.total,
    cell: ({ total, currency }) => <Money amount={total} currency={currency} />,
    end: true,
    card: 'amount',
  },
];

function OrdersOf({ id }: { id: string }) {
  return (
    <List<Order>
      what={t.orders.what}
      columns={columns}
      idOf={(order) => order.id}
      nameOf={({ orderNumber }) => t.orders.rowName(orderNumber)}
      to={(order) => `orders/${order.id}`}
      load={(_, window, signal) =>
        had(
          api.GET('/stores/{storeId}/orders', {
            params: { path: at(), query: { customerId: id, ...window } },
            signal,
          }),
        )
      }
      empty={{ title: t.customers.noOrders, icon: 'orders' }}
    />
  );
}

function Contact({ customer }: { customer: Customer }) {
  const { email, phone, vatId, marketingOptIn, tags } = customer;
  return (
    <Section title={t.customers.contact}>
      <p>
        <ExternalLink to={`mailto:${email}`}>{email}</ExternalLink> <Copy text={email} what={t.orders.customer.email} />
      </p>
      {phone && (
        <p>
          <UserText>{phone}</UserText> <Copy text={phone} what={t.orders.customer.phone} />
        </p>
      )}
      <Facts
        of={[
          [t.customers.news, marketingOptIn ? t.customers.yes : t.customers.no],
          ...(vatId ? [[t.taxes.vatId, <UserText key="v">{vatId}</UserText>] as Fact] : []),
        ]}
      />
      <TagLinks tags={tags} to="customers" />
    </Section>
  );
}

function Addresses({ customer: { addresses } }: { customer: Customer }) {
  if (addresses.length === 0) {
    return (
      <Section title={t.customers.addresses.title}>
        <p class="quiet">{t.customers.addresses.none}</p>
      </Section>
    );
  }
  return (
    <>
      {addresses.map((address, i) => (
        <Section
          key={address.id}
          title={address.isDefault ? t.customers.addresses.default : t.customers.addresses.number(i + 1)}
          actions={<Copy text={linesOf(address).join('\n')} what={t.orders.customer.address} />}
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
