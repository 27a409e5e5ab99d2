import { eventTypes } from '../events/events.ts';
import { type InputFacts, metaOf, type Shape } from '../fields/entity.ts';
import { exampleIds } from '../fields/example-ids.ts';
import { nounNames, nouns } from '../kernel/nouns.ts';
import { entities, schemaName } from './entities.ts';
import type { SchemaName } from './schemas.ts';
import type { FieldFacts, JsonSchema } from './types.ts';

/** Descriptions of an input for the document, in addition to its rules. */
export interface InputNotes {
  description: string;
  /** The resource whose fields of the same name describe those of the input. */
  like?: SchemaName;
  /** Descriptions of single fields; `items[].sku` is a field of the entries of a list. */
  fields?: Record<string, FieldFacts>;
  /** A valid body. */
  example?: JsonSchema;
}

const subscribed = {
  description: 'Names of events, or `<resource>.*` for all events of a resource.',
  items: { type: 'string', enum: [...eventTypes, ...new Set(eventTypes.map((type) => type.replace(/\..*/, '.*')))] },
  examples: [['order.*']],
} as const;

/** The descriptions of the inputs of resources. */
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
  for (const noun of nounNames) {
    notes[`${schemaName(noun)}Query`] = { description: `Filters of a list of ${nouns[noun].table}.` };
  }
  return notes;
}

/** Descriptions of the fields that a client writes, if the input differs from the answer. */
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
  },
  ImportListQuery: {
    description: 'The imports to list.',
  },
  ImportResourceQuery: {
    description: 'The import to get.',
  },
  DiscountQuery: {
    description: 'Filters of a list of discounts.',
  },
  CheckoutInput: {
    description: 'What a buyer wants, and who it is. Prices, tax and shipping come from the store alone.',
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
  },
  Window: {
    description: 'The window of a list.',
  },
  ProductsChanges: {
    description: 'Changes of many products at once.',
    fields: {
      // Zod leaves examples out of an input that it transforms.
      ids: { examples: [[exampleIds.product]] },
      'changes.status': { description: 'The status.' },
      'changes.price': { description: "A decimal string with at most the currency's decimals.", examples: ['12.50'] },
      'changes.compareAtPrice': {
        description: "The price before a reduction. A decimal string with at most the currency's decimals.",
      },
      'changes.variantGroupId': { description: 'The group of variants.' },
      'changes.trackStock': { description: 'Whether orders take from the stock.' },
      'changes.allowBackorder': { description: 'Whether more can be sold than there is.' },
      'changes.lowStockThreshold': { description: 'Pieces in stock up to which it is listed as low.' },
      'changes.categoryIds': { description: 'Their categories, replaced as a whole.' },
    },
    example: { ids: [exampleIds.product], changes: { pricePercent: '-10' } },
  },
  AttributeQuery: {
    description: 'Filters of a list of products by their attributes.',
    fields: {
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
  },
  OrderInput: {
    description:
      'A new pending order: its lines and charges. Prices, titles, SKUs, attributes and images come from the catalogue.',
    like: 'Order',
    fields: {
      id: { format: 'uuid', description: 'An id chosen by the caller; created when absent.' },
      'customer.email': { format: 'email', description: 'The e-mail that identifies the customer.' },
      'customer.name': { description: 'The name of a new customer.' },
      'customer.phone': { description: 'The telephone number of a new customer.' },
      taxRate: {
        description:
          'A fraction from "0" to "1" with at most six decimals: "0.08" is 8 %. That of the settings when absent.',
        pattern: '^[01](\\.\\d{1,6})?$',
      },
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
  },
  SalesQuery: {
    description: 'The time of a statistic of sales, and how it is divided.',
  },
  BestSellerQuery: {
    description: "The days, in the shop's time zone, in which best sellers are looked for.",
  },
  RefundInput: {
    description: 'A refund that was made at the provider.',
    like: 'Refund',
    fields: {
      amount: {
        description:
          "More than 0, and at most the rest of the total. A decimal string with at most the currency's decimals.",
        examples: ['5.00'],
      },
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
    example: { orderId: '0193d3f0-4bb8-7168-ba4b-50d273910fcc' },
  },
  DismissInput: {
    description: 'The dismissal of a payment that needs no order.',
    example: { reason: 'Sent back by bank transfer.' },
  },
  ManualPaymentInput: {
    description: 'A payment that did not come through a provider.',
    fields: {
      method: { description: 'The way of payment, in a-z and _.', examples: ['transfer'], pattern: '^[a-z_]+$' },
      amount: { examples: ['32.00'] },
      // Zod's pattern adds nothing to the format, at ten times its length.
      paidAt: { pattern: undefined },
    },
    example: { method: 'transfer', amount: '32.00', reference: 'statement 117' },
  },
  PaymentProviderInput: {
    description:
      'Settings of a provider: absent fields keep their values, null removes an optional one. Each provider has its own.',
    example: { webhookSecret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' },
  },
  PaymentQuery: {
    description: 'Filters of a list of payments.',
  },
  StockAdjustment: {
    description: 'A change of stock.',
    example: { adjustment: 12, reason: 'Delivery of Monday' },
  },
  MediaQuery: {
    description: 'Filters of a list of images.',
  },
  WebhookInput: {
    description: 'A new subscription.',
    like: 'Webhook',
    fields: {
      url: {
        format: 'uri',
        description:
          'The address to which events are sent: https, without user name and password, on the public internet. One subscription per address.',
      },
      events: subscribed,
    },
    example: { url: 'https://shop.test/hooks', events: ['order.*', 'product.updated'] },
  },
  WebhookChanges: {
    description: 'Changes of a subscription: absent fields keep their values.',
    like: 'Webhook',
    fields: {
      url: {
        format: 'uri',
        description:
          'The address to which events are sent: https, without user name and password, on the public internet. One subscription per address.',
      },
      events: subscribed,
    },
    example: { isActive: false },
  },
  DeliveryQuery: {
    description: 'Filters of a list of deliveries.',
  },
  ReplayInput: {
    description: 'The events to replay.',
    example: { since: '2026-11-20T08:00:00Z' },
  },
  WebhookQuery: {
    description: 'The window of a list of subscriptions.',
  },
  ApiKeyInput: {
    description: 'A new API key.',
    like: 'ApiKey',
    fields: { expiresAt: { pattern: undefined } },
    example: { name: 'Storefront', scopes: ['product.read', 'category.read'] },
  },
  SignInInput: {
    description: 'A code to sign in with.',
    example: { code: `${exampleIds.store}.hN2x0vJc5Yq3TzR8mK1pW7sL4dF9gB6aEoUiXyQwZtA` },
  },
  AuditLogQuery: {
    description: 'Filters of a list of entries.',
  },
};
