import * as z from 'zod';
import { CustomerContact } from '../customers/fields.ts';
import { country } from '../engine/settings/methods.ts';
import { localeRule } from '../engine/settings/pages.ts';
import { amount, currency, id, once, optionalTime, optionalWords, words } from '../fields/answers.ts';
import { exampleIds } from '../fields/example-ids.ts';
import { metadataRule, optionsRule } from '../fields/metadata.ts';
import { noted } from '../fields/notes.ts';
import { strictly } from '../kernel/known-fields.ts';
import { maxCheckoutItems } from '../kernel/limits.ts';
import { fields, integer, oneOf, ruled, secretOf, text } from '../kernel/parse.ts';
import { parseWebAddress } from '../kernel/url.ts';
import { Address, giftNoteRule, hasFewWords, type ItemsNamed, manyWords, taxExemptRule } from '../orders/inputs.ts';
import { providerNames } from '../storage/tables/payments.ts';
import { quoteAnswer } from './quote-answer.ts';

export const checkoutStatuses = ['open', 'processing', 'placed', 'paid', 'expired', 'cancelled', 'failed'] as const;
export type CheckoutStatus = (typeof checkoutStatuses)[number];

/** The fields of the answer about a checkout. */
const answered = () => ({
  id: id('The id, a UUIDv7.', exampleIds.checkout),
  orderId: id('The order that it pays.', exampleIds.order),
  orderNumber: words('The number of that order.', 'ORD-1001'),
  provider: z
    .enum(providerNames)
    .nullable()
    .meta({
      description: 'Where it is paid; null when it costs nothing, and for a way to pay without a provider.',
      examples: ['stripe'],
    }),
  url: optionalWords(
    "The provider's page where the buyer pays; null if nothing is due, or if it can no longer be paid.",
    'https://checkout.stripe.com/c/pay/cs_test_a1',
  ),
  status: z.enum(checkoutStatuses).meta({
    description:
      '`open` until it is paid or ends, `processing` while the provider waits for the money, for days with some methods, `placed` for an unpaid order with a way to pay without a provider: `expired` because no payment came in time, `cancelled`, or `failed` because the provider opened no page. A late payment can still pay an expired one.',
    examples: ['open'],
  }),
  subtotal: amount('The sum of the prices.', '25.00'),
  discount: amount('The discount on the subtotal.', '2.50'),
  shipping: amount('The cost of shipping.', '4.90'),
  tax: amount('The tax, contained in the other amounts or added to them as the settings say.', '4.37'),
  total: amount('The amount that the buyer pays.', '27.40'),
  currency: currency(),
  /** What the buyer has to do to pay, with the number and amount of the order filled in; null if the settings say nothing. */
  instructions: optionalWords(
    'What the buyer has to do to pay, with the number and amount of the order filled in; null if the settings say nothing.',
    'Please transfer 27.40 EUR to DE02 1203 0000 0000 2020 51, reference ORD-1001.',
  ),
  expiresAt: optionalTime(
    'Time at which the page ends, or the wait for a bank transfer; null if neither does.',
    '2026-11-20T12:29:00.000Z',
  ),
});

const orderUrl = (description: string) =>
  optionalWords(description, `https://shop.example/order#${exampleIds.order}.g5p.Zk3`);

export const checkoutAnswer = once(() =>
  z
    .object({
      ...answered(),
      orderUrl: orderUrl(
        "The address of the buyer's page of the order, a secret. Only with the right `Checkout-Secret`, once the checkout is paid or placed, and if the settings have an `orderUrl`; else null.",
      ),
    })
    .meta({ description: 'The way of an order to its payment, without anything about the buyer.' }),
);

/** The path of one order to its payment, without anything about the buyer. Amounts are decimal strings. */
export type Checkout = z.output<ReturnType<typeof checkoutAnswer>>;

export const expiredCheckoutAnswer = once(() =>
  z
    .object({
      ...answered(),
      customer: z
        .object({
          email: words('The e-mail address.', 'ada@shop.test'),
          name: optionalWords('The name.', 'Ada Lovelace'),
          phone: optionalWords('A telephone number.'),
        })
        .nullable()
        .meta({ description: 'The buyer; null if the customer was deleted or anonymised.' }),
    })
    .meta({ description: 'A checkout that ended without a payment, with the buyer.' }),
);

/** A checkout that ended without a payment, as its event has it. */
export type ExpiredCheckout = z.output<ReturnType<typeof expiredCheckoutAnswer>>;

