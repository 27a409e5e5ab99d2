import * as z from 'zod';
import { type Delivery as DeliveryEntity, deliveryStatuses, testEvent } from '../deliveries/deliveries.ts';
import { eventTypes } from '../events/events.ts';
import { count, id, optionalTime, optionalWords, time } from '../fields/answers.ts';
import { exampleIds } from '../fields/example-ids.ts';
import { exactly } from './exactly.ts';

const DeliveryAttempt = z
  .object({
    at: time('Time of the attempt, UTC.'),
    responseCode: z
      .int()
      .nullable()
      .meta({ description: 'The status of the answer; null without an answer.', examples: [500] }),
    latencyMs: count('Duration in milliseconds.', 38),
    error: optionalWords('The reason of the failure; null after a success.', 'answered 500'),
    responseBody: optionalWords('The first 1 KiB of the answer.', 'out of order'),
  })
  .meta({ description: 'One attempt to send an event.' });

export const Delivery = exactly<DeliveryEntity>()(
  z
    .object({
      id: id('The id, a UUIDv7.', '0193d3f6-8f08-77ce-80a1-b638495f6280'),
      webhookId: id('The subscription.', exampleIds.webhook),
      eventId: id('The `id` that the subscriber receives, the same on every copy.', exampleIds.event),
      event: z
        .enum([...eventTypes, testEvent])
        .meta({ description: 'The type of the event.', examples: ['order.paid'] }),
      status: z.enum(deliveryStatuses).meta({ description: 'The state of the delivery.', examples: ['pending'] }),
      attempts: z.array(DeliveryAttempt).meta({ description: 'The attempts so far, oldest first.' }),
      nextAttemptAt: optionalTime('Time of the next attempt, UTC; null when none follows.'),
      createdAt: time('Time of queueing, UTC.'),
    })
    .meta({ description: 'The delivery of one event to one subscription.' }),
);

export const Replay = exactly<{ queued: number }>()(
  z.object({ queued: count('Number of queued events.', 12) }).meta({ description: 'The result of a replay.' }),
);
