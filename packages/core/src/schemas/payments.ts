import { z } from 'zod';
import { matchedValues, type Payment as PaymentEntity, paymentSources, paymentStates } from '../payments/fields.ts';
import { amount, exactly, exampleIds, id, optionalId, optionalTime, optionalWords, time, words } from './values.ts';

export const Payment = exactly<PaymentEntity>()(
  z
    .object({
      id: id('The id, a UUIDv7.', exampleIds.payment),
      storeId: id('The store it belongs to.', exampleIds.store),
      provider: z.enum(paymentSources).meta({
        description: 'Who told of it; `manual` for one that the shop recorded.',
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
        .meta({ description: 'Further ids by which the provider names it.' }),
      orderId: optionalId(
        'The order it is for, whether that exists yet or not; null while none is named.',
        exampleIds.order,
      ),
      status: z.enum(paymentStates).meta({ description: 'How it stands at the provider.', examples: ['succeeded'] }),
      amount: amount(
        'What is to be paid or, once it succeeded, was captured; null where it cannot be read.',
        '32.00',
      ).nullable(),
      currency: words('ISO 4217; null where none was named.', 'EUR').nullable(),
      capturedAmount: amount('What was captured.', '32.00'),
      refundedAmount: amount('What was given back of it.', '0.00'),
      matched: z
        .enum(matchedValues)
        .nullable()
        .meta({
          description:
            'What became of the money; null until it succeeds. `paid`: it paid its order; `none`: no order is known for it; `second`: another payment has paid the order; `mismatch`: amount or currency differ; `wrongPayee`: it went to another account; `cancelledOrder`: a person cancelled the order; `insufficientStock`: the order waits for stock; `refunded`: given back before it could pay; `dismissed`: somebody said that it needs no order.',
          examples: ['paid'],
        }),
      method: optionalWords("The provider's type of payment method, or the shop's own word.", 'card'),
      reference: optionalWords('What the shop noted of a payment that it recorded.'),
      dismissedAt: optionalTime('When somebody dismissed it.'),
      paidAt: optionalTime('When it succeeded.', '2026-11-20T12:05:00.000Z'),
      createdAt: time('When it was first told of, UTC.'),
      updatedAt: time('When it was last changed, UTC.', '2026-11-20T12:05:00.000Z'),
    })
    .meta({ description: 'An attempt to pay that a provider told of, or a payment that the shop recorded.' }),
);
