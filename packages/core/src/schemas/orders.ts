import * as z from 'zod';
import type { Outcome } from '../payments/inbox.ts';
import type { ReceiverAnswer as ReceiverAnswerEntity } from '../sales/notifications/receive.ts';
import { exactly } from './exactly.ts';

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
