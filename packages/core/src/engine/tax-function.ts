/** An address as it was typed. */
export interface TaxAddress {
  address1: string | null;
  address2: string | null;
  city: string | null;
  region: string | null;
  postalCode: string | null;
  /** A code or a name. */
  country: string | null;
}

/** What taxes are asked for. Amounts are decimal strings in the currency. */
export interface TaxRequest {
  storeId: string;
  /** ISO 4217. */
  currency: string;
  /** Decimals of the currency. */
  decimals: number;
  /** True if the amounts include the tax. */
  taxIncluded: boolean;
  /** Where the goods go; null if it is not known yet. Of a quote by country alone it has only country, region and postal code. */
  shippingAddress: TaxAddress | null;
  billingAddress: TaxAddress | null;
  /** True if the buyer fetches the goods. */
  isPickup: boolean;
  lines: readonly {
    productId: string;
    sku: string | null;
    title: string;
    taxClass: string;
    quantity: number;
    /** The price of the whole line, less its discount and its part of the order's discount. */
    amount: string;
  }[];
  /** The cost of shipping. */
  shipping: string;
}

/** The tax of a line, or of the shipping. */
export interface OwnTax {
  /** A fraction from "0" to "1" with at most six decimals, of all taxes together: "0.0825" is 8.25 %. */
  rate: string;
  /** The tax, a decimal string with at most the currency's decimals: contained in the amount, or on top of it. */
  tax: string;
  /** ISO 3166-1 alpha-2. */
  country?: string | null | undefined;
  /** ISO 3166-2 without the country. */
  region?: string | null | undefined;
  /** Name of the tax, as invoices show it. */
  name?: string | null | undefined;
}

export interface TaxAnswer {
  /** One for each line, in their order. */
  lines: readonly OwnTax[];
  /** Null if no tax falls on shipping. */
  shipping: OwnTax | null;
}

/**
 * Reckons taxes in place of the settings, for example by asking a service. Called outside of transactions for quotes, checkouts and orders
 * without a rate of their own; it can be called several times for one of them. `signal` aborts after ten seconds.
 */
export type TaxFunction = (request: TaxRequest, options: { signal: AbortSignal }) => Promise<TaxAnswer>;
