import { useRef } from 'preact/hooks';
import { api, at, hadItem, type Versioned } from '../../api/client.ts';
import { can } from '../../api/session.ts';
import type { Schemas } from '../../api/types.ts';
import { navigate } from '../../browser/router.ts';
import {
  CheckField,
  FormView,
  NoScope,
  Page,
  placesOf,
  type Read,
  type RowField,
  RowsField,
  type ScreenProps,
  Section,
  Shown,
  TextField,
  useForm,
  useLoad,
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

function toRead(read?: Versioned<Customer>): Read<FormValues> {
  if (!read) return { values: { email: '', name: '', phone: '', marketingOptIn: false, addresses: [] } };
  const { email, name, phone, marketingOptIn, addresses } = read.item;
  const rows = addresses.map((address) => ({
    id: address.id,
    ...Object.fromEntries(fields.map((field) => [field.name, address[field.name as keyof typeof address] ?? ''])),
  }));
  return { values: { email, name: name ?? '', phone: phone ?? '', marketingOptIn, addresses: rows }, etag: read.etag };
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
  const loaded = useLoad(id ?? 'new', async (signal) => (id ? readCustomer(id, signal) : undefined));
  const customer = loaded.data?.item;
  if (!can('customer.write')) {
    return (
      <Page title="Customer" back={{ to: 'customers', label: 'Customers' }}>
        <NoScope scope="customer.write" what="how customers are changed" />
      </Page>
    );
  }
  return (
    <Page
      title={id ? `Edit ${customer ? nameOf(customer) : 'a customer'}` : 'New customer'}
      back={id ? { to: `customers/${id}`, label: 'Back' } : { to: 'customers', label: 'Customers' }}
    >
      {id ? (
        <Shown of={loaded} what="the customer" rows={6}>
          {(read) => <CustomerForm id={id} read={read} />}
        </Shown>
      ) : (
        <CustomerForm />
      )}
    </Page>
  );
}

function readCustomer(id: string, signal?: AbortSignal): Promise<Versioned<Customer>> {
  return hadItem(api.GET('/stores/{storeId}/customers/{id}', { params: { path: at({ id }) }, signal: signal ?? null }));
}

function CustomerForm({ id, read }: { id?: string; read?: Versioned<Customer> | undefined }) {
  const saved = useRef(id);
  const form = useForm<FormValues>({
    key: `customers/${id ?? 'new'}`,
    read: toRead(read),
    saved: 'The customer is saved.',
    places: ({ addresses }) => placesOf('addresses', addresses, fields),
    async save(changes, etag, all) {
      const now = id
        ? await hadItem(
            api.PUT('/stores/{storeId}/customers/{id}', {
              params: { path: at({ id }), header: { 'If-Match': etag } },
              body: toBody(changes),
            }),
          )
        : await hadItem(
            api.POST('/stores/{storeId}/customers', {
              params: { path: at() },
              body: { ...toBody(all), email: all.email },
            }),
          );
      saved.current = now.item.id;
      return toRead(now);
    },
    onSaved: () => void navigate(`customers/${saved.current}`, { replace: true }),
    ...(id ? { reread: async () => toRead(await readCustomer(id)) } : {}),
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
