import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { CountrySelect } from '../../../kit/form/countries-input.tsx';
import { Button } from '../../../kit/index.ts';
import { t } from '../../../words/words.ts';
import { ClassInput } from '../../goods/class-input.tsx';
import { classText, standardClass } from '../../goods/tax-class.ts';
import { type RateRow, rateFields, type TaxesValue } from '../form/tax-values.ts';

const words = t.settings.tax.rates;

/** Codes of parts of countries whose taxes depend on them, as examples. */
const regionExamples: Readonly<Record<string, string>> = { BR: 'SP', CA: 'QC', ES: 'CN', IN: 'MH', PT: '20', US: 'CA' };

/** The rates by country, part of it and class of goods, one a row. */
export function RatesField({
  value,
  errors,
  onRates,
}: {
  value: TaxesValue;
  errors: Record<string, string>;
  onRates(rates: RateRow[]): void;
}) {
  const { rates } = value;
  const id = useId();
  const place = useRef<HTMLFieldSetElement>(null);
  const isAdded = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: after a row was added
  useLayoutEffect(() => {
    if (!isAdded.current) return;
    isAdded.current = false;
    place.current?.querySelector<HTMLElement>('.rate:last-of-type select')?.focus();
  }, [rates.length]);
  const used = [...new Set(rates.map((row) => row.class))];
  return (
    <fieldset class="rates" ref={place}>
      <legend>{words.title}</legend>
      <p class="hint">{words.hint}</p>
      {errors.taxes && <p class="reason">{errors.taxes}</p>}
      {rates.length > 0 && (
        <div class="rate head" aria-hidden="true">
          {rateFields.map((field) => (
            <span key={field}>{words.fields[field]}</span>
          ))}
        </div>
      )}
      {rates.map((row, i) => {
        const set = (change: Partial<RateRow>) => onRates(rates.with(i, { ...row, ...change }));
        const wrong = rateFields.filter((field) => errors[`taxes.rates.${i}.${field}`]);
        const control = (field: (typeof rateFields)[number]) => ({
          'aria-label': words.nth(i + 1, words.fields[field]),
          'aria-invalid': wrong.includes(field) ? ('true' as const) : undefined,
          'aria-describedby': wrong.includes(field) ? `${id}-${i}-${field}` : undefined,
        });
        const text = (field: 'region' | 'rate' | 'name', more: { placeholder?: string; inputMode?: 'decimal' }) => (
          <input
            {...control(field)}
            {...more}
            dir="auto"
            autoComplete="off"
            value={row[field]}
            onInput={({ currentTarget }) => set({ [field]: currentTarget.value })}
          />
        );
        const cells = {
          country: (
            <CountrySelect {...control('country')} value={row.country} onValue={(country) => set({ country })} />
          ),
          region: text('region', { placeholder: regionExamples[row.country] ? words.allBut : words.all }),
          class: (
            <ClassInput {...control('class')} used={used} value={row.class} onValue={(text) => set({ class: text })} />
          ),
          rate: text('rate', { inputMode: 'decimal' }),
          name: text('name', {}),
        };
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: rates have no id
          <div key={i} class="rate">
            {rateFields.map((field) => (
              <div key={field} class={field === 'country' ? 'cell whole' : 'cell'}>
                <span class="cell-label" aria-hidden="true">
                  {words.fields[field]}
                </span>
                {cells[field]}
              </div>
            ))}
            <Button
              kind="quiet"
              icon="trash"
              label={words.remove(i + 1)}
              onClick={() => onRates(rates.filter((_, n) => n !== i))}
            />
            {wrong.map((field) => (
              <p key={field} class="reason" id={`${id}-${i}-${field}`} dir="auto">
                {field === 'region'
                  ? words.wrongRegion(regionExamples[row.country])
                  : errors[`taxes.rates.${i}.${field}`]}
              </p>
            ))}
          </div>
        );
      })}
      <Button
        icon="plus"
        onClick={() => {
          isAdded.current = true;
          onRates([...rates, { country: '', region: '', class: classText(standardClass), rate: '', name: '' }]);
        }}
      >
        {words.add}
      </Button>
    </fieldset>
  );
}
