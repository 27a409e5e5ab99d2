import { useId, useState } from 'preact/hooks';
import { AmountInput, amountRefusal } from '../../../kit/form/amount-input.tsx';
import { decimalsOf, formatMoney, Section } from '../../../kit/index.ts';
import { countryName, formatNumber } from '../../../words/forms.ts';
import { t } from '../../../words/words.ts';
import { classText, standardClass } from '../../goods/tax-class.ts';
import { type Facts, type Place, reckon } from './reckoning.ts';

const words = t.settings.tax.sample;

/** What a sample of goods pays in each place, by the rates as they are typed. */
export function SampleSection({ facts, currency }: { facts: Facts; currency: string }) {
  const decimals = decimalsOf(currency);
  const [goods, setGoods] = useState('100');
  const [shipping, setShipping] = useState('5');
  const [taxClass, setClass] = useState(standardClass);
  const id = useId();
  const classes = [...new Set([standardClass, ...facts.plan.rates.map((row) => row.class)])];
  const isReadable = [goods, shipping].every((one) => one !== '' && amountRefusal(one, decimals) === undefined);
  const places = isReadable ? reckon(facts, { goods, shipping, taxClass }, decimals) : [];
  const money = (amount: string) => formatMoney(amount, currency);
  return (
    <Section title={words.title}>
      <p class="quiet">{facts.taxIncluded ? words.hintIncluded : words.hintAdded}</p>
      <div class="field-row calculator">
        {(
          [
            ['goods', goods, setGoods],
            ['shipping', shipping, setShipping],
          ] as const
        ).map(([name, value, set]) => (
          <div key={name} class="field">
            <label htmlFor={`${id}-${name}`}>{words[name](currency)}</label>
            <AmountInput
              id={`${id}-${name}`}
              aria-describedby={undefined}
              aria-invalid={value === '' || amountRefusal(value, decimals) ? 'true' : undefined}
              decimals={decimals}
              value={value}
              onValue={set}
            />
          </div>
        ))}
        {classes.length > 1 && (
          <div class="field">
            <label htmlFor={`${id}-class`}>{t.settings.tax.rates.fields.class}</label>
            <select
              id={`${id}-class`}
              value={classes.includes(taxClass) ? taxClass : standardClass}
              onChange={({ currentTarget }) => setClass(currentTarget.value)}
            >
              {classes.map((name) => (
                <option key={name} value={name}>
                  {classText(name)}
                </option>
              ))}
            </select>
          </div>
        )}
      </div>
      {isReadable ? (
        <table class="reckoning sums">
          <caption class="unseen">{words.title}</caption>
          <thead>
            <tr>
              {[words.place, words.rate, words.net, words.tax, words.total].map((name, i) => (
                <th key={name} scope="col" class={i > 0 ? 'end' : ''}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {places.map(({ place, rates, net, tax, total }) => (
              <tr key={JSON.stringify(place)}>
                <th scope="row">{placeText(place)}</th>
                <td class="end" data-label={words.rate}>
                  {Number(tax) === 0 ? words.noTax : rates.map(({ rate, name }) => rateText(rate, name)).join(', ')}
                </td>
                <td class="end" data-label={words.net}>
                  {money(net)}
                </td>
                <td class="end" data-label={words.tax}>
                  {money(tax)}
                </td>
                <td class="end" data-label={words.total}>
                  {money(total)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      ) : (
        <p class="quiet" role="status">
          {words.unreadable}
        </p>
      )}
    </Section>
  );
}

function placeText(place: Place): string {
  if (place === 'union') return words.restOfUnion;
  if (place === 'others') return t.countries.others;
  return place.region ? words.regionOf(countryName(place.country), place.region) : countryName(place.country);
}

function rateText(rate: string, name: string | null): string {
  const percent = formatNumber(rate, { style: 'percent', maximumFractionDigits: 6 });
  return name ? `${name} ${percent}` : percent;
}
