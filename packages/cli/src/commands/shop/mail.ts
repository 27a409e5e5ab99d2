import {
  getMail,
  getSettings,
  listMails,
  type Mail,
  type MailSettings,
  mailKinds,
  previewMail,
  resendMail,
  testMail,
  updateSettings,
  type WholeMail,
} from '@commerce/core';
import { Command, Option } from 'commander';
import { storeContext } from '../../context.ts';
import { withCommerce } from '../../database.ts';
import { parseList } from '../../input/field-options.ts';
import { withGroups } from '../../input/help-groups.ts';
import { newCommand, parsePort, parseText, smtpAllowOption, storeOption } from '../../input/options.ts';
import { pairs, print } from '../../output/print.ts';
import { resolveId } from '../../resolve.ts';
import { listCommand } from '../../resource/lists.ts';
import type { Options } from '../../resource/resource.ts';
import { UsageError } from '../../usage-error.ts';
import { catchCommand } from '../mail-catch.ts';

const states = ['pending', 'succeeded', 'failed', 'cancelled'] as const;

/** Mail at the command line. The server on the same database sends what is queued here. */
export function mailCommand(): Command {
  return new Command('mail')
    .description('set up the sending of mail, test it, and list, show and resend mails')
    .addCommand(configureCommand())
    .addCommand(testCommand())
    .addCommand(mailListCommand())
    .addCommand(showCommand())
    .addCommand(resendCommand())
    .addCommand(previewCommand())
    .addCommand(catchCommand());
}

interface ConfigureOptions extends Options {
  from?: string;
  replyTo?: string;
  owner?: string;
  host?: string;
  port?: number;
  security?: 'starttls' | 'tls' | 'none';
  user?: string;
  smtpPassword?: string;
  footer?: string;
  on?: string[];
  off?: string[];
  stop?: boolean;
  smtpAllow?: string[];
}

function configureCommand(): Command {
  const command = newCommand(
    'configure',
    'set the sender, the mail server and the kinds of mail; without options, show them. The password comes from COMMERCE_SMTP_PASSWORD',
    [
      'mail configure --from shop@example.com --host smtp.example.com --user shop@example.com --owner me@example.com',
      'mail configure --off owner.low_stock --on order.delivered',
    ],
  )
    .addOption(storeOption())
    .option('--from <address>', 'the address that mails come from', parseText)
    .option('--reply-to <address>', 'where answers go, if not there', parseText)
    .option('--owner <address>', 'where mails to the owner go', parseText)
    .option('--host <name>', 'the mail server', parseText)
    .addOption(new Option('--port <number>', 'its port; by default 587, and 465 with tls').argParser(parsePort))
    .addOption(
      new Option('--security <how>', 'how the connection is encrypted; none only on this machine').choices([
        'starttls',
        'tls',
        'none',
      ]),
    )
    .option('--user <name>', 'the name to sign in with', parseText)
    .addOption(
      new Option(
        '--smtp-password <password>',
        'the password; better in the variable, which the process list does not show',
      ).env('COMMERCE_SMTP_PASSWORD'),
    )
    .option('--footer <text>', 'the last lines of every mail')
    .addOption(new Option('--on <kinds>', `send these kinds: ${mailKinds.join(', ')}`).argParser(parseList))
    .addOption(new Option('--off <kinds>', 'do not send these kinds').argParser(parseList))
    .option('--stop', 'forget the mail server: nothing is sent any more')
    .addOption(smtpAllowOption())
    .action((options: ConfigureOptions) =>
      withCommerce(
        options,
        async (commerce) => {
          const shop = await storeContext(commerce, options.store);
          const { mail } = await getSettings(shop);
          const changed = changedBy(mail, options);
          const item = changed ? (await updateSettings(shop, { mail: changed })).mail : mail;
          print(options, { item }, () => describeSettings(item));
        },
        options.smtpAllow ? { smtpAllow: options.smtpAllow } : {},
      ),
    );
  return withGroups(command, { 'Further settings': ['--reply-to', '--footer', '--stop', '--smtp-allow'] });
}

/** The settings with what the options say; undefined if they say nothing. */
function changedBy(mail: MailSettings, options: ConfigureOptions) {
  const { from, replyTo, owner, host, port, security, user, smtpPassword, footer, on = [], off = [], stop } = options;
  for (const kind of [...on, ...off]) {
    if (!(mailKinds as readonly string[]).includes(kind)) {
      throw new UsageError(`${kind} is no kind of mail; the kinds are ${mailKinds.join(', ')}`);
    }
  }
  const ofServer = [host, port, security, user, smtpPassword].some((value) => value !== undefined);
  const others = [from, replyTo, owner, footer].some((value) => value !== undefined);
  if (!ofServer && !others && on.length + off.length === 0 && !stop) return undefined;
  const before = mail.smtp ?? { host: '', port: undefined, security: 'starttls' as const, user: null };
  const isTls = (security ?? before.security) === 'tls';
  const name = host ?? before.host;
  if (ofServer && name === '') throw new UsageError('--host is required: the mail server');
  const usualPort = security !== undefined || host !== undefined ? undefined : before.port;
  const smtp = {
    host: name,
    port: port ?? usualPort ?? (isTls ? 465 : 587),
    security: security ?? before.security,
    user: user ?? (host === undefined || host === before.host ? before.user : null),
    ...(smtpPassword !== undefined && { password: smtpPassword }),
  };
  return {
    ...mail,
    ...(from !== undefined && { from }),
    ...(replyTo !== undefined && { replyTo }),
    ...(owner !== undefined && { ownerAddress: owner }),
    ...(footer !== undefined && { footer: footer === '' ? null : footer }),
    smtp: stop ? null : ofServer ? smtp : mail.smtp,
    kinds: {
      ...mail.kinds,
      ...Object.fromEntries(on.map((kind) => [kind, true])),
      ...Object.fromEntries(off.map((kind) => [kind, false])),
    },
  };
}

