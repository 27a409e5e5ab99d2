import type { Versioned } from '../../api/client.ts';
import { can } from '../../api/session.ts';
import type { Schemas } from '../../api/types.ts';
import { navigate } from '../../browser/router.ts';
import {
  CheckField,
  FormView,
  ItemPage,
  placesOf,
  type RowField,
  RowsField,
  type ScreenProps,
  Section,
  TextField,
  useItem,
  useItemForm,
} from '../../kit/index.ts';
import { type Customer, nameOf } from './customers.tsx';

type AddressRow = Record<string, unknown>;

type FormValues = {
  email: string;
  name: string;
  phone: string;
  marketingOptIn: boolean;
  addresses: AddressRow[];
};

const fields: readonly RowField[] = [
  { name: 'firstName', label: 'First name' },
  { name: 'lastName', label: 'Last name' },
  { name: 'company', label: 'Company' },
  { name: 'address1', label: 'Street and number' },
  { name: 'address2', label: 'Second line' },
  { name: 'postalCode', label: 'Postal code' },
  { name: 'city', label: 'City' },
  { name: 'region', label: 'Region' },
  { name: 'country', label: 'Country', placeholder: 'DE' },
  { name: 'phone', label: 'Phone' },
  { name: 'isDefault', label: 'Usual address', kind: 'one' },
];

// Whether a country has postal codes is for the service to say.
const required = new Set(['address1', 'city', 'country']);

const blank: AddressRow = {
  ...Object.fromEntries(fields.map(({ name }) => [name, ''])),
  isDefault: false,
};

const labels = {
  email: 'E-mail',
  name: 'Name',
  phone: 'Phone',
  marketingOptIn: 'News by e-mail',
  addresses: 'Addresses',
};

function toValues(customer?: Customer): FormValues {
  if (!customer) return { email: '', name: '', phone: '', marketingOptIn: false, addresses: [] };
  const { email, name, phone, marketingOptIn, addresses } = customer;
  const rows = addresses.map((address) => ({
    id: address.id,
    ...Object.fromEntries(fields.map((field) => [field.name, address[field.name as keyof typeof address] ?? ''])),
  }));
  return { email, name: name ?? '', phone: phone ?? '', marketingOptIn, addresses: rows };
}

/** The fields as the interface takes them: what is empty is null where it may be. */
function toBody({ email, name, phone, marketingOptIn, addresses }: Partial<FormValues>): Schemas['CustomerChanges'] {
  const rows = addresses?.map(({ id, ...row }) => ({
    ...(id ? { id: String(id) } : {}),
    ...Object.fromEntries(
      Object.entries(row).map(([field, value]) => [
        field,
        value || required.has(field) || field === 'isDefault' ? value : null,
      ]),
    ),
  }));
  return {
    ...(email === undefined ? {} : { email }),
    ...(name === undefined ? {} : { name: name || null }),
    ...(phone === undefined ? {} : { phone: phone || null }),
    ...(marketingOptIn === undefined ? {} : { marketingOptIn }),
    ...(rows ? { addresses: rows } : {}),
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
      why="how customers are changed"
      form={(read) => <CustomerForm id={id} read={read} />}
    />
  );
}

function CustomerForm({ id, read }: { id: string | undefined; read: Versioned<Customer> | undefined }) {
  const form = useItemForm<'customers', FormValues>({
    of: 'customers',
    id,
    read,
    saved: 'The customer is saved.',
    places: ({ addresses }) => placesOf('addresses', addresses, fields),
    toValues,
    toBody,
    onSaved: ({ item }) => void navigate(`customers/${item.id}`, { replace: true }),
  });
  return (
    <FormView form={form} labels={labels}>
      <Section title="Contact">
        <div class="field-row">
          <TextField form={form} name="email" label="E-mail" type="email" hint="One customer has one address" />
          <TextField form={form} name="name" label="Name" />
          <TextField form={form} name="phone" label="Phone" type="tel" />
        </div>
        <CheckField form={form} name="marketingOptIn" label="Wants news by e-mail" />
      </Section>
      <Section title="Addresses">
        <RowsField
          form={form}
          name="addresses"
          label="Where parcels and invoices go"
          one="address"
          fields={fields}
          blank={blank}
          titleOf={({ address1, city }) => [address1, city].filter(Boolean).join(', ')}
        />
      </Section>
    </FormView>
  );
}
