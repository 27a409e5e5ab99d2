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
import { inTaxWords } from '../../kit/terms/tax.ts';
import { t } from '../../words/words.ts';
import { metadataFields, tagFields } from '../labels/fields.ts';
import { MetadataField } from '../labels/metadata.tsx';
import { TagsField } from '../labels/tags.tsx';
import { type Customer, nameOf } from './customers.tsx';

type AddressRow = Record<string, unknown>;

const { addresses: names, fields: words } = t.customers;

const addressFields: readonly RowField[] = [
  { name: 'firstName', label: names.firstName },
  { name: 'lastName', label: names.lastName },
  { name: 'company', label: names.company },
  { name: 'address1', label: names.address1 },
  { name: 'address2', label: names.address2 },
  { name: 'postalCode', label: names.postalCode },
  { name: 'city', label: names.city },
  { name: 'region', label: names.region },
  { name: 'country', label: names.country, kind: 'country' },
  { name: 'phone', label: names.phone },
  { name: 'isDefault', label: names.isDefault, kind: 'one' },
];

// Only the service knows whether a country has postal codes.
const required = new Set(['address1', 'city', 'country']);

const blank: AddressRow = {
  ...Object.fromEntries(addressFields.map(({ name }) => [name, ''])),
  isDefault: false,
};

const contact = {
  email: line(words.email, { isRequired: true, type: 'email', hint: words.emailHint }),
  name: line(words.name),
  phone: line(words.phone, { type: 'tel' }),
  vatId: line(t.taxes.vatId, { hint: t.taxes.vatIdHint }),
};
const news = { marketingOptIn: check(words.news) };
const places = { addresses: addressRows(names.label) };

/** The addresses as rows of texts. An empty text is sent as null if the field allows it. */
function addressRows(label: string): FieldKind<AddressRow[]> {
  return {
    control: 'rows',
    label,
    one: names.one,
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
  const list = { to: 'customers', label: t.customers.title };
  const mayWrite = can('customer.write');
  const title = id ? (customer ? t.customers.editOf(nameOf(customer)) : t.customers.editOne) : t.customers.add;
  return (
    <ItemPage
      of={id ? loaded : undefined}
      what={t.customers.the}
      title={mayWrite ? title : t.customers.one}
      back={mayWrite && id ? { to: `customers/${id}`, label: t.customers.back } : list}
      scope="customer.write"
      why={t.customers.form}
      form={(read) => <CustomerForm read={read} />}
    />
  );
}

function CustomerForm({ read }: { read: Versioned<Customer> | undefined }) {
  const form = useItemForm({
    of: 'customers',
    fields: { ...contact, ...news, ...places, ...tagFields, ...metadataFields },
    read,
    saved: t.customers.saved,
    refused: inTaxWords,
    places: ({ addresses }) => placesOf('addresses', addresses, addressFields),
    onSaved: ({ item }) => void navigate(`customers/${item.id}`, { replace: true }),
  });
  return (
    <FormView form={form}>
      <Section title={t.customers.contact}>
        <div class="field-row">
          <Fields form={form} of={contact} />
        </div>
        <Fields form={form} of={news} />
        <TagsField form={form} />
      </Section>
      <Section title={names.title}>
        <Fields form={form} of={places} />
      </Section>
      <div class="card">
        <MetadataField form={form} />
      </div>
    </FormView>
  );
}
