import { sql } from 'kysely';
import { audit } from '../audit/entry.ts';
import type { Context, Engine, TxContext } from '../engine/context.ts';
import type { MailKind } from '../engine/mail-kinds.ts';
import { refusePublic } from '../engine/public-actor.ts';
import { transact } from '../engine/transaction.ts';
import { breathe } from '../kernel/breathe.ts';
import { toTimestamp } from '../kernel/clock.ts';
import { CommerceError, notFound } from '../kernel/errors.ts';
import { isId, minId } from '../kernel/ids.ts';
import type { List } from '../kernel/json.ts';
import { parse } from '../kernel/parse.ts';
import { boundedPage } from '../resources/bounded.ts';
import { lockRows } from '../storage/locks.ts';
import { reading, runTransaction, snapshotOrScan } from '../storage/run.ts';
import type { Db } from '../storage/storage.ts';
import type { MailTable } from '../storage/tables/mails.ts';
import { withCurrentStore } from '../stores/current.ts';
import {
  type Mail,
  type MailAttempt,
  MailQuery,
  type MailQueryInput,
  ResendFields,
  type ResendInput,
  type WholeMail,
} from './fields.ts';
import type { Letter } from './letters/letter.ts';
import { queueAsked, sendsMail } from './queue.ts';

/** A letter as it is sent, with what does not change between attempts. */
export interface MailContent extends Letter {
  /** The domain in the `Message-ID`, which stays the same, so that a mail that arrives twice is shown once. */
  domain: string;
  attachments: { filename: string; content: string }[];
  /** Invoices and credit notes that go with it as PDF files, which are made when it is sent. */
  invoiceIds?: string[];
}

/** The `Message-ID` of a mail. */
export const messageIdOf = (id: string, domain: string) => `<${id}@${domain}>`;

/**
 * The mails of the store, newest first.
 * @throws CommerceError `validation` for a filter or a window out of range
 */
export async function listMails(ctx: Context, query: MailQueryInput = {}): Promise<List<Mail>> {
  refusePublic(ctx);
  const { limit, offset, kind, status, orderId } = parse(MailQuery, query);
  return snapshotOrScan(ctx, async (db, maxRows) => {
    const all = db.selectFrom('mails').where('store_id', '=', ctx.store.id);
    let among = all;
    let matches = all;
    // An index leads to one of the filters; the others are compared.
    if (orderId !== undefined) among = all.where('order_id', '=', orderId);
    else if (status) among = all.where('status', '=', status);
    else if (kind) among = all.where('kind', '=', kind);
    matches = among;
    if (status && orderId !== undefined) matches = matches.where('status', '=', status);
    if (kind && (status || orderId !== undefined)) matches = matches.where('kind', '=', kind);
    const page = await boundedPage(db, { among, matches }, { limit, offset }, ['id'], maxRows);
    const rows = await page?.rows.select(listed).execute();
    return page && rows && { items: rows.map(toMail), total: page.total };
  });
}

/** @throws CommerceError `notFound` */
export async function getMail(ctx: Context, id: string): Promise<WholeMail> {
  refusePublic(ctx);
  return toWhole(await reading(ctx.engine.storage, (db) => findMail(db, ctx.store.id, id)));
}

/** The columns of a mail without its texts, which are long. */
const listed = [
  ...(['id', 'kind', 'status', 'recipient', 'locale', 'subject', 'order_id', 'withdrawal_id'] as const),
  ...(['log', 'due_at', 'sent_at', 'resent_of', 'created_at'] as const),
] as const;

type ListedMail = Pick<MailTable, (typeof listed)[number]>;

