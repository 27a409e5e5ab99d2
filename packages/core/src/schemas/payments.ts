import * as z from 'zod';
import type { PaymentProvider as PaymentProviderEntity } from '../payments/configure.ts';
import { matchedValues, type Payment as PaymentEntity, paymentSources, paymentStates } from '../payments/fields.ts';
import { providerNames } from '../payments/provider.ts';
import {
  amount,
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

export const Payment = exactly<PaymentEntity>()(
  z
    .object({
      id: id('The id, a UUIDv7.', exampleIds.payment),
      storeId: id('The store it belongs to.', exampleIds.store),
      provider: z.enum(paymentSources).meta({
        description: 'The source of the payment; `manual` for one recorded by the shop.',
        examples: ['stripe'],
      }),
      providerPaymentId: words("The provider's id of the payment.", 'pi_3QNd2eLkdIwHu7ix0Xy1ZaBc'),
      relatedIds: z
        .object({
          intent: z.exactOptional(words('The payment intent.', 'pi_3QNd2eLkdIwHu7ix0Xy1ZaBc')),
          charge: z.exactOptional(words('The charge.', 'ch_3QNd2eLkdIwHu7ix0Xy1ZaBc')),
          session: z.exactOptional(words('The checkout session.', 'cs_test_a1b2c3')),
          capture: z.exactOptional(words('The capture.', '3C679366HH908993F')),
          order: z.exactOptional(words("The provider's own order.", '5O190127TN364715T')),
        })
        .meta({ description: 'Further ids of the payment at the provider.' }),
      orderId: optionalId(
        'The order to be paid, whether it exists yet or not; null while none is named.',
        exampleIds.order,
      ),
      status: z.enum(paymentStates).meta({ description: 'State at the provider.', examples: ['succeeded'] }),
      amount: amount('Amount due or, after success, captured; null when it cannot be read.', '32.00').nullable(),
      currency: words('ISO 4217; null when none was named.', 'EUR').nullable(),
      capturedAmount: amount('The captured amount.', '32.00'),
      refundedAmount: amount('The refunded amount.', '0.00'),
      matched: z
        .enum(matchedValues)
        .nullable()
        .meta({
          description:
            'Result of the money; null until it succeeds. `paid`: it paid its order; `none`: no order is known for it; `second`: another payment has paid the order; `mismatch`: amount or currency differ; `wrongPayee`: it went to another account; `cancelledOrder`: a person cancelled the order; `insufficientStock`: the order waits for stock; `refunded`: refunded before it could pay; `dismissed`: somebody decided that it needs no order.',
          examples: ['paid'],
        }),
      method: optionalWords("The provider's type of payment method, or the shop's own word.", 'card'),
      reference: optionalWords("The shop's note on a payment that it recorded."),
      dismissedAt: optionalTime('Time of the dismissal.'),
      paidAt: optionalTime('Time of the success.', '2026-11-20T12:05:00.000Z'),
      createdAt: time('Time of the first report, UTC.'),
      updatedAt: time('Time of the last change, UTC.', '2026-11-20T12:05:00.000Z'),
    })
    .meta({ description: 'An attempt to pay reported by a provider, or a payment recorded by the shop.' }),
);

export const PaymentProvider = exactly<PaymentProviderEntity>()(
  z
    .object({
      storeId: id('The store it belongs to.', exampleIds.store),
      provider: z.enum(providerNames).meta({ description: 'The provider.', examples: ['stripe'] }),
      makeOrders: yesOrNo('Whether a payment that describes its items creates the order that it names.', false),
      settings: z
        .record(z.string(), z.union([z.string(), z.object({ lastFour: z.string().nullable() })]))
        .nullable()
        .meta({
          description:
            'Its settings; of a secret its last four characters alone, and null for a short one. Null when they are encrypted with another key than the service has.',
          examples: [{ webhookSecret: { lastFour: '9xYz' }, secretKey: { lastFour: 'kL2m' } }],
        }),
      hasPages: yesOrNo('Whether buyers can be sent to a page of the provider.', true),
      testMode: z
        .boolean()
        .nullable()
        .meta({
          description: "Whether the settings are of the provider's test mode; null where they do not tell.",
          examples: [true],
        }),
      updatedAt: time('Time of the last change, UTC.'),
    })
    .meta({ description: 'A payment provider as the store has configured it. Secrets are never answered.' }),
);
