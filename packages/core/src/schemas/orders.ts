import * as z from 'zod';
import {
  type AddressSnapshot as AddressSnapshotEntity,
  cancelReasons,
  type Order as OrderEntity,
  type OrderItem as OrderItemEntity,
  orderStatuses,
  paymentStatuses,
} from '../orders/fields.ts';
import type { RefundRecord } from '../orders/refunds.ts';
import type { Outcome } from '../payments/inbox.ts';
import type { ReceiverAnswer as ReceiverAnswerEntity } from '../payments/receive.ts';
import {
  amount,
  count,
  exactly,
  exampleIds,
  id,
  optionalId,
  optionalTime,
  optionalWords,
  time,
  words,
  yesOrNo,
} from './values.ts';

export const AddressSnapshot = exactly<AddressSnapshotEntity>()(
  z
    .object({
      firstName: optionalWords('The given name.', 'Ada'),
      lastName: optionalWords('The family name.', 'Lovelace'),
      address1: optionalWords('Street and number.', '12 St James Square'),
      address2: optionalWords('The second line.'),
      city: optionalWords('The city.', 'London'),
      region: optionalWords('State, province or county.'),
      postalCode: optionalWords('The postal code.', 'SW1Y 4JH'),
      country: optionalWords('A country code or name.', 'GB'),
      company: optionalWords('The company.'),
      phone: optionalWords('A telephone number, in any form.'),
    })
    .meta({ description: 'An address as it was when the order was created.' }),
);

export const OrderItem = exactly<OrderItemEntity>()(
  z
    .object({
      id: id('The id of the line.', exampleIds.orderItem),
      orderId: id('The order of this line.', exampleIds.order),
      productId: id('The product; it may have been deleted since.', exampleIds.product),
      titleSnapshot: words('The title of the product at that time.', 'Blue mug'),
      skuSnapshot: optionalWords('The SKU of the product at that time.', 'MUG'),
      quantity: count('Pieces.', 2),
      unitPrice: amount('The price of one piece at that time.', '12.50'),
      variantTitle: optionalWords("The shop's name of the variant."),
      attributesSnapshot: z
        .record(z.string(), z.string())
        .meta({ description: 'The attributes of the product at that time.', examples: [{ color: 'blue' }] }),
      lineDiscount: amount('The discount on this line as a whole.', '0.00'),
      primaryImageId: optionalId('The main image of the product at that time.', exampleIds.media),
    })
    .meta({ description: 'A line of an order, with the product as it was when the order was created.' }),
);

