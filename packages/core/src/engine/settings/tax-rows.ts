// The dashboard shows the same sums as core, so this file imports nothing.

/** The class of goods that no other class is said of. */
export const standardClass = 'standard';

/** A rate of tax, as the settings have it. */
export interface TaxRow {
  country: string;
  /** ISO 3166-2 without the country; null for all of it. */
  region: string | null;
  class: string;
  /** A fraction: "0.19" is 19 %. */
  rate: string;
  name: string | null;
}

/** The taxes of a shop, as the settings have them. */
export interface TaxPlan {
  scope: 'origin' | 'destination';
  rates: TaxRow[];
  shipping: string | null;
}
