import * as z from 'zod';
import { type ErrorCode, errorCodes } from '../kernel/errors.ts';

const codes = Object.values(errorCodes) as [ErrorCode, ...ErrorCode[]];

/** The body of every error. */
export const ErrorEnvelope = z
  .object({
    error: z.object({
      code: z.enum(codes).meta({ description: 'For machines; see the table of errors.' }),
      message: z.string().meta({ description: 'For people: quotes the refused value and says what would be right.' }),
      details: z
        .array(
          z.object({
            field: z.string().meta({ description: 'A path such as `items.0.quantity`, or the name of a parameter.' }),
            reason: z.string().meta({ description: 'What would be right.' }),
            message: z.string().meta({ description: 'The same text as `reason`.' }),
          }),
        )
        .optional()
        .meta({ description: 'One entry for each refused field.' }),
    }),
  })
  .meta({ description: 'The envelope of every error.' });
