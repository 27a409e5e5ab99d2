import * as z from 'zod';
import { auditLogAnswer } from '../audit/audit.ts';
import { time } from '../fields/answers.ts';
import { paymentAnswer } from '../payments/fields.ts';
import { refundAnswer } from '../sales/orders/refunds.ts';
import type { TimelineEntry as TimelineEntryEntity } from '../timeline/timeline.ts';
import { Delivery } from './deliveries.ts';
import { exactly } from './exactly.ts';

const at = time('Time of it, UTC.');

export const TimelineEntry = exactly<TimelineEntryEntity>()(
  z
    .discriminatedUnion('kind', [
      z.object({ at, kind: z.literal('audit'), audit: auditLogAnswer() }),
      z.object({ at, kind: z.literal('payment'), payment: paymentAnswer() }),
      z.object({ at, kind: z.literal('refund'), refund: refundAnswer() }),
      z.object({ at, kind: z.literal('delivery'), delivery: Delivery }),
    ])
    .meta({ description: 'One thing that happened to an order, or because of it.' }),
);
