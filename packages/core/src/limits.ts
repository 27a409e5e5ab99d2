/** API keys that a store may have. Expired ones count until there is no room for another key, and are deleted then. */
export const maxApiKeys = 1000;

/** Subscriptions of a store: each event of an order is a row for each of them. */
export const maxWebhooks = 100;

/** Lines of an order. */
export const maxOrderItems = 500;

/** Addresses of a customer. */
export const maxAddresses = 100;

/** Attributes of a product. */
export const maxAttributes = 100;

/** Attributes that a list of products filters by. */
export const maxAttributeFilters = 20;

/** Products that one request changes alike. */
export const maxProductsAtOnce = 200;

/** Categories of a product, and pictures of it. */
export const maxProductReferences = 250;

/** Characters of a search term. */
export const maxSearch = 200;

/** Scans of a JPEG: a decoder goes over the whole picture once for each. */
export const maxScans = 100;

/** Further attempts of a delivery after a failed one. */
export const maxRetries = 4;

/** Events queued by one replay of a subscription; another replay goes on with the rest. */
export const maxReplayed = 5000;

/** Shipping methods of a store. */
export const maxShippingMethods = 50;

/** Countries of a shipping method; ISO 3166 has 249. */
export const maxCountries = 249;

/** Origins of a store's pages. */
export const maxReturnUrls = 20;

/** Minutes for which an order may hold its stock: 30 days. */
export const maxReserveMinutes = 43_200;

/** Lines of a checkout: the fewest that a provider's page shows. */
export const maxCheckoutItems = 100;

/** Bytes of items in the answer of a list, beyond which it has no further item; the last one may be longer. */
export const maxListBytes = 4 * 1024 * 1024;
