import type { ComponentType } from 'preact';
import { api, at, hadItem, type Versioned } from '../../api/client.ts';
import { can, rename } from '../../api/session.ts';
import { query } from '../../browser/router.ts';
import {
  bodyOf,
  type FieldKinds,
  Fields,
  type Form,
  FormView,
  LinkButton,
  labelsOf,
  Page,
  placesOf,
  readValues,
  Section,
  Shown,
  Tabs,
  useForm,
  useLoad,
  type ValuesOf,
} from '../../kit/index.ts';
import { t } from '../../words/words.ts';
import { SettingFacts } from './facts.tsx';
import { isSettingsPage, methodFields, pages, type Settings, type SettingsPage } from './fields.ts';
import { ZoneField } from './zone-field.tsx';

const words = t.settings;

const titles: Record<SettingsPage, string> = {
  shop: words.shop.title,
  taxes: words.tax.title,
  shipping: words.shipping.title,
  checkout: words.checkout.title,
};
const tabs = Object.entries(titles).map(([value, label]) => ({ value, label }));

const readSettings = (signal?: AbortSignal): Promise<Versioned<Settings>> =>
  hadItem(api.GET('/stores/{storeId}/settings', { params: { path: at() }, signal: signal ?? null }));

/** The shop's name, what it adds to prices, and who may do what: one page each. */
export default function SettingsScreen() {
  const loaded = useLoad('settings', readSettings);
  const wanted = query.value.get('tab') ?? '';
  const page = isSettingsPage(wanted) ? wanted : 'shop';
  return (
    <Page
      title={words.title}
      actions={
        <LinkButton to="payments/providers" icon="payments">
          {words.providers}
        </LinkButton>
      }
    >
      <Tabs name="tab" label={words.views} tabs={tabs} current={page} />
      <Shown of={loaded} what={words.what} rows={8}>
        {(read) => {
          if (!can('settings.write')) return <SettingFacts page={page} settings={read.item} />;
          const Current = forms[page];
          return <Current key={page} read={read} onSaved={loaded.set} />;
        }}
      </Shown>
    </Page>
  );
}

interface FormProps {
  read: Versioned<Settings>;
  onSaved(saved: Versioned<Settings>): void;
}

/** A form for some of the settings. */
function useSettings<F extends FieldKinds>(
  page: SettingsPage,
  fields: F,
  { read, onSaved }: FormProps,
  places?: (values: ValuesOf<F>) => readonly string[],
): Form<ValuesOf<F>> {
  const toRead = ({ item, etag }: Versioned<Settings>) => ({ values: readValues(fields, item), etag });
  return useForm<ValuesOf<F>>({
    key: `settings/${page}`,
    labels: labelsOf(fields),
    read: toRead(read),
    saved: words.saved,
    ...(places ? { places } : {}),
    async save(changes, etag) {
      const saved = await hadItem(
        api.PUT('/stores/{storeId}/settings', {
          params: { path: at(), header: { 'If-Match': etag } },
          body: bodyOf(fields, changes),
        }),
      );
      const { name, timeZone } = saved.item;
      rename({ name, timeZone });
      onSaved(saved);
      return toRead(saved);
    },
    reread: async () => toRead(await readSettings()),
  });
}

function ShopForm(props: FormProps) {
  const { name, timeZone } = pages.shop;
  const form = useSettings('shop', pages.shop, props);
  return (
    <FormView form={form}>
      <Section title={titles.shop}>
        <div class="field-row">
          <Fields form={form} of={{ name }} />
          <ZoneField form={form} label={timeZone.label} />
        </div>
        <p class="quiet">{words.shop.currencyFixed(props.read.item.currency)}</p>
      </Section>
    </FormView>
  );
}

function TaxesForm(props: FormProps) {
  const form = useSettings('taxes', pages.taxes, props);
  return (
    <FormView form={form}>
      <Section title={titles.taxes}>
        <Fields form={form} of={pages.taxes} />
      </Section>
    </FormView>
  );
}

function ShippingForm(props: FormProps) {
  const form = useSettings('shipping', pages.shipping, props, ({ shippingMethods }) =>
    placesOf('shippingMethods', shippingMethods, methodFields),
  );
  return (
    <FormView form={form}>
      <Section title={titles.shipping}>
        <Fields
          form={form}
          of={pages.shipping}
          but={{ shippingMethods: { hint: words.shipping.hint(props.read.item.currency) } }}
        />
      </Section>
    </FormView>
  );
}

function CheckoutForm(props: FormProps) {
  const form = useSettings('checkout', pages.checkout, props);
  return (
    <FormView form={form}>
      <Section title={titles.checkout}>
        <Fields form={form} of={pages.checkout} />
      </Section>
    </FormView>
  );
}

const forms: Record<SettingsPage, ComponentType<FormProps>> = {
  shop: ShopForm,
  taxes: TaxesForm,
  shipping: ShippingForm,
  checkout: CheckoutForm,
};
