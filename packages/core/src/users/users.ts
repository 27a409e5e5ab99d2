import type * as z from 'zod';
import { audit } from '../audit/entry.ts';
import type { Actor, Context, TxContext } from '../engine/context.ts';
import { refusePublic } from '../engine/public-actor.ts';
import { type Role, roles } from '../engine/scopes.ts';
import { transact, type UniqueRules } from '../engine/transaction.ts';
import { toTimestamp } from '../kernel/clock.ts';
import { CommerceError, notFound } from '../kernel/errors.ts';
import { isId } from '../kernel/ids.ts';
import { type List, toJson } from '../kernel/json.ts';
import { maxUsers } from '../kernel/limits.ts';
import { paging } from '../kernel/paging.ts';
import { definedOnly, fields, parse } from '../kernel/parse.ts';
import { requireVersion } from '../resources/versions.ts';
import { reading, snapshot } from '../storage/run.ts';
import type { Db } from '../storage/storage.ts';
import type { PasskeyTable, UserTable } from '../storage/tables/users.ts';
import { insertCode } from './codes.ts';
import {
  emailKey,
  type Invitation,
  type Passkey,
  type SignInLink,
  type User,
  UserChangeFields,
  type UserChanges,
  UserFields,
  type UserInput,
} from './fields.ts';
import { leavePerson } from './people.ts';
import { addressOf, endSessions, forgetSessions } from './sessions.ts';

/** Milliseconds for which the link of an invitation or a reset is valid. */
const linkLasts = 24 * 60 * 60_000;

export const ruleOfEmail = (email: string): UniqueRules => ({
  'users.email_key': { field: 'email', value: email, taken: 'belongs to another user of the store' },
});

/**
 * Invites a user, who signs in with the code of the answer: once, within 24 hours. Audit entry: `user.invited`.
 * @throws CommerceError `validation`; `forbidden` for a role with a scope that the caller lacks; `conflict` for an e-mail that a user of
 * the store has, or if the store has `maxUsers`
 */
export async function createUser(ctx: Context, input: UserInput): Promise<Invitation> {
  const { email, name, role } = parse(UserFields, input);
  refusePublic(ctx);
  requireRole(ctx.actor, role);
  return transact(
    ctx,
    async (tx) => {
      const row = await insertUser(tx, { email, name, role, status: 'invited' });
      audit(tx, {
        action: 'user.invited',
        resourceType: 'user',
        resourceId: row.id,
        changes: { email, name, role, ...addressOf(tx) },
      });
      return { ...toUser(row, []), ...(await insertCode(tx, linkLasts, row.id)) };
    },
    ruleOfEmail(email),
  );
}

/** @throws CommerceError `conflict` if the store has `maxUsers` */
export async function insertUser(
  tx: TxContext,
  { email, name, role, status }: Pick<User, 'email' | 'name' | 'role' | 'status'>,
): Promise<UserTable> {
  await lockUsers(tx);
  const { n } = await tx.db
    .selectFrom('users')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('store_id', '=', tx.store.id)
    .executeTakeFirstOrThrow();
  if (n >= maxUsers) {
    throw new CommerceError('conflict', `the store has ${maxUsers} users, the most it can have: remove some first`, {
      reason: 'tooMany',
    });
  }
  const row: UserTable = {
    store_id: tx.store.id,
    id: tx.engine.ids.next(tx.now),
    email,
    email_key: emailKey(email),
    name,
    role,
    status,
    person_id: null,
    last_sign_in_at: null,
    created_at: tx.now,
    updated_at: tx.now,
  };
  await tx.db.insertInto('users').values(row).execute();
  return row;
}

/** Two changes at once must not each leave the other's owner as the last one. */
function lockUsers(tx: TxContext): Promise<void> {
  return tx.engine.storage.lockName(tx.db, `users of ${tx.store.id}`);
}

/** @throws CommerceError `forbidden` if the role has a scope that the actor lacks */
function requireRole({ scopes: held }: Actor, role: Role): void {
  const missing = held ? roles[role].filter((scope) => !held.has(scope)) : [];
  if (missing.length === 0) return;
  throw new CommerceError(
    'forbidden',
    `insufficient permissions: the role ${role} has scopes that the caller lacks: ${missing.join(', ')}`,
    { reason: 'roleBeyondOwn' },
  );
}

