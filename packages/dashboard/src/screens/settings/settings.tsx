import { api, at, hadItem, type Versioned } from '../../api/client.ts';
import { refusal } from '../../api/errors.ts';
import { can, rename } from '../../api/session.ts';
import type { Schemas } from '../../api/types.ts';
import {
  AreaField,
  CheckField,
  type Fact,
  Facts,
  Field,
  FormView,
  LinkButton,
  Money,
  Page,
  placesOf,
  type Read,
  type RowField,
  RowsField,
  Section,
  Shown,
  TextField,
  UserText,
  useForm,
  useLoad,
} from '../../kit/index.ts';
import { percentOf, rateOf } from './rate.ts';

type Settings = Schemas['Settings'];

type FormValues = {
  name: string;
  taxRate: string;
  taxIncluded: boolean;
  shippingMethods: Record<string, unknown>[];
  reservationMinutes: string;
  maxQuantity: string;
  returnUrls: string;
  manualPayments: boolean;
  timeZone: string;
};

const labels = {
  name: 'Name',
  taxRate: 'Tax in %',
  taxIncluded: 'Prices hold the tax',
  shippingMethods: 'Shipping methods',
  reservationMinutes: 'Minutes that a checkout holds its stock',
  maxQuantity: 'Most pieces of a product in a checkout',
  returnUrls: 'Origins of your pages',
  manualPayments: 'Payments can be recorded by hand',
  timeZone: 'Time zone',
};

const methodFields: readonly RowField[] = [
  { name: 'name', label: 'Name', hint: 'Buyers see it' },
  { name: 'price', label: 'Price', inputMode: 'decimal' },
  { name: 'freeFrom', label: 'Free from a subtotal of', inputMode: 'decimal', hint: 'Never where empty' },
  { name: 'countries', label: 'Countries', placeholder: 'DE, AT', hint: 'Everywhere where empty' },
];

const zones = typeof Intl.supportedValuesOf === 'function' ? Intl.supportedValuesOf('timeZone') : [];

const wordsOf = (text: string, between: RegExp) => text.split(between).filter((one) => one !== '');

function toRead({ item, etag }: Versioned<Settings>): Read<FormValues> {
  const {
    name,
    taxRate,
    taxIncluded,
    shippingMethods,
    reservationMinutes,
    maxQuantity,
    returnUrls,
    manualPayments,
    timeZone,
  } = item;
  return {
    values: {
      name,
      taxRate: percentOf(taxRate),
      taxIncluded,
      shippingMethods: shippingMethods.map((method) => ({
        ...method,
        freeFrom: method.freeFrom ?? '',
        countries: method.countries?.join(', ') ?? '',
      })),
      reservationMinutes: String(reservationMinutes),
      maxQuantity: String(maxQuantity),
      returnUrls: returnUrls.join('\n'),
      manualPayments,
      timeZone,
    },
    etag,
  };
}

function toBody(changes: Partial<FormValues>): Schemas['SettingsChanges'] {
  const { taxRate, shippingMethods, returnUrls, reservationMinutes, maxQuantity, ...rest } = changes;
  const body: Schemas['SettingsChanges'] = { ...rest };
  if (taxRate !== undefined) {
    const rate = rateOf(taxRate);
    if (rate === undefined) throw refusal('taxRate', 'must be a number from 0 to 100, such as "19" or "8.1"');
    body.taxRate = rate;
  }
  if (shippingMethods) {
    body.shippingMethods = shippingMethods.map(({ id, name, price, freeFrom, countries }) => {
      const codes = wordsOf(String(countries ?? ''), /[\s,;]+/);
      return {
        ...(id ? { id: String(id) } : {}),
        name: String(name ?? ''),
        price: String(price ?? '').trim(),
        freeFrom: String(freeFrom ?? '').trim() || null,
        countries: codes.length > 0 ? codes : null,
      };
    });
  }
  for (const [field, value] of Object.entries({ reservationMinutes, maxQuantity })) {
    if (value === undefined) continue;
    if (!/^\d{1,9}$/.test(value.trim())) throw refusal(field, 'must be a whole number');
    body[field as 'reservationMinutes' | 'maxQuantity'] = Number(value);
  }
  if (returnUrls !== undefined) body.returnUrls = wordsOf(returnUrls, /\s+/);
  return body;
}

const readSettings = (signal?: AbortSignal): Promise<Versioned<Settings>> =>
  hadItem(api.GET('/stores/{storeId}/settings', { params: { path: at() }, signal: signal ?? null }));

/** What the shop is called, what it adds to prices, and who may do what. */
export default function SettingsScreen() {
  const loaded = useLoad('settings', readSettings);
  return (
    <Page
      title="Store settings"
      actions={
        <LinkButton to="payments/providers" icon="payments">
          Payment providers
        </LinkButton>
      }
    >
      <Shown of={loaded} what="the settings" rows={8}>
        {(read) => (can('settings.write') ? <SettingsForm read={read} /> : <SettingFacts settings={read.item} />)}
      </Shown>
    </Page>
  );
}

