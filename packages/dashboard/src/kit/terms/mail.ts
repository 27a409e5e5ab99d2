import type { Schemas } from '../../api/types.ts';
import { t } from '../../words/words.ts';
import type { Tone } from '../text.tsx';

export type Mail = Schemas['Mail'];
export type MailKind = Mail['kind'];
type Cause = keyof typeof t.mails.causes;

/** What each kind of mail is called. */
export const kindNames: Record<MailKind, string> = t.mails.kinds;
export const mailKinds = Object.keys(kindNames) as MailKind[];
export const isOwners = (kind: MailKind): boolean => kind.startsWith('owner.');

export const mailStatusNames: Record<Mail['status'], string> = t.mails.statuses;
export const mailTones: Record<Mail['status'], Tone> = {
  pending: 'wait',
  succeeded: 'good',
  failed: 'bad',
  cancelled: 'plain',
};

/** Causes by what is said of the connection, or by the mail server; the first that fits. */
const causes: readonly (readonly [RegExp, Cause])[] = [
  [/requests to such addresses are refused/i, 'blocked'],
  [/ENOTFOUND|EAI_AGAIN|getaddrinfo|has no address/i, 'unknownHost'],
  [/ECONNREFUSED|ECONNRESET|EHOSTUNREACH|ENETUNREACH|socket closed|closed unexpectedly/i, 'noConnection'],
  [/ETIMEDOUT|timed? ?out|never received|took more than/i, 'noAnswer'],
  [/certificate|self[- ]signed|altnames|CERT_/i, 'certificate'],
  [/wrong version number|EPROTO|STARTTLS|\bTLS\b|\bSSL\b/i, 'encryption'],
  [/invalid login|\b5(?:30|34|35|38)\b|credentials|authenticat/i, 'password'],
  [/\b5\.2\.2\b|quota|mailbox (?:is )?full|over storage/i, 'full'],
  [/relay/i, 'relay'],
  [/\b5\.1\.[78]\b|mail command failed|sender/i, 'sender'],
  [/\b5\.1\.\d\b|recipients were rejected.*\b55[0134]\b|no such (?:user|recipient)|user unknown/i, 'mailbox'],
  [/\b5\.7\.\d+\b|spam|blocked|blacklist|reputation|\b554\b/i, 'spam'],
];

/**
 * Why a mail server did not take a mail, in words that follow a colon.
 * @param error what the interface says, with the answer of the mail server
 * @param code the code of the answer, if there was one
 */
export function mailCause(error: string | null, code: number | null = null): string {
  const said = error ?? '';
  const found = causes.find(([pattern]) => pattern.test(said))?.[1];
  const answered = code ?? Number(/\b[45]\d\d\b/.exec(said)?.[0] ?? 0);
  // An answer from 400 to 499 is for now; a refused password has no other remedy than a refused one for good.
  if (answered >= 400 && answered < 500 && found !== 'password' && found !== 'full') return t.mails.causes.later;
  return t.mails.causes[found ?? 'other'];
}

/** Why a mail was not taken last; of one that was never tried, that it was refused. */
export function lastCause({ attempts }: Pick<Mail, 'attempts'>): string {
  const last = attempts.at(-1);
  return mailCause(last?.error ?? null, last?.responseCode ?? null);
}

/** The sentence about a mail, with the name of its state; the parts in braces are its kind, address, time and cause. */
export function toldOf({ status, attempts }: Pick<Mail, 'status' | 'attempts'>): string {
  const { told } = t.mails;
  if (status !== 'pending') return told[status];
  return attempts.length === 0 ? told.first : told.again;
}
