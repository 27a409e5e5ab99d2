import {
  AreaField,
  type Fact,
  Facts,
  type Form,
  formatMoney,
  Money,
  MoneyField,
  Section,
  SelectField,
  TextField,
} from '../../kit/index.ts';
import { providerNames } from '../../kit/terms/payment.ts';
import { formatNumber } from '../../words/forms.ts';
import { t } from '../../words/words.ts';
import { methodsFor, type NewOrderValues, subtotalOf } from './values.ts';
import type { Ways } from './ways.ts';

const words = t.newOrder;

/** Shipping, discount, the note, and the sum as far as it is known here. */
export function ChargesSection({
  form,
  ways: { settings, providers, isOpen },
  currency,
}: {
  form: Form<NewOrderValues>;
  ways: Ways;
  currency: string;
}) {
  const values = form.values.value;
  const subtotal = subtotalOf(values.items, currency);
  const offers = methodsFor(values, settings.shippingMethods, currency);
  const chosen = offers.find(({ method }) => method.id === values.shippingMethodId);
  const rate = formatNumber(settings.taxRate, { style: 'percent', maximumFractionDigits: 6 });
  const oneRate = settings.taxIncluded ? t.settings.tax.rateIncluded(rate) : t.settings.tax.rateAdded(rate);
  const isExempt = values['taxExempt.reason'] !== '';
  return (
    <Section title={words.charges}>
      <div class="field-row">
        {settings.shippingMethods.length > 0 && (
          <SelectField
            form={form}
            name="shippingMethodId"
            label={words.shipping}
            options={[
              ['', words.noShipping],
              ...offers.map(
                ({ method, price }) => [method.id, `${method.name} · ${formatMoney(price, currency)}`] as const,
              ),
            ]}
          />
        )}
        {providers.length > 1 && (
          <SelectField
            form={form}
            name="provider"
            label={words.provider}
            options={[
              ['', words.chooseProvider],
              ...providers.map(({ provider }) => [provider, providerNames[provider]] as const),
            ]}
          />
        )}
        {isOpen && (
          <MoneyField form={form} name="discount" label={words.discount(currency)} hint={words.discountHint} />
        )}
        <TextField form={form} name="discountCode" label={words.code} />
      </div>
      <SelectField
        form={form}
        name="taxExempt.reason"
        label={t.taxes.exempt}
        hint={t.taxes.exemptHint}
        options={[['', t.taxes.taxed], ...Object.entries(t.taxes.reasons)]}
      />
      {isExempt && (
        <TextField
          form={form}
          name="taxExempt.note"
          label={t.taxes.exemptNote}
          hint={values['taxExempt.reason'] === 'other' ? t.taxes.exemptNoteHint : undefined}
        />
      )}
      <AreaField form={form} name="customerNote" label={words.note} rows={2} />
      <AreaField form={form} name="giftNote" label={words.giftNote} hint={words.giftNoteHint} rows={2} />
      <Facts
        of={[
          [t.orders.items.subtotal, <Money key="s" amount={subtotal} currency={currency} />],
          ...(chosen
            ? [[t.orders.items.shipping, <Money key="m" amount={chosen.price} currency={currency} />] as Fact]
            : []),
          [t.orders.items.tax, isExempt ? t.settings.tax.sample.noTax : settings.taxes ? t.taxes.byCountry : oneRate],
        ]}
      />
      <p class="hint">{words.totalHint}</p>
    </Section>
  );
}
