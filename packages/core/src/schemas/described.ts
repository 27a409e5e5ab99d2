// Printed from the schemas and their notes (inputs.ts) by described.test.ts; `vitest -u` prints it anew.
// Types of inputs are inferred from schemas, which have no words; intersected with these, editors show them.

/** A new API key. */
export interface ApiKeyInput {
  /** `secret` when left out. A `storefront` key may stand in a public page; its scopes are fixed. One of `secret`, `storefront`. */
  kind?: unknown;
  /** The shop's name for it. 1 to 255 characters. */
  name: unknown;
  /** Its permissions, such as `product.read`; `product:read` and `products:read` mean the same. At most those of the creating key. Required for a secret key, left out for a storefront key. At least 1 entries. */
  scopes?: unknown;
  /** Time from which it is refused, with its offset from UTC; null for never. */
  expiresAt?: unknown;
}

/** The order that a payment is to pay. */
export interface ApplyInput {
  /** A pending or expired order. 1 to 64 characters. */
  orderId: unknown;
}

/** Filters of a list of products by their attributes. */
export interface AttributeQueryInput {
  /** Maximum number of items. 1 to 200. 50 by default. */
  limit?: unknown;
  /** Number of items to skip. At least 0. 0 by default. */
  offset?: unknown;
  /** The id of the last product of the page before: the page behind it is found at once, however far down it is. At most 255 characters. */
  after?: unknown;
  /** Without it, products of every status. One of `draft`, `published`, `archived`. */
  status?: unknown;
  /** Every other parameter is the name of an attribute with its value: 1 to 20 of them, as in `?color=blue&size=L`. The form `attr.<name>` works for all names and is needed for an attribute called `limit`, for example. */
  attributes: unknown;
}

/** Filters of a list of entries. */
export interface AuditLogQueryInput {
  /** Maximum number of items. 1 to 200. 50 by default. */
  limit?: unknown;
  /** Number of items to skip. At least 0. 0 by default. */
  offset?: unknown;
  /** Such as `product`. At most 255 characters. */
  resourceType?: unknown;
  /** The entries about one resource. At most 255 characters. */
  resourceId?: unknown;
  /** Such as `product.updated`. At most 255 characters. */
  action?: unknown;
  /** An API key's id, or a provider's name. At most 255 characters. */
  actorId?: unknown;
}

/** The days, in the shop's time zone, in which best sellers are looked for. */
export interface BestSellerQueryInput {
  /** The first day. */
  from?: unknown;
  /** Not included. */
  to?: unknown;
  /** The most products answered. 1 to 100. */
  limit?: unknown;
}

/** Changes of a category: absent fields keep their values. */
export interface CategoryChanges {
  /** The name shown to customers. 1 to 255 characters. */
  name?: unknown;
  /** Its name in addresses: lower-case letters and digits with single dashes. Unique in the store among undeleted resources of its kind. 1 to 255 characters. */
  slug?: unknown;
  /** Defaults to `draft` on creation. One of `draft`, `published`, `archived`. */
  status?: unknown;
  /** The title for search engines. At most 255 characters. */
  seoTitle?: unknown;
  /** The description for search engines. At most 5000 characters. */
  seoDescription?: unknown;
  /** Keywords for search engines. At most 5000 characters. */
  seoKeywords?: unknown;
  /** The image shown with links to it; it must exist when it is added. 1 to 64 characters. */
  seoImageId?: unknown;
  /** Text or markup, stored unchanged. At most 100000 characters. */
  description?: unknown;
  /** The root category above it; null for a root. There are two levels. 1 to 64 characters. */
  parentId?: unknown;
}

/** A new category. */
export interface CategoryInput {
  /** The name shown to customers. 1 to 255 characters. */
  name: unknown;
  /** Its name in addresses: lower-case letters and digits with single dashes. Unique in the store among undeleted resources of its kind. 1 to 255 characters. */
  slug: unknown;
  /** Defaults to `draft` on creation. One of `draft`, `published`, `archived`. */
  status?: unknown;
  /** The title for search engines. At most 255 characters. */
  seoTitle?: unknown;
  /** The description for search engines. At most 5000 characters. */
  seoDescription?: unknown;
  /** Keywords for search engines. At most 5000 characters. */
  seoKeywords?: unknown;
  /** The image shown with links to it; it must exist when it is added. 1 to 64 characters. */
  seoImageId?: unknown;
  /** Text or markup, stored unchanged. At most 100000 characters. */
  description?: unknown;
  /** The root category above it; null for a root. There are two levels. 1 to 64 characters. */
  parentId?: unknown;
}

