import { useState } from 'preact/hooks';
import { href } from '../../../browser/places.ts';
import { Button, CheckField, Fields, FormView, Section } from '../../../kit/index.ts';
import { filled } from '../../../words/filled.ts';
import { countryName, formatNumber } from '../../../words/forms.ts';
import { t } from '../../../words/words.ts';
import { classOf, classText } from '../../goods/tax-class.ts';
import { pages } from '../form/fields.ts';
import { planOf, rateFields, type Taxes, type TaxesValue } from '../form/tax-values.ts';
import { type FormProps, useSettings } from '../form/use-settings.ts';
import { RatesField } from './rates-field.tsx';
import { SampleSection } from './sample.tsx';
import { hasStarter, starterDay, withStarter } from './starter.ts';

const words = t.settings.tax;

/** One rate for everything, or rates by country and class of goods, with what a sample pays by them. */
export function TaxesForm(props: FormProps) {
  const { item } = props.read;
  const form = useSettings('taxes', pages.taxes, props, {
    places: ({ taxes }) => taxes.rates.flatMap((_, i) => rateFields.map((field) => `taxes.rates.${i}.${field}`)),
  });
  const { taxes, taxIncluded } = form.values.value;
  const set = (change: Partial<TaxesValue>) => {
    if (change.rates) {
      form.errors.value = Object.fromEntries(
        Object.entries(form.errors.value).filter(([name]) => !name.startsWith('taxes')),
      );
    }
    form.set('taxes', { ...form.values.value.taxes, ...change });
  };
  const plan = planOf(taxes);
  return (
    <FormView form={form}>
      <Section title={words.title}>
        <fieldset class="choice-list">
          <legend>{words.way}</legend>
          {([false, true] as const).map((isOn) => (
            <label key={String(isOn)} class="check">
              <input type="radio" name="tax-way" checked={taxes.isOn === isOn} onChange={() => set({ isOn })} />
              {isOn ? words.byCountry : words.oneRate}
            </label>
          ))}
        </fieldset>
        {!taxes.isOn && item.taxes && <p class="notice">{words.ratesGo}</p>}
        {!taxes.isOn && <Fields form={form} of={{ taxRate: pages.taxes.taxRate }} />}
        <CheckField form={form} name="taxIncluded" label={words.included} />
      </Section>
      {taxes.isOn &&
        (item.country === null ? (
          <p class="notice">{filled(words.needsCountry, { link: <a href={href('settings')}>{words.toShop}</a> })}</p>
        ) : (
          <>
            <Section title={words.byCountryTitle}>
              <ScopeChoice value={taxes.scope} home={item.country} onScope={(scope) => set({ scope })} />
              <Starter value={taxes} country={item.country} onRates={set} />
              <RatesField value={taxes} errors={form.errors.value} onRates={(rates) => set({ rates })} />
              {!plan.rates.some((row) => row.country === item.country) && (
                <p class="notice">
                  {words.ownRate(
                    countryName(item.country),
                    formatNumber(item.taxRate, { style: 'percent', maximumFractionDigits: 6 }),
                  )}
                </p>
              )}
              <ShippingTax
                value={taxes}
                plan={plan}
                onShipping={(shipping) => set({ shipping })}
                isIncluded={taxIncluded}
              />
            </Section>
            <SampleSection
              currency={item.currency}
              facts={{ plan, home: item.country, taxRate: item.taxRate, taxIncluded }}
            />
          </>
        ))}
    </FormView>
  );
}

function ScopeChoice({
  value,
  home,
  onScope,
}: {
  value: Taxes['scope'];
  home: string;
  onScope(scope: Taxes['scope']): void;
}) {
  return (
    <fieldset class="choice-list">
      <legend>{words.scope}</legend>
      {(['destination', 'origin'] as const).map((scope) => (
        <label key={scope} class="check explained">
          <input type="radio" name="tax-scope" checked={value === scope} onChange={() => onScope(scope)} />
          <span>
            {words.scopes[scope](countryName(home))}
            <span class="hint">{words.scopeHints[scope]}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

/** Fills in the standard rates that are known; nothing is saved by it. */
function Starter({
  value,
  country,
  onRates,
}: {
  value: TaxesValue;
  country: string;
  onRates(change: Partial<TaxesValue>): void;
}) {
  const [isFilled, setFilled] = useState(false);
  if (!hasStarter(country)) return null;
  return (
    <div class="starter">
      <Button
        onClick={() => {
          const proposed = withStarter(value, country);
          if (!proposed) return;
          onRates({ rates: proposed.rates });
          setFilled(true);
        }}
      >
        {words.propose}
      </Button>
      <p class={isFilled ? '' : 'quiet'} role="status">
        {isFilled ? words.proposed(starterDay()) : words.proposeHint(starterDay())}
      </p>
    </div>
  );
}

function ShippingTax({
  value: { shipping },
  plan,
  isIncluded,
  onShipping,
}: {
  value: TaxesValue;
  plan: Taxes;
  isIncluded: boolean;
  onShipping(shipping: string): void;
}) {
  const classes = [
    ...new Set([...plan.rates.map((row) => row.class), ...(isClass(shipping) ? [classOf(shipping)] : [])]),
  ];
  return (
    <div class="field">
      <label htmlFor="tax-of-shipping">{words.shipping}</label>
      <select id="tax-of-shipping" value={shipping} onChange={({ currentTarget }) => onShipping(currentTarget.value)}>
        <option value="">{words.shippings.usual(isIncluded)}</option>
        <option value="proportional">{words.shippings.proportional}</option>
        <option value="none">{words.shippings.none}</option>
        {classes.map((name) => (
          <option key={name} value={name}>
            {words.shippings.likeClass(classText(name))}
          </option>
        ))}
      </select>
    </div>
  );
}

const isClass = (shipping: string) => !['', 'proportional', 'none'].includes(shipping);
