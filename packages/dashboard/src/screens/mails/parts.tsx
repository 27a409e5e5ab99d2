import type { ComponentChildren } from 'preact';
import { href } from '../../browser/places.ts';
import { Badge, Time, UserText } from '../../kit/index.ts';
import { kindNames, lastCause, type Mail, mailStatusNames, mailTones, toldOf } from '../../kit/terms/mail.ts';
import { filled } from '../../words/filled.ts';
import { t } from '../../words/words.ts';

export function MailState({ status }: Pick<Mail, 'status'>) {
  return <Badge tone={mailTones[status]}>{mailStatusNames[status]}</Badge>;
}

/** The address of a mail; of a person who was erased, that. */
export function Recipient({ to }: Pick<Mail, 'to'>) {
  return to === '' ? <span class="quiet">{t.mails.nobody}</span> : <UserText>{to}</UserText>;
}

/** What became of a mail, in a sentence with a link to it. */
export function MailTold({ mail }: { mail: Mail }): ComponentChildren {
  return filled(toldOf(mail), {
    mail: <a href={href(`mails/${mail.id}`)}>{kindNames[mail.kind]}</a>,
    to: <Recipient to={mail.to} />,
    time: <Time at={mail.nextAttemptAt} />,
    cause: lastCause(mail),
  });
}
