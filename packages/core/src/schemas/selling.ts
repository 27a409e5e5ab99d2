import * as z from 'zod';
import {
  type Checkout as CheckoutEntity,
  type CreatedCheckout as CreatedCheckoutEntity,
  checkoutStatuses,
} from '../checkouts/fields.ts';
import { amount, count, id, optionalAmount, optionalTime, optionalWords, words, yesOrNo } from '../fields/answers.ts';
import { exampleIds } from '../fields/example-ids.ts';
import { providerNames } from '../storage/tables/payments.ts';
import type { Settings as SettingsEntity } from '../stores/settings.ts';
import { exactly } from './exactly.ts';

const currency = words("The store's currency, ISO 4217; fixed at its creation.", 'EUR').meta({ pattern: '^[A-Z]{3}$' });

export const Settings = exactly<SettingsEntity>()(
  z
    .object({
      name: words('The name of the shop.', 'Tea & Co'),
      currency,
      taxRate: words('A fraction: "0.08" is 8 %. An order may state another.', '0.19').meta({
        pattern: '^[01](\\.\\d{1,6})?$',
      }),
      taxIncluded: yesOrNo('Whether prices and shipping hold the tax.', true),
      shippingMethods: z
        .array(
          z.object({
            id: words('The id, which orders name.', 'standard'),
            name: words('The name that buyers see.', 'Standard, 2-3 days'),
            price: amount('The price.', '4.90'),
            freeFrom: optionalAmount('Subtotal before discounts from which it costs nothing; null for never.', '50.00'),
            countries: z
              .array(z.string())
              .nullable()
              .meta({ description: 'Codes of the countries it serves; null for all.', examples: [['DE', 'AT']] }),
          }),
        )
        .meta({ description: 'The ways in which the shop ships, the usual one first.' }),
      reservationMinutes: count('Minutes for which a checkout holds its stock.', 31),
      maxQuantity: count('Pieces of one product that a checkout with a storefront key may have.', 100),
      returnUrls: z.array(z.string()).meta({
        description:
          'Origins of the pages that may call with a storefront key, and to which a buyer may come back from paying.',
        examples: [['https://shop.example']],
      }),
      manualPayments: yesOrNo('Whether payments that reached the shop in another way may be recorded.', false),
      timeZone: words('Zone in which the shop counts its days, by its name in the IANA database.', 'Europe/Berlin'),
    })
    .meta({ description: 'What a shop decides about how it sells.' }),
);

const checkout = {
  id: id('The id, a UUIDv7.', exampleIds.checkout),
  orderId: id('The order that it pays.', exampleIds.order),
  orderNumber: words('The number of that order.', 'ORD-1001'),
  provider: z
    .enum(providerNames)
    .nullable()
    .meta({ description: 'Where it is paid; null when it costs nothing.', examples: ['stripe'] }),
  url: optionalWords(
    'The page at the provider where the buyer pays; null when nothing is to be paid, or nobody can pay any more.',
    'https://checkout.stripe.com/c/pay/cs_test_a1',
  ),
  status: z.enum(checkoutStatuses).meta({
    description:
      '`open` until it is paid or ends: `expired` because no payment came in time, `cancelled` by somebody, `failed` because the provider opened no page. Money that comes late may still pay an expired one.',
    examples: ['open'],
  }),
  subtotal: amount('The sum of the prices.', '25.00'),
  discount: amount('The discount on the subtotal.', '2.50'),
  shipping: amount('The cost of shipping.', '4.90'),
  tax: amount('The tax, contained in the other amounts or added to them as the settings say.', '4.37'),
  total: amount('What the buyer pays.', '27.40'),
  currency,
  expiresAt: optionalTime('Time at which the page ends; null when there is none.', '2026-11-20T12:29:00.000Z'),
};

export const Checkout = exactly<CheckoutEntity>()(
  z.object(checkout).meta({ description: 'The way of an order to its payment, without anything about the buyer.' }),
);

export const CreatedCheckout = exactly<CreatedCheckoutEntity>()(
  z
    .object({
      ...checkout,
      secret: optionalWords(
        'Needed to cancel it with a storefront key. Shown once: null in the answer to a request with the same contents, and absent in a repeated answer.',
        'n0c8Uq0Jv5Yx2bW4rT6mK9pS1dF3gH7jL_aZeXoQiVc',
      ),
    })
    .meta({ description: 'A newly created checkout.' }),
);
