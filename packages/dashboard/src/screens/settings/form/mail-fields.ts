import { type ApiError, type Detail, refusal } from '../../../api/errors.ts';
import type { Schemas } from '../../../api/types.ts';
import { area, check, choice, count, type FieldKind, line, own, wholeNumber } from '../../../kit/form/kinds.ts';
import { kindNames, type MailKind, mailKinds } from '../../../kit/terms/mail.ts';
import { t } from '../../../words/words.ts';

export type MailSettings = Schemas['Settings']['mail'];
type Smtp = NonNullable<MailSettings['smtp']>;

const words = t.settings.mail;

/** Names of fields with refusals of their own. */
const places = { host: 'mail.smtp.host', port: 'mail.smtp.port' } as const;

/** The usual port of each kind of encryption. */
export const usualPorts: Record<Smtp['security'], string> = { starttls: '587', tls: '465', none: '25' };

const sender = {
  'mail.from': line(words.from, { type: 'email', hint: words.fromHint }),
  'mail.replyTo': line(words.replyTo, { type: 'email', hint: words.replyToHint }),
  'mail.ownerAddress': line(words.ownerAddress, { type: 'email', hint: words.ownerAddressHint }),
};

const server = {
  'mail.smtp.host': line(words.host, { hint: words.hostHint }),
  'mail.smtp.security': choice<string>(words.security, Object.entries(words.securities), {
    start: 'starttls',
    hint: words.securityHint,
  }),
  'mail.smtp.port': {
    ...count(words.port, { hint: words.portHint }),
    sent(typed: string) {
      const port = wholeNumber(typed);
      if (typeof port === 'string') throw refusal(places.port, t.kit.wholeNumber);
      return port;
    },
  },
  'mail.smtp.user': line(words.user, { hint: words.userHint }),
  /** Never the stored one: a typed password replaces it. */
  'mail.smtp.password': own<string>(words.password, ''),
};

const kinds = Object.fromEntries(
  mailKinds.map((kind) => [`mail.kinds.${kind}`, check(kindNames[kind], { hint: t.mails.kindHints[kind] })]),
) as Record<`mail.kinds.${MailKind}`, FieldKind<boolean>>;

const look = {
  'mail.logoMediaId': own<string>(words.logo, '', (id) => id || null),
  'mail.footer': area(words.footer, { rows: 3, hint: words.footerHint }),
};

export const mailGroups = { sender, server, look };
export const mailFields = { ...sender, ...server, ...kinds, ...look };

/** The settings of mail as values of fields, such as `mail.smtp.host`. */
export function flatMail({ smtp, kinds: on, ...mail }: MailSettings): Record<string, unknown> {
  return {
    'mail.from': mail.from,
    'mail.replyTo': mail.replyTo,
    'mail.ownerAddress': mail.ownerAddress,
    'mail.smtp.host': smtp?.host,
    'mail.smtp.security': smtp?.security,
    'mail.smtp.port': smtp?.port ?? usualPorts.starttls,
    'mail.smtp.user': smtp?.user,
    ...Object.fromEntries(Object.entries(on).map(([kind, isOn]) => [`mail.kinds.${kind}`, isOn])),
    // Empty, and not null, for a logo that is none.
    'mail.logoMediaId': mail.logoMediaId ?? '',
    'mail.footer': mail.footer,
  };
}

/**
 * The settings of mail as they are sent, always whole. Without a server there is none; without a password, the stored one stays.
 * @param values as they are sent, by the names of the fields
 */
export function mailBody(values: Record<string, unknown>): NonNullable<Schemas['SettingsChanges']['mail']> {
  const text = (name: string) => (values[`mail.${name}`] as string | null | undefined)?.trim() || null;
  const host = text('smtp.host');
  const user = text('smtp.user');
  const password = values['mail.smtp.password'];
  if (host === null && (user !== null || password)) throw refusal(places.host, words.passwordMissing);
  return {
    from: text('from'),
    replyTo: text('replyTo'),
    ownerAddress: text('ownerAddress'),
    smtp:
      host === null
        ? null
        : {
            host,
            port: (values['mail.smtp.port'] as number | null) ?? undefined,
            security: values['mail.smtp.security'] as Smtp['security'],
            user,
            ...(password ? { password: String(password) } : {}),
          },
    kinds: Object.fromEntries(mailKinds.map((kind) => [kind, values[`mail.kinds.${kind}`] === true])) as Record<
      MailKind,
      boolean
    >,
    footer: text('footer'),
    logoMediaId: text('logoMediaId'),
  };
}

/** What is wrong with a field, where the general words would say too little. */
const reasons: Record<string, Partial<Record<string, string>>> = {
  'mail.smtp.host': { NOT_OFFERED: words.hostRefused, WRONG_TYPE: words.hostWrong },
  'mail.smtp.security': { CONFLICTING: words.securityWrong },
  'mail.smtp.password': { REQUIRED: words.passwordAgain },
  'mail.smtp.user': { REQUIRED: words.userMissing },
};

/** The refusal of settings of mail with words of their own. */
export function mailRefusal(error: ApiError): ApiError {
  return error.with(
    error.details.map((detail): Detail => {
      const said = reasons[detail.field]?.[detail.code ?? ''];
      return said === undefined ? detail : { ...detail, said };
    }),
  );
}