/** Filters of a list of categories. */
export interface CategoryQueryInput {
  /** Maximum number of items. 1 to 200. 50 by default. */
  limit?: unknown;
  /** Number of items to skip. At least 0. 0 by default. */
  offset?: unknown;
  /** Without it, categories of every status. One of `draft`, `published`, `archived`. */
  status?: unknown;
  /** Exact. At most 255 characters. */
  slug?: unknown;
  /** The categories below one; `null` for the roots. At most 64 characters. */
  parentId?: unknown;
  /** A substring of name or description, in any case; no character is a wildcard. At most 200 characters. */
  search?: unknown;
}

/** Proof that the checkout is the own one. */
export interface CancelInput {
  /** From the answer that created it; needed with a storefront key. 1 to 255 characters. */
  secret?: unknown;
}

/** What a buyer wants, and who it is. Prices, tax and shipping come from the store alone. */
export interface CheckoutInput {
  /** At most 100 lines of published products. 1 to 100 entries. */
  items: unknown;
  /** The buyer; found again by the e-mail address. */
  customer: unknown;
  /** The address of the goods. */
  shippingAddress?: unknown;
  /** The address of the invoice. */
  billingAddress?: unknown;
  /** One of the settings; required when there are any. It has to serve the country of the address. 1 to 64 characters. */
  shippingMethodId?: unknown;
  /** The code of a discount, in any case. 1 to 64 characters. */
  discountCode?: unknown;
  /** The customer's note. At most 5000 characters. */
  customerNote?: unknown;
  /** Required when several providers of the store open pages. One of `stripe`, `paypal`, `square`. */
  provider?: unknown;
  /** Where the buyer comes to after paying, with `checkout=<id>` added to its query. Of an origin in `returnUrls`. 1 to 2048 characters. */
  successUrl: unknown;
  /** Where the buyer comes back to without having paid, with `checkout=<id>` added. Of an origin in `returnUrls`. 1 to 2048 characters. */
  cancelUrl: unknown;
  /** The buyer's earlier checkout, which is cancelled first, so that its stock counts for this one. */
  replaces?: unknown;
}

/** Changes of a customer: absent fields keep their values. */
export interface CustomerChanges {
  /** Unique in the store, regardless of case. Surrounding blanks are removed. At most 320 characters. */
  email?: unknown;
  /** The name of the customer. At most 255 characters. */
  name?: unknown;
  /** A telephone number, in any form. At most 64 characters. */
  phone?: unknown;
  /** True when they agreed to receive advertisements. */
  marketingOptIn?: unknown;
  /** The id of an address in the resulting list; null for no default. 1 to 64 characters. */
  defaultAddressId?: unknown;
  /** Replaces the whole list. An entry with the `id` of an address changes the given fields of it; an entry without is new and needs `address1`, `city`, `country`, and `postalCode` unless the country has none. At most 100 entries. */
  addresses?: unknown;
}

/** A new customer. */
export interface CustomerInput {
  /** Unique in the store, regardless of case. Surrounding blanks are removed. At most 320 characters. */
  email: unknown;
  /** The name of the customer. At most 255 characters. */
  name?: unknown;
  /** A telephone number, in any form. At most 64 characters. */
  phone?: unknown;
  /** True when they agreed to receive advertisements. */
  marketingOptIn?: unknown;
  /** The id of an address in the resulting list; null for no default. 1 to 64 characters. */
  defaultAddressId?: unknown;
  /** Replaces the whole list. An entry with the `id` of an address changes the given fields of it; an entry without is new and needs `address1`, `city`, `country`, and `postalCode` unless the country has none. At most 100 entries. */
  addresses?: unknown;
}