function SettingsForm({ read }: { read: Versioned<Settings> }) {
  const { currency } = read.item;
  const form = useForm<FormValues>({
    key: 'settings',
    labels,
    read: toRead(read),
    saved: 'The settings are saved; they are in force.',
    places: ({ shippingMethods }) => placesOf('shippingMethods', shippingMethods, methodFields),
    async save(changes, etag) {
      const saved = await hadItem(
        api.PUT('/stores/{storeId}/settings', {
          params: { path: at(), header: { 'If-Match': etag } },
          body: toBody(changes),
        }),
      );
      const { name, timeZone } = saved.item;
      rename({ name, timeZone });
      return toRead(saved);
    },
    reread: async () => toRead(await readSettings()),
  });
  return (
    <FormView form={form}>
      <Section title="The shop">
        <div class="field-row">
          <TextField form={form} name="name" label="Name" />
          <Field
            form={form}
            name="timeZone"
            label="Time zone"
            hint="Days of reports and times here are those of this zone"
          >
            {(control) => (
              <>
                <input
                  {...control}
                  list="time-zones"
                  autoComplete="off"
                  spellcheck={false}
                  value={form.values.value.timeZone}
                  onInput={({ currentTarget }) => form.set('timeZone', currentTarget.value)}
                />
                <datalist id="time-zones">
                  {zones.map((zone) => (
                    <option key={zone} value={zone} />
                  ))}
                </datalist>
              </>
            )}
          </Field>
        </div>
        <p class="quiet">Its currency is {currency}, for good.</p>
      </Section>
      <Section title="Tax">
        <TextField
          form={form}
          name="taxRate"
          label="Tax in %"
          inputMode="decimal"
          hint="Of new orders; an order may state another"
        />
        <CheckField form={form} name="taxIncluded" label="Prices and shipping hold the tax" />
      </Section>
      <Section title="Shipping">
        <RowsField
          form={form}
          name="shippingMethods"
          label="Shipping methods"
          hint={`The first is the usual one. Prices in ${currency}.`}
          one="shipping method"
          ordered
          fields={methodFields}
          blank={{ name: '', price: '', freeFrom: '', countries: '' }}
          titleOf={({ name }) => String(name ?? '')}
        />
      </Section>
      <Section title="Checkouts and payments">
        <TextField
          form={form}
          name="reservationMinutes"
          label="Minutes that a checkout holds its stock"
          inputMode="numeric"
          hint="From 31 to 1,410"
        />
        <TextField
          form={form}
          name="maxQuantity"
          label="Most pieces of a product in a checkout"
          inputMode="numeric"
          hint="For your pages, whose key anybody can read; orders that you make have no such limit"
        />
        <AreaField
          form={form}
          name="returnUrls"
          label="Origins of your pages"
          rows={3}
          hint="Such as https://shop.example, one in a line: they may call with a storefront key, and buyers come back to them"
        />
        <CheckField
          form={form}
          name="manualPayments"
          label="Payments can be recorded by hand"
          hint="Such as transfers and cash, by keys with payment.write"
        />
      </Section>
    </FormView>
  );
}

function SettingFacts({ settings }: { settings: Settings }) {
  const {
    name,
    currency,
    timeZone,
    taxRate,
    taxIncluded,
    reservationMinutes,
    maxQuantity,
    returnUrls,
    manualPayments,
  } = settings;
  return (
    <>
      <Section title="The shop">
        <Facts
          of={[
            ['Name', <UserText key="n">{name}</UserText>],
            ['Currency', currency],
            ['Time zone', timeZone],
            ['Tax', `${percentOf(taxRate)} %, ${taxIncluded ? 'held by prices' : 'added to prices'}`],
            ['Minutes that a checkout holds its stock', String(reservationMinutes)],
            ['Most pieces of a product in a checkout', String(maxQuantity)],
            ['Origins of the pages', <UserText key="r">{returnUrls.join(', ') || '–'}</UserText>],
            ['Payments can be recorded by hand', manualPayments ? 'Yes' : 'No'],
          ]}
        />
      </Section>
      <Section title="Shipping methods">
        {settings.shippingMethods.length === 0 ? (
          <p class="quiet">None</p>
        ) : (
          <Facts
            of={settings.shippingMethods.map(
              ({ id, name: method, price, countries }): Fact => [
                <UserText key={id}>{method}</UserText>,
                <span key={id}>
                  <Money amount={price} />
                  {countries && <span class="quiet"> {countries.join(', ')}</span>}
                </span>,
              ],
            )}
          />
        )}
      </Section>
    </>
  );
}
