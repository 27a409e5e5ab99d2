import type { Engine, TxContext } from '../engine/context.ts';
import { type MailInput, type MailSettings, noMail } from '../engine/settings/mail.ts';
import { sellingEntity } from '../engine/settings/settings.ts';
import { CommerceError, invalid, quote } from '../kernel/errors.ts';
import { lastFour } from '../kernel/secrets.ts';
import type { SmtpServer } from '../network/smtp.ts';
import { prepared } from '../storage/prepared.ts';
import { reading } from '../storage/run.ts';
import type { StoreTable } from '../storage/tables/stores.ts';

type PasswordRow = Pick<StoreTable, 'id' | 'smtp_password'>;

/** The owner of the password of a store's mail server, for `SecretBox`. */
export const placeOfPassword = (storeId: string) => `${storeId} smtp`;

/**
 * The password of the store's mail server; null if it has none.
 * @throws CommerceError `unavailable` if it is encrypted with another key
 */
export function passwordOf({ secrets }: Engine, { id, smtp_password }: PasswordRow): string | null {
  return smtp_password === null ? null : secrets.open(smtp_password, placeOfPassword(id));
}

/** What is answered of the password. */
export function shownPassword(engine: Engine, row: PasswordRow): { lastFour: string | null } | null {
  try {
    const password = passwordOf(engine, row);
    return password === null ? null : { lastFour: lastFour(password) };
  } catch (error) {
    if (error instanceof CommerceError && error.kind === 'unavailable') return { lastFour: null };
    throw error;
  }
}

/**
 * The settings of mail as they become, and the encrypted password.
 * @throws CommerceError `validation` for a host that the service refuses, a password that is left out for another server, and an image that
 * does not exist
 */
export async function changedMail(
  tx: TxContext,
  row: PasswordRow,
  before: MailSettings,
  { smtp, ...given }: MailInput,
): Promise<{ mail: MailSettings; password: string | null }> {
  if (given.logoMediaId !== null && given.logoMediaId !== before.logoMediaId) await checkLogo(tx, given.logoMediaId);
  // In the order in which they are answered.
  const withSmtp = (server: MailSettings['smtp']): MailSettings => ({ ...noMail, ...given, smtp: server });
  if (smtp === null) return { mail: withSmtp(null), password: null };
  const { host, port, security, user, password } = smtp;
  const refused = tx.engine.smtpGuard.refuseHost(host);
  if (refused) {
    throw invalid('mail.smtp.host', `${refused.reason}; \`commerce serve --smtp-allow\` names the ranges`, {
      code: 'NOT_OFFERED',
    });
  }
  const stays = before.smtp?.host === host && before.smtp.port === port && before.smtp.user === user;
  const isGiven = typeof password === 'string' || password === null;
  // The password would go to a server that the one who set it did not name.
  if (!isGiven && !stays && row.smtp_password !== null && user !== null) {
    throw invalid('mail.smtp.password', 'is required, because the server or its user is another', { code: 'REQUIRED' });
  }
  const place = placeOfPassword(tx.store.id);
  const kept = user === null ? null : row.smtp_password;
  const sealed = typeof password === 'string' ? tx.engine.secrets.seal(password, place) : isGiven ? null : kept;
  const shown = shownPassword(tx.engine, { id: tx.store.id, smtp_password: sealed });
  return { mail: withSmtp({ host, port, security, user, password: shown }), password: sealed };
}

async function checkLogo(tx: TxContext, id: string): Promise<void> {
  const found = await tx.db
    .selectFrom('media')
    .select('id')
    .where('store_id', '=', tx.store.id)
    .where('id', '=', id)
    .executeTakeFirst();
  if (!found) throw invalid('mail.logoMediaId', `no image ${quote(id)} in this store`, { code: 'NOT_FOUND' });
}

const mailOfStore = prepared<{ id: string }, Pick<StoreTable, 'id' | 'settings' | 'smtp_password'>>((db, p) =>
  db.selectFrom('stores').select(['id', 'settings', 'smtp_password']).where('id', '=', p('id')),
);

/**
 * The mail server of a store, with its password.
 * @throws CommerceError `unavailable` if the password is encrypted with another key; `conflict` if it has none
 */
export async function smtpServerOf(engine: Engine, storeId: string): Promise<SmtpServer> {
  const [row] = await reading(engine.storage, (db) => mailOfStore(db, { id: storeId }));
  const smtp = row && sellingEntity.read(row.settings).mail.smtp;
  if (!row || !smtp) throw new CommerceError('conflict', 'the store has no mail server: set `mail.smtp`');
  const { host, port, security, user } = smtp;
  return { host, port, security, user, password: passwordOf(engine, row) };
}