/** Filters of a list of customers. */
export interface CustomerQueryInput {
  /** Maximum number of items. 1 to 200. 50 by default. */
  limit?: unknown;
  /** Number of items to skip. At least 0. 0 by default. */
  offset?: unknown;
  /** The whole e-mail; case and surrounding blanks are ignored. At most 320 characters. */
  email?: unknown;
  /** A substring of e-mail, name or phone, in any case; no character is a wildcard. At most 200 characters. */
  search?: unknown;
}

/** Filters of a list of deliveries. */
export interface DeliveryQueryInput {
  /** Maximum number of items. 1 to 200. 50 by default. */
  limit?: unknown;
  /** Number of items to skip. At least 0. 0 by default. */
  offset?: unknown;
  /** Deliveries of this status. One of `pending`, `succeeded`, `failed`, `cancelled`. */
  status?: unknown;
  /** Deliveries of this event. One of `product.created`, `product.updated`, `product.deleted`, `order.created`, `order.updated`, `order.paid`, `order.fulfilled`, `order.cancelled`, `order.refunded`, `customer.created`, `customer.updated`, `customer.deleted`, `category.created`, `category.updated`, `category.deleted`, `page.created`, `page.updated`, `page.deleted`, `media.created`, `media.updated`, `media.deleted`, `payment.unmatched`, `payment.dismissed`, `webhook.test`. */
  event?: unknown;
}

/** Changes of a discount: absent fields keep their values. */
export interface DiscountChanges {
  /** Unique in the store, regardless of case; without blanks. 1 to 64 characters. */
  code?: unknown;
  /** What `value` is. One of `percent`, `amount`. */
  type?: unknown;
  /** Per cent with at most two decimals, or an amount. A decimal string with at most the currency's decimals. */
  value?: unknown;
  /** Subtotal from which it is valid. A decimal string with at most the currency's decimals. */
  minSubtotal?: unknown;
  /** Time from which it is valid; null for always. */
  startsAt?: unknown;
  /** Time from which it is not valid any more; null for never. */
  endsAt?: unknown;
  /** Orders that may use it; null for any number. 1 to 1000000000. */
  usageLimit?: unknown;
}

/** A new discount code. */
export interface DiscountInput {
  /** Unique in the store, regardless of case; without blanks. 1 to 64 characters. */
  code: unknown;
  /** What `value` is. One of `percent`, `amount`. */
  type: unknown;
  /** Per cent with at most two decimals, or an amount. A decimal string with at most the currency's decimals. */
  value: unknown;
  /** Subtotal from which it is valid. A decimal string with at most the currency's decimals. */
  minSubtotal?: unknown;
  /** Time from which it is valid; null for always. */
  startsAt?: unknown;
  /** Time from which it is not valid any more; null for never. */
  endsAt?: unknown;
  /** Orders that may use it; null for any number. 1 to 1000000000. */
  usageLimit?: unknown;
}

/** Filters of a list of discounts. */
export interface DiscountQueryInput {
  /** Maximum number of items. 1 to 200. 50 by default. */
  limit?: unknown;
  /** Number of items to skip. At least 0. 0 by default. */
  offset?: unknown;
  /** Exact, in any case. At most 64 characters. */
  code?: unknown;
}

/** The dismissal of a payment that needs no order. */
export interface DismissInput {
  /** For the audit log. At most 1000 characters. */
  reason?: unknown;
}

/** The imports to list. */
export interface ImportListQueryInput {
  /** Maximum number of items. 1 to 200. 50 by default. */
  limit?: unknown;
  /** Number of items to skip. At least 0. 0 by default. */
  offset?: unknown;
  /** What was imported. One of `products`, `categories`, `customers`, `pages`. "products" by default. */
  resource?: unknown;
}

