import { countryProblem } from '../../engine/settings/methods.ts';
import { regionCode } from '../../engine/settings/regions.ts';
import type { SellingSettings } from '../../engine/settings/settings.ts';
import { invalid, quote } from '../../kernel/errors.ts';
import type { Problem } from './cart.ts';
import { type Destination, lacksRegion, placeOf, type TaxFacts } from './tax-rules.ts';

/** A country and a region, as somebody typed them, and the fields that have them. */
export interface GivenPlace {
  country: string | null;
  region: string | null;
  /** The name of the object that has the fields, and a point; empty for fields of the input itself. */
  at: 'shippingAddress.' | 'billingAddress.' | '';
}

/** The settings that a tax follows from; undefined for a store with one rate. */
export function taxFactsOf({ taxes, country, taxRate }: SellingSettings): TaxFacts | undefined {
  if (taxes === null || country === null) return undefined;
  return { home: country, scope: taxes.scope, rows: taxes.rates, taxRate };
}

/** True if the country of an order decides about its tax, or about ways to ship. */
function needsCodes({ taxes, shippingMethods }: SellingSettings): boolean {
  return taxes !== null || shippingMethods.some(({ countries }) => countries !== null);
}

/**
 * Where goods go, in codes: null if no address says it.
 * @param places the address of the goods, then that of the invoice
 * @param isLenient reads a country or region that is no code as if it were not given: the order of a payment must not be refused for it
 * @throws CommerceError `validation` for a country that is no code, and for an unknown part of a country whose taxes depend on it
 */
export function destinationOf(
  places: readonly GivenPlace[],
  settings: SellingSettings,
  isLenient = false,
): (Destination & Pick<GivenPlace, 'at'>) | null {
  const place = places.find(({ country }) => country !== null && country.trim() !== '');
  if (!place || !needsCodes(settings)) return null;
  const country = place.country?.trim().toUpperCase() ?? '';
  const wrong = countryProblem(country);
  if (wrong !== undefined) {
    if (isLenient) return null;
    throw invalid(`${place.at}country`, `${wrong}, not ${quote(place.country ?? '')}`, { code: 'NOT_A_COUNTRY' });
  }
  const destination = { country, region: null, at: place.at };
  const facts = taxFactsOf(settings);
  const given = place.region?.trim() || null;
  if (!facts || given === null) return destination;
  const taxed = placeOf(facts, destination).country;
  if (taxed !== country || !facts.rows.some((row) => row.country === country && row.region !== null))
    return destination;
  const region = regionCode(country, given);
  if (region !== undefined) return { ...destination, region };
  if (isLenient) return destination;
  const example = facts.rows.find((row) => row.country === country && row.region !== null)?.region;
  throw invalid(
    `${place.at}region`,
    `must be the code of a part of ${country}, such as "${example}", not ${quote(given)}: taxes depend on it`,
    { code: 'NOT_OFFERED' },
  );
}

/** The problem of a destination whose tax depends on a part of the country that is not known. */
export function missingRegion(
  facts: TaxFacts | undefined,
  destination: ReturnType<typeof destinationOf>,
): Problem | undefined {
  if (!facts || !destination || !lacksRegion(facts, destination)) return undefined;
  const message = `is required: taxes in ${destination.country} depend on it`;
  return { code: 'REGION_REQUIRED', field: `${destination.at}region`, message };
}
