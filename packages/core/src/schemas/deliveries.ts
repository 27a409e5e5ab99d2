import { z } from 'zod';
import { type Delivery as DeliveryEntity, deliveryStatuses, testEvent } from '../deliveries/deliveries.ts';
import { eventTypes } from '../events/events.ts';
import { count, exactly, exampleIds, id, optionalTime, optionalWords, time } from './values.ts';

const DeliveryAttempt = z
  .object({
    at: time('When it was made, UTC.'),
    responseCode: z
      .int()
      .nullable()
      .meta({ description: 'The status of the answer; null where there was none.', examples: [500] }),
    latencyMs: count('How long it took, in milliseconds.', 38),
    error: optionalWords('What went wrong; null after a success.', 'answered 500'),
    responseBody: optionalWords('The first 1 KiB of the answer.', 'out of order'),
  })
  .meta({ description: 'One attempt to send an event.' });

export const Delivery = exactly<DeliveryEntity>()(
  z
    .object({
      id: id('The id, a UUIDv7.', '0193d3f6-8f08-77ce-80a1-b638495f6280'),
      webhookId: id('The subscription.', exampleIds.webhook),
      eventId: id('The `id` that the subscriber is sent, the same on every copy.', exampleIds.event),
      event: z.enum([...eventTypes, testEvent]).meta({ description: 'What happened.', examples: ['order.paid'] }),
      status: z.enum(deliveryStatuses).meta({ description: 'What became of it so far.', examples: ['pending'] }),
      attempts: z.array(DeliveryAttempt).meta({ description: 'Those that were made, oldest first.' }),
      nextAttemptAt: optionalTime('When the next attempt is due, UTC; null when there is none.'),
      createdAt: time('When it was queued, UTC.'),
    })
    .meta({ description: 'One event on its way to one subscription.' }),
);

export const Replay = exactly<{ queued: number }>()(
  z.object({ queued: count('How many events were queued.', 12) }).meta({ description: 'What a replay came to.' }),
);