/** How a file is imported. */
export interface ImportQueryInput {
  /** What the rows of the file are. One of `products`, `categories`, `customers`, `pages`. "products" by default. */
  resource?: unknown;
  /** Of the file; found out from its type or content when absent. One of `csv`, `jsonl`. */
  format?: unknown;
  /** Of a file that is not UTF-8. One of `utf-8`, `windows-1252`, `iso-8859-1`, `utf-16le`, `utf-16be`. */
  encoding?: unknown;
  /** The field by which a row finds what it changes: `slug`, or `email` for customers, by default. One of `slug`, `sku`, `id`, `email`. */
  match?: unknown;
  /** `stop` at the first refused row, with everything before it written, which is the default, or `skip` it. One of `stop`, `skip`. */
  onError?: unknown;
  /** Checks everything and writes nothing. */
  dryRun?: unknown;
  /** Whether subscribers are told; true by default. */
  events?: unknown;
  /** Fetches the images of products into media. */
  images?: unknown;
  /** Sets the stock also where orders have moved it since it was last set. */
  overwriteStock?: unknown;
  /** What a row with the SKU of an earlier row does: `refuse` refuses it, `clear` imports it without a SKU. By default `clear` for files of other shops, and `refuse` for ours. One of `refuse`, `clear`. */
  repeatedSku?: unknown;
  /** What becomes of descriptions in HTML: `text` keeps their paragraphs and lists as lines, `html` keeps them as they are. By default `text` for files of other shops. One of `text`, `html`. */
  descriptions?: unknown;
  /** A JSON object of our columns by those of the file. At most 10000 characters. */
  map?: unknown;
}

/** The import to get. */
export interface ImportResourceQueryInput {
  /** What it imports. One of `products`, `categories`, `customers`, `pages`. "products" by default. */
  resource?: unknown;
}

/** A payment that did not come through a provider. */
export interface ManualPaymentInput {
  /** The way of payment, in a-z and _. 1 to 40 characters. */
  method: unknown;
  /** The total of the order. A decimal string with at most the currency's decimals. */
  amount: unknown;
  /** A reference for finding it, such as the number of a bank statement. At most 255 characters. */
  reference?: unknown;
  /** Time of the payment, not in the future; now when absent. */
  paidAt?: unknown;
}

/** Changes of an image. */
export interface MediaChanges {
  /** The alternative text. At most 1000 characters. */
  altText?: unknown;
}

/** Filters of a list of images. */
export interface MediaQueryInput {
  /** Maximum number of items. 1 to 200. 50 by default. */
  limit?: unknown;
  /** Number of items to skip. At least 0. 0 by default. */
  offset?: unknown;
  /** Beginning of the type, such as `image/` or `image/png`. At most 255 characters. */
  mimeType?: unknown;
}

/** Changes of an order. Other fields are accepted with their stored values, so that an edited answer can be sent back. */
export interface OrderChanges {
  /** The shop's own note. At most 5000 characters. */
  merchantNote?: unknown;
  /** pending → paid by a payment alone; pending → cancelled; paid → fulfilled or cancelled; → refunded when the whole total was refunded, then → cancelled unless it was fulfilled. An expired order becomes paid after all when its money comes. One of `pending`, `paid`, `fulfilled`, `cancelled`, `refunded`. */
  status?: unknown;
  /** Where the parcel is: given with the status `fulfilled`, or corrected after it. */
  tracking?: unknown;
}

/** A new pending order: its lines and charges. Prices, titles, SKUs, attributes and images come from the catalogue. */
export interface OrderInput {
  /** An id chosen by the caller; created when absent. At most 64 characters. */
  id?: unknown;
  /** The buyer, if they are a known customer. 1 to 64 characters. */
  customerId?: unknown;
  /** The buyer: the customer with that e-mail, created if necessary. Not together with `customerId`. */
  customer?: unknown;
  /** The lines. Each names its product by either `productId` or `sku`. 1 to 500 entries. */
  items: unknown;
  /** A fraction from "0" to "1" with at most six decimals: "0.08" is 8 %. That of the settings when absent. */
  taxRate?: unknown;
  /** The cost of shipping. A decimal string with at most the currency's decimals. */
  shipping?: unknown;
  /** One of the shipping methods of the settings, instead of a price in `shipping`. 1 to 64 characters. */
  shippingMethodId?: unknown;
  /** Minutes for which the order holds its stock; unpaid, it expires then. 1 to 43200. */
  reserveMinutes?: unknown;
  /** The discount on the subtotal. A decimal string with at most the currency's decimals. */
  discount?: unknown;
  /** The code of the discount. At most 255 characters. */
  discountCode?: unknown;
  /** The address of the goods. */
  shippingAddress?: unknown;
  /** The address of the invoice. */
  billingAddress?: unknown;
  /** The customer's note. At most 5000 characters. */
  customerNote?: unknown;
}

