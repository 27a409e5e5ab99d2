import * as z from 'zod';
import { type Entity, entity, written } from '../../fields/entity.ts';
import { choice, flag, integer, kind, nullable, requiredText } from '../../fields/kinds.ts';
import { objectOf } from '../../fields/nested.ts';
import { ruled, text } from '../../kernel/parse.ts';

export const invoiceMoments = ['paid', 'fulfilled'] as const;

const yearPlace = '{year}';

const prefix = () =>
  kind(
    text(30)
      .refine(
        (given) => !/[{}]/.test(given.replaceAll(yearPlace, '')),
        ruled(`must have no other braces than ${yearPlace}`, 'NOT_OFFERED'),
      )
      .refine((given) => !/\s/.test(given), ruled('must have no blanks', 'NOT_OFFERED')),
    () => z.string(),
    'text',
  );

const invoicesShape = {
  /** Whether invoices are written. They need `seller`. */
  enabled: written(flag(), {
    words: 'Whether invoices are written. They need `seller`.',
    example: true,
    initial: false,
  }),
  /** When an invoice is written. One of an order that ships unpaid is written with its first parcel. */
  on: written(choice(invoiceMoments), {
    words: 'When an invoice is written. One of an order that ships unpaid is written with its first parcel.',
    example: 'paid',
    initial: 'paid',
  }),
  /** Beginning of the numbers of invoices; `{year}` is that of the shop's time zone. Each beginning counts from 1. */
  prefix: written(prefix(), {
    words:
      "Beginning of the numbers of invoices; `{year}` is that of the shop's time zone. Each beginning counts from 1.",
    example: 'INV-{year}-',
    initial: 'INV-{year}-',
  }),
  /** Beginning of the numbers of credit notes. */
  creditPrefix: written(prefix(), {
    words: 'Beginning of the numbers of credit notes.',
    example: 'CN-{year}-',
    initial: 'CN-{year}-',
  }),
  /** Least digits of a number. */
  digits: written(integer(1, 12), { words: 'Least digits of a number.', example: 4, initial: 4 }),
  /** Whole years for which invoices are kept after the year of their issue, also of customers who were erased. */
  keepYears: written(integer(1, 30), {
    words: 'Whole years for which invoices are kept after the year of their issue, also of customers who were erased.',
    example: 10,
    initial: 10,
  }),
  /** Text at the end of each invoice. */
  note: written(nullable(requiredText(1000)), {
    words: 'Text at the end of each invoice.',
    example: 'Thank you for your order.',
  }),
};

const invoicesEntity = entity(invoicesShape, { words: 'How a store writes invoices.', strict: true });

/** How a store writes invoices. */
export type InvoiceSettings = Entity<typeof invoicesShape>;

/** The settings of invoices. */
export const invoiceSettings = {
  /** How invoices are written. */
  invoices: written(objectOf(invoicesEntity), {
    words: 'How invoices are written.',
    input: { words: 'Replaced as a whole: a field that is left out gets its usual value.' },
    initial: invoicesEntity.initial,
    entries: invoicesShape,
  }),
};
