import * as z from 'zod';
import { mailKinds } from '../engine/mail-kinds.ts';
import { localeRule } from '../engine/settings/pages.ts';
import { count, id, once, optionalTime, optionalWords, time, words } from '../fields/answers.ts';
import { exampleIds } from '../fields/example-ids.ts';
import { noted } from '../fields/notes.ts';
import { strictly } from '../kernel/known-fields.ts';
import { maxTemplateSubject, maxTemplateText } from '../kernel/limits.ts';
import { paging } from '../kernel/paging.ts';
import { emailAddress, fields, oneOf, text } from '../kernel/parse.ts';

export const mailStatuses = ['pending', 'succeeded', 'failed', 'cancelled'] as const;

export const mailAttemptAnswer = once(() =>
  z
    .object({
      at: time('Time of the attempt, UTC.'),
      responseCode: z
        .int()
        .nullable()
        .meta({ description: 'The code of the answer of the mail server; null without an answer.', examples: [451] }),
      latencyMs: count('Duration in milliseconds.', 212),
      error: optionalWords('The reason of the failure; null after a success.', '451 try again later'),
      response: optionalWords('The answer of the mail server to a mail that it took.', '250 2.0.0 queued as 4YxQ'),
    })
    .meta({ description: 'One attempt to send a mail.' }),
);
export type MailAttempt = z.output<ReturnType<typeof mailAttemptAnswer>>;

const optionalId = (description: string, example?: string) =>
  z
    .string()
    .nullable()
    .meta({ description, ...(example !== undefined && { examples: [example] }) });

const answered = () => ({
  id: id('The id, a UUIDv7.', '0193d3f6-9a10-7a51-8d4e-1f0b6c2d7e90'),
  kind: z.enum(mailKinds).meta({ description: 'What it tells.', examples: ['order.confirmed'] }),
  status: z.enum(mailStatuses).meta({
    description:
      '`pending` until it is sent, `succeeded` when the mail server took it, `failed` when it never will; `cancelled` ones are not sent.',
    examples: ['succeeded'],
  }),
  to: words('The address; empty once its person was anonymised.', 'ada@shop.test'),
  locale: words('The language of the letter.', 'de'),
  subject: optionalWords('The subject; null until it is written out.', 'Your order ORD-1001'),
  orderId: optionalId('The order that it is about.', exampleIds.order),
  withdrawalId: optionalId('The withdrawal that it is about.'),
  attempts: z.array(mailAttemptAnswer()).meta({ description: 'The attempts so far, oldest first.' }),
  nextAttemptAt: optionalTime('Time of the next attempt, UTC; null when none follows.'),
  sentAt: optionalTime('Time at which the mail server took it, UTC.'),
  resentOf: optionalId('The mail that it repeats.'),
  createdAt: time('Time of queueing, UTC.'),
});

export const mailAnswer = once(() =>
  z.object(answered()).meta({ description: 'A mail to a buyer, or to the owner, without its text.' }),
);
/** A mail without its text. */
export type Mail = z.output<ReturnType<typeof mailAnswer>>;

export const wholeMailAnswer = once(() =>
  z
    .object({
      ...answered(),
      text: optionalWords('The plain text; null until it is written out, and once it is emptied.'),
      html: optionalWords('The same as HTML.'),
      attachments: z
        .array(
          z.object({
            filename: words('The name of the file.', 'Terms.txt'),
            content: words('Its text.', 'General terms'),
          }),
        )
        .meta({ description: 'Plain texts that go with it.' }),
    })
    .meta({ description: 'A mail to a buyer, or to the owner.' }),
);
/** A mail with its text. */
export type WholeMail = z.output<ReturnType<typeof wholeMailAnswer>>;

export const MailQuery = noted(
  fields({
    ...paging,
    /** Mails of this kind. */
    kind: oneOf(mailKinds).optional().describe('Mails of this kind.'),
    /** Mails of this status. */
    status: oneOf(mailStatuses).optional().describe('Mails of this status.'),
    /** Mails about this order. */
    orderId: text(64, 1).optional().describe('Mails about this order.'),
  }),
  { description: 'Filters of a list of mails.' },
);
export type MailQueryInput = z.input<typeof MailQuery>;

