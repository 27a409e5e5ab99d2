import { randomUUID } from 'node:crypto';
import type { Context } from '../../engine/context.ts';
import { refusePublic } from '../../engine/public-actor.ts';
import { refuseInUnit } from '../../engine/transaction.ts';
import { CommerceError } from '../../kernel/errors.ts';
import { parse } from '../../kernel/parse.ts';
import { type MailTest, TestMailFields, type TestMailInput } from '../../mail/fields.ts';
import { escaped } from '../../mail/letters/html.ts';
import { messageIdOf } from '../../mail/mails.ts';
import { SmtpFailure, sendBySmtp } from '../../network/smtp.ts';
import { withCurrentStore } from '../../stores/current.ts';
import { smtpServerOf } from '../../stores/mail-settings.ts';

/** Lines of a conversation that are kept, and characters of each. */
const maxLines = 100;
const maxLine = 500;

/**
 * Sends a test with the settings of mail, at once, and tells what was said.
 * @throws CommerceError `validation`; `conflict` if the store has no `mail.from` or `mail.smtp`, or inside a transaction; `unavailable` if
 * the password is encrypted with another key
 */
export async function testMail(given: Context, input: TestMailInput): Promise<MailTest> {
  refusePublic(given);
  refuseInUnit(given.engine, 'testMail talks to the mail server');
  const ctx = await withCurrentStore(given);
  const { to } = parse(TestMailFields, input);
  const { engine, store } = ctx;
  const { from, replyTo } = store.settings.mail;
  if (from === null) throw new CommerceError('conflict', 'the store has no sender: set `mail.from`');
  const server = await smtpServerOf(engine, store.id);
  const domain = from.slice(from.lastIndexOf('@') + 1);
  const conversation: string[] = [];
  const onLine = (line: string) => {
    if (conversation.length < maxLines) conversation.push(line.slice(0, maxLine));
  };
  const text = `This is a test of the mail of ${store.name}. It arrived.\n`;
  try {
    await sendBySmtp(
      server,
      {
        messageId: messageIdOf(randomUUID(), domain),
        date: new Date(engine.clock.now()),
        from: { name: store.name, address: from },
        replyTo,
        to,
        subject: `Test of ${store.name}`,
        text,
        html: `<p>${escaped(text)}</p>`,
        attachments: [],
      },
      { guard: engine.smtpGuard, hello: domain, onLine },
    );
    return { sent: true, error: null, conversation };
  } catch (error) {
    if (!(error instanceof SmtpFailure)) throw error;
    return { sent: false, error: error.message.slice(0, maxLine), conversation };
  }
}
