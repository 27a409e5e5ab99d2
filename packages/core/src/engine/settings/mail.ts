import { isIP } from 'node:net';
import * as z from 'zod';
import { type Shape, written } from '../../fields/entity.ts';
import { type Kind, kind, nullable } from '../../fields/kinds.ts';
import { emailAddress, fields, flag, integer, oneOf, ruled, secretOf, text } from '../../kernel/parse.ts';
import { type MailKind, mailKindFacts, mailKinds } from '../mail-kinds.ts';

export const smtpSecurities = ['starttls', 'tls', 'none'] as const;

/** True for a host on this machine. */
function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}

const host = text(253, 1)
  .refine(
    (name) => isIP(name) !== 0 || /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(name),
    ruled('must be a host name such as "smtp.example.com", without a port', 'WRONG_TYPE'),
  )
  .transform((name) => name.toLowerCase());

/** A secret as it is answered: the last four characters of a long one. */
const shownSecret = () => z.object({ lastFour: z.string().nullable() });

const smtpRule = fields({
  /** Name or address of the mail server. */
  host: host.describe('Name or address of the mail server.'),
  /** Its port: usually 587 with `starttls`, and 465 with `tls`. */
  port: integer(1, 65_535).default(587).describe('Its port: usually 587 with `starttls`, and 465 with `tls`.'),
  /** `none` only for a server on this machine. */
  security: oneOf(smtpSecurities).default('starttls').describe('`none` only for a server on this machine.'),
  /** The name to sign in with. */
  user: text(320, 1).nullable().default(null).describe('The name to sign in with.'),
  /** Left out, it stays the same, as long as `host`, `port` and `user` stay the same. */
  password: z
    .union([secretOf(text(1024, 1)), shownSecret()])
    .nullable()
    .optional()
    .describe('Left out, it stays the same, as long as `host`, `port` and `user` stay the same.'),
})
  .refine(({ security, host: name }) => security !== 'none' || isLoopback(name), {
    ...ruled('must be "starttls" or "tls", unless the mail server is on this machine', 'CONFLICTING'),
    path: ['security'],
  })
  .refine(({ user, password }) => user !== null || typeof password !== 'string', {
    ...ruled('is required with a password', 'REQUIRED'),
    path: ['user'],
  });

const smtpAnswer = () =>
  z.object({
    host: z.string().meta({ description: 'Name or address of the mail server.', examples: ['smtp.example.com'] }),
    port: z.int().meta({ description: 'Its port.', examples: [587] }),
    security: z.enum(smtpSecurities).meta({ description: 'How the connection is encrypted.', examples: ['starttls'] }),
    user: z
      .string()
      .nullable()
      .meta({ description: 'The name to sign in with.', examples: ['shop@example.com'] }),
    password: shownSecret()
      .nullable()
      .meta({ description: 'Of the password only the last four characters; null if none is set.' }),
  });

const kindsRule = fields(
  Object.fromEntries(
    mailKinds.map((name) => [name, flag.default(mailKindFacts[name].isUsual)] as const),
  ) as unknown as Record<MailKind, z.ZodDefault<typeof flag>>,
);

const kindsAnswer = () =>
  z.object(
    Object.fromEntries(
      mailKinds.map((name) => [name, z.boolean().meta({ examples: [mailKindFacts[name].isUsual] })] as const),
    ) as unknown as Record<MailKind, z.ZodBoolean>,
  );

export const usualKinds = Object.fromEntries(mailKinds.map((name) => [name, mailKindFacts[name].isUsual])) as Record<
  MailKind,
  boolean
>;

const words = {
  from: 'The address that mails come from. The name beside it is the name of the shop.',
  replyTo: 'Where answers go, if not to `from`.',
  ownerAddress: 'Where mails to the owner go; null for none.',
  smtp: 'The server that takes the mails; null for none.',
  kinds: 'Which mails are sent. Absent kinds have their usual value.',
  footer: 'The last lines of every mail, plain text.',
  logoMediaId: 'An image at the head of every mail.',
} as const;

const mailRule = fields({
  from: emailAddress.nullable().default(null).describe(words.from),
  replyTo: emailAddress.nullable().default(null).describe(words.replyTo),
  ownerAddress: emailAddress.nullable().default(null).describe(words.ownerAddress),
  smtp: smtpRule.nullable().default(null).describe(words.smtp),
  kinds: kindsRule.prefault({}).describe(words.kinds),
  footer: text(2000, 1).nullable().default(null).describe(words.footer),
  logoMediaId: text(64, 1).nullable().default(null).describe(words.logoMediaId),
});

const mailAnswer = () =>
  z.object({
    from: z
      .string()
      .nullable()
      .meta({ description: words.from, examples: ['shop@example.com'] }),
    replyTo: z.string().nullable().meta({ description: words.replyTo }),
    ownerAddress: z
      .string()
      .nullable()
      .meta({ description: words.ownerAddress, examples: ['owner@example.com'] }),
    smtp: smtpAnswer().nullable().meta({ description: words.smtp }),
    kinds: kindsAnswer().meta({ description: 'Which mails are sent.' }),
    footer: z.string().nullable().meta({ description: words.footer }),
    logoMediaId: z.string().nullable().meta({ description: words.logoMediaId }),
  });

/** How the shop sends mail, as it is answered. */
export type MailSettings = z.output<ReturnType<typeof mailAnswer>>;
/** The same as it is given. */
export type MailInput = z.output<typeof mailRule>;

export const noMail: MailSettings = {
  from: null,
  replyTo: null,
  ownerAddress: null,
  smtp: null,
  kinds: usualKinds,
  footer: null,
  logoMediaId: null,
};

const mail: Kind<typeof mailRule, ReturnType<typeof mailAnswer>> = {
  rule: () => mailRule,
  answer: mailAnswer,
  cell: 'json',
};

/** The address of the buyer's page of an order: the token is behind `#`, so no server and no log sees it. */
const orderUrl = text(2000, 1).refine(
  isOrderUrl,
  ruled(
    'must be an https:// address with {token} behind a #, such as "https://shop.example/order#{token}"',
    'NOT_A_URL',
  ),
);

function isOrderUrl(address: string): boolean {
  if (/\s/.test(address) || address.split('{token}').length !== 2) return false;
  // A word that no address has.
  const marker = 'Tz9qLm4w';
  const filled = address.replace('{token}', marker);
  if (/[{}]/.test(filled) || !URL.canParse(filled)) return false;
  const url = new URL(filled);
  const isSafe =
    url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname.replace(/^\[|\]$/g, '')));
  return (
    isSafe &&
    url.hash.includes(marker) &&
    !(url.origin + url.pathname + url.search).includes(marker) &&
    url.username + url.password === ''
  );
}

/** The settings of mail and of the buyer's page. */
export const mailSettings = {
  /** How the shop sends mail. Nothing is sent without `from` and `smtp`. */
  mail: written(mail, {
    words: 'How the shop sends mail. Nothing is sent without `from` and `smtp`.',
    input: { words: 'Replaced as a whole. A password that is left out stays while the server and its user stay.' },
    initial: noMail,
  }),
  /** Address of the buyer's page of an order, with `{token}` behind a `#`. */
  orderUrl: written(nullable(kind(orderUrl, () => z.string(), 'text')), {
    words: "Address of the buyer's page of an order, with `{token}` behind a `#`.",
    example: 'https://shop.example/order#{token}',
  }),
} satisfies Shape;
