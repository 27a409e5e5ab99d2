import * as z from 'zod';
import type { EventHandler } from '../event-types.ts';
import { count, once, optionalWords, time } from '../fields/answers.ts';
import type { SignatureFormat } from '../storage/tables/webhooks.ts';

/** Receiver of a delivery. */
export type Subscriber =
  | {
      kind: 'webhook';
      url: string;
      /** The current secret, followed by the one it replaced within the last 24 hours. */
      secrets: readonly string[];
      signatureFormat: SignatureFormat;
      retries: number;
      /** Start of the current run of failures; null if the last delivery succeeded. */
      failingSince: number | null;
    }
  | { kind: 'app'; name: string; handler: EventHandler };

export const attemptAnswer = once(() =>
  z
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
    .meta({ description: 'One attempt to send an event.' }),
);

/** One attempt in the log of a delivery. */
export type DeliveryAttempt = z.output<ReturnType<typeof attemptAnswer>>;