export const Order = exactly<OrderEntity>()(
  z
    .object({
      id: id('The id, which payments name; a UUIDv7 unless the caller chose it.', exampleIds.order),
      orderNumber: words('`ORD-<n>`, counted per store from 1001.', 'ORD-1001'),
      storeId: id('The store it belongs to.', exampleIds.store),
      customerId: optionalId('The buyer; null when none was named.', exampleIds.customer),
      subtotal: amount('The sum of unit price × quantity − line discount.', '25.00'),
      tax: amount('(subtotal − discount) × tax rate, rounded half up.', '2.00'),
      taxRate: words('A fraction: "0.08" is 8 %.', '0.08').meta({ pattern: '^[01](\\.\\d{1,6})?$' }),
      shipping: amount('The cost of shipping.', '5.00'),
      discount: amount('The discount on the subtotal.', '0.00'),
      discountCode: optionalWords('The code of the discount.'),
      total: amount('subtotal − discount + tax + shipping; a payment must equal it.', '32.00'),
      refundedAmount: amount('The amount refunded so far, at most the total.', '0.00'),
      currency: words("The store's currency, ISO 4217.", 'EUR').meta({ pattern: '^[A-Z]{3}$' }),
      status: z.enum(orderStatuses).meta({
        description:
          'pending → paid by a payment alone; pending → cancelled; paid → fulfilled or cancelled; → refunded when the whole total was refunded, then → cancelled unless it was fulfilled. An expired order becomes paid after all when its money comes.',
        examples: ['paid'],
      }),
      paymentStatus: z
        .enum(paymentStatuses)
        .meta({ description: 'The combined state of all its payments.', examples: ['succeeded'] }),
      paymentProvider: optionalWords(
        '`stripe`, `paypal`, `square`, `manual` for a payment recorded by the shop, or `none` for an order that costs nothing.',
        'stripe',
      ),
      paymentId: optionalWords("The provider's id of the payment.", 'pi_3QNd2eLkdIwHu7ix0Xy1ZaBc'),
      paymentMethod: optionalWords("The provider's type of payment method in lower case.", 'card'),
      paymentDetails: z
        .record(z.string(), z.union([z.string(), z.number()]))
        .nullable()
        .meta({
          description:
            'For a card `last4`, `brand`, `expMonth`, `expYear` (no expiry at a point of sale); for a wallet `payerEmail`, `payerStatus`.',
          examples: [{ last4: '4242', brand: 'visa', expMonth: 12, expYear: 2030 }],
        }),
      shippingAddress: AddressSnapshot.nullable().meta({ description: 'The address of the goods.' }),
      billingAddress: AddressSnapshot.nullable().meta({ description: 'The address of the invoice.' }),
      placedAt: optionalTime('Time of the first confirmation of a payment.', '2026-11-20T12:05:00.000Z'),
      paidAt: optionalTime('Time of the confirmation of its payment.', '2026-11-20T12:05:00.000Z'),
      fulfilledAt: optionalTime('Time of fulfilment.'),
      cancelledAt: optionalTime('Time of cancellation.'),
      createdAt: time('Time of creation, UTC.'),
      updatedAt: time('Time of the last change, UTC.', '2026-11-20T12:05:00.000Z'),
      customerNote: optionalWords("The customer's note.", 'Please ring twice.'),
      merchantNote: optionalWords("The shop's own note."),
      items: z.array(OrderItem).meta({ description: 'Its lines.' }),
      cancelReason: z
        .enum(cancelReasons)
        .nullable()
        .meta({
          description:
            '`requested` by somebody, or `expired` because no payment came in time; null while not cancelled.',
          examples: [null],
        }),
      taxIncluded: yesOrNo('Whether prices and shipping hold the tax, so that `tax` is a part of them.', false),
      shippingMethod: z
        .object({
          id: words('The id of the method among the settings.', 'standard'),
          name: words('Its name at that time.', 'Standard'),
        })
        .nullable()
        .meta({ description: 'The shipping method that `shipping` is the price of; null when none was chosen.' }),
      reservedUntil: optionalTime(
        'Time to which its stock is reserved, and at which it expires unpaid; null when none is, and once it is paid or cancelled.',
      ),
      tracking: z
        .object({
          carrier: optionalWords('The carrier.', 'DHL'),
          number: optionalWords("The carrier's number.", '00340434161094042557'),
          url: optionalWords('Where the buyer can follow it.', 'https://carrier.test/00340434161094042557'),
        })
        .nullable()
        .meta({ description: 'Where the parcel is; given with the fulfilment.' }),
    })
    .meta({ description: "An order. Amounts are decimal strings in the order's currency." }),
);

export const Refund = exactly<RefundRecord>()(
  z
    .object({
      refundId: words(
        "The provider's id of the refund, or one of our own while that is unknown.",
        're_3QNd2eLkdIwHu7ix',
      ),
      amount: amount("In the order's currency.", '5.00'),
      recordedAt: time('Time of recording, UTC.', '2026-11-21T09:00:00.000Z'),
    })
    .meta({ description: 'A refund that was made at the provider.' }),
);

const outcomes = [
  'paid',
  'recorded',
  'unchanged',
  'ignored',
  'order_not_found',
  'unreadable_items',
  'amount_mismatch',
  'wrong_payee',
  'order_cancelled',
  'second_payment',
  'insufficient_stock',
] as const satisfies readonly Outcome[];

export const ReceiverAnswer = exactly<ReceiverAnswerEntity>()(
  z
    .object({
      received: z.literal(true).meta({ description: 'Verified and stored.', examples: [true] }),
      outcome: z.enum(outcomes).meta({ description: 'The outcome of the notification.', examples: ['paid'] }),
      warning: z.exactOptional(
        z.string().meta({
          description: 'Reason why the money was not applied. Sending the notification again would not help.',
        }),
      ),
    })
    .meta({ description: 'The answer to a payment provider.' }),
);