function describeSettings({ from, replyTo, ownerAddress, smtp, kinds, footer }: MailSettings): string {
  const server = smtp && `${smtp.host}:${smtp.port}, ${smtp.security}${smtp.user === null ? '' : `, as ${smtp.user}`}`;
  return pairs({
    from: from ?? 'none: nothing is sent',
    'reply to': replyTo,
    owner: ownerAddress,
    server: server ?? 'none: nothing is sent',
    sent: mailKinds.filter((kind) => kinds[kind]).join(', '),
    'not sent': mailKinds.filter((kind) => !kinds[kind]).join(', '),
    footer,
  });
}

function testCommand(): Command {
  return newCommand('test', 'send a test, and print what was said with the mail server', [
    'mail test owner@example.com',
    'mail test owner@example.com --json',
  ])
    .argument('<address>', 'where the test goes')
    .addOption(storeOption())
    .addOption(smtpAllowOption())
    .action((to: string, options: Options & { smtpAllow?: string[] }) =>
      withCommerce(
        options,
        async (commerce) => {
          const item = await testMail(await storeContext(commerce, options.store), { to });
          print(options, { item }, () =>
            [...item.conversation, '', item.sent ? `Sent to ${to}.` : `Not sent: ${item.error}`].join('\n'),
          );
          if (!item.sent) process.exitCode = 1;
        },
        options.smtpAllow ? { smtpAllow: options.smtpAllow } : {},
      ),
    );
}

function mailListCommand(): Command {
  return listCommand<Mail>(
    'list mails, sent and waiting, newest first',
    ['mail list --status failed', 'mail list --order ORD-1001 --json'],
    {
      item: 'Mail',
      filters: {
        status: { flags: '--status <status>', description: 'only mails with this status', choices: states },
        kind: { flags: '--kind <kind>', description: 'only mails of this kind', choices: mailKinds },
        orderId: {
          flags: '--order <order>',
          description: 'only mails about this order: its id or number',
          kind: 'order',
        },
      },
      columns: {
        id: (one) => one.id,
        created: (one) => one.createdAt,
        kind: (one) => one.kind,
        to: (one) => one.to,
        status: (one) => one.status,
        attempts: (one) => one.attempts.length,
        last: (one) => one.attempts.at(-1)?.error ?? one.attempts.at(-1)?.response ?? null,
      },
      read: listMails,
    },
  );
}

function showCommand(): Command {
  return newCommand('show', 'show a mail with its text and its attempts', [
    'mail show 0193d3f6',
    'mail show 0193d3f6 --json',
  ])
    .argument('<mail>', 'its id')
    .addOption(storeOption())
    .action((text: string, options: Options) =>
      withCommerce(options, async (commerce) => {
        const shop = await storeContext(commerce, options.store);
        const item = await getMail(shop, await resolveId(shop, 'mail', text));
        print(options, { item }, () => describe(item));
      }),
    );
}

function describe(mail: WholeMail): string {
  const facts = pairs({
    id: mail.id,
    kind: mail.kind,
    to: mail.to,
    subject: mail.subject,
    status: mail.status,
    order: mail.orderId,
    queued: mail.createdAt,
    sent: mail.sentAt,
    next: mail.nextAttemptAt,
    attachments: mail.attachments.map(({ filename }) => filename).join(', ') || null,
  });
  const attempts = mail.attempts.map(({ at, error, response }) => `${at} ${error ?? response ?? 'sent'}`);
  return [
    facts,
    ...(attempts.length > 0 ? ['', ...attempts] : []),
    '',
    mail.text ?? 'Its text is not written out, or no longer kept.',
  ].join('\n');
}

function resendCommand(): Command {
  return newCommand('resend', 'send a mail again, as a new mail with the same text', [
    'mail resend 0193d3f6-9a10',
    'mail resend 0193d3f6-9a10 --to ada@example.com',
  ])
    .argument('<mail>', 'its id, as `mail list` shows it')
    .addOption(storeOption())
    .option('--to <address>', 'another address than before', parseText)
    .action((text: string, options: Options & { to?: string }) =>
      withCommerce(options, async (commerce) => {
        const shop = await storeContext(commerce, options.store);
        const { to } = options;
        const item = await resendMail(shop, await resolveId(shop, 'mail', text), to === undefined ? {} : { to });
        print(options, { item }, () => `Queued as ${item.id} to ${item.to}.`);
      }),
    );
}

function previewCommand(): Command {
  return newCommand('preview', 'print a mail with sample facts', [
    'mail preview order.confirmed',
    'mail preview order.shipped --locale de --html > letter.html',
  ])
    .argument('<kind>', `the kind: ${mailKinds.join(', ')}`)
    .addOption(storeOption())
    .option('--locale <tag>', 'the language, such as de; that of the shop by default', parseText)
    .option('--html', 'print the HTML instead of the text')
    .action((kind: string, options: Options & { locale?: string; html?: boolean }) =>
      withCommerce(options, async (commerce) => {
        const shop = await storeContext(commerce, options.store);
        const { locale } = options;
        const letter = await previewMail(shop, { kind, ...(locale !== undefined && { locale }) } as never);
        print(options, { item: letter }, () => (options.html ? letter.html : `${letter.subject}\n\n${letter.text}`));
      }),
    );
}
