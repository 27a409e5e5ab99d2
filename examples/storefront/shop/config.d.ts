/** Settings of the page for its store; all of it is public. See ../config.example.js. */
export interface Config {
  /** Address of `commerce serve`. */
  url: string;
  storeId: string;
  /** A storefront key, `ck_pub_…`. */
  key: string;
  /** Address of the images, if they are on another host than the service (`serve --cdn-url`). */
  images?: string;
  /** A line below the name on the first page. */
  intro?: string;
  /** Attributes that narrow the lists of products; `color`, `size` and `material` by default. */
  filters?: string[];
}

declare const config: Config;
export default config;