/** Filters of a list of orders. */
export interface OrderQueryInput {
  /** Maximum number of items. 1 to 200. 50 by default. */
  limit?: unknown;
  /** Number of items to skip. At least 0. 0 by default. */
  offset?: unknown;
  /** Orders of this status. One of `pending`, `paid`, `fulfilled`, `cancelled`, `refunded`. */
  status?: unknown;
  /** Orders of this payment status. One of `pending`, `processing`, `succeeded`, `failed`, `refunded`, `partially_refunded`, `cancelled`. */
  paymentStatus?: unknown;
  /** The orders of a customer. At most 255 characters. */
  customerId?: unknown;
  /** Exact, such as `ORD-1001`. At most 255 characters. */
  orderNumber?: unknown;
  /** A part of the order number, of the e-mail or name of the buyer when the order was made, or of a name in its addresses, in any case; of one or two characters, the beginning of one of these. At most 200 characters. */
  search?: unknown;
  /** Orders created from then on. A date begins in the shop's time zone. */
  from?: unknown;
  /** Orders created before. A date begins in the shop's time zone. */
  to?: unknown;
}

/** Changes of a page: absent fields keep their values. */
export interface PageChanges {
  /** The title of the page. 1 to 255 characters. */
  title?: unknown;
  /** Its name in addresses: lower-case letters and digits with single dashes. Unique in the store among undeleted resources of its kind. 1 to 255 characters. */
  slug?: unknown;
  /** Defaults to `draft` on creation. One of `draft`, `published`, `archived`. */
  status?: unknown;
  /** The title for search engines. At most 255 characters. */
  seoTitle?: unknown;
  /** The description for search engines. At most 5000 characters. */
  seoDescription?: unknown;
  /** Keywords for search engines. At most 5000 characters. */
  seoKeywords?: unknown;
  /** The image shown with links to it; it must exist when it is added. 1 to 64 characters. */
  seoImageId?: unknown;
  /** Text or markup for the storefront, stored unchanged. At most 500000 characters. */
  content?: unknown;
}

/** A new page. */
export interface PageInput {
  /** The title of the page. 1 to 255 characters. */
  title: unknown;
  /** Its name in addresses: lower-case letters and digits with single dashes. Unique in the store among undeleted resources of its kind. 1 to 255 characters. */
  slug: unknown;
  /** Defaults to `draft` on creation. One of `draft`, `published`, `archived`. */
  status?: unknown;
  /** The title for search engines. At most 255 characters. */
  seoTitle?: unknown;
  /** The description for search engines. At most 5000 characters. */
  seoDescription?: unknown;
  /** Keywords for search engines. At most 5000 characters. */
  seoKeywords?: unknown;
  /** The image shown with links to it; it must exist when it is added. 1 to 64 characters. */
  seoImageId?: unknown;
  /** Text or markup for the storefront, stored unchanged. At most 500000 characters. */
  content?: unknown;
}

/** Filters of a list of pages. */
export interface PageQueryInput {
  /** Maximum number of items. 1 to 200. 50 by default. */
  limit?: unknown;
  /** Number of items to skip. At least 0. 0 by default. */
  offset?: unknown;
  /** Without it, pages of every status. One of `draft`, `published`, `archived`. */
  status?: unknown;
  /** Exact. At most 255 characters. */
  slug?: unknown;
  /** A substring of title or content, in any case; no character is a wildcard. At most 200 characters. */
  search?: unknown;
}

/** Settings of a provider: absent fields keep their values, null removes an optional one. Each provider has its own. */
export interface PaymentProviderInput {
  /** Whether a payment that describes its items creates the order that it names. */
  makeOrders?: unknown;
  /** Stripe, required: the signing secret of the endpoint, `whsec_…`. At most 2048 characters. */
  webhookSecret?: unknown;
  /** Stripe: the secret or restricted key, which opens pages to pay at. At most 2048 characters. */
  secretKey?: unknown;
  /** PayPal, required: the client id of the app. At most 2048 characters. */
  clientId?: unknown;
  /** PayPal, required: its secret. At most 2048 characters. */
  clientSecret?: unknown;
  /** PayPal, required: the id of the webhook as PayPal lists it. At most 2048 characters. */
  webhookId?: unknown;
  /** PayPal: the account that has to be paid. At most 2048 characters. */
  merchantId?: unknown;
  /** Square, required: the signature key of the webhook subscription. At most 2048 characters. */
  signatureKey?: unknown;
  /** Square, required: its address exactly as registered. At most 2048 characters. */
  notificationUrl?: unknown;
  /** Square: opens pages to pay at, with a location. At most 2048 characters. */
  accessToken?: unknown;
  /** Square: the location that sells. At most 2048 characters. */
  locationId?: unknown;
  /** Origin of the provider's API: its live one when left out, or that of its sandbox. At most 2048 characters. */
  apiBase?: unknown;
}