export const ResendFields = noted(
  strictly(
    fields({
      /** Another address than before. */
      to: emailAddress.optional().describe('Another address than before.'),
    }),
    mailAnswer,
  ),
  { description: 'A mail that is sent again.', example: { to: 'ada@shop.test' } },
);
export type ResendInput = z.input<typeof ResendFields>;

export const TestMailFields = noted(
  fields({
    /** Where the test goes. */
    to: emailAddress.describe('Where the test goes.'),
  }),
  { description: 'A test of the mail server.', example: { to: 'owner@shop.test' } },
);
export type TestMailInput = z.input<typeof TestMailFields>;

export const mailTestAnswer = once(() =>
  z
    .object({
      sent: z.boolean().meta({ description: 'Whether the mail server took the test.', examples: [true] }),
      error: optionalWords('Why it did not.', '535 Authentication failed'),
      conversation: z.array(z.string()).meta({
        description: 'What was said: lines to the server begin with `>`, its answers with `<`. Without secrets.',
        examples: [['< 220 smtp.example.com ESMTP', '> EHLO shop.example']],
      }),
    })
    .meta({ description: 'How a test of the mail server went.' }),
);
export type MailTest = z.output<ReturnType<typeof mailTestAnswer>>;

const variableAnswer = () =>
  z.object({
    name: words('The name, as it is written in the text.', 'order.number'),
    description: words('What it is.', 'The number of the order.'),
    example: words('An example.', 'ORD-1001'),
  });

export const mailTemplateAnswer = once(() =>
  z
    .object({
      kind: z.enum(mailKinds).meta({ description: 'The kind of mail.', examples: ['order.confirmed'] }),
      locale: words('The language.', 'de'),
      subject: optionalWords(
        'The subject in Liquid; null while the built-in wording is sent.',
        'Bestellung {{ order.number }}',
      ),
      text: optionalWords('The text in Liquid; null while the built-in wording is sent.', 'Guten Tag {{ buyer.name }}'),
      variables: z.array(variableAnswer()).meta({ description: 'What the text can name.' }),
      updatedAt: optionalTime('Time of the last change, UTC; null while the built-in wording is sent.'),
    })
    .meta({ description: "The shop's own text of a kind of mail in one language." }),
);
export type MailTemplate = z.output<ReturnType<typeof mailTemplateAnswer>>;

const templateShape = {
  /** The subject, one line of Liquid. */
  subject: text(maxTemplateSubject, 1).describe('The subject, one line of Liquid.'),
  /** The text in Liquid. Paragraphs are separated by empty lines. */
  text: text(maxTemplateText, 1).describe('The text in Liquid. Paragraphs are separated by empty lines.'),
};

export const MailTemplateFields = noted(strictly(fields(templateShape), mailTemplateAnswer), {
  description: "The shop's own text of a kind of mail.",
  example: { subject: 'Your order {{ order.number }}', text: 'Thank you!\n\n{{ lines }}\n\n{{ totals }}' },
});
export type MailTemplateInput = z.input<typeof MailTemplateFields>;

export const PreviewFields = noted(
  fields({
    /** What it tells. */
    kind: oneOf(mailKinds).describe('What it tells.'),
    /** The language; that of the shop when absent. */
    locale: localeRule.optional().describe('The language; that of the shop when absent.'),
    /** A text to try, instead of the one that is stored; null for the built-in wording. */
    template: fields(templateShape)
      .nullable()
      .optional()
      .describe('A text to try, instead of the one that is stored; null for the built-in wording.'),
  }),
  { description: 'A letter to look at, with sample facts.', example: { kind: 'order.confirmed', locale: 'de' } },
);
export type PreviewInput = z.input<typeof PreviewFields>;

export const letterAnswer = once(() =>
  z
    .object({
      subject: words('The subject.', 'Your order ORD-1001'),
      text: words('The plain text.', 'Thank you for your order.'),
      html: words('The same as HTML.', '<!doctype html>…'),
    })
    .meta({ description: 'A letter.' }),
);
