import type { Versioned } from '../../api/client.ts';
import { can } from '../../api/session.ts';
import { navigate } from '../../browser/router.ts';
import {
  check,
  type FieldKind,
  Fields,
  FormView,
  ItemPage,
  line,
  placesOf,
  type RowField,
  type ScreenProps,
  Section,
  useItem,
  useItemForm,
} from '../../kit/index.ts';
import { type Customer, nameOf } from './customers.tsx';

type AddressRow = Record<string, unknown>;

const addressFields: readonly RowField[] = [
  { name: 'firstName', label: 'First name' },
  { name: 'lastName', label: 'Last name' },
  { name: 'company', label: 'Company' },
  { name: 'address1', label: 'Street and number' },
  { name: 'address2', label: 'Address line 2' },
  { name: 'postalCode', label: 'Postal code' },
  { name: 'city', label: 'City' },
  { name: 'region', label: 'Region' },
  { name: 'country', label: 'Country', placeholder: 'DE' },
  { name: 'phone', label: 'Phone' },
  { name: 'isDefault', label: 'Default address', kind: 'one' },
];

// Only the service knows whether a country has postal codes.
const required = new Set(['address1', 'city', 'country']);

const blank: AddressRow = {
  ...Object.fromEntries(addressFields.map(({ name }) => [name, ''])),
  isDefault: false,
};

const contact = {
  email: line('E-mail', { isRequired: true, type: 'email', hint: 'Each customer has a different e-mail address' }),
  name: line('Name'),
  phone: line('Phone', { type: 'tel' }),
};
const news = { marketingOptIn: check('Receives news by e-mail') };
const places = { addresses: addressRows('For shipping and invoices') };

/** The addresses as rows of texts. An empty text is sent as null if the field allows it. */
function addressRows(label: string): FieldKind<AddressRow[]> {
  return {
    control: 'rows',
    label,
    one: 'address',
    fields: addressFields,
    blank,
    titleOf: ({ address1, city }) => [address1, city].filter(Boolean).join(', '),
    read: (stored) =>
      ((stored as AddressRow[] | undefined) ?? []).map((address) => ({
        id: address.id,
        ...Object.fromEntries(addressFields.map(({ name }) => [name, address[name] ?? ''])),
      })),
    sent: (rows) =>
      rows.map(({ id, ...row }) => ({
        ...(id ? { id } : {}),
        ...Object.fromEntries(
          Object.entries(row).map(([name, value]) => [
            name,
            value || required.has(name) || name === 'isDefault' ? value : null,
          ]),
        ),
      })),
  };
}

/** Edits a customer, or adds one. */
export default function CustomerFormScreen({ params: { id } }: ScreenProps) {
  const loaded = useItem('customers', id);
  const customer = loaded.data?.item;
  const list = { to: 'customers', label: 'Customers' };
  const mayWrite = can('customer.write');
  const title = id ? `Edit ${customer ? nameOf(customer) : 'a customer'}` : 'New customer';
  return (
    <ItemPage
      of={id ? loaded : undefined}
      what="the customer"
      title={mayWrite ? title : 'Customer'}
      back={mayWrite && id ? { to: `customers/${id}`, label: 'Back' } : list}
      scope="customer.write"
      why="the customer form"
      form={(read) => <CustomerForm read={read} />}
    />
  );
}

function CustomerForm({ read }: { read: Versioned<Customer> | undefined }) {
  const form = useItemForm({
    of: 'customers',
    fields: { ...contact, ...news, ...places },
    read,
    saved: 'Customer saved.',
    places: ({ addresses }) => placesOf('addresses', addresses, addressFields),
    onSaved: ({ item }) => void navigate(`customers/${item.id}`, { replace: true }),
  });
  return (
    <FormView form={form}>
      <Section title="Contact">
        <div class="field-row">
          <Fields form={form} of={contact} />
        </div>
        <Fields form={form} of={news} />
      </Section>
      <Section title="Addresses">
        <Fields form={form} of={places} />
      </Section>
    </FormView>
  );
}
