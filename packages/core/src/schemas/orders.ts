import { z } from 'zod';
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
} from './values.ts';

export const AddressSnapshot = exactly<AddressSnapshotEntity>()(
  z
    .object({
      firstName: optionalWords('The given name.', 'Ada'),
      lastName: optionalWords('The family name.', 'Lovelace'),
      address1: optionalWords('Street and number.', '12 St James Square'),
      address2: optionalWords('What does not fit into the first line.'),
      city: optionalWords('The city.', 'London'),
      region: optionalWords('State, province or county.'),
      postalCode: optionalWords('The postal code.', 'SW1Y 4JH'),
      country: optionalWords('A country code or name.', 'GB'),
      company: optionalWords('The company, where it is one.'),
      phone: optionalWords('A telephone number, in any form.'),
    })
    .meta({ description: 'Where an order goes, as it was when the order was made.' }),
);

export const OrderItem = exactly<OrderItemEntity>()(
  z
    .object({
      id: id('The id of the line.', exampleIds.orderItem),
      orderId: id('The order it is a line of.', exampleIds.order),
      productId: id('The product; it may have been deleted since.', exampleIds.product),
      titleSnapshot: words('The title that the product had.', 'Blue mug'),
      skuSnapshot: optionalWords('The SKU that the product had.', 'MUG'),
      quantity: count('Pieces.', 2),
      unitPrice: amount('The price of one that the product had.', '12.50'),
      variantTitle: optionalWords('Which variant it is, in words of the shop.'),
      attributesSnapshot: z
        .record(z.string(), z.string())
        .meta({ description: 'The attributes that the product had.', examples: [{ color: 'blue' }] }),
      lineDiscount: amount('What is taken off this line as a whole.', '0.00'),
      primaryImageId: optionalId('The image that stood for the product.', exampleIds.media),
    })
    .meta({ description: 'A line of an order: a snapshot of the product when the order was made.' }),
);

export const Order = exactly<OrderEntity>()(
  z
    .object({
      id: id('The id, a UUIDv7 unless it was given: what a payment names.', exampleIds.order),
      orderNumber: words('`ORD-<n>`, counted per store from 1001.', 'ORD-1001'),
      storeId: id('The store it belongs to.', exampleIds.store),
      customerId: optionalId(
        'Who buys; null when the payment that made the order named no e-mail.',
        exampleIds.customer,
      ),
      subtotal: amount('The sum of unit price × quantity − line discount.', '25.00'),
      tax: amount('(subtotal − discount) × tax rate, rounded half up.', '2.00'),
      taxRate: words('A fraction: "0.08" is 8 %.', '0.08').meta({ pattern: '^[01](\\.\\d{1,6})?$' }),
      shipping: amount('What the shipping costs.', '5.00'),
      discount: amount('What is taken off the subtotal.', '0.00'),
      discountCode: optionalWords('The code that the discount was given for.'),
      total: amount('subtotal − discount + tax + shipping: what a payment has to amount to.', '32.00'),
      refundedAmount: amount('What was refunded so far; never more than the total.', '0.00'),
      currency: words('ISO 4217; that of the store.', 'EUR').meta({ pattern: '^[A-Z]{3}$' }),
      status: z.enum(orderStatuses).meta({
        description:
          'pending → paid by a payment alone; pending → cancelled; paid → fulfilled or cancelled; refunded when all of it was, and then cancelled while it was not fulfilled. An order that expired is paid after all when its money comes.',
        examples: ['paid'],
      }),
      paymentStatus: z
        .enum(paymentStatuses)
        .meta({ description: 'How its payments stand, all of them taken together.', examples: ['succeeded'] }),
      paymentProvider: optionalWords(
        '`stripe`, `paypal`, `square`, `manual` for a payment that the shop recorded, or `none` where it costs nothing.',
        'stripe',
      ),
      paymentId: optionalWords("The provider's id of the payment.", 'pi_3QNd2eLkdIwHu7ix0Xy1ZaBc'),
      paymentMethod: optionalWords("The provider's type of payment method in lower case.", 'card'),
      paymentDetails: z
        .record(z.string(), z.union([z.string(), z.number()]))
        .nullable()
        .meta({
          description:
            'Of a card `last4`, `brand`, `expMonth`, `expYear` (no expiry at a point of sale); of a wallet `payerEmail`, `payerStatus`.',
          examples: [{ last4: '4242', brand: 'visa', expMonth: 12, expYear: 2030 }],
        }),
      shippingAddress: AddressSnapshot.nullable().meta({ description: 'Where the goods go.' }),
      billingAddress: AddressSnapshot.nullable().meta({ description: 'Where the invoice goes.' }),
      placedAt: optionalTime('When its payment was confirmed.', '2026-11-20T12:05:00.000Z'),
      paidAt: optionalTime('When its payment was confirmed.', '2026-11-20T12:05:00.000Z'),
      fulfilledAt: optionalTime('When it was marked as fulfilled.'),
      cancelledAt: optionalTime('When it was cancelled.'),
      createdAt: time('When it was made, UTC.'),
      updatedAt: time('When it was last changed, UTC.', '2026-11-20T12:05:00.000Z'),
      customerNote: optionalWords('What the customer wrote.', 'Please ring twice.'),
      merchantNote: optionalWords('What the shop notes for itself.'),
      items: z.array(OrderItem).meta({ description: 'Its lines.' }),
      cancelReason: z
        .enum(cancelReasons)
        .nullable()
        .meta({
          description: 'Why it was cancelled: somebody did it, or no payment came in time.',
          examples: [null],
        }),
    })
    .meta({ description: "An order. Amounts are decimal strings in the order's currency." }),
);

export const Refund = exactly<RefundRecord>()(
  z
    .object({
      refundId: words("The provider's id of the refund, or one of ours where none was given.", 're_3QNd2eLkdIwHu7ix'),
      amount: amount("In the order's currency.", '5.00'),
      recordedAt: time('When it was recorded, UTC.', '2026-11-21T09:00:00.000Z'),
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
      received: z.literal(true).meta({ description: 'It was verified and is kept.', examples: [true] }),
      outcome: z.enum(outcomes).meta({ description: 'What became of it.', examples: ['paid'] }),
      warning: z.exactOptional(
        z
          .string()
          .meta({ description: 'Why the money found no order. Sending the notification again would not help.' }),
      ),
    })
    .meta({ description: 'What a payment provider is told.' }),
);
