import type { TxContext } from '../engine/context.ts';
import { type MailKind, mailKindFacts } from '../engine/mail-kinds.ts';
import type { MailSettings } from '../engine/settings/mail.ts';
import type { StoreContext } from '../engine/store.ts';
import { minId } from '../kernel/ids.ts';
import { toJson } from '../kernel/json.ts';
import { maxOwnerMailsAnHour } from '../kernel/limits.ts';
import type { Order } from '../orders/fields.ts';
import { preparedInsert } from '../storage/prepared.ts';
import type { MailTable } from '../storage/tables/mails.ts';
import { mailQueued } from './wake.ts';

const insertMails = preparedInsert<MailTable>('mails');

/** The facts that a letter is written from, as they were when it was queued. */
export interface MailFacts {
  order?: Order;
  /** The parcel that the letter is about. */
  parcelId?: string;
  /** The amount of the refund that the letter is about. */
  refund?: string;
  /** Products that are low in stock. */
  products?: { title: string; sku: string | null; stock: number }[];
}

export interface NewMail {
  kind: MailKind;
  /** One address. */
  to: string;
  /** Language of the letter; that of the shop by default. */
  locale?: string | null;
  orderId?: string | null;
  withdrawalId?: string | null;
  facts?: MailFacts;
  /** The mail that it repeats. */
  resentOf?: string;
  /** Milliseconds until its first attempt; none by default. */
  wait?: number;
}

/** True if the store can send mail at all. */
export function sendsMail({ from, smtp }: MailSettings): boolean {
  return from !== null && smtp !== null;
}

/** True if the store sends this kind of mail, and has an address for it. */
export function sendsKind({ settings: { mail } }: Pick<StoreContext, 'settings'>, kind: MailKind): boolean {
  if (!sendsMail(mail) || !mail.kinds[kind]) return false;
  return mailKindFacts[kind].to === 'buyer' || mail.ownerAddress !== null;
}

/** Queues mails, to be sent once the transaction has committed. Kinds that the store does not send are left out. */
export async function queueMails(tx: TxContext, mails: readonly NewMail[]): Promise<MailTable[]> {
  const rows: MailTable[] = [];
  for (const mail of mails) {
    if (!sendsKind(tx.store, mail.kind)) continue;
    if (bounded.includes(mail.kind) && (await sentLately(tx, mail.kind)) >= maxOwnerMailsAnHour) continue;
    rows.push(toRow(tx, mail));
  }
  return insertRows(tx, rows);
}

/** Kinds of mails to the owner that others can cause without end: strangers with statements, an import that empties a warehouse. */
const bounded: readonly MailKind[] = ['owner.low_stock', 'owner.withdrawal'];

async function sentLately(tx: TxContext, kind: MailKind): Promise<number> {
  const recent = tx.db
    .selectFrom('mails')
    .select('id')
    .where('store_id', '=', tx.store.id)
    .where('kind', '=', kind)
    .where('id', '>', minId(tx.now - 3_600_000))
    .limit(maxOwnerMailsAnHour);
  const { count } = await tx.db
    .selectFrom(recent.as('recent'))
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/** Queues a mail that a person asked for, whatever kinds the store sends. */
export async function queueAsked(tx: TxContext, mail: NewMail, copy: Partial<MailTable> = {}): Promise<MailTable> {
  const row = { ...toRow(tx, mail), ...copy };
  await insertRows(tx, [row]);
  return row;
}

async function insertRows(tx: TxContext, rows: MailTable[]): Promise<MailTable[]> {
  if (rows.length === 0) return rows;
  await insertMails(tx.db, rows);
  mailQueued(tx);
  return rows;
}

function toRow(
  tx: TxContext,
  { kind, to, locale, orderId, withdrawalId, facts = {}, resentOf, wait = 0 }: NewMail,
): MailTable {
  return {
    store_id: tx.store.id,
    id: tx.engine.ids.next(tx.now),
    kind,
    status: 'pending',
    recipient: to,
    locale: locale ?? tx.store.settings.locale,
    order_id: orderId ?? null,
    withdrawal_id: withdrawalId ?? null,
    subject: null,
    data: toJson(facts),
    content: null,
    attempts: 0,
    due_at: tx.now + wait,
    locked_until: null,
    started_at: null,
    sent_at: null,
    log: '[]',
    resent_of: resentOf ?? null,
    has_text: 1,
    created_at: tx.now,
  };
}
