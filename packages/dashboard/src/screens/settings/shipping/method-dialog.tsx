import type { Versioned } from '../../../api/client.ts';
import { CountriesInput } from '../../../kit/form/countries-input.tsx';
import { AreaField, Dialog, Field, FormView, MoneyField, SelectField, TextField, useForm } from '../../../kit/index.ts';
import { t } from '../../../words/words.ts';
import type { Settings } from '../form/fields.ts';
import { saveEntry } from '../form/saved-list.tsx';
import { BandsField } from './bands-field.tsx';
import type { Method } from './prices.ts';
import { endOf, type MethodValues, methodOf, type Pricing, valuesOf } from './values.ts';

const words = t.settings.shipping;

/** Adds a way to ship, or changes one. */
export function MethodDialog({
  method,
  read,
  onSaved,
  onClose,
}: {
  /** Undefined for a new one. */
  method: Method | undefined;
  read: Versioned<Settings>;
  onSaved(saved: Versioned<Settings>): void;
  onClose(): void;
}) {
  const { currency } = read.item;
  const form = useForm<MethodValues>({
    key: `settings/shipping/${method?.id ?? 'new'}`,
    read: { values: valuesOf(method) },
    saved: words.saved,
    places: ({ rates, pricing }) => rates.flatMap((_, i) => [`rates.${i}.${endOf[pricing]}`, `rates.${i}.price`]),
    async save(_, __, all) {
      onSaved(await saveEntry<Method>('shippingMethods', read, methodOf(all), method));
      return { values: all };
    },
  });
  const values = form.values.value;
  const isPickup = values.kind === 'pickup';
  const choosePricing = (pricing: Pricing) => {
    // A price stays, an end in kilograms is no amount.
    const first = values.price ? [{ upTo: '', price: values.price }] : [{ upTo: '', price: '' }];
    const bands = values.rates.length > 0 ? values.rates.map(({ price }) => ({ upTo: '', price })) : first;
    if (pricing !== 'one') form.set('rates', bands);
    form.set('pricing', pricing);
  };
  return (
    <Dialog title={method ? t.settings.lists.edit(method.name) : words.addTitle} onClose={onClose}>
      <FormView form={form}>
        <SelectField form={form} name="kind" label={words.kind} options={Object.entries(words.kinds)} />
        <TextField form={form} name="name" label={words.name} hint={isPickup ? words.pickupNameHint : words.nameHint} />
        <Field form={form} name="pricing" label={words.pricing}>
          {(control) => (
            <select
              {...control}
              value={values.pricing}
              onChange={({ currentTarget }) => choosePricing(currentTarget.value as Pricing)}
            >
              {Object.entries(words.pricings).map(([value, label]) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </select>
          )}
        </Field>
        {values.pricing === 'one' ? (
          <MoneyField form={form} name="price" label={words.priceIn(currency)} hint={words.priceHint} />
        ) : (
          <BandsField form={form} currency={currency} />
        )}
        <div class="field-row">
          <MoneyField form={form} name="freeFrom" label={words.freeFrom} hint={words.freeFromHint} />
          <MoneyField form={form} name="minSubtotal" label={words.minSubtotal} hint={words.minSubtotalHint} />
        </div>
        {(!isPickup || values.countries.length > 0) && (
          <Field form={form} name="countries" label={words.countries} hint={words.countriesHint}>
            {({ name: _, ...control }) => (
              <CountriesInput {...control} value={values.countries} onValue={(codes) => form.set('countries', codes)} />
            )}
          </Field>
        )}
        {!isPickup && (
          <>
            <div class="field-row">
              {(['include', 'exclude'] as const).map((part) => (
                <AreaField
                  key={part}
                  form={form}
                  name={`postalPrefixes.${part}`}
                  label={words.postal[part]}
                  hint={words.postal[`${part}Hint`]}
                  rows={2}
                />
              ))}
            </div>
            <div class="field-row">
              {(['min', 'max'] as const).map((part) => (
                <TextField
                  key={part}
                  form={form}
                  name={`deliveryDays.${part}`}
                  label={words.days[part]}
                  inputMode="numeric"
                />
              ))}
            </div>
            <p class="hint days-hint">{words.days.hint}</p>
          </>
        )}
      </FormView>
    </Dialog>
  );
}