export const UserQuery = fields(paging);
export type UserQueryInput = z.input<typeof UserQuery>;

/** The users of the store, the oldest first. */
export async function listUsers(ctx: Context, query: UserQueryInput = {}): Promise<List<User>> {
  refusePublic(ctx);
  const { limit, offset } = parse(UserQuery, query);
  return snapshot(ctx.engine.storage, async (db) => {
    const ofStore = db.selectFrom('users').where('store_id', '=', ctx.store.id);
    const { total } = await ofStore.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
    const rows = await ofStore.selectAll().orderBy('created_at').orderBy('id').limit(limit).offset(offset).execute();
    const passkeys = await passkeysOf(db, rows);
    return { items: rows.map((row) => toUser(row, passkeys.get(row.person_id) ?? [])), total };
  });
}

/** @throws CommerceError `notFound`, also for the id of another store's user */
export async function getUser(ctx: Context, id: string): Promise<User> {
  refusePublic(ctx);
  return reading(ctx.engine.storage, (db) => readUser(db, ctx.store.id, id));
}

/** @throws CommerceError `notFound` */
export async function readUser(db: Db, storeId: string, id: string): Promise<User> {
  const row = await userRow(db, storeId, id);
  return toUser(row, (await passkeysOf(db, [row])).get(row.person_id) ?? []);
}

/** @throws CommerceError `notFound` */
export async function userRow(db: Db, storeId: string, id: string): Promise<UserTable> {
  const row = isId(id)
    ? await db.selectFrom('users').selectAll().where('store_id', '=', storeId).where('id', '=', id).executeTakeFirst()
    : undefined;
  if (!row) throw notFound('user', id);
  return row;
}

/** Passkeys of the users' people, newest first. They belong to people, not to a store. */
async function passkeysOf(db: Db, users: readonly UserTable[]): Promise<Map<string | null, PasskeyTable[]>> {
  const ids = users.map(({ person_id }) => person_id).filter((id) => id !== null);
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('passkeys')
    .selectAll()
    .where('person_id', 'in', ids)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
  return Map.groupBy(rows, ({ person_id }) => person_id);
}

/**
 * Changes a user. A role with fewer scopes and `disabled` take effect within a second in every process. Audit entry: `user.updated`.
 * @throws CommerceError `validation`; `notFound`; `forbidden` for a role with a scope that the caller lacks; `conflict` for an e-mail that
 * another user has, for the last active owner, or for a user who has not accepted the invitation yet
 */
export async function updateUser(ctx: Context, id: string, input: UserChanges): Promise<User> {
  const given = definedOnly(parse(UserChangeFields, input));
  refusePublic(ctx);
  const user = await transact(
    ctx,
    async (tx) => {
      const { row, item } = await lockUser(tx, id);
      const { email = row.email, name = row.name, role = row.role as Role, status = row.status } = given;
      requireRole(ctx.actor, role);
      if (row.status === 'invited' && status === 'active') {
        throw new CommerceError('conflict', `${row.email} becomes active by using the link of the invitation`, {
          reason: 'userInvited',
        });
      }
      const changed = { email, name, role, status };
      const before = { email: row.email, name: row.name, role: row.role, status: row.status };
      const changes = Object.fromEntries(
        Object.entries(changed)
          .map(([field, to]) => [field, { from: before[field as keyof typeof before], to }] as const)
          .filter(([, { from, to }]) => from !== to),
      );
      if (Object.keys(changes).length === 0) return item;
      if (role !== 'owner' || status !== 'active') await requireOtherOwner(tx, row);
      await tx.db
        .updateTable('users')
        .set({ ...changed, email_key: emailKey(email), updated_at: tx.now })
        .where('store_id', '=', tx.store.id)
        .where('id', '=', id)
        .execute();
      if (status === 'disabled') await endSessions(tx, id);
      audit(tx, {
        action: 'user.updated',
        resourceType: 'user',
        resourceId: id,
        changes: { ...changes, ...addressOf(tx) },
      });
      return readUser(tx.db, tx.store.id, id);
    },
    ruleOfEmail(given.email ?? ''),
  );
  forgetSessions(ctx.engine, id);
  return user;
}

