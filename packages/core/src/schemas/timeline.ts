import * as z from 'zod';
import type { TimelineEntry as TimelineEntryEntity } from '../timeline/timeline.ts';
import { AuditLog } from './access.ts';
import { Delivery } from './deliveries.ts';
import { Refund } from './orders.ts';
import { Payment } from './payments.ts';
import { exactly, time } from './values.ts';

const at = time('Time of it, UTC.');

export const TimelineEntry = exactly<TimelineEntryEntity>()(
  z
    .discriminatedUnion('kind', [
      z.object({ at, kind: z.literal('audit'), audit: AuditLog }),
      z.object({ at, kind: z.literal('payment'), payment: Payment }),
      z.object({ at, kind: z.literal('refund'), refund: Refund }),
      z.object({ at, kind: z.literal('delivery'), delivery: Delivery }),
    ])
    .meta({ description: 'One thing that happened to an order, or because of it.' }),
);
