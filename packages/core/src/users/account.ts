import { audit } from '../audit/entry.ts';
import type { Context, TxContext } from '../engine/context.ts';
import { transact } from '../engine/transaction.ts';
import { CommerceError, invalid } from '../kernel/errors.ts';
import { parse } from '../kernel/parse.ts';
import { reading } from '../storage/run.ts';
import { requireUser } from './acting.ts';
import { countAttempt, succeeded } from './attempts.ts';
import {
  AccountFields,
  type AccountInput,
  emailKey,
  type OwnUser,
  PasswordFields,
  type PasswordInput,
} from './fields.ts';
import { hashPassword, isPassword, readPassword } from './password.ts';
import { becomePerson, newPerson } from './people.ts';
import { addressOf, forgetSessions } from './sessions.ts';
import { matching, peopleOf, usersOf } from './sign-in.ts';
import { insertUser, readUser, ruleOfEmail, userRow } from './users.ts';

/** The user who sends the request. @throws CommerceError `forbidden` for an API key */
export async function getOwnUser(ctx: Context): Promise<OwnUser> {
  const { id } = requireUser(ctx);
  const { store, engine } = ctx;
  return reading(engine.storage, async (db) => {
    const { person_id } = await userRow(db, store.id, id);
    const person = person_id
      ? await db.selectFrom('people').select('password').where('id', '=', person_id).executeTakeFirst()
      : undefined;
    const users = person_id ? await usersOf(db, person_id) : [{ store_id: store.id, name: store.name }];
    return {
      ...(await readUser(db, store.id, id)),
      hasPassword: Boolean(person?.password),
      stores: users.map(({ store_id, name }) => ({ id: store_id, name })),
    };
  });
}

/**
 * Makes an owner of a person who has signed in by a link that belongs to no user, such as the first link of a store. The session becomes
 * the user's. Audit entry: `user.invited`.
 * @throws CommerceError `validation`; `forbidden` in any other session; `conflict` for an e-mail that a user of the store has
 */
export async function createAccount(ctx: Context, input: AccountInput): Promise<OwnUser> {
  const { actor } = ctx;
  const { session } = actor;
  if (actor.type !== 'user' || actor.id !== null || !session) {
    throw new CommerceError('forbidden', 'only the session of a link that belongs to no user can make an account');
  }
  const { email, name, password } = parse(AccountFields, input);
  const credentials = password === undefined ? undefined : await credentialsOf(ctx, email, password);
  const userId = await transact(
    ctx,
    async (tx) => {
      const { id } = await insertUser(tx, { email, name, role: 'owner', status: 'active' });
      if (credentials?.personId !== undefined) await becomePerson(tx, id, credentials.personId);
      else if (credentials) await newPerson(tx, id, credentials.hash);
      await tx.db
        .updateTable('users')
        .set({ last_sign_in_at: tx.now })
        .where('store_id', '=', tx.store.id)
        .where('id', '=', id)
        .execute();
      const moved = await tx.db
        .updateTable('sessions')
        .set({ user_id: id })
        .where('store_id', '=', tx.store.id)
        .where('id', '=', session.id)
        .where('user_id', 'is', null)
        .returning('id')
        .executeTakeFirst();
      if (!moved) throw new CommerceError('conflict', 'the session has an account already, or has ended');
      audit(tx, {
        action: 'user.invited',
        resourceType: 'user',
        resourceId: id,
        changes: { email, name, role: 'owner', ...addressOf(tx) },
      });
      return id;
    },
    ruleOfEmail(email),
  );
  forgetSessions(ctx.engine, session.id);
  return getOwnUser({ ...ctx, actor: { ...actor, id: userId } });
}

type Credentials = { personId: string; hash: undefined } | { personId: undefined; hash: string };

/**
 * The person who has this e-mail and password in another store, or the hash for a new person. An e-mail alone makes nobody the person of
 * another store, because whoever runs a store can invite any e-mail.
 */
async function credentialsOf(ctx: Context, email: string, password: string): Promise<Credentials> {
  const normal = await readPassword(password, email);
  const key = emailKey(email);
  const people = await reading(ctx.engine.storage, (db) => peopleOf(db, key));
  if (people.length > 0) {
    // Otherwise this would be a way to guess the password of another store without a limit.
    await countAttempt(ctx.engine, { email: key });
    const personId = await matching(people, normal);
    if (personId !== undefined) {
      await succeeded(ctx.engine, { email: key });
      return { personId, hash: undefined };
    }
  }
  return { personId: undefined, hash: await hashPassword(normal) };
}

/**
 * Sets the password of the user who sends the request, for all stores of the person. All other sessions of the person end. Audit entry:
 * `user.password_changed`.
 * @throws CommerceError `validation`, also for a wrong present password; `forbidden` for an API key; `rateLimited`
 */
export async function setPassword(ctx: Context, input: PasswordInput): Promise<OwnUser> {
  const { id, session } = requireUser(ctx);
  const { engine, store } = ctx;
  const { password, current } = parse(PasswordFields, input);
  const { row, person } = await reading(engine.storage, async (db) => {
    const row = await userRow(db, store.id, id);
    const person = row.person_id
      ? await db.selectFrom('people').selectAll().where('id', '=', row.person_id).executeTakeFirst()
      : undefined;
    return { row, person };
  });
  if (person?.password) {
    if (current === undefined) throw invalid('current', 'is required', { code: 'REQUIRED' });
    await countAttempt(engine, { email: row.email_key });
    if (!(await isPassword(current, person.password)))
      throw invalid('current', 'must be the present password', { code: 'INCORRECT' });
    await succeeded(engine, { email: row.email_key });
  }
  const credentials: Credentials = person
    ? { personId: undefined, hash: await hashPassword(await readPassword(password, row.email)) }
    : await credentialsOf(ctx, row.email, password);
  const ended = await transact(ctx, async (tx) => {
    const { person_id } = await userRow(tx.db, store.id, id);
    if (person_id !== (person?.id ?? null)) throw new CommerceError('conflict', 'the account was changed meanwhile');
    let personId = person_id;
    if (credentials.hash === undefined) {
      personId = credentials.personId;
      await becomePerson(tx, id, personId);
    } else if (personId === null) personId = await newPerson(tx, id, credentials.hash);
    else {
      await tx.db.updateTable('people').set({ password: credentials.hash }).where('id', '=', personId).execute();
    }
    audit(tx, { action: 'user.password_changed', resourceType: 'user', resourceId: id, changes: addressOf(tx) });
    return endOfPerson(tx, personId, credentials.hash === undefined ? undefined : session.id);
  });
  for (const userId of ended) forgetSessions(engine, userId);
  return getOwnUser(ctx);
}

/**
 * Ends the sessions of a person in all stores, except for one.
 * @param except the session of the request; undefined ends none, because no password has changed
 * @returns the ids of the person's users
 */
async function endOfPerson(
  { db }: Pick<TxContext, 'db'>,
  personId: string,
  except: string | undefined,
): Promise<string[]> {
  if (except === undefined) return [];
  const users = await usersOf(db, personId);
  for (const { store_id, id } of users) {
    await db
      .deleteFrom('sessions')
      .where('store_id', '=', store_id)
      .where('user_id', '=', id)
      .where('id', '<>', except)
      .execute();
  }
  return users.map(({ id }) => id);
}