export const createdCheckoutAnswer = once(() =>
  z
    .object({
      ...answered(),
      orderUrl: orderUrl(
        "The address of the buyer's page of the order, a secret. Only of a checkout that is paid or placed at once, and if the settings have an `orderUrl`; else null. Shown once: absent in a repeated answer.",
      ),
      secret: optionalWords(
        'Needed to cancel it with a storefront key. Shown once: null in the answer to a request with the same contents, and absent in a repeated answer.',
        'n0c8Uq0Jv5Yx2bW4rT6mK9pS1dF3gH7jL_aZeXoQiVc',
      ),
    })
    .meta({ description: 'A newly created checkout.' }),
);

/** What all answers about a checkout have. */
export type CheckoutFacts = Omit<Checkout, 'orderUrl'>;

/** A new checkout. Its secret allows a storefront key to cancel it; null in the answer to a repeated request. */
export type CreatedCheckout = z.output<ReturnType<typeof createdCheckoutAnswer>>;

/** Address of a page of the shop; the settings list the allowed origins. */
const pageUrl = text(2048, 1)
  .refine(isPageUrl, ruled('must be an http:// or https:// address without user name and password', 'NOT_A_URL'))
  .meta({ format: 'uri' });

function isPageUrl(address: string): boolean {
  const url = parseWebAddress(address);
  return url !== undefined && !url.username && !url.password;
}

const item = fields({
  /** The product, by its id; or `sku`. */
  productId: text(64, 1).optional().describe('The product; or `sku`.'),
  /** The product, by its SKU; or `productId`. */
  sku: text(255, 1).trim().optional().describe('The SKU of the product; or `productId`.'),
  /** Pieces. 1 to 1,000,000. */
  quantity: integer(1, 1_000_000).describe('Pieces.'),
  /** What the buyer chose, by name, such as an engraving. At most 10, of 500 characters. Changes no price. */
  options: optionsRule
    .optional()
    .describe('What the buyer chose, by name, such as an engraving. At most 10, of 500 characters. Changes no price.'),
}).refine(
  (line) => (line.productId === undefined) !== (line.sku === undefined),
  ruled('must name its product by either productId or sku', 'CONFLICTING'),
);

/** What a checkout and its quote have in common. */
const cartShape = {
  /** At most 100 lines of published products. */
  items: z
    .array(item, 'must be a list of items')
    .min(1, 'must have at least one item')
    .max(maxCheckoutItems, `must have at most ${maxCheckoutItems} items`)
    .describe('At most 100 lines of published products.'),
  /** The address of the goods. */
  shippingAddress: Address.nullable().default(null).describe('The address of the goods.'),
  /** The address of the invoice. */
  billingAddress: Address.nullable().default(null).describe('The address of the invoice.'),
  /** One that serves the cart; required if the settings have any. Ignored for goods that need no shipping. */
  shippingMethodId: text(64, 1)
    .optional()
    .meta({
      description:
        'One that serves the cart; required if the settings have any. Ignored for goods that need no shipping.',
      examples: ['standard'],
    }),
  /** Why no tax falls on it; only with a secret key. Every rate is 0, and prices that include tax cost less by it. */
  taxExempt: taxExemptRule
    .nullable()
    .optional()
    .describe(
      'Why no tax falls on it; only with a secret key. Every rate is 0, and prices that include tax cost less by it.',
    ),
  /** The code of a discount, in any case. */
  discountCode: text(64, 1).nullable().default(null).describe('The code of a discount, in any case.'),
  /** The customer's note. */
  customerNote: text(5000).nullable().default(null).describe("The customer's note."),
  /** Message of the buyer to the person who gets the gift. */
  giftNote: giftNoteRule.describe('Message of the buyer to the person who gets the gift.'),
  /** Texts of your own by key, for other programs, which the order gets; only with a secret key. */
  metadata: metadataRule
    .optional()
    .describe('Texts of your own by key, for other programs, which the order gets; only with a secret key.'),
  /** The provider where it is paid: its first way to pay that serves the cart. Or `paymentMethodId`. */
  provider: oneOf(providerNames)
    .optional()
    .describe('The provider where it is paid: its first way to pay that serves the cart. Or `paymentMethodId`.'),
  /** One of the ways to pay, by its id; or `provider`. Required when several serve the cart. */
  paymentMethodId: text(64, 1)
    .nullable()
    .default(null)
    .meta({
      description: 'One of the ways to pay, by its id; or `provider`. Required when several serve the cart.',
      examples: ['stripe'],
    }),
  /** The buyer's earlier checkout, which is cancelled first. Its stock is then available for this one. */
  replaces: fields({
    /** Its id. */
    id: text(64, 1).describe('Its id.'),
    /** Its secret, needed with a storefront key. */
    secret: secretOf(text(255, 1)).optional().describe('Its secret, needed with a storefront key.'),
  })
    .optional()
    .describe("The buyer's earlier checkout, which is cancelled first. Its stock is then available for this one."),
};

