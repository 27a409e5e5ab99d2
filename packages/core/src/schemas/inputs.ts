import { eventTypes } from '../events/events.ts';
import { type InputFacts, metaOf, type Shape } from '../fields/entity.ts';
import { exampleIds } from '../fields/example-ids.ts';
import { paging } from '../paging.ts';
import { entities } from './entities.ts';
import type { SchemaName } from './index.ts';
import type { FieldFacts, JsonSchema } from './json-schema.ts';

/** Descriptions of an input for the document, beside its rules. */
export interface InputNotes {
  description: string;
  /** The resource whose fields of the same name describe those of the input. */
  like?: SchemaName;
  /** Descriptions of single fields; `items[].sku` is a field of the entries of a list. */
  fields?: Record<string, FieldFacts>;
  /** A valid body. */
  example?: JsonSchema;
}

const money = "A decimal string with at most the currency's decimals.";

const window = {
  limit: { description: 'Maximum number of items.', default: paging.limit.def.defaultValue },
  offset: { description: 'Number of items to skip.', default: paging.offset.def.defaultValue },
} as const;

const productWindow = {
  ...window,
  after: {
    description:
      'The id of the last product of the page before: the page behind it is found at once, however far down it is.',
  },
} as const;

const slugged = {
  slug: { description: 'Exact.' },
  search: { description: 'A substring, in any case; no character is a wildcard.' },
} as const;

const webhook = {
  url: {
    format: 'uri',
    description:
      'The address to which events are sent: https, without user name and password, on the public internet. One subscription per address.',
  },
  secret: { description: 'The secret that signs deliveries; created in the form of Standard Webhooks when absent.' },
  events: {
    description: 'Names of events, or `<resource>.*` for all events of a resource.',
    items: { type: 'string', enum: [...eventTypes, ...new Set(eventTypes.map((type) => type.replace(/\..*/, '.*')))] },
    examples: [['order.*']],
  },
} as const;

/** What the fields of resources say of their inputs. */
function entityNotes(): Partial<Record<SchemaName, InputNotes>> {
  const notes: Record<string, InputNotes> = {};
  for (const [like, { shape, facts }] of Object.entries(entities)) {
    const fields = inputFacts(shape);
    const add = (name: string, { words, example }: InputFacts) => {
      notes[name] = { description: words, like: like as SchemaName, fields, example };
    };
    if (facts.create) add(`${like}Input`, facts.create);
    if (facts.update) add(`${like}Changes`, facts.update);
  }
  return notes;
}

/** Facts of the fields that a client writes, if the document says something else of them in an input. */
function inputFacts(shape: Shape, path = ''): Record<string, FieldFacts> {
  const facts: Record<string, FieldFacts> = {};
  for (const [name, { isWritten, inInput, entries }] of Object.entries(shape)) {
    if (isWritten && inInput.words !== undefined) facts[path + name] = metaOf(inInput);
    if (entries) Object.assign(facts, inputFacts(entries, `${path}${name}[].`));
  }
  return facts;
}

