/** What a buyer may write for some products, such as an engraving. The store keeps it with the line of the order; it changes no price. */
export interface WrittenOption {
  /** The name that it has on the order. */
  name: string;
  /** What the page asks; by default the name. */
  label?: string;
  /** Most characters; 100 by default, at most 500. */
  maxLength?: number;
  /** Products with this attribute have the field. Its value is shown below, such as "up to 20 letters". */
  attribute: string;
}

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
  /** Fields that buyers fill in on the page of a product; none by default, at most 10. */
  options?: WrittenOption[];
  /** Set by `prerender.mjs`: products, categories and texts have a file each. */
  prerendered?: boolean;
}

declare const config: Config;
export default config;
