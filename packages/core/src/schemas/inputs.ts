import { eventTypes } from '../events/events.ts';
import { paging } from '../paging.ts';
import type { SchemaName } from './index.ts';
import type { FieldFacts, JsonSchema } from './json-schema.ts';
import { exampleIds } from './values.ts';

/** What the document says of an input beyond its rules. */
export interface InputNotes {
  description: string;
  /** The resource that it is made of: fields of the same name mean the same. */
  like?: SchemaName;
  /** What is said of single fields; `items[].sku` is a field of the entries of a list. */
  fields?: Record<string, FieldFacts>;
  /** A body that is taken as it stands. */
  example?: JsonSchema;
}

const money = "A decimal string with at most the currency's decimals.";

const window = {
  limit: { description: 'How many items at most.', default: paging.limit.def.defaultValue },
  offset: { description: 'How many items to leave out before the first.', default: paging.offset.def.defaultValue },
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
  search: { description: 'A part of it, in any case; every character stands for itself.' },
} as const;

const publishing = {
  status: { description: '`draft` in a new one unless said otherwise.', examples: ['published'] },
  seoImageId: { description: 'The image that is shown with links to it; it has to exist when it is added.' },
} as const;

const product = {
  ...publishing,
  price: { description: money, examples: ['12.50'] },
  compareAtPrice: { description: `The price before a reduction. ${money}` },
  stock: {
    description: 'Pieces at hand, replacing what is stored: not below zero, unless it is sent back as it was read.',
  },
  categoryIds: { description: 'The categories it is in, replaced as a whole. They have to exist when they are added.' },
  mediaIds: { description: 'Its images, replaced as a whole. They have to exist when they are added.' },
  primaryMediaId: { description: 'The image that stands for it; it has to exist when it is added.' },
} as const;

const customer = {
  email: { format: 'email', description: 'Unique in the store, whatever its case. Blanks around it are cut off.' },
  addresses: {
    description:
      'Replaces the whole list. An entry with the `id` of an address changes the fields that it gives; one without is new and needs `address1`, `city`, `postalCode` and `country`.',
  },
  'addresses[].id': { description: 'The address that is changed; absent for a new one.' },
  defaultAddressId: { description: 'One of the resulting list; null for none.' },
} as const;

const webhook = {
  url: {
    format: 'uri',
    description:
      'Where to send events: https, without user name and password, on the public internet. One subscription each.',
  },
  secret: { description: 'What to sign deliveries with; made when absent, in the form of Standard Webhooks.' },
  events: {
    description: 'Names of events, or `<resource>.*` for all of a resource.',
    items: { type: 'string', enum: [...eventTypes, ...new Set(eventTypes.map((type) => type.replace(/\..*/, '.*')))] },
    examples: [['order.*']],
  },
} as const;

