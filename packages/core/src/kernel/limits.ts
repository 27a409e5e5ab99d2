/** Maximum number of API keys in a store. Expired keys count until the room is needed, and are deleted then. */
export const maxApiKeys = 1000;

/** Users of the dashboard of a store. */
export const maxUsers = 200;

/** Maximum number of subscriptions in a store: each event of an order is a row for each of them. */
export const maxWebhooks = 100;

/** Lines of an order. */
export const maxOrderItems = 500;

/** Addresses of a customer. */
export const maxAddresses = 100;

/** Attributes of a product. */
export const maxAttributes = 100;

/** Attributes that one list request can filter products by. */
export const maxAttributeFilters = 20;

/** Values of one attribute that a list request can ask for, and categories. */
export const maxAttributeValues = 20;
export const maxCategoryFilters = 20;

/** Facets that one list request can count. */
export const maxFacets = 10;

/** Products that one request can change in the same way. */
export const maxProductsAtOnce = 200;

/** Categories of a product, and images of it. */
export const maxProductReferences = 250;

/** Characters of a search term. */
export const maxSearch = 200;

/** Ids that one list request can name. */
export const maxIdsAtOnce = 200;

/** Scans of a JPEG: a decoder goes over the whole picture once for each. */
export const maxScans = 100;

/** Further attempts of a delivery after a failed one. */
export const maxRetries = 4;

/** Events that one replay of a subscription queues; another replay continues. */
export const maxReplayed = 5000;

/** Shipping methods of a store. */
export const maxShippingMethods = 50;

/** Ways to pay of a store. */
export const maxPaymentMethods = 50;

/** Bands of a shipping method. */
export const maxShippingRates = 100;

/** Postal prefixes of a shipping method, of each kind. */
export const maxPostalPrefixes = 500;

/** Keys of the metadata of an item, and tags of one. */
export const maxMetadata = 50;
export const maxTags = 50;

/** Characters of a key of metadata and of its text, and of a tag. */
export const maxMetadataKey = 40;
export const maxMetadataText = 500;
export const maxTag = 64;

/** Keys of metadata that one list request can filter by. */
export const maxMetadataFilters = 5;

/** Characters of what a buyer writes to the lines of a cart and to a gift, all together. */
export const maxBuyersWords = 10_000;

/** Makers of goods, and persons responsible for them, of a store. */
export const maxParties = 500;

/** Rates of tax of a store. */
export const maxTaxRates = 500;

/** Countries of a shipping method; ISO 3166 has 249. */
export const maxCountries = 249;

/** Origins of a store's pages. */
export const maxReturnUrls = 20;

/** Maximum time in minutes that an order can hold its stock: 30 days. */
export const maxReserveMinutes = 43_200;

/** Parcels of an order. */
export const maxFulfilments = 100;

/** Unpaid orders of one customer to pay without a provider, made with storefront keys. */
export const maxOfflineOfCustomer = 3;

/** Orders to pay without a provider of one customer with storefront keys in 24 hours, cancelled ones too: each sends mail. */
export const maxOfflineADay = 5;

/** Orders to pay without a provider, an hour, of one network address with storefront keys. */
export const maxOfflineAnHour = 5;

/** Statements of withdrawal, an hour, of one network address with storefront keys. */
export const maxWithdrawalsAnHour = 10;

/** Lines of a checkout: the lowest limit of the providers' pages. */
export const maxCheckoutItems = 100;

/** Open checkouts of one network address with storefront keys, in a store. */
export const maxOpenCheckouts = 20;

/** Discount codes that do not exist, a minute, of one network address with storefront keys. */
export const maxUnknownCodes = 10;

/** Maximum size in bytes of the items in a list answer. No item follows after it is exceeded, so the last item can exceed it. */
export const maxListBytes = 4 * 1024 * 1024;

/** Mails of one kind to the owner, an hour, of kinds that others can cause without end. */
export const maxOwnerMailsAnHour = 20;

/** Characters of the shop's own text of a mail, and of its subject. */
export const maxTemplateText = 50_000;
export const maxTemplateSubject = 500;