/** The newest mails about an order, and about withdrawals from it. */
export function mailsOfOrder(db: Db, storeId: string, orderId: string, limit: number): Promise<ListedMail[]> {
  const withdrawals = db
    .selectFrom('withdrawals')
    .select('id')
    .where('store_id', '=', storeId)
    .where('order_id', '=', orderId);
  return db
    .selectFrom('mails')
    .select(listed)
    .where('store_id', '=', storeId)
    .where((eb) => eb.or([eb('order_id', '=', orderId), eb('withdrawal_id', 'in', withdrawals)]))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

async function findMail(db: Db, storeId: string, id: string, isLocked = false): Promise<MailTable> {
  const found = db.selectFrom('mails').selectAll().where('store_id', '=', storeId).where('id', '=', id);
  const row = isId(id) ? await (isLocked ? lockRows(db, found) : found).executeTakeFirst() : undefined;
  if (!row) throw notFound('mail', id);
  return row;
}

/**
 * Sends a mail again, as a new mail with the same text; to another address if one is given.
 * @throws CommerceError `notFound`; `conflict` if its text was emptied, or the store cannot send mail
 */
export async function resendMail(given: Context, id: string, input: ResendInput = {}): Promise<Mail> {
  refusePublic(given);
  const ctx = await withCurrentStore(given);
  const { to } = parse(ResendFields, input);
  return transact(ctx, async (tx) => {
    // Locked, so an anonymisation that runs at the same time finds the copy.
    const row = await findMail(tx.db, tx.store.id, id, true);
    if (row.has_text === 0) throw new CommerceError('conflict', 'the text of this mail is no longer kept');
    if (!sendsMail(tx.store.settings.mail)) {
      throw new CommerceError('conflict', 'the store cannot send mail: set `mail.from` and `mail.smtp`');
    }
    const { kind, recipient, locale, order_id: orderId, withdrawal_id: withdrawalId, data, content, subject } = row;
    const again = { kind: kind as MailKind, to: to ?? recipient, locale, orderId, withdrawalId, resentOf: id };
    const copy = await queueAsked(tx, again, { data, content, subject });
    audit(tx, { action: 'mail.resent', resourceType: 'mail', resourceId: id, changes: { mailId: copy.id, kind } });
    return toMail(copy);
  });
}

/** Which mails to forget. */
interface About {
  orderIds?: readonly string[];
  withdrawalIds?: readonly string[];
}

/** Removes the person from mails about these orders or withdrawals: waiting ones are not sent, and sent ones lose their texts. */
export async function forgetMails(tx: TxContext, { orderIds = [], withdrawalIds = [] }: About): Promise<void> {
  for (const [column, ids] of [
    ['order_id', orderIds],
    ['withdrawal_id', withdrawalIds],
  ] as const) {
    if (ids.length === 0) continue;
    const found = tx.db.selectFrom('mails').select('id').where('store_id', '=', tx.store.id).where(column, 'in', ids);
    // One that is sent again at the same time is there afterwards.
    await lockRows(tx.db, found.orderBy('id')).execute();
    const mails = tx.db.updateTable('mails').where('store_id', '=', tx.store.id).where(column, 'in', ids);
    await mails
      .set({ status: 'cancelled', due_at: null, locked_until: null })
      .where('status', '=', sql.lit('pending'))
      .execute();
    await mails.set({ recipient: '', subject: null, data: '{}', content: null, has_text: 0, log: '[]' }).execute();
  }
}

/** Cancels the mails that wait, of all stores: a copy must not send to buyers what the original sends. */
export async function cancelWaitingMails(db: Db): Promise<void> {
  await db
    .updateTable('mails')
    .set({ status: 'cancelled', due_at: null, locked_until: null })
    .where('status', '=', sql.lit('pending'))
    .execute();
}

const day = 86_400_000;

/** Days for which the texts of mails are kept. */
export const textDays = 180;

const batch = 200;

/** Empties the texts of mails that are older than `textDays`. Acknowledgements of withdrawals stay: they are evidence. */
export async function forgetMailTexts({ storage, clock }: Engine): Promise<void> {
  const horizon = minId(clock.now() - textDays * day);
  const stores = await storage.reads.selectFrom('stores').select('id').execute();
  for (const { id: storeId } of stores) {
    for (let full = true; full; ) {
      await breathe();
      const old = await storage.reads
        .selectFrom('mails')
        .select('id')
        .where('store_id', '=', storeId)
        .where('has_text', '=', sql.lit(1))
        .where('id', '<', horizon)
        .where('kind', '<>', sql.lit('withdrawal.received'))
        .orderBy('id')
        .limit(batch)
        .execute();
      if (old.length === 0) break;
      const ids = old.map(({ id }) => id);
      await runTransaction(storage, (db) =>
        db
          .updateTable('mails')
          .set({ data: '{}', content: null, has_text: 0 })
          .where('store_id', '=', storeId)
          .where('id', 'in', ids)
          .execute(),
      );
      full = old.length === batch;
    }
  }
}

const timeOrNone = (at: number | null) => (at === null ? null : toTimestamp(at));

export function toMail(row: ListedMail): Mail {
  return {
    id: row.id,
    kind: row.kind as MailKind,
    status: row.status,
    to: row.recipient,
    locale: row.locale,
    subject: row.subject,
    orderId: row.order_id,
    withdrawalId: row.withdrawal_id,
    attempts: JSON.parse(row.log) as MailAttempt[],
    nextAttemptAt: timeOrNone(row.due_at),
    sentAt: timeOrNone(row.sent_at),
    resentOf: row.resent_of,
    createdAt: toTimestamp(row.created_at),
  };
}

function toWhole(row: MailTable): WholeMail {
  const content = row.content === null ? null : (JSON.parse(row.content) as MailContent);
  return {
    ...toMail(row),
    text: content?.text ?? null,
    html: content?.html ?? null,
    attachments: content?.attachments ?? [],
  };
}
