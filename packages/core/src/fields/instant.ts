import * as z from 'zod';

/** An instant such as `2026-11-20T12:00:00Z`, in milliseconds. */
export const instant = z.iso
  .datetime({ offset: true, error: 'must be an instant such as "2026-11-20T12:00:00Z"' })
  .transform((value) => Date.parse(value))
  .meta({ type: 'string', format: 'date-time' });
