import { formatMoney } from '../../../kit/index.ts';
import { countriesText } from '../../../kit/terms/countries.ts';
import { t } from '../../../words/words.ts';
import type { Method } from './prices.ts';

const words = t.settings.shipping;

/** Price, limits, countries and days of a way to ship in one line. */
export function methodFacts(method: Method, currency: string): string {
  const { kind, countries, postalPrefixes, freeFrom, minSubtotal, deliveryDays } = method;
  const { facts } = words;
  return [
    kind === 'pickup' && words.kinds.pickup,
    priceFact(method, currency),
    freeFrom && facts.freeFrom(formatMoney(freeFrom, currency)),
    minSubtotal && facts.minSubtotal(formatMoney(minSubtotal, currency)),
    kind === 'ship' && (countries ? t.settings.lists.onlyCountries(countriesText(countries)) : t.countries.all),
    postalPrefixes && facts.postal,
    deliveryDays && facts.days(deliveryDays.min, deliveryDays.max),
  ]
    .filter(Boolean)
    .join(' · ');
}

function priceFact({ price, rates }: Method, currency: string): string {
  if (!rates) return Number(price) === 0 ? words.facts.free : formatMoney(price, currency);
  const prices = rates.map((band) => band.price).sort((one, other) => Number(one) - Number(other));
  const [low, high] = [prices[0] ?? price, prices.at(-1) ?? price].map((one) => formatMoney(one, currency));
  const isByWeight = rates.some(({ upToWeight }) => upToWeight !== null);
  return words.facts[isByWeight ? 'byWeight' : 'bySubtotal'](low ?? '', high ?? '');
}
