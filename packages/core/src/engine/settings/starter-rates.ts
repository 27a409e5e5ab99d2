import { isMemberState, memberStates } from './member-states.ts';
import { standardClass, type TaxPlan } from './tax-rows.ts';

/**
 * Standard rates of VAT with the day on which they were looked up. Sources: the Commission's list of rates (Taxes in Europe Database), and
 * those of gov.uk, estv.admin.ch and skatteetaten.no, as `sales-tax` 2.23.0 has them. Reduced rates depend on the goods, so none are here. A
 * shop's own rates never follow from this list by themselves.
 */
export const starterRates = {
  asOf: '2026-11-26',
  rates: {
    AT: '0.2',
    BE: '0.21',
    BG: '0.2',
    CY: '0.19',
    CZ: '0.21',
    DE: '0.19',
    DK: '0.25',
    EE: '0.24',
    ES: '0.21',
    FI: '0.255',
    FR: '0.2',
    GR: '0.24',
    HR: '0.25',
    HU: '0.27',
    IE: '0.23',
    IT: '0.22',
    LT: '0.21',
    LU: '0.17',
    LV: '0.21',
    MT: '0.18',
    NL: '0.21',
    PL: '0.23',
    PT: '0.23',
    RO: '0.21',
    SE: '0.25',
    SI: '0.22',
    SK: '0.23',
    GB: '0.2',
    CH: '0.081',
    NO: '0.25',
  } as Readonly<Record<string, string>>,
};

/**
 * Proposed taxes of a shop: in the European Union the standard rates of all member states, the shop's own first; elsewhere that of its
 * country, because exports are not taxed. Rates of other classes and of regions are kept.
 * @returns undefined for a country that the list does not have
 */
export function proposedTaxes(country: string, before: TaxPlan | null): TaxPlan | undefined {
  const { rates } = starterRates;
  if (rates[country] === undefined) return undefined;
  const others = isMemberState(country) ? memberStates.filter((code) => code !== country) : [];
  const proposed = [country, ...others].map((code) => ({
    ...{ country: code, region: null, class: standardClass, rate: rates[code] ?? '0' },
    name: nameOf(before, code),
  }));
  const kept = (before?.rates ?? []).filter(
    (row) => row.class !== standardClass || row.region !== null || !proposed.some((one) => one.country === row.country),
  );
  return { scope: before?.scope ?? 'destination', rates: [...proposed, ...kept], shipping: before?.shipping ?? null };
}

function nameOf(before: TaxPlan | null, country: string): string | null {
  return before?.rates.find((row) => row.country === country && row.region === null)?.name ?? null;
}
