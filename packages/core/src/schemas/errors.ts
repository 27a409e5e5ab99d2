import * as z from 'zod';
import { type ErrorCode, errorCodes, reasons, refusalCodes } from '../kernel/errors.ts';

const codes = Object.values(errorCodes) as [ErrorCode, ...ErrorCode[]];

/** A number; a decimal string for an amount, a time for a time. */
const bound = z.union([z.number(), z.string()]);

/** The body of every error. */
export const ErrorEnvelope = z
  .object({
    error: z.object({
      code: z.enum(codes).meta({ description: 'For machines; see the table of errors.' }),
      message: z.string().meta({ description: 'For people: quotes the refused value and says what would be right.' }),
      reason: z.enum(reasons).optional().meta({
        description:
          'For machines: the cause, where the code alone does not name it. New causes can be added; the message can change, a cause does not.',
      }),
      details: z
        .array(
          z.object({
            field: z.string().meta({ description: 'A path such as `items.0.quantity`, or the name of a parameter.' }),
            reason: z.string().meta({ description: 'What would be right.' }),
            message: z.string().meta({ description: 'The same text as `reason`.' }),
            code: z.enum(refusalCodes).optional().meta({
              description: 'For machines: what is wrong. Absent where none of the codes fits.',
            }),
            limits: z
              .object({
                min: bound.optional().meta({ description: 'The least value, or number of characters or entries.' }),
                max: bound.optional().meta({ description: 'The greatest value, or number of characters or entries.' }),
                decimals: z.int().optional().meta({ description: 'The most decimals of an amount.' }),
                values: z.array(z.string()).optional().meta({ description: 'The values that can be chosen.' }),
              })
              .optional()
              .meta({ description: 'The limits of the field, if it has any.' }),
          }),
        )
        .optional()
        .meta({ description: 'One entry for each refused field.' }),
    }),
  })
  .meta({ description: 'The envelope of every error.' });
