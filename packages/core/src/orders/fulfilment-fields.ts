import * as z from 'zod';
import { optionalWords } from '../fields/answers.ts';
import { type Entity, entity, made } from '../fields/entity.ts';
import { exampleIds } from '../fields/example-ids.ts';
import { instant } from '../fields/instant.ts';
import { type MadeKind, madeCount, madeId, madeTime, madeTimeOrNone } from '../fields/kinds.ts';
import { noted } from '../fields/notes.ts';
import { strictly } from '../kernel/known-fields.ts';
import { maxOrderItems } from '../kernel/limits.ts';
import { fields, integer, ruled, text } from '../kernel/parse.ts';
import { parseWebAddress } from '../kernel/url.ts';

/** Tracking of a parcel. */
export interface Tracking {
  carrier: string | null;
  number: string | null;
  url: string | null;
}

export const trackingOrNone: MadeKind<z.ZodNullable<z.ZodType<Tracking>>> = {
  answer: () =>
    z
      .object({
        carrier: optionalWords('The carrier.', 'DHL'),
        number: optionalWords("The carrier's number.", '00340434161094042557'),
        url: optionalWords('Where the buyer can follow it.', 'https://carrier.test/00340434161094042557'),
      })
      .nullable(),
  cell: 'json',
};

/** Pieces of one line of an order. */
export const lineShape = {
  itemId: made(madeId, { words: 'The line of the order.', example: exampleIds.orderItem }),
  quantity: made(madeCount, { words: 'Pieces.', example: 1 }),
};

const lineEntity = entity(lineShape, { words: 'Pieces of one line of an order.' });

export const fulfilmentShape = {
  id: made(madeId, { words: 'The id, a UUIDv7.', example: exampleIds.fulfilment }),
  lines: made(
    { answer: () => z.array(lineEntity.answer()), cell: 'json' },
    { words: 'What is in the parcel.', entries: lineShape },
  ),
  tracking: made(trackingOrNone, { words: 'Where the parcel is; null if it is not tracked.' }),
  shippedAt: made(madeTime, { words: 'Time at which it left.', example: '2026-11-21T09:00:00.000Z' }),
  deliveredAt: made(madeTimeOrNone, { words: 'Time of its delivery; null before that.' }),
};

export const fulfilmentEntity = entity(fulfilmentShape, { words: 'A parcel with goods of an order.' });

/** A parcel with goods of an order. */
export type Fulfilment = Entity<typeof fulfilmentShape>;

/** The tracking of a parcel, in an input. */
export const trackingFields = () =>
  fields({
    carrier: text(100).nullable().default(null),
    number: text(255).nullable().default(null),
    url: text(2048)
      .refine(
        (address) => parseWebAddress(address) !== undefined,
        ruled('must be an https:// or http:// address', 'NOT_A_URL'),
      )
      .nullable()
      .default(null),
  });

const trackingUrl = { format: 'uri', description: 'Where the buyer can follow it.' };

/** Lines of an order with pieces, in an input. */
export const linePieces = () =>
  z
    .array(
      fields({
        /** The id of the line. */
        itemId: text(64, 1).describe('The id of the line.'),
        /** Pieces. 1 to 1,000,000. */
        quantity: integer(1, 1_000_000).describe('Pieces.'),
      }),
      'must be a list of {itemId, quantity}',
    )
    .min(1, 'must have at least one line')
    .max(maxOrderItems, `must have at most ${maxOrderItems} lines`);

export const FulfilmentFields = noted(
  strictly(
    fields({
      /** What is in the parcel; all that is left to ship when absent. */
      lines: linePieces().optional().describe('What is in the parcel; all that is left to ship when absent.'),
      /** Where the parcel is. */
      tracking: trackingFields().nullable().optional().describe('Where the parcel is.'),
      /** Time at which it left, not in the future; now when absent. */
      shippedAt: instant.nullable().optional().describe('Time at which it left, not in the future; now when absent.'),
    }),
    () => fulfilmentEntity.answer(),
  ),
  {
    description: 'A parcel that leaves.',
    like: 'Fulfilment',
    fields: { 'tracking.url': trackingUrl, shippedAt: { pattern: undefined } },
    example: { tracking: { carrier: 'DHL', number: '00340434161094042557' } },
  },
);
export type FulfilmentInput = z.input<typeof FulfilmentFields>;

export const FulfilmentChangeFields = noted(
  strictly(
    fields({
      /** Where the parcel is. */
      tracking: trackingFields().nullable().optional().describe('Where the parcel is.'),
      /** Time of its delivery, not in the future; null for not delivered. */
      deliveredAt: instant
        .nullable()
        .optional()
        .describe('Time of its delivery, not in the future; null for not delivered.'),
    }),
    () => fulfilmentEntity.answer(),
  ),
  {
    description: 'Changes of a parcel: absent fields keep their values.',
    like: 'Fulfilment',
    fields: { 'tracking.url': trackingUrl, deliveredAt: { pattern: undefined } },
    example: { deliveredAt: '2026-11-23T14:30:00Z' },
  },
);
export type FulfilmentChanges = z.input<typeof FulfilmentChangeFields>;