/** The user, locked for a change. @throws CommerceError `notFound`; `forbidden` if the user can do more than the actor */
async function lockUser(tx: TxContext, id: string): Promise<{ row: UserTable; item: User }> {
  await lockUsers(tx);
  const row = await userRow(tx.db, tx.store.id, id);
  const item = await readUser(tx.db, tx.store.id, id);
  requireVersion(tx, id, () => toJson(item));
  requireRole(tx.actor, row.role as Role);
  return { row, item };
}

/** @throws CommerceError `conflict` if this is the only active owner */
async function requireOtherOwner(tx: TxContext, { id, role, status }: UserTable): Promise<void> {
  if (role !== 'owner' || status !== 'active') return;
  const other = await tx.db
    .selectFrom('users')
    .select('id')
    .where('store_id', '=', tx.store.id)
    .where('role', '=', 'owner')
    .where('status', '=', 'active')
    .where('id', '<>', id)
    .executeTakeFirst();
  if (!other)
    throw new CommerceError('conflict', 'this is the last active owner of the store: make another owner first', {
      reason: 'lastOwner',
    });
}

/**
 * Removes a user and ends the sessions. Takes effect within a second in every process. Audit entry: `user.removed`.
 * @throws CommerceError `notFound`; `forbidden` for a user with scopes that the caller lacks; `conflict` for the last active owner
 */
export async function removeUser(ctx: Context, id: string): Promise<void> {
  refusePublic(ctx);
  await transact(ctx, async (tx) => {
    const { row } = await lockUser(tx, id);
    await requireOtherOwner(tx, row);
    await endSessions(tx, id);
    await tx.db.deleteFrom('sign_in_codes').where('store_id', '=', tx.store.id).where('user_id', '=', id).execute();
    await tx.db.deleteFrom('users').where('store_id', '=', tx.store.id).where('id', '=', id).execute();
    await leavePerson(tx, row.person_id);
    const { email, name, role } = row;
    audit(tx, {
      action: 'user.removed',
      resourceType: 'user',
      resourceId: id,
      changes: { email, name, role, ...addressOf(tx) },
    });
  });
  forgetSessions(ctx.engine, id);
}

/**
 * Ends the sessions of a user and lets no password or passkey sign in to this store as the user any more. The code of the answer signs in
 * once, within 24 hours, to set others. Other stores of the same person keep theirs. Audit entry: `user.reset`.
 * @throws CommerceError `notFound`; `forbidden` for a user with scopes that the caller lacks; `conflict` for a disabled user
 */
export async function resetUser(ctx: Context, id: string): Promise<SignInLink> {
  refusePublic(ctx);
  const link = await transact(ctx, async (tx) => {
    const { row } = await lockUser(tx, id);
    if (row.status === 'disabled') {
      throw new CommerceError('conflict', `${row.email} is disabled: set the status to active first`, {
        reason: 'userDisabled',
      });
    }
    await endSessions(tx, id);
    await tx.db
      .updateTable('users')
      .set({ person_id: null, updated_at: tx.now })
      .where('store_id', '=', tx.store.id)
      .where('id', '=', id)
      .execute();
    await leavePerson(tx, row.person_id);
    // An older link would still sign in.
    await tx.db.deleteFrom('sign_in_codes').where('store_id', '=', tx.store.id).where('user_id', '=', id).execute();
    audit(tx, { action: 'user.reset', resourceType: 'user', resourceId: id, changes: addressOf(tx) });
    return insertCode(tx, linkLasts, id);
  });
  forgetSessions(ctx.engine, id);
  return link;
}

export function toUser(row: UserTable, passkeys: readonly PasskeyTable[]): User {
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    role: row.role as Role,
    status: row.status,
    passkeys: passkeys.map(toPasskey),
    lastSignInAt: row.last_sign_in_at === null ? null : toTimestamp(row.last_sign_in_at),
    createdAt: toTimestamp(row.created_at),
    updatedAt: toTimestamp(row.updated_at),
  };
}

export function toPasskey(row: PasskeyTable): Passkey {
  return {
    id: row.id,
    name: row.name,
    createdAt: toTimestamp(row.created_at),
    lastUsedAt: row.last_used_at === null ? null : toTimestamp(row.last_used_at),
  };
}