/** Notes on every schema of a body or a query. */
export const inputNotes: Partial<Record<SchemaName, InputNotes>> = {
  Window: { description: 'The window of a list.', fields: window },
  ProductInput: {
    description: 'A new product.',
    like: 'Product',
    fields: product,
    example: {
      title: 'Blue mug',
      slug: 'blue-mug',
      price: '12.50',
      sku: 'MUG',
      status: 'published',
      attributes: { color: 'blue' },
      trackStock: true,
      stock: 10,
    },
  },
  ProductChanges: {
    description: 'What to change of a product: absent fields keep their values.',
    like: 'Product',
    fields: product,
    example: { price: '11.00', compareAtPrice: '12.50' },
  },
  ProductQuery: {
    description: 'Which products to list.',
    fields: {
      ...productWindow,
      ...slugged,
      status: { description: 'Without it, products of every status.' },
      sku: { description: 'Exact.' },
      variantGroupId: { description: 'The variants of one product.' },
      categoryId: { description: 'The products in a category.' },
      search: { description: 'A part of title, description or SKU, in any case; every character stands for itself.' },
    },
  },
  AttributeQuery: {
    description: 'Which products to list by their attributes.',
    fields: {
      ...productWindow,
      status: { description: 'Without it, products of every status.' },
      attributes: {
        description:
          'Every other parameter names an attribute and the value that it has to have: 1 to 20 of them, as in `?color=blue&size=L`. `attr.limit` names one that is called `limit`; the form works for all.',
        examples: [{ color: 'blue' }],
        minProperties: 1,
        maxProperties: 20,
      },
    },
  },
  VariantGroupQuery: {
    description: 'Which variants to list.',
    fields: { ...productWindow, variantGroupId: { description: 'What the variants share.', examples: ['mugs'] } },
  },
  CategoryInput: {
    description: 'A new category.',
    like: 'Category',
    fields: publishing,
    example: { name: 'Mugs', slug: 'mugs', status: 'published' },
  },
  CategoryChanges: {
    description: 'What to change of a category: absent fields keep their values.',
    like: 'Category',
    fields: publishing,
    example: { name: 'Mugs and cups' },
  },
  CategoryQuery: {
    description: 'Which categories to list.',
    fields: {
      ...window,
      ...slugged,
      status: { description: 'Without it, categories of every status.' },
      parentId: { description: 'The categories below one; `null` for the roots.' },
      search: { description: 'A part of name or description, in any case; every character stands for itself.' },
    },
  },
  PageInput: {
    description: 'A new page.',
    like: 'Page',
    fields: publishing,
    example: { title: 'Imprint', slug: 'imprint', content: '<p>Shop Ltd.</p>', status: 'published' },
  },
  PageChanges: {
    description: 'What to change of a page: absent fields keep their values.',
    like: 'Page',
    fields: publishing,
    example: { content: '<p>Shop Ltd., London</p>' },
  },
  PageQuery: {
    description: 'Which pages to list.',
    fields: {
      ...window,
      ...slugged,
      status: { description: 'Without it, pages of every status.' },
      search: { description: 'A part of title or content, in any case; every character stands for itself.' },
    },
  },
  CustomerInput: {
    description: 'A new customer.',
    like: 'Customer',
    fields: customer,
    example: {
      email: 'ada@shop.test',
      name: 'Ada Lovelace',
      addresses: [{ address1: '12 St James Square', city: 'London', postalCode: 'SW1Y 4JH', country: 'GB' }],
    },
  },
  CustomerChanges: {
    description: 'What to change of a customer: absent fields keep their values.',
    like: 'Customer',
    fields: customer,
    example: { marketingOptIn: true },
  },
  CustomerQuery: {
    description: 'Which customers to list.',
    fields: {
      ...window,
      email: { description: 'Exact, but for its case and blanks around it.' },
      search: { description: 'A part of e-mail, name or phone, in any case; every character stands for itself.' },
    },
  },
  OrderInput: {
    description:
      'A new pending order: what is bought, and the charges. Prices, titles, SKUs, attributes and images come from the catalogue.',
    like: 'Order',
    fields: {
      id: { format: 'uuid', description: 'An id that is known before; made when absent.' },
      customerId: { description: 'Who buys, where they are known.' },
      customer: {
        description:
          'Who buys: the customer with that e-mail, made when there is none. Not together with `customerId`.',
      },
      'customer.email': { format: 'email', description: 'The e-mail that they are known by.' },
      'customer.name': { description: 'The name of a new customer.' },
      'customer.phone': { description: 'The telephone number of a new customer.' },
      items: { description: 'What is bought. Each line names its product by either `productId` or `sku`.' },
      'items[].productId': { description: 'The product, by its id.' },
      'items[].sku': { description: 'The product, by its SKU.' },
      'items[].quantity': { description: 'Pieces.' },
      'items[].lineDiscount': { description: `What is taken off this line as a whole. ${money}` },
      taxRate: {
        description: 'A fraction from "0" to "1" with at most six decimals: "0.08" is 8 %.',
        pattern: '^[01](\\.\\d{1,6})?$',
      },
      shipping: { description: `What the shipping costs. ${money}` },
      discount: { description: `What is taken off the subtotal. ${money}` },
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
      'What to change of an order. Any other field of it may be there while it says what is stored, so that what was read can be sent back.',
    like: 'Order',
    example: { status: 'fulfilled', merchantNote: 'Sent with the morning post.' },
  },
  OrderQuery: {
    description: 'Which orders to list.',
    fields: {
      ...window,
      status: { description: 'Orders of this status.' },
      paymentStatus: { description: 'Orders of this payment status.' },
      customerId: { description: 'The orders of a customer.' },
      orderNumber: { description: 'Exact, such as `ORD-1001`.' },
    },
  },
  RefundInput: {
    description: 'A refund that was made at the provider.',
    like: 'Refund',
    fields: {
      amount: { description: `More than nothing, and at most what is left of the total. ${money}`, examples: ['5.00'] },
      reason: { description: 'For the audit log.' },
      refundId: {
        description: "The provider's id of the refund, so that the provider's own notice of it is not counted again.",
      },
      restock: {
        description:
          'What goes back to the stock: `true` for all that the order took and has not given back, with a refund that completes the total; or a list of `{productId, quantity}`.',
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
    description: 'Why a payment needs no order.',
    fields: { reason: { description: 'For the audit log.' } },
    example: { reason: 'Sent back by bank transfer.' },
  },
  ManualPaymentInput: {
    description: "A payment that reached the shop on another way than a provider's.",
    fields: {
      method: { description: 'How it was paid, in a-z and _.', examples: ['transfer'], pattern: '^[a-z_]+$' },
      amount: { description: `The total of the order. ${money}`, examples: ['32.00'] },
      reference: { description: 'What to find it by, such as the number of a bank statement.' },
      paidAt: { description: 'When it came, if not now; not in the future.', pattern: undefined },
    },
    example: { method: 'transfer', amount: '32.00', reference: 'statement 117' },
  },
  PaymentQuery: {
    description: 'Which payments to list.',
    fields: {
      ...window,
      matched: { description: 'Payments of which that became.' },
      status: { description: 'Payments that stand so at their provider.' },
      provider: { description: 'Payments of this provider, or `manual`.' },
      orderId: { description: 'The payments of an order, whether it exists yet or not.' },
      unmatched: { description: 'With `true`, only money that needs attention: neither paid, refunded nor dismissed.' },
    },
  },
  StockAdjustment: {
    description: 'A difference of a stock.',
    fields: {
      adjustment: { description: 'Pieces that came, or went with a minus sign; not 0.', examples: [12] },
      reason: { description: 'For the audit log.' },
    },
    example: { adjustment: 12, reason: 'Delivery of Monday' },
  },
  MediaChanges: {
    description: 'What to change of an image.',
    like: 'Media',
    example: { altText: 'A blue mug on a table' },
  },
  MediaQuery: {
    description: 'Which images to list.',
    fields: { ...window, mimeType: { description: 'What the type begins with, such as `image/` or `image/png`.' } },
  },
  WebhookInput: {
    description: 'A new subscription.',
    like: 'Webhook',
    fields: webhook,
    example: { url: 'https://shop.test/hooks', events: ['order.*', 'product.updated'] },
  },
  WebhookChanges: {
    description: 'What to change of a subscription: absent fields keep their values.',
    like: 'Webhook',
    fields: webhook,
    example: { isActive: false },
  },
  DeliveryQuery: {
    description: 'Which deliveries to list.',
    fields: {
      ...window,
      status: { description: 'Deliveries of this status.' },
      event: { description: 'Deliveries of this event.' },
    },
  },
  ReplayInput: {
    description: 'From when on, and whether also what was delivered.',
    fields: {
      since: { description: 'A time with its zone; events are kept for 30 days.', examples: ['2026-11-20T08:00:00Z'] },
      all: { description: 'Also what was delivered already.', default: false },
    },
    example: { since: '2026-11-20T08:00:00Z' },
  },
  WebhookQuery: { description: 'Which subscriptions to list.', fields: window },
  ApiKeyInput: {
    description: 'A new API key.',
    like: 'ApiKey',
    fields: {
      scopes: {
        description:
          'What it may do, such as `product.read`; `product:read` and `products:read` mean the same. It cannot be more than the key may that makes it.',
        examples: [['product.read', 'category.read']],
      },
      expiresAt: {
        description: 'From when on it is refused, with its offset from UTC; null for never.',
        // Zod's pattern says no more than the format does, in ten times the words.
        pattern: undefined,
        examples: ['2030-01-31T00:00:00Z'],
      },
    },
    example: { name: 'Storefront', scopes: ['product.read', 'category.read'] },
  },
  AuditLogQuery: {
    description: 'Which entries to list.',
    fields: {
      ...window,
      resourceType: { description: 'Such as `product`.' },
      resourceId: { description: 'The entries about one resource.', examples: [exampleIds.product] },
      action: { description: 'Such as `product.updated`.' },
      actorId: { description: "An API key's id, or a provider's name." },
    },
  },
};
