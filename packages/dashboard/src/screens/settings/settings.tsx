import { api, at, hadItem, type Versioned } from '../../api/client.ts';
import { refusal } from '../../api/errors.ts';
import { can, rename } from '../../api/session.ts';
import type { Schemas } from '../../api/types.ts';
import {
  amountText,
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
  wholeNumber,
} from '../../kit/index.ts';
import { countryName, formatList, formatNumber } from '../../words/forms.ts';
import { t } from '../../words/words.ts';
import { percentOf, rateOf } from './rate.ts';

type Settings = Schemas['Settings'];

const words = t.settings;

const methodFields: readonly RowField[] = [
  { name: 'name', label: words.shipping.name, hint: words.shipping.nameHint },
  { name: 'price', label: words.shipping.price, kind: 'money' },
  { name: 'freeFrom', label: words.shipping.freeFrom, kind: 'money', hint: words.shipping.freeFromHint },
  { name: 'countries', label: words.shipping.countries, placeholder: 'DE, AT', hint: words.shipping.countriesHint },
];

const zones = typeof Intl.supportedValuesOf === 'function' ? Intl.supportedValuesOf('timeZone') : [];

const wordsOf = (text: string, between: RegExp) => text.split(between).filter((one) => one !== '');

const shop = { name: line(words.shop.name, { isRequired: true }) };
const zone = { timeZone: own(words.shop.zone, '') };

const tax = {
  taxRate: {
    ...line(words.tax.rate, { inputMode: 'decimal', hint: words.tax.rateHint }),
    read: (stored: unknown) => amountText(percentOf(String(stored))),
    sent(typed: string) {
      const rate = rateOf(typed);
      if (rate !== undefined) return rate;
      throw refusal('taxRate', t.kit.percent);
    },
  },
  taxIncluded: check(words.tax.included),
};

const shipping = { shippingMethods: methodRows(words.shipping.methods) };

const selling = {
  reservationMinutes: whole('reservationMinutes', words.checkout.reservation, words.checkout.reservationHint),
  maxQuantity: whole('maxQuantity', words.checkout.quantity, words.checkout.quantityHint),
  returnUrls: {
    ...area(words.checkout.origins, { rows: 3, hint: words.checkout.originsHint }),
    read: (stored: unknown) => (stored as Settings['returnUrls']).join('\n'),
    sent: (typed: string) => wordsOf(typed, /\s+/),
  },
  manualPayments: check(words.checkout.manual, { hint: words.checkout.manualHint }),
};

const fields = { ...shop, ...zone, ...tax, ...shipping, ...selling };

/** A whole number; any other text is refused before it is sent. */
function whole(name: string, label: string, hint: string): FieldKind<string> {
  return {
    ...count(label, { hint }),
    sent(typed) {
      const number = wholeNumber(typed);
      if (typeof number === 'number') return number;
      throw refusal(name, t.kit.wholeNumber);
    },
  };
}

/** Shipping methods as rows of texts. */
function methodRows(label: string): FieldKind<Record<string, unknown>[]> {
  return {
    control: 'rows',
    label,
    one: words.shipping.one,
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
      title={words.title}
      actions={
        <LinkButton to="payments/providers" icon="payments">
          {words.providers}
        </LinkButton>
      }
    >
      <Shown of={loaded} what={words.what} rows={8}>
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
    saved: words.saved,
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
      <Section title={words.shop.title}>
        <div class="field-row">
          <Fields form={form} of={shop} />
          <Field form={form} name="timeZone" label={words.shop.zone} hint={words.shop.zoneHint}>
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
        <p class="quiet">{words.shop.currencyFixed(currency)}</p>
      </Section>
      <Section title={words.tax.title}>
        <Fields form={form} of={tax} />
      </Section>
      <Section title={words.shipping.title}>
        <Fields form={form} of={shipping} but={{ shippingMethods: { hint: words.shipping.hint(currency) } }} />
      </Section>
      <Section title={words.checkout.title}>
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
  const rate = formatNumber(taxRate, { style: 'percent', maximumFractionDigits: 6 });
  return (
    <>
      <Section title={words.shop.title}>
        <Facts
          of={[
            [words.shop.name, <UserText key="n">{name}</UserText>],
            [words.shop.currency, currency],
            [words.shop.zone, timeZone],
            [words.tax.title, taxIncluded ? words.tax.rateIncluded(rate) : words.tax.rateAdded(rate)],
            [words.checkout.reservation, formatNumber(reservationMinutes)],
            [words.checkout.quantity, formatNumber(maxQuantity)],
            [words.checkout.origins, <UserText key="r">{returnUrls.join(', ') || t.kit.none}</UserText>],
            [words.checkout.manual, manualPayments ? words.checkout.yes : words.checkout.no],
          ]}
        />
      </Section>
      <Section title={words.shipping.methods}>
        {settings.shippingMethods.length === 0 ? (
          <p class="quiet">{words.shipping.none}</p>
        ) : (
          <Facts
            of={settings.shippingMethods.map(
              ({ id, name: method, price, countries }): Fact => [
                <UserText key={id}>{method}</UserText>,
                <span key={id}>
                  <Money amount={price} />
                  {countries && <span class="quiet"> {formatList(countries.map(countryName))}</span>}
                </span>,
              ],
            )}
          />
        )}
      </Section>
    </>
  );
}
