import type { ComponentType } from 'preact';
import { can } from '../../api/session.ts';
import { query } from '../../browser/router.ts';
import { Fields, FormView, LinkButton, Page, Section, Shown, Tabs, useLoad } from '../../kit/index.ts';
import { countryName, languageName } from '../../words/forms.ts';
import { t } from '../../words/words.ts';
import { AgentsForm } from './agents-form.tsx';
import { SettingFacts } from './facts.tsx';
import { FeedForm } from './feed-form.tsx';
import { choices, groups, isSettingsPage, pages, type SettingsPage, withStored } from './form/fields.ts';
import { type FormProps, readSettings, useSettings } from './form/use-settings.ts';
import { InvoicesForm } from './invoices-form.tsx';
import { MailForm } from './mail-form.tsx';
import { PartiesForm } from './parties-form.tsx';
import { SellerForm } from './seller-form.tsx';
import { ShippingForm } from './shipping/shipping-form.tsx';
import { TaxesForm } from './tax/taxes-form.tsx';
import { WaysForm } from './ways-to-pay.tsx';
import { ZoneField } from './zone-field.tsx';

const words = t.settings;

const titles: Record<SettingsPage, string> = {
  shop: words.shop.title,
  seller: words.seller.title,
  parties: words.parties.title,
  taxes: words.tax.title,
  shipping: words.shipping.title,
  ways: words.ways.title,
  checkout: words.checkout.title,
  invoices: words.invoices.title,
  mail: words.mail.title,
  feed: words.feed.title,
  agents: words.agents.title,
};
const tabs = Object.entries(titles).map(([value, label]) => ({ value, label }));

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

function ShopForm(props: FormProps) {
  const { name, timeZone } = pages.shop;
  const form = useSettings('shop', pages.shop, props);
  const { item } = props.read;
  return (
    <FormView form={form}>
      <Section title={titles.shop}>
        <div class="field-row">
          <Fields form={form} of={{ name }} />
          <ZoneField form={form} label={timeZone.label} />
        </div>
        <p class="quiet">{words.shop.currencyFixed(item.currency)}</p>
      </Section>
      <Section title={words.pagesOfShop.place}>
        <div class="field-row">
          <Fields
            form={form}
            of={groups.place}
            but={{
              country: { options: withStored(choices.countries, item.country ?? '', countryName) },
              locale: { options: withStored(choices.languages, item.locale, languageName) },
            }}
          />
        </div>
      </Section>
      <Section title={words.pagesOfShop.addresses}>
        <Fields form={form} of={groups.addresses} />
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
  seller: SellerForm,
  parties: PartiesForm,
  taxes: TaxesForm,
  shipping: ShippingForm,
  ways: WaysForm,
  checkout: CheckoutForm,
  invoices: InvoicesForm,
  mail: MailForm,
  feed: FeedForm,
  agents: AgentsForm,
};
