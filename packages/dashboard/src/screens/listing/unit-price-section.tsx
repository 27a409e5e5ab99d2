import { useId } from 'preact/hooks';
import { who } from '../../api/session.ts';
import { type Form, Money, Section } from '../../kit/index.ts';
import { filled } from '../../words/filled.ts';
import { t } from '../../words/words.ts';
import { measureUnits, priceOf, type UnitPrice, unitsLike, withUnit } from './measure.ts';

const words = t.listing.unitPrice;

interface Values {
  unitPricing: UnitPrice;
  price: string;
  [name: string]: unknown;
}

/** The price per kilogram, litre or metre: what is in a piece, what the price is shown for, and the price that follows. */
export function UnitPriceSection<T extends { unitPricing: UnitPrice; price: string }>({
  form: given,
}: {
  form: Form<T>;
}) {
  const form = given as unknown as Form<Values>;
  const id = useId();
  const { unitPricing: typed, price } = form.values.value;
  const reason = form.errors.value.unitPricing;
  const currency = who.value?.store.currency ?? '';
  const shown = priceOf(typed, price, currency);
  const put = (next: UnitPrice) => form.set('unitPricing', next);
  const described = `${id}-hint${reason ? ` ${id}-reason` : ''}`;
  return (
    <Section title={words.title}>
      <div class="field">
        <label htmlFor={`${id}-measure`}>{words.measure}</label>
        <div class="measure">
          <input
            id={`${id}-measure`}
            name="unitPricing"
            inputMode="decimal"
            autoComplete="off"
            placeholder={words.example}
            aria-invalid={reason ? 'true' : undefined}
            aria-describedby={described}
            value={typed.measure}
            onInput={({ currentTarget }) => put({ ...typed, measure: currentTarget.value })}
          />
          <UnitSelect
            label={words.unitOfMeasure}
            value={typed.unit}
            units={measureUnits}
            onUnit={(unit) => put(withUnit(typed, unit))}
          />
        </div>
        <p class="hint" id={`${id}-hint`}>
          {words.hint}
        </p>
        {reason && (
          <p class="reason" id={`${id}-reason`}>
            {reason}
          </p>
        )}
      </div>
      {typed.measure.trim() !== '' && (
        <div class="field">
          <label htmlFor={`${id}-base`}>{words.base}</label>
          <div class="measure">
            <input
              id={`${id}-base`}
              inputMode="decimal"
              autoComplete="off"
              aria-describedby={`${id}-price`}
              value={typed.base}
              onInput={({ currentTarget }) => put({ ...typed, base: currentTarget.value })}
            />
            <UnitSelect
              label={words.unitOfBase}
              value={typed.baseUnit}
              units={unitsLike(typed.unit)}
              onUnit={(baseUnit) => put({ ...typed, baseUnit })}
            />
          </div>
          <p class="hint" id={`${id}-price`} role="status">
            {shown === undefined
              ? words.noPrice
              : filled(words.price, {
                  amount: (
                    <strong>
                      <Money amount={shown} />
                    </strong>
                  ),
                  base: (
                    <bdi>
                      {typed.base.trim() || '1'} {words.units[typed.baseUnit]}
                    </bdi>
                  ),
                })}
          </p>
        </div>
      )}
    </Section>
  );
}

function UnitSelect({
  label,
  value,
  units,
  onUnit,
}: {
  label: string;
  value: UnitPrice['unit'];
  units: readonly UnitPrice['unit'][];
  onUnit(unit: UnitPrice['unit']): void;
}) {
  return (
    <select
      aria-label={label}
      value={value}
      onChange={({ currentTarget }) => onUnit(currentTarget.value as UnitPrice['unit'])}
    >
      {units.map((unit) => (
        <option key={unit} value={unit}>
          {words.units[unit]}
        </option>
      ))}
    </select>
  );
}
