import { useId, useState } from 'preact/hooks';
import { AmountInput, amountRefusal } from '../../../kit/form/amount-input.tsx';
import { decimalsOf, formatMoney, Section, UserText } from '../../../kit/index.ts';
import { countriesText } from '../../../kit/terms/countries.ts';
import { gramsOf, kilogramDecimals } from '../../../kit/terms/weight.ts';
import { t } from '../../../words/words.ts';
import { type Method, type Offer, type Region, regionsOf } from './prices.ts';

const words = t.settings.shipping.calculator;

/** What a basket pays for shipping in each country, by the saved methods. */
export function Calculator({
  methods,
  currency,
  home,
}: {
  methods: readonly Method[];
  currency: string;
  home: string | null;
}) {
  const decimals = decimalsOf(currency);
  const [weight, setWeight] = useState('1');
  const [subtotal, setSubtotal] = useState('30');
  const [postalCode, setPostalCode] = useState('');
  const id = useId();
  const grams = gramsOf(weight);
  const hasPostal = methods.some(({ active, postalPrefixes }) => active && postalPrefixes !== null);
  const isReadable = grams !== undefined && subtotal !== '' && amountRefusal(subtotal, decimals) === undefined;
  const regions = isReadable
    ? regionsOf(methods, home, { weight: grams, subtotal, postalCode: hasPostal ? postalCode : '' }, decimals)
    : [];
  return (
    <Section title={words.title}>
      <p class="quiet">{words.hint}</p>
      <div class="field-row calculator">
        <div class="field">
          <label htmlFor={`${id}-weight`}>{words.weight}</label>
          <AmountInput
            id={`${id}-weight`}
            aria-describedby={undefined}
            aria-invalid={grams === undefined ? 'true' : undefined}
            decimals={kilogramDecimals}
            value={weight}
            onValue={setWeight}
          />
        </div>
        <div class="field">
          <label htmlFor={`${id}-subtotal`}>{words.subtotal(currency)}</label>
          <AmountInput
            id={`${id}-subtotal`}
            aria-describedby={undefined}
            aria-invalid={amountRefusal(subtotal, decimals) ? 'true' : undefined}
            decimals={decimals}
            value={subtotal}
            onValue={setSubtotal}
          />
        </div>
        {hasPostal && (
          <div class="field">
            <label htmlFor={`${id}-postal`}>{words.postalCode}</label>
            <input
              id={`${id}-postal`}
              autoComplete="off"
              value={postalCode}
              onInput={({ currentTarget }) => setPostalCode(currentTarget.value)}
            />
          </div>
        )}
      </div>
      {isReadable ? (
        <table class="reckoning">
          <caption class="unseen">{words.title}</caption>
          <thead>
            <tr>
              <th scope="col">{words.where}</th>
              <th scope="col">{words.offers}</th>
            </tr>
          </thead>
          <tbody>
            {regions.map((region) => (
              <tr key={region.countries.join() || 'others'}>
                <th scope="row">{nameOf(region, regions.length === 1)}</th>
                <td>
                  {region.offers.length === 0 ? (
                    <span class="quiet">{words.none}</span>
                  ) : (
                    <ul class="offers">
                      {region.offers.map((offer) => (
                        <OfferRow key={offer.method.id} offer={offer} currency={currency} postalCode={postalCode} />
                      ))}
                    </ul>
                  )}
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

function OfferRow({
  offer: { method, price },
  currency,
  postalCode,
}: {
  offer: Offer;
  currency: string;
  postalCode: string;
}) {
  return (
    <li>
      <UserText>{method.name}</UserText>
      <span class="amount">{Number(price) === 0 ? t.settings.shipping.facts.free : formatMoney(price, currency)}</span>
      {method.postalPrefixes && postalCode.trim() === '' && <span class="quiet">{words.byPostalCode}</span>}
    </li>
  );
}

/** @param isOnly whether all countries are the same */
function nameOf({ countries, hasOthers }: Region, isOnly: boolean): string {
  if (isOnly) return t.countries.all;
  if (!hasOthers) return countriesText(countries);
  return countries.length === 0 ? t.countries.others : words.andOthers(countriesText(countries));
}