/** Descriptions of every schema of a body or a query. */
export const inputNotes: Partial<Record<SchemaName, InputNotes>> = {
  ...entityNotes(),
  ImportQuery: {
    description: 'How a file is imported.',
    fields: {
      resource: { description: 'What the rows of the file are.', default: 'products' },
      format: { description: 'Of the file; found out from its type or content when absent.' },
      encoding: { description: 'Of a file that is not UTF-8.' },
      match: {
        description: 'The field by which a row finds what it changes: `slug`, or `email` for customers, by default.',
      },
      onError: {
        description:
          '`stop` at the first refused row, with everything before it written, which is the default, or `skip` it.',
      },
      dryRun: { description: 'Checks everything and writes nothing.' },
      events: { description: 'Whether subscribers are told; true by default.' },
      images: { description: 'Fetches the images of products into media.' },
      overwriteStock: { description: 'Sets the stock also where orders have moved it since it was last set.' },
      repeatedSku: {
        description:
          'What a row with the SKU of an earlier row does: `refuse` refuses it, `clear` imports it without a SKU. By default ' +
          '`clear` for files of other shops, and `refuse` for ours.',
      },
      descriptions: {
        description:
          'What becomes of descriptions in HTML: `text` keeps their paragraphs and lists as lines, `html` keeps them as they are. By ' +
          'default `text` for files of other shops.',
      },
      map: { description: 'A JSON object of our columns by those of the file.', examples: ['{"Nome":"title"}'] },
    },
  },
  ImportListQuery: {
    description: 'The imports to list.',
    fields: { ...window, resource: { description: 'What was imported.', default: 'products' } },
  },
  ImportResourceQuery: {
    description: 'The import to get.',
    fields: { resource: { description: 'What it imports.', default: 'products' } },
  },
  SettingsChanges: {
    description: 'Changes of the settings: absent fields keep their values.',
    like: 'Settings',
    fields: {
      shippingMethods: {
        description: 'Replaced as a whole. An entry with an `id` keeps it, one without gets one. The usual one first.',
      },
      'shippingMethods[].price': { description: money, examples: ['4.90'] },
      'shippingMethods[].freeFrom': { description: `Subtotal before discounts from which it costs nothing. ${money}` },
      'shippingMethods[].countries': { description: 'ISO 3166 codes of two letters; null for everywhere.' },
    },
    example: {
      taxRate: '0.19',
      taxIncluded: true,
      shippingMethods: [
        { id: 'standard', name: 'Standard', price: '4.90', freeFrom: '50.00', countries: ['DE', 'AT'] },
      ],
      returnUrls: ['https://shop.example'],
    },
  },
  DiscountQuery: {
    description: 'Filters of a list of discounts.',
    fields: { ...window, code: { description: 'Exact, in any case.' } },
  },
  CheckoutInput: {
    description: 'What a buyer wants, and who it is. Prices, tax and shipping come from the store alone.',
    fields: {
      items: { description: 'At most 100 lines of published products.' },
      'items[].productId': { description: 'The product; or `sku`.' },
      'items[].sku': { description: 'The SKU of the product; or `productId`.' },
      'items[].quantity': { description: 'Pieces.' },
      customer: { description: 'The buyer; found again by the e-mail address.' },
      shippingAddress: { description: 'The address of the goods.' },
      billingAddress: { description: 'The address of the invoice.' },
      shippingMethodId: {
        description: 'One of the settings; required when there are any. It has to serve the country of the address.',
        examples: ['standard'],
      },
      discountCode: { description: 'The code of a discount, in any case.' },
      customerNote: { description: "The customer's note." },
      provider: { description: 'Required when several providers of the store open pages.' },
      successUrl: {
        description:
          'Where the buyer comes to after paying, with `checkout=<id>` added to its query. Of an origin in `returnUrls`.',
        examples: ['https://shop.example/thanks'],
      },
      cancelUrl: {
        description:
          'Where the buyer comes back to without having paid, with `checkout=<id>` added. Of an origin in `returnUrls`.',
        examples: ['https://shop.example/cart'],
      },
      replaces: {
        description: "The buyer's earlier checkout, which is cancelled first, so that its stock counts for this one.",
      },
      'replaces.id': { description: 'Its id.' },
      'replaces.secret': { description: 'Its secret, needed with a storefront key.' },
    },
    example: {
      items: [{ sku: 'MUG', quantity: 2 }],
      customer: { email: 'ada@shop.test', name: 'Ada Lovelace' },
      shippingAddress: { address1: '12 St James Square', city: 'London', postalCode: 'SW1Y 4JH', country: 'GB' },
      successUrl: 'https://shop.example/thanks',
      cancelUrl: 'https://shop.example/cart',
    },
  },
  CheckoutCancellation: {
    description: 'Proof that the checkout is the own one.',
    fields: { secret: { description: 'From the answer that created it; needed with a storefront key.' } },
  },
  Window: { description: 'The window of a list.', fields: window },
  ProductsChanges: {
    description: 'Changes of many products at once.',
    fields: {
      ids: { description: 'The products.', examples: [[exampleIds.product]] },
      changes: { description: 'Changes of each of them: absent fields keep their values.' },
      'changes.status': { description: 'The status.' },
      'changes.price': { description: money, examples: ['12.50'] },
      'changes.compareAtPrice': { description: `The price before a reduction. ${money}` },
      'changes.variantGroupId': { description: 'The group of variants.' },
      'changes.trackStock': { description: 'Whether orders take from the stock.' },
      'changes.allowBackorder': { description: 'Whether more can be sold than there is.' },
      'changes.lowStockThreshold': { description: 'Pieces in stock up to which it is listed as low.' },
      'changes.categoryIds': { description: 'Their categories, replaced as a whole.' },
      'changes.pricePercent': {
        description: 'Moves each price by this percentage, rounded half up.',
        examples: ['-10'],
      },
      'changes.addCategoryIds': { description: 'Categories that each of them is put into.' },
      'changes.removeCategoryIds': { description: 'Categories that each of them is taken out of.' },
    },
    example: { ids: [exampleIds.product], changes: { pricePercent: '-10' } },
  },
  ProductQuery: {
    description: 'Filters of a list of products.',
    fields: {
      ...productWindow,
      ...slugged,
      status: { description: 'Without it, products of every status.' },
      sku: { description: 'Exact.' },
      variantGroupId: { description: 'The variants of one product.' },
      categoryId: { description: 'The products in a category.' },
      search: { description: 'A substring of title, description or SKU, in any case; no character is a wildcard.' },
      lowStock: {
        description:
          'With `true`, only products that track their stock, are not archived, and have no more of it than their `lowStockThreshold`, or nothing where that is null. Refused for storefront keys.',
      },
    },
  },
  AttributeQuery: {
    description: 'Filters of a list of products by their attributes.',
    fields: {
      ...productWindow,
      status: { description: 'Without it, products of every status.' },
      attributes: {
        description:
          'Every other parameter is the name of an attribute with its value: 1 to 20 of them, as in `?color=blue&size=L`. The form `attr.<name>` works for all names and is needed for an attribute called `limit`, for example.',
        examples: [{ color: 'blue' }],
        minProperties: 1,
        maxProperties: 20,
      },
    },
  },
  VariantGroupQuery: {
    description: 'The variants to list.',
    fields: {
      ...productWindow,
      variantGroupId: { description: 'The text shared by the variants.', examples: ['mugs'] },
    },
  },
  CategoryQuery: {
    description: 'Filters of a list of categories.',
    fields: {
      ...window,
      ...slugged,
      status: { description: 'Without it, categories of every status.' },
      parentId: { description: 'The categories below one; `null` for the roots.' },
      search: { description: 'A substring of name or description, in any case; no character is a wildcard.' },
    },
  },
  PageQuery: {
    description: 'Filters of a list of pages.',
    fields: {
      ...window,
      ...slugged,
      status: { description: 'Without it, pages of every status.' },
      search: { description: 'A substring of title or content, in any case; no character is a wildcard.' },
    },
  },
  CustomerQuery: {
    description: 'Filters of a list of customers.',
    fields: {
      ...window,
      email: { description: 'The whole e-mail; case and surrounding blanks are ignored.' },
      search: { description: 'A substring of e-mail, name or phone, in any case; no character is a wildcard.' },
    },
  },
  OrderInput: {
    description:
      'A new pending order: its lines and charges. Prices, titles, SKUs, attributes and images come from the catalogue.',
    like: 'Order',
    fields: {
      id: { format: 'uuid', description: 'An id chosen by the caller; created when absent.' },
      customerId: { description: 'The buyer, if they are a known customer.' },
      customer: {
        description: 'The buyer: the customer with that e-mail, created if necessary. Not together with `customerId`.',
      },
      'customer.email': { format: 'email', description: 'The e-mail that identifies the customer.' },
      'customer.name': { description: 'The name of a new customer.' },
      'customer.phone': { description: 'The telephone number of a new customer.' },
      items: { description: 'The lines. Each names its product by either `productId` or `sku`.' },
      'items[].productId': { description: 'The product, by its id; drafts and archived products can be ordered, too.' },
      'items[].sku': { description: 'The product, by its SKU; drafts and archived products can be ordered, too.' },
      'items[].quantity': { description: 'Pieces.' },
      'items[].lineDiscount': { description: `The discount on this line as a whole. ${money}` },
      taxRate: {
        description:
          'A fraction from "0" to "1" with at most six decimals: "0.08" is 8 %. That of the settings when absent.',
        pattern: '^[01](\\.\\d{1,6})?$',
      },
      shipping: { description: `The cost of shipping. ${money}` },
      shippingMethodId: {
        description: 'One of the shipping methods of the settings, instead of a price in `shipping`.',
        examples: ['standard'],
      },
      reserveMinutes: { description: 'Minutes for which the order holds its stock; unpaid, it expires then.' },
      discount: { description: `The discount on the subtotal. ${money}` },
    },
    example: {
      customer: { email: 'ada@shop.test', name: 'Ada Lovelace' },
      items: [{ sku: 'MUG', quantity: 2 }],
      taxRate: '0.08',
      shipping: '5.00',
    },
  },
  OrderChanges: {
    description:
      'Changes of an order. Other fields are accepted with their stored values, so that an edited answer can be sent back.',
    like: 'Order',
    fields: {
      tracking: { description: 'Where the parcel is: given with the status `fulfilled`, or corrected after it.' },
      'tracking.url': { format: 'uri', description: 'Where the buyer can follow it.' },
    },
    example: {
      status: 'fulfilled',
      merchantNote: 'Sent with the morning post.',
      tracking: { carrier: 'DHL', number: '00340434161094042557' },
    },
  },
  OrderQuery: {
    description: 'Filters of a list of orders.',
    fields: {
      ...window,
      status: { description: 'Orders of this status.' },
      paymentStatus: { description: 'Orders of this payment status.' },
      customerId: { description: 'The orders of a customer.' },
      orderNumber: { description: 'Exact, such as `ORD-1001`.' },
      search: {
        description:
          'A part of the order number, of the e-mail or name of the buyer when the order was made, or of a name in its addresses, in any case; of one or two characters, the beginning of one of these.',
      },
      from: { description: "Orders created from then on. A date begins in the shop's time zone." },
      to: { description: "Orders created before. A date begins in the shop's time zone." },
    },
  },
  SalesQuery: {
    description: 'The time of a statistic of sales, and how it is divided.',
    fields: {
      from: { description: 'Included. A date begins in the time zone; a time is rounded to quarters of an hour.' },
      to: { description: 'Not included.', examples: ['2026-12-01'] },
      interval: { description: 'Weeks begin on Monday.' },
      timeZone: { description: "The zone of the intervals, by its name in the IANA database; the shop's by default." },
    },
  },
  BestSellerQuery: {
    description: "The days, in the shop's time zone, in which best sellers are looked for.",
    fields: {
      from: { description: 'The first day.' },
      to: { description: 'Not included.', examples: ['2026-12-01'] },
      limit: { description: 'The most products answered.' },
    },
  },
  RefundInput: {
    description: 'A refund that was made at the provider.',
    like: 'Refund',
    fields: {
      amount: { description: `More than 0, and at most the rest of the total. ${money}`, examples: ['5.00'] },
      reason: { description: 'For the audit log.' },
      refundId: {
        description:
          "The provider's id of the refund, so that the provider's own notification of it is not counted again.",
      },
      restock: {
        description:
          'Stock to return: `true` for everything that the order took and has not returned, with a refund that completes the total; or a list of `{productId, quantity}`.',
      },
    },
    example: { amount: '5.00', refundId: 're_3QNd2eLkdIwHu7ix', reason: 'One mug was chipped.' },
  },
  ApplyInput: {
    description: 'The order that a payment is to pay.',
    fields: { orderId: { format: 'uuid', description: 'A pending or expired order.', examples: [exampleIds.order] } },
    example: { orderId: exampleIds.order },
  },
  DismissInput: {
    description: 'The dismissal of a payment that needs no order.',
    fields: { reason: { description: 'For the audit log.' } },
    example: { reason: 'Sent back by bank transfer.' },
  },
  ManualPaymentInput: {
    description: 'A payment that did not come through a provider.',
    fields: {
      method: { description: 'The way of payment, in a-z and _.', examples: ['transfer'], pattern: '^[a-z_]+$' },
      amount: { description: `The total of the order. ${money}`, examples: ['32.00'] },
      reference: { description: 'A reference for finding it, such as the number of a bank statement.' },
      paidAt: { description: 'Time of the payment, not in the future; now when absent.', pattern: undefined },
    },
    example: { method: 'transfer', amount: '32.00', reference: 'statement 117' },
  },
  PaymentProviderInput: {
    description:
      'Settings of a provider: absent fields keep their values, null removes an optional one. Each provider has its own.',
    fields: {
      makeOrders: { description: 'Whether a payment that describes its items creates the order that it names.' },
      webhookSecret: { description: 'Stripe, required: the signing secret of the endpoint, `whsec_…`.' },
      secretKey: { description: 'Stripe: the secret or restricted key, which opens pages to pay at.' },
      clientId: { description: 'PayPal, required: the client id of the app.' },
      clientSecret: { description: 'PayPal, required: its secret.' },
      webhookId: { description: 'PayPal, required: the id of the webhook as PayPal lists it.' },
      merchantId: { description: 'PayPal: the account that has to be paid.' },
      signatureKey: { description: 'Square, required: the signature key of the webhook subscription.' },
      notificationUrl: { description: 'Square, required: its address exactly as registered.' },
      accessToken: { description: 'Square: opens pages to pay at, with a location.' },
      locationId: { description: 'Square: the location that sells.' },
      apiBase: { description: "Origin of the provider's API: its live one when left out, or that of its sandbox." },
    },
    example: { webhookSecret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' },
  },
  PaymentQuery: {
    description: 'Filters of a list of payments.',
    fields: {
      ...window,
      matched: { description: 'Payments with this `matched`.' },
      status: { description: 'Payments with this status at their provider.' },
      provider: { description: 'Payments of this provider, or `manual`.' },
      orderId: { description: 'The payments of an order, whether it exists yet or not.' },
      unmatched: { description: 'With `true`, only money that needs attention: not paid, refunded or dismissed.' },
    },
  },
  StockAdjustment: {
    description: 'A change of stock.',
    fields: {
      adjustment: { description: 'Pieces added, or removed with a minus sign; not 0.', examples: [12] },
      reason: { description: 'For the audit log.' },
    },
    example: { adjustment: 12, reason: 'Delivery of Monday' },
  },
  MediaQuery: {
    description: 'Filters of a list of images.',
    fields: { ...window, mimeType: { description: 'Beginning of the type, such as `image/` or `image/png`.' } },
  },
  WebhookInput: {
    description: 'A new subscription.',
    like: 'Webhook',
    fields: webhook,
    example: { url: 'https://shop.test/hooks', events: ['order.*', 'product.updated'] },
  },
  WebhookChanges: {
    description: 'Changes of a subscription: absent fields keep their values.',
    like: 'Webhook',
    fields: webhook,
    example: { isActive: false },
  },
  DeliveryQuery: {
    description: 'Filters of a list of deliveries.',
    fields: {
      ...window,
      status: { description: 'Deliveries of this status.' },
      event: { description: 'Deliveries of this event.' },
    },
  },
  ReplayInput: {
    description: 'The events to replay.',
    fields: {
      since: { description: 'A time with its zone; events are kept for 30 days.', examples: ['2026-11-20T08:00:00Z'] },
      all: { description: 'Includes events that were already delivered.', default: false },
    },
    example: { since: '2026-11-20T08:00:00Z' },
  },
  WebhookQuery: { description: 'The window of a list of subscriptions.', fields: window },
  ApiKeyInput: {
    description: 'A new API key.',
    like: 'ApiKey',
    fields: {
      kind: {
        description: '`secret` when left out. A `storefront` key may stand in a public page; its scopes are fixed.',
      },
      scopes: {
        description:
          'Its permissions, such as `product.read`; `product:read` and `products:read` mean the same. At most those of the creating key. Required for a secret key, left out for a storefront key.',
        examples: [['product.read', 'category.read']],
      },
      expiresAt: {
        description: 'Time from which it is refused, with its offset from UTC; null for never.',
        // Zod's pattern states nothing beyond the format, at ten times the length.
        pattern: undefined,
        examples: ['2030-01-31T00:00:00Z'],
      },
    },
    example: { name: 'Storefront', scopes: ['product.read', 'category.read'] },
  },
  SignInInput: {
    description: 'A code to sign in with.',
    fields: { code: { description: 'The code, as the link to the dashboard has it.' } },
    example: { code: `${exampleIds.store}.hN2x0vJc5Yq3TzR8mK1pW7sL4dF9gB6aEoUiXyQwZtA` },
  },
  AuditLogQuery: {
    description: 'Filters of a list of entries.',
    fields: {
      ...window,
      resourceType: { description: 'Such as `product`.' },
      resourceId: { description: 'The entries about one resource.', examples: [exampleIds.product] },
      action: { description: 'Such as `product.updated`.' },
      actorId: { description: "An API key's id, or a provider's name." },
    },
  },
};
