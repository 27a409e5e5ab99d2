import { api, at, hadItem, type Versioned } from '../../api/client.ts';
import { refusal } from '../../api/errors.ts';
import { can, rename } from '../../api/session.ts';
import type { Schemas } from '../../api/types.ts';
import {
  area,
  bodyOf,
  check,
  count,
  type Fact,
  Facts,
  Field,
  type FieldKind,
  Fields,
  FormView,
  LinkButton,
  labelsOf,
  line,
  Money,
  own,
  Page,
  placesOf,
  type RowField,
  readValues,
  Section,
  Shown,
  UserText,
  useForm,
  useLoad,
} from '../../kit/index.ts';
import { percentOf, rateOf } from './rate.ts';

type Settings = Schemas['Settings'];

const methodFields: readonly RowField[] = [
  { name: 'name', label: 'Name', hint: 'Buyers see it' },
  { name: 'price', label: 'Price', inputMode: 'decimal' },
  { name: 'freeFrom', label: 'Free from a subtotal of', inputMode: 'decimal', hint: 'Never if empty' },
  { name: 'countries', label: 'Countries', placeholder: 'DE, AT', hint: 'Everywhere if empty' },
];

const zones = typeof Intl.supportedValuesOf === 'function' ? Intl.supportedValuesOf('timeZone') : [];

const wordsOf = (text: string, between: RegExp) => text.split(between).filter((one) => one !== '');

const shop = { name: line('Name', { isRequired: true }) };
const zone = { timeZone: own('Time zone', '') };

const tax = {
  taxRate: {
    ...line('Tax in %', { inputMode: 'decimal', hint: 'For new orders; each order can have its own' }),
    read: (stored: unknown) => percentOf(String(stored)),
    sent(typed: string) {
      const rate = rateOf(typed);
      if (rate !== undefined) return rate;
      throw refusal('taxRate', 'must be a number from 0 to 100, such as "19" or "8.1"');
    },
  },
  taxIncluded: check('Prices and shipping include tax'),
};

const shipping = { shippingMethods: methodRows('Shipping methods') };

const selling = {
  reservationMinutes: whole('reservationMinutes', 'Minutes that a checkout reserves stock', 'From 31 to 1,410'),
  maxQuantity: whole(
    'maxQuantity',
    'Maximum pieces of a product in a checkout',
    'For checkouts from your pages; orders that you create yourself have no limit',
  ),
  returnUrls: {
    ...area('Origins of your pages', {
      rows: 3,
      hint: 'Such as https://shop.example, one per line: pages that can use a storefront key and receive returning buyers',
    }),
    read: (stored: unknown) => (stored as Settings['returnUrls']).join('\n'),
    sent: (typed: string) => wordsOf(typed, /\s+/),
  },
  manualPayments: check('Payments can be recorded manually', {
    hint: 'Such as bank transfers and cash; requires payment.write',
  }),
};

const fields = { ...shop, ...zone, ...tax, ...shipping, ...selling };

/** A whole number; any other text is refused before it is sent. */
function whole(name: string, label: string, hint: string): FieldKind<string> {
  return {
    ...count(label, { hint }),
    sent(typed) {
      if (/^\d{1,9}$/.test(typed.trim())) return Number(typed);
      throw refusal(name, 'must be a whole number');
    },
  };
}

/** Shipping methods as rows of texts. */
function methodRows(label: string): FieldKind<Record<string, unknown>[]> {
  return {
    control: 'rows',
    label,
    one: 'shipping method',
    ordered: true,
    fields: methodFields,
    blank: { name: '', price: '', freeFrom: '', countries: '' },
    titleOf: ({ name }) => String(name ?? ''),
    read: (stored) =>
      (stored as Settings['shippingMethods']).map((method) => ({
        ...method,
        freeFrom: method.freeFrom ?? '',
        countries: method.countries?.join(', ') ?? '',
      })),
    sent: (rows) =>
      rows.map(({ id, name, price, freeFrom, countries }) => {
        const codes = wordsOf(String(countries ?? ''), /[\s,;]+/);
        return {
          ...(id ? { id: String(id) } : {}),
          name: String(name ?? ''),
          price: String(price ?? '').trim(),
          freeFrom: String(freeFrom ?? '').trim() || null,
          countries: codes.length > 0 ? codes : null,
        };
      }),
  };
}

const toRead = ({ item, etag }: Versioned<Settings>) => ({ values: readValues(fields, item), etag });

const readSettings = (signal?: AbortSignal): Promise<Versioned<Settings>> =>
  hadItem(api.GET('/stores/{storeId}/settings', { params: { path: at() }, signal: signal ?? null }));

/** The shop's name, what it adds to prices, and who may do what. */
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
  const form = useForm({
    key: 'settings',
    labels: labelsOf(fields),
    read: toRead(read),
    saved: 'Settings saved and active.',
    places: ({ shippingMethods }) => placesOf('shippingMethods', shippingMethods, methodFields),
    async save(changes, etag) {
      const saved = await hadItem(
        api.PUT('/stores/{storeId}/settings', {
          params: { path: at(), header: { 'If-Match': etag } },
          body: bodyOf(fields, changes),
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
          <Fields form={form} of={shop} />
          <Field form={form} name="timeZone" label="Time zone" hint="For reports, and for times in this dashboard">
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
        <Fields form={form} of={tax} />
      </Section>
      <Section title="Shipping">
        <Fields
          form={form}
          of={shipping}
          but={{ shippingMethods: { hint: `The first is the default. Prices in ${currency}.` } }}
        />
      </Section>
      <Section title="Checkouts and payments">
        <Fields form={form} of={selling} />
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
            ['Tax', `${percentOf(taxRate)} %, ${taxIncluded ? 'included in prices' : 'added to prices'}`],
            ['Minutes that a checkout reserves stock', String(reservationMinutes)],
            ['Maximum pieces of a product in a checkout', String(maxQuantity)],
            ['Origins of your pages', <UserText key="r">{returnUrls.join(', ') || '–'}</UserText>],
            ['Payments can be recorded manually', manualPayments ? 'Yes' : 'No'],
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
