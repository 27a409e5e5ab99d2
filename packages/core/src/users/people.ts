import type { TxContext } from '../engine/context.ts';
import type { Db } from '../storage/storage.ts';

/** Removes a person, whose password and passkeys no user of any store has any more. */
export async function leavePerson({ db }: TxContext, personId: string | null): Promise<void> {
  if (personId === null) return;
  // A person belongs to stores by the users alone.
  const user = await db.selectFrom('users').select('id').where('person_id', '=', personId).executeTakeFirst();
  if (user) return;
  await db.deleteFrom('passkeys').where('person_id', '=', personId).execute();
  await db.deleteFrom('people').where('id', '=', personId).execute();
}

/** Makes a person, and the user sign in as this person. */
export async function newPerson(tx: TxContext, userId: string, password: string | null): Promise<string> {
  const id = tx.engine.ids.next(tx.now);
  await tx.db.insertInto('people').values({ id, password, created_at: tx.now }).execute();
  await becomePerson(tx, userId, id);
  return id;
}

/** Makes a user sign in as a person. A link that still waits would enter the account of this person. */
export async function becomePerson({ db, store, now }: TxContext, userId: string, personId: string): Promise<void> {
  await db
    .updateTable('users')
    .set({ person_id: personId, updated_at: now })
    .where('store_id', '=', store.id)
    .where('id', '=', userId)
    .execute();
  await endCodes({ db, store }, userId);
}

/** Ends the links of a user that were not used. */
export async function endCodes({ db, store }: Pick<TxContext, 'db' | 'store'>, userId: string): Promise<void> {
  await db.deleteFrom('sign_in_codes').where('store_id', '=', store.id).where('user_id', '=', userId).execute();
}

/** Whether a person has a password or a passkey. */
export async function hasCredentials(db: Db, personId: string): Promise<boolean> {
  const person = await db.selectFrom('people').select('password').where('id', '=', personId).executeTakeFirst();
  if (person?.password) return true;
  return (
    (await db.selectFrom('passkeys').select('id').where('person_id', '=', personId).executeTakeFirst()) !== undefined
  );
}
