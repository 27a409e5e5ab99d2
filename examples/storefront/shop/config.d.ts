/** Settings of the page for its store; all of it is public. See ../config.example.js. */
export interface Config {
  /** Address of `commerce serve`. */
  url: string;
  storeId: string;
  /** A storefront key, `ck_pub_…`. */
  key: string;
  /** Address of the images, if they are on another host than the service (`serve --cdn-url`). */
  images?: string;
  name: string;
  /** A line below the name on the first page. */
  intro?: string;
  /** Language of amounts, country names and sorting; the browser's own by default. */
  locale?: string;
  /** The provider to pay with, if the store has several. */
  provider?: 'stripe' | 'paypal' | 'square';
  // As `GET /settings` of the store answers them.
  currency: string;
  taxRate: string;
  taxIncluded: boolean;
  shippingMethods: { id: string; name: string; price: string; freeFrom: string | null; countries: string[] | null }[];
}

declare const config: Config;
export default config;
