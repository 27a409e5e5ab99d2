import { setTimeout as sleep } from 'node:timers/promises';
import { type Selectable, sql } from 'kysely';
import type { Engine } from '../engine/context.ts';
import { lockFreeRows } from '../storage/locks.ts';
import { unindexedText } from '../storage/planner.ts';
import { reading, runTransaction } from '../storage/run.ts';
import type { Db } from '../storage/storage.ts';
import type { MailTable } from '../storage/tables/mails.ts';
import type { MailAttempt } from './fields.ts';
import type { MailContent } from './mails.ts';

/** Milliseconds of a claim, longer than any attempt: a claim expires only if its process died or was suspended. */
const lease = 120_000;

/** A mail that this process may send until `locked_until`. */
export type ClaimedMail = Selectable<MailTable> & { locked_until: number };

/** Stores that are looked at in one round. */
const maxStores = 1000;

/** The stores with due mails, that with the longest wait first. For all stores: the only query here that is not limited to one. */
export async function storesWithDueMail({ storage, clock }: Engine): Promise<string[]> {
  const rows = await reading(storage, (db) =>
    db
      .selectFrom('mails')
      .select((eb) => [unindexedText(eb.ref('store_id')).as('store_id'), eb.fn.min('due_at').as('since')])
      .where('status', '=', sql.lit('pending'))
      .where('due_at', '<=', clock.now())
      .groupBy('store_id')
      .orderBy('since')
      .limit(maxStores)
      .execute(),
  );
  return rows.map(({ store_id }) => store_id);
}

/** Claims the due mail of a store that waits longest, so that no other process sends it; undefined if none is due. */
export function claimMail({ storage, clock }: Engine, storeId: string): Promise<ClaimedMail | undefined> {
  return runTransaction(storage, async (db) => {
    const now = clock.now();
    // Limits are counted by one process at a time.
    await storage.lockName(db, `mails ${storeId}`);
    for (;;) {
      const row = await lockFreeRows(
        db,
        db
          .selectFrom('mails')
          .selectAll()
          .where('store_id', '=', storeId)
          .where('status', '=', sql.lit('pending'))
          .where('due_at', '<=', now)
          .orderBy('due_at')
          .orderBy('id')
          .limit(1),
      ).executeTakeFirst();
      if (!row) return undefined;
      if (await postponed(db, row, now)) continue;
      const until = now + lease;
      await ofMail(db, row)
        .set({ due_at: until, locked_until: until, started_at: row.started_at ?? now })
        .execute();
      return { ...row, due_at: until, locked_until: until, started_at: row.started_at ?? now };
    }
  });
}

const day = 24 * 3_600_000;
const hour = 3_600_000;

/** Acknowledgements of withdrawals to one address in 24 hours, and to addresses that belong to no order in an hour. */
const maxToAddress = 3;
const maxToStrangers = 100;

/**
 * Lets an acknowledgement wait, with all others of its kind, if too many were sent: anyone can have them sent to any address. In one
 * statement, so that a flood keeps no other mail waiting.
 */
async function postponed(db: Db, row: MailTable, now: number): Promise<boolean> {
  // One that a person sends again has been waited for.
  if (row.kind !== 'withdrawal.received' || row.started_at !== null || row.resent_of !== null) return false;
  const sent = db
    .selectFrom('mails')
    .select('started_at')
    .where('store_id', '=', row.store_id)
    .where('kind', '=', row.kind)
    .where('started_at', 'is not', null)
    .where('resent_of', 'is', null)
    .orderBy('started_at', 'desc')
    .limit(1);
  const waiting = db
    .updateTable('mails')
    .where('store_id', '=', row.store_id)
    .where('kind', '=', row.kind)
    .where('status', '=', sql.lit('pending'))
    .where('due_at', '<=', now)
    .where('started_at', 'is', null)
    .where('resent_of', 'is', null);
  const toAddress = await sent
    .where('recipient', '=', row.recipient)
    .where('started_at', '>', now - day)
    .offset(maxToAddress - 1)
    .executeTakeFirst();
  if (toAddress) {
    const due_at = (toAddress.started_at ?? now) + day;
    await waiting.where('recipient', '=', row.recipient).set({ due_at }).execute();
    return true;
  }
  if (row.order_id !== null) return false;
  const toStrangers = await sent
    .where('order_id', 'is', null)
    .where('started_at', '>', now - hour)
    .offset(maxToStrangers - 1)
    .executeTakeFirst();
  if (!toStrangers) return false;
  await waiting
    .where('order_id', 'is', null)
    .set({ due_at: (toStrangers.started_at ?? now) + hour })
    .execute();
  return true;
}

const ofMail = (db: Db, { store_id, id }: Pick<MailTable, 'store_id' | 'id'>) =>
  db.updateTable('mails').where('store_id', '=', store_id).where('id', '=', id);

/** The mail, as long as this process has it. */
const claimed = (db: Db, claim: ClaimedMail) =>
  ofMail(db, claim).where('status', '=', 'pending').where('locked_until', '=', claim.locked_until);

/** Writes the letter down before it is sent for the first time: every attempt sends the same. @returns false if the claim was lost */
export async function keepContent({ storage }: Engine, claim: ClaimedMail, content: MailContent): Promise<boolean> {
  const { numUpdatedRows } = await runTransaction(storage, (db) =>
    claimed(db, claim)
      .set({ subject: content.subject, content: JSON.stringify(content) })
      .executeTakeFirstOrThrow(),
  );
  return Number(numUpdatedRows) === 1;
}

/** Gives a claimed mail back without counting an attempt. */
export async function releaseMail({ storage, clock }: Engine, claim: ClaimedMail): Promise<void> {
  const started_at = claim.attempts === 0 ? null : claim.started_at;
  await runTransaction(storage, (db) =>
    claimed(db, claim).set({ due_at: clock.now(), locked_until: null, started_at }).execute(),
  );
}

/** Ends a claimed mail that is not to be sent any more. */
export async function cancelMail({ storage }: Engine, claim: ClaimedMail): Promise<void> {
  await runTransaction(storage, (db) =>
    claimed(db, claim).set({ status: 'cancelled', due_at: null, locked_until: null }).execute(),
  );
}

/** Pauses before the outcome of an attempt is written again, in milliseconds: a mail whose outcome is lost is sent twice. */
const pauses = [200, 1000, 5000];

/** Writes the outcome of an attempt, unless the claim was lost or the mail forgotten meanwhile. */
export async function recordAttempt(
  { storage }: Engine,
  claim: ClaimedMail,
  attempt: MailAttempt,
  { status, dueAt, sentAt }: { status: MailTable['status']; dueAt: number | null; sentAt: number | null },
): Promise<void> {
  const log = JSON.stringify([...(JSON.parse(claim.log) as MailAttempt[]), attempt]);
  const write = () =>
    runTransaction(storage, (db) =>
      claimed(db, claim)
        .set({ status, due_at: dueAt, sent_at: sentAt, locked_until: null, attempts: claim.attempts + 1, log })
        .execute(),
    );
  for (const pause of pauses) {
    try {
      await write();
      return;
    } catch {
      await sleep(pause);
    }
  }
  await write();
}
