import { api, at, had } from '../../api/client.ts';
import { can } from '../../api/session.ts';
import type { Schemas } from '../../api/types.ts';
import { withCountry } from '../../kit/form/countries-input.tsx';
import { CheckField, type Form, Section, SelectField, TextField, UserText } from '../../kit/index.ts';
import { t } from '../../words/words.ts';
import { Finder } from './finder.tsx';
import { addressNames, type NewOrderValues, type Place } from './values.ts';

const words = t.newOrder;
const names = t.customers.addresses;

type Customer = Schemas['Customer'];

const findCustomers = async (search: string, signal: AbortSignal) =>
  (await had(api.GET('/stores/{storeId}/customers', { params: { path: at(), query: { search, limit: 8 } }, signal })))
    .items;

/** The buyer: a known customer, or a new e-mail. */
export function CustomerSection({ form }: { form: Form<NewOrderValues> }) {
  const take = ({ email, name, phone, vatId, addresses }: Customer) => {
    form.set('customer.email', email);
    form.set('customer.name', name ?? '');
    form.set('customer.phone', phone ?? '');
    form.set('customer.vatId', vatId ?? '');
    const address = addresses.find(({ isDefault }) => isDefault) ?? addresses[0];
    if (address) for (const part of addressNames) form.set(`shippingAddress.${part}`, address[part] ?? '');
  };
  return (
    <Section title={t.orders.customer.title}>
      {can('customer.read') && (
        <Finder
          label={words.knownCustomer}
          placeholder={t.customers.search}
          load={findCustomers}
          show={({ name, email }) => (
            <span class="found">
              <UserText>{name ?? email}</UserText>
              <span class="quiet">
                <UserText>{email}</UserText>
              </span>
            </span>
          )}
          onPick={take}
        />
      )}
      <TextField
        form={form}
        name="customer.email"
        label={t.customers.fields.email}
        type="email"
        hint={words.emailHint}
      />
      <TextField form={form} name="customer.name" label={t.customers.fields.name} />
      <TextField form={form} name="customer.phone" label={t.customers.fields.phone} type="tel" />
      <TextField form={form} name="customer.vatId" label={t.taxes.vatId} hint={t.taxes.vatIdHint} />
    </Section>
  );
}

/** The addresses of the goods and of the invoice. */
export function AddressSections({ form }: { form: Form<NewOrderValues> }) {
  return (
    <Section title={t.orders.customer.shipTo}>
      <AddressFields form={form} place="shippingAddress" />
      <CheckField form={form} name="billsElsewhere" label={words.billsElsewhere} />
      {form.values.value.billsElsewhere && (
        <>
          <h3>{t.orders.customer.billTo}</h3>
          <AddressFields form={form} place="billingAddress" />
        </>
      )}
    </Section>
  );
}

function AddressFields({ form, place }: { form: Form<NewOrderValues>; place: Place }) {
  return (
    <div class="field-row">
      {addressNames.map((name) =>
        name === 'country' ? (
          <SelectField
            key={name}
            form={form}
            name={`${place}.country`}
            label={t.orders.country}
            options={[['', t.countries.choose], ...withCountry(form.values.value[`${place}.country`])]}
          />
        ) : (
          <TextField
            key={name}
            form={form}
            name={`${place}.${name}`}
            label={names[name]}
            type={name === 'phone' ? 'tel' : 'text'}
          />
        ),
      )}
    </div>
  );
}