/** Filters of a list of payments. */
export interface PaymentQueryInput {
  /** Maximum number of items. 1 to 200. 50 by default. */
  limit?: unknown;
  /** Number of items to skip. At least 0. 0 by default. */
  offset?: unknown;
  /** Payments with this `matched`. One of `paid`, `second`, `mismatch`, `wrongPayee`, `cancelledOrder`, `insufficientStock`, `refunded`, `none`, `dismissed`. */
  matched?: unknown;
  /** Payments with this status at their provider. One of `processing`, `succeeded`, `failed`, `cancelled`. */
  status?: unknown;
  /** Payments of this provider, or `manual`. One of `stripe`, `paypal`, `square`, `manual`. */
  provider?: unknown;
  /** The payments of an order, whether it exists yet or not. 1 to 64 characters. */
  orderId?: unknown;
  /** With `true`, only money that needs attention: not paid, refunded or dismissed. */
  unmatched?: unknown;
}

/** Changes of a product: absent fields keep their values. */
export interface ProductChanges {
  /** The name shown to customers. 1 to 255 characters. */
  title?: unknown;
  /** Its name in addresses: lower-case letters and digits with single dashes. Unique in the store among undeleted resources of its kind. 1 to 255 characters. */
  slug?: unknown;
  /** Defaults to `draft` on creation. One of `draft`, `published`, `archived`. */
  status?: unknown;
  /** The title for search engines. At most 255 characters. */
  seoTitle?: unknown;
  /** The description for search engines. At most 5000 characters. */
  seoDescription?: unknown;
  /** Keywords for search engines. At most 5000 characters. */
  seoKeywords?: unknown;
  /** The image shown with links to it; it must exist when it is added. 1 to 64 characters. */
  seoImageId?: unknown;
  /** Stored unchanged, also HTML: whoever shows it has to make it safe. At most 100000 characters. */
  description?: unknown;
  /** How `description` is written. One of `text`, `markdown`, `html`. */
  descriptionFormat?: unknown;
  /** A decimal string with at most the currency's decimals. */
  price?: unknown;
  /** The price before a reduction. A decimal string with at most the currency's decimals. */
  compareAtPrice?: unknown;
  /** The stock keeping unit, unique among undeleted products. At most 255 characters. */
  sku?: unknown;
  /** A GTIN, an ISBN or the like. At most 255 characters. */
  barcode?: unknown;
  /** A text shared by products that are variants of each other. 1 to 255 characters. */
  variantGroupId?: unknown;
  /** Texts by name, replaced as a whole. */
  attributes?: unknown;
  /** True when paid orders take from `stock`. */
  trackStock?: unknown;
  /** Pieces in stock, replacing the stored number. Not below zero, unless it equals the stored number. -2147483647 to 2147483647. */
  stock?: unknown;
  /** True when it can be ordered although stock is short. */
  allowBackorder?: unknown;
  /** The stock at or below which it is listed with `lowStock=true`; null for 0. 0 to 2147483647. */
  lowStockThreshold?: unknown;
  /** The categories it is in, replaced as a whole. They must exist when they are added. At most 250 entries. */
  categoryIds?: unknown;
  /** Its main image; it must exist when it is added. 1 to 64 characters. */
  primaryMediaId?: unknown;
  /** Its images, replaced as a whole. They must exist when they are added. At most 250 entries. */
  mediaIds?: unknown;
}