/** What only a checkout needs. */
const buyerShape = {
  /** Language of the buyer, a tag of BCP 47, for mails; that of the shop when absent. */
  locale: localeRule
    .nullable()
    .optional()
    .describe('Language of the buyer, a tag of BCP 47, for mails; that of the shop when absent.'),
  /** The buyer; found again by the e-mail address. */
  customer: CustomerContact.describe('The buyer; found again by the e-mail address.'),
  /** Where the buyer comes to after paying, with `checkout=<id>` added to its query. Of an origin in `returnUrls`. */
  successUrl: pageUrl.meta({
    description:
      'Where the buyer comes to after paying, with `checkout=<id>` added to its query. Of an origin in `returnUrls`.',
    examples: ['https://shop.example/thanks'],
  }),
  /** Where the buyer comes back to without having paid, with `checkout=<id>` added. Of an origin in `returnUrls`. */
  cancelUrl: pageUrl.meta({
    description:
      'Where the buyer comes back to without having paid, with `checkout=<id>` added. Of an origin in `returnUrls`.',
    examples: ['https://shop.example/cart'],
  }),
};

/** `paymentMethodId` and `provider` are two names of one choice. */
function namesOnePayment({
  provider,
  paymentMethodId,
}: {
  provider?: string | undefined;
  paymentMethodId: string | null;
}): boolean {
  return provider === undefined || paymentMethodId === null || provider === paymentMethodId;
}

const twoPayments = {
  ...ruled('must not name another way to pay than provider', 'CONFLICTING'),
  path: ['paymentMethodId'],
};

export const CheckoutFields = noted(
  strictly(
    fields({ ...cartShape, ...buyerShape })
      .refine(namesOnePayment, twoPayments)
      .refine(hasFewWords, manyWords),
    createdCheckoutAnswer,
  ),
  {
    description: 'The buyer and the cart. Prices, tax and shipping always come from the store.',
    example: {
      items: [{ sku: 'MUG', quantity: 2 }],
      customer: { email: 'ada@shop.test', name: 'Ada Lovelace' },
      shippingAddress: { address1: '12 St James Square', city: 'London', postalCode: 'SW1Y 4JH', country: 'GB' },
      successUrl: 'https://shop.example/thanks',
      cancelUrl: 'https://shop.example/cart',
    },
  },
);
export type CheckoutInput = ItemsNamed<z.input<typeof CheckoutFields>>;
export type CheckoutDraft = z.output<typeof CheckoutFields>;

const { customer, successUrl, cancelUrl, locale } = buyerShape;

const place = 'The country of the goods, ISO 3166-1, if `shippingAddress` is not known yet.';

export const QuoteFields = noted(
  strictly(
    fields({
      ...cartShape,
      /** The buyer. Changes no price. */
      customer: customer.optional().describe('The buyer. Changes no price.'),
      /** As in a checkout. Changes no price. */
      successUrl: successUrl.optional().describe('As in a checkout. Changes no price.'),
      /** As in a checkout. Changes no price. */
      locale: locale.describe('As in a checkout. Changes no price.'),
      /** As in a checkout. Changes no price. */
      cancelUrl: cancelUrl.optional().describe('As in a checkout. Changes no price.'),
      /** The country of the goods, ISO 3166-1, if `shippingAddress` is not known yet. */
      country: country.nullable().default(null).describe(place),
      /** The region in the country. */
      region: text(255).nullable().default(null).describe('The region in the country.'),
      /** The postal code in the country. */
      postalCode: text(255).nullable().default(null).describe('The postal code in the country.'),
    })
      .refine(namesOnePayment, twoPayments)
      .refine(hasFewWords, manyWords)
      .refine((quote) => quote.shippingAddress === null || quote.country === null, {
        ...ruled('must not be given together with shippingAddress', 'CONFLICTING'),
        path: ['country'],
      }),
    quoteAnswer,
  ),
  {
    description: 'A cart, as a checkout takes it. Only `items` is required.',
    example: { items: [{ sku: 'MUG', quantity: 2 }], country: 'GB', shippingMethodId: 'standard' },
  },
);
export type QuoteInput = ItemsNamed<z.input<typeof QuoteFields>>;

export const CancelFields = noted(
  fields({
    /** From the answer that created it; needed with a storefront key. */
    secret: secretOf(text(255, 1))
      .optional()
      .describe('From the answer that created it; needed with a storefront key.'),
  }),
  {
    description: 'Proof that the checkout belongs to the caller.',
  },
);
export type CancelInput = z.input<typeof CancelFields>;
