import * as z from 'zod';
import { paymentKinds } from '../engine/settings/payments.ts';
import { deliveryDays, shippingKinds } from '../engine/settings/shipping.ts';
import {
  amount,
  count,
  currency,
  once,
  optionalAmount,
  optionalId,
  optionalWords,
  words,
  yesOrNo,
} from '../fields/answers.ts';
import { exampleIds } from '../fields/example-ids.ts';
import { problemCodes } from '../kernel/errors.ts';

const problem = (description: string) => z.enum(problemCodes).nullable().meta({ description });

const line = () =>
  z.object({
    productId: optionalId(
      'The product; null, like the fields below, if no such product can be bought.',
      exampleIds.product,
    ),
    sku: optionalWords('The SKU.', 'MUG'),
    title: optionalWords('The title.', 'Blue mug'),
    slug: optionalWords('The slug.', 'blue-mug'),
    variantGroupId: optionalWords('The text shared by the variants.'),
    attributes: z
      .record(z.string(), z.string())
      .nullable()
      .meta({ description: 'What distinguishes it from its variants.', examples: [{ color: 'blue' }] }),
    mediaId: optionalId('Its primary image.'),
    quantity: count('Pieces, as they were asked for.', 2),
    available: z
      .int()
      .nullable()
      .meta({
        description:
          'Pieces that can be bought now; with a storefront key at most 10. Null if the stock does not limit it.',
        examples: [8],
      }),
    unitPrice: optionalAmount('The price of a piece.', '12.50'),
    compareAtPrice: optionalAmount('The price before a reduction, by the shop.', '15.00'),
    priorPrice: optionalAmount(
      'While it is reduced, the lowest price of the 30 days before the reduction; null otherwise, and for new products.',
      '12.50',
    ),
    total: optionalAmount('The price of the line.', '25.00'),
    taxRate: optionalWords('The tax rate of the line, a fraction.', '0.19'),
    problem: problem('The code of the problem of the line.'),
  });

/** A quote, as it is answered. */
export const quoteAnswer = once(() =>
  z
    .object({
      currency: currency(),
      taxIncluded: yesOrNo('Whether prices and shipping include the tax.', true),
      lines: z.array(line()).meta({ description: 'The lines, in the order of the request.' }),
      subtotal: amount('The sum of the lines.', '25.00'),
      discountCode: optionalWords('The code that lowers the price, as the shop spells it.', 'WELCOME10'),
      discount: amount('The discount on the subtotal.', '2.50'),
      shippingMethods: z
        .array(
          z.object({
            id: words('The id.', 'standard'),
            name: words('The name that buyers see.', 'Standard, 2-3 days'),
            kind: z.enum(shippingKinds).meta({ description: 'How the goods reach the buyer.', examples: ['ship'] }),
            price: amount('Its price for this cart.', '4.90'),
            deliveryDays: deliveryDays(),
          }),
        )
        .meta({ description: 'The methods that serve this cart; none if its goods need no shipping.' }),
      shippingMethodId: optionalWords('The chosen method.', 'standard'),
      shipping: amount('The cost of shipping; 0 while no method is chosen.', '4.90'),
      paymentMethods: z
        .array(
          z.object({
            id: words('The id.', 'stripe'),
            name: words('The name that buyers know.', 'Stripe'),
            kind: z.enum(paymentKinds).meta({ description: 'How it is paid.', examples: ['provider'] }),
          }),
        )
        .meta({ description: 'The ways to pay this cart.' }),
      paymentMethodId: optionalWords('The chosen way to pay, or the only one; null if nothing is due.', 'stripe'),
      taxes: z
        .array(
          z.object({
            country: optionalWords('The country of the tax; null for the one rate of the store.'),
            region: optionalWords('The region of the tax.'),
            rate: words('A fraction.', '0.19'),
            name: optionalWords('The name of the tax.'),
            base: amount('The amount without tax that it falls on.', '23.03'),
            amount: amount('The tax.', '4.37'),
          }),
        )
        .meta({ description: 'An entry for each tax rate above 0.' }),
      tax: amount('The sum of the taxes, contained in the other amounts or added to them.', '4.37'),
      total: amount('The amount that the buyer would pay.', '27.40'),
      problems: z
        .array(
          z.object({
            code: z.enum(problemCodes).meta({ description: 'For programs.', examples: ['SHIPPING_METHOD_REQUIRED'] }),
            field: words('The field of the request.', 'shippingMethodId'),
            message: words('For people.', 'is required; the shipping methods are standard'),
          }),
        )
        .meta({
          description:
            'The reasons for which a checkout of the same body would be refused, the first one first. Empty if it would be accepted.',
        }),
    })
    .meta({ description: 'The price of a cart. Parts that have a problem count for nothing.' }),
);

/** The price of a cart. Amounts are decimal strings. */
export type Quote = z.output<ReturnType<typeof quoteAnswer>>;