/** A new product. */
export interface ProductInput {
  /** The name shown to customers. 1 to 255 characters. */
  title: unknown;
  /** Its name in addresses: lower-case letters and digits with single dashes. Unique in the store among undeleted resources of its kind. 1 to 255 characters. */
  slug: unknown;
  /** Defaults to `draft` on creation. One of `draft`, `published`, `archived`. */
  status?: unknown;
  /** The title for search engines. At most 255 characters. */
  seoTitle?: unknown;
  /** The description for search engines. At most 5000 characters. */
  seoDescription?: unknown;
  /** Keywords for search engines. At most 5000 characters. */
  seoKeywords?: unknown;
  /** The image shown with links to it; it must exist when it is added. 1 to 64 characters. */
  seoImageId?: unknown;
  /** Stored unchanged, also HTML: whoever shows it has to make it safe. At most 100000 characters. */
  description?: unknown;
  /** How `description` is written. One of `text`, `markdown`, `html`. */
  descriptionFormat?: unknown;
  /** A decimal string with at most the currency's decimals. */
  price: unknown;
  /** The price before a reduction. A decimal string with at most the currency's decimals. */
  compareAtPrice?: unknown;
  /** The stock keeping unit, unique among undeleted products. At most 255 characters. */
  sku?: unknown;
  /** A GTIN, an ISBN or the like. At most 255 characters. */
  barcode?: unknown;
  /** A text shared by products that are variants of each other. 1 to 255 characters. */
  variantGroupId?: unknown;
  /** Texts by name, replaced as a whole. */
  attributes?: unknown;
  /** True when paid orders take from `stock`. */
  trackStock?: unknown;
  /** Pieces in stock, replacing the stored number. Not below zero, unless it equals the stored number. -2147483647 to 2147483647. */
  stock?: unknown;
  /** True when it can be ordered although stock is short. */
  allowBackorder?: unknown;
  /** The stock at or below which it is listed with `lowStock=true`; null for 0. 0 to 2147483647. */
  lowStockThreshold?: unknown;
  /** The categories it is in, replaced as a whole. They must exist when they are added. At most 250 entries. */
  categoryIds?: unknown;
  /** Its main image; it must exist when it is added. 1 to 64 characters. */
  primaryMediaId?: unknown;
  /** Its images, replaced as a whole. They must exist when they are added. At most 250 entries. */
  mediaIds?: unknown;
}

/** Filters of a list of products. */
export interface ProductQueryInput {
  /** Maximum number of items. 1 to 200. 50 by default. */
  limit?: unknown;
  /** Number of items to skip. At least 0. 0 by default. */
  offset?: unknown;
  /** The id of the last product of the page before: the page behind it is found at once, however far down it is. At most 255 characters. */
  after?: unknown;
  /** Without it, products of every status. One of `draft`, `published`, `archived`. */
  status?: unknown;
  /** Exact. At most 255 characters. */
  slug?: unknown;
  /** Exact. At most 255 characters. */
  sku?: unknown;
  /** The variants of one product. At most 255 characters. */
  variantGroupId?: unknown;
  /** The products in a category. At most 255 characters. */
  categoryId?: unknown;
  /** A substring of title, description or SKU, in any case; no character is a wildcard. At most 200 characters. */
  search?: unknown;
  /** With `true`, only products that track their stock, are not archived, and have no more of it than their `lowStockThreshold`, or nothing where that is null. Refused for storefront keys. */
  lowStock?: unknown;
}

/** Changes of many products at once. */
export interface ProductsChanges {
  /** The products. 1 to 200 entries. */
  ids: unknown;
  /** Changes of each of them: absent fields keep their values. */
  changes: unknown;
}

/** A refund that was made at the provider. */
export interface RefundInput {
  /** More than 0, and at most the rest of the total. A decimal string with at most the currency's decimals. */
  amount: unknown;
  /** For the audit log. At most 1000 characters. */
  reason?: unknown;
  /** The provider's id of the refund, so that the provider's own notification of it is not counted again. 1 to 255 characters. */
  refundId?: unknown;
  /** Stock to return: `true` for everything that the order took and has not returned, with a refund that completes the total; or a list of `{productId, quantity}`. */
  restock?: unknown;
}

/** The events to replay. */
export interface ReplayInput {
  /** A time with its zone; events are kept for 30 days. */
  since: unknown;
  /** Includes events that were already delivered. */
  all?: unknown;
}

