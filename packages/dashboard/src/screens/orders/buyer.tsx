import type { ComponentChildren } from 'preact';
import { api, at, had } from '../../api/client.ts';
import { can } from '../../api/session.ts';
import type { Schemas } from '../../api/types.ts';
import { href } from '../../browser/places.ts';
import { Copy, ExternalLink, Section, Shown, UserText, useLoad } from '../../kit/index.ts';
import { countryName } from '../../words/forms.ts';
import { t } from '../../words/words.ts';
import type { Order } from './states.tsx';

type Address = Schemas['AddressSnapshot'];

/** Lines of an address, as written on a parcel. */
export function linesOf(address: Address): string[] {
  const { firstName, lastName, company, address1, address2, postalCode, city, region, country } = address;
  const join = (...parts: (string | null)[]) => parts.filter(Boolean).join(' ');
  return [
    join(firstName, lastName),
    company,
    address1,
    address2,
    join(postalCode, city),
    region,
    country && countryName(country),
  ]
    .map((line) => line ?? '')
    .filter((line) => line !== '');
}

/** Destination, buyer and parcels. */
export function Buyer({ order, parcels }: { order: Order; parcels: ComponentChildren }) {
  const { shippingAddress, billingAddress, customerId } = order;
  const isSame = JSON.stringify(shippingAddress) === JSON.stringify(billingAddress);
  return (
    <>
      <AddressCard title={t.orders.customer.shipTo} address={shippingAddress} />
      {parcels}
      {customerId && can('customer.read') && <CustomerCard id={customerId} />}
      {billingAddress && !isSame && <AddressCard title={t.orders.customer.billTo} address={billingAddress} />}
    </>
  );
}

function AddressCard({ title, address }: { title: string; address: Address | null }) {
  const lines = address ? linesOf(address) : [];
  return (
    <Section
      title={title}
      actions={lines.length > 0 && <Copy text={lines.join('\n')} what={t.orders.customer.address} />}
    >
      {lines.length === 0 ? (
        <p class="quiet">{t.orders.customer.noAddress}</p>
      ) : (
        <UserText block>{lines.join('\n')}</UserText>
      )}
      {address?.phone && (
        <p class="quiet">
          <UserText>{address.phone}</UserText> <Copy text={address.phone} what={t.orders.customer.phone} />
        </p>
      )}
    </Section>
  );
}

function CustomerCard({ id }: { id: string }) {
  const loaded = useLoad(id, async (signal) => {
    return (await had(api.GET('/stores/{storeId}/customers/{id}', { params: { path: at({ id }) }, signal }))).item;
  });
  return (
    <Section title={t.orders.customer.title}>
      <Shown of={loaded} what={t.orders.customer.what} rows={2}>
        {({ email, name, phone }) => (
          <>
            <p>
              <a href={href(`customers/${id}`)}>
                <UserText>{name ?? email}</UserText>
              </a>
            </p>
            <p>
              <ExternalLink to={`mailto:${email}`}>{email}</ExternalLink>{' '}
              <Copy text={email} what={t.orders.customer.email} />
            </p>
            {phone && (
              <p class="quiet">
                <UserText>{phone}</UserText>
              </p>
            )}
          </>
        )}
      </Shown>
    </Section>
  );
}