/** The time of a statistic of sales, and how it is divided. */
export interface SalesQueryInput {
  /** Included. A date begins in the time zone; a time is rounded to quarters of an hour. */
  from?: unknown;
  /** Not included. */
  to?: unknown;
  /** Weeks begin on Monday. One of `day`, `week`, `month`. "day" by default. */
  interval?: unknown;
  /** The zone of the intervals, by its name in the IANA database; the shop's by default. 1 to 64 characters. */
  timeZone?: unknown;
}

/** Changes of the settings: absent fields keep their values. */
export interface SettingsChanges {
  /** The name of the shop. 1 to 255 characters. */
  name?: unknown;
  /** A fraction: "0.08" is 8 %. An order may state another. */
  taxRate?: unknown;
  /** Whether prices and shipping hold the tax. */
  taxIncluded?: unknown;
  /** Replaced as a whole. An entry with an `id` keeps it, one without gets one. The usual one first. At most 50 entries. */
  shippingMethods?: unknown;
  /** Minutes for which a checkout holds its stock. 31 to 1410. */
  reservationMinutes?: unknown;
  /** Pieces of one product that a checkout with a storefront key may have. 1 to 1000000. */
  maxQuantity?: unknown;
  /** Origins of the pages that may call with a storefront key, and to which a buyer may come back from paying. At most 20 entries. */
  returnUrls?: unknown;
  /** Whether payments that reached the shop in another way may be recorded. */
  manualPayments?: unknown;
  /** Zone in which the shop counts its days, by its name in the IANA database. 1 to 64 characters. */
  timeZone?: unknown;
}

/** A code to sign in with. */
export interface SignInInput {
  /** The code, as the link to the dashboard has it. 1 to 200 characters. */
  code: unknown;
}

/** A change of stock. */
export interface StockAdjustment {
  /** Pieces added, or removed with a minus sign; not 0. -2147483647 to 2147483647. */
  adjustment: unknown;
  /** For the audit log. At most 1000 characters. */
  reason?: unknown;
}

/** The variants to list. */
export interface VariantGroupQueryInput {
  /** Maximum number of items. 1 to 200. 50 by default. */
  limit?: unknown;
  /** Number of items to skip. At least 0. 0 by default. */
  offset?: unknown;
  /** The id of the last product of the page before: the page behind it is found at once, however far down it is. At most 255 characters. */
  after?: unknown;
  /** The text shared by the variants. 1 to 255 characters. */
  variantGroupId: unknown;
}

/** Changes of a subscription: absent fields keep their values. */
export interface WebhookChanges {
  /** The address to which events are sent: https, without user name and password, on the public internet. One subscription per address. 1 to 2048 characters. */
  url?: unknown;
  /** Names of events, or `<resource>.*` for all events of a resource. At least 1 entries. */
  events?: unknown;
  /** The secret that signs deliveries; created in the form of Standard Webhooks when absent. 16 to 255 characters. */
  secret?: unknown;
  /** False when it is switched off and receives nothing. */
  isActive?: unknown;
  /** Form of `X-Webhook-Signature`: `sha256=<hex>` or the bare hex. One of `sha256`, `hex`. */
  signatureFormat?: unknown;
  /** Number of attempts that may follow a failed first one. 0 to 4. */
  retries?: unknown;
}

/** A new subscription. */
export interface WebhookInput {
  /** The address to which events are sent: https, without user name and password, on the public internet. One subscription per address. 1 to 2048 characters. */
  url: unknown;
  /** Names of events, or `<resource>.*` for all events of a resource. At least 1 entries. */
  events: unknown;
  /** The secret that signs deliveries; created in the form of Standard Webhooks when absent. 16 to 255 characters. */
  secret?: unknown;
  /** False when it is switched off and receives nothing. */
  isActive?: unknown;
  /** Form of `X-Webhook-Signature`: `sha256=<hex>` or the bare hex. One of `sha256`, `hex`. */
  signatureFormat?: unknown;
  /** Number of attempts that may follow a failed first one. 0 to 4. */
  retries?: unknown;
}

/** The window of a list of subscriptions. */
export interface WebhookQueryInput {
  /** Maximum number of items. 1 to 200. 50 by default. */
  limit?: unknown;
  /** Number of items to skip. At least 0. 0 by default. */
  offset?: unknown;
}
