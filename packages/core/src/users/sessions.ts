import { hash, randomBytes } from 'node:crypto';
import { IdentityCache, type IdentitySource } from '../api-keys/identities.ts';
import { audit } from '../audit/entry.ts';
import type { Context, Engine, TxContext } from '../engine/context.ts';
import { perEngine } from '../engine/per-engine.ts';
import { type Role, roles } from '../engine/scopes.ts';
import { transact } from '../engine/transaction.ts';
import { toTimestamp } from '../kernel/clock.ts';
import { notFound } from '../kernel/errors.ts';
import type { List } from '../kernel/json.ts';
import { prepared, preparedChange } from '../storage/prepared.ts';
import { reading, writing } from '../storage/run.ts';
import type { SessionTable } from '../storage/tables/users.ts';
import { findStore } from '../stores/stores.ts';
import { requireUser } from './acting.ts';
import type { Session } from './fields.ts';

const hour = 60 * 60_000;
/** Milliseconds after which a session ends at the latest. */
const longest = 30 * 24 * hour;
/** Milliseconds without use after which a session ends that does not outlive the browser. */
const longestIdle = 12 * hour;
/** Sessions of one user; the oldest ends when there are more. */
const maxSessions = 50;
/** Characters of a browser's name that are kept. */
const maxAgent = 300;

/** What a sign-in knows about the browser. */
export interface SignInPlace {
  /** The network address, if it is known. */
  address?: string | undefined;
  /** Browser and system, as the browser names them. */
  agent?: string | undefined;
}

export function hashToken(token: string): string {
  return hash('sha256', token);
}

export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

type SessionRow = SessionTable & { role: string | null; status: string | null };

// A session is found by its hash, which does not identify the store.
const sessionByHash = prepared<{ hash: string }, SessionRow>((db, p) =>
  db
    .selectFrom('sessions as s')
    .leftJoin('users as u', (join) => join.onRef('u.store_id', '=', 's.store_id').onRef('u.id', '=', 's.user_id'))
    .selectAll('s')
    .select(['u.role', 'u.status'])
    .where('s.hash', '=', p('hash')),
);

const recordUse = preparedChange<{ storeId: string; id: string; at: number }>((db, p) =>
  db
    .updateTable('sessions')
    .set({ last_used_at: p('at') })
    .where('store_id', '=', p('storeId'))
    .where('id', '=', p('id')),
);

const sessionSource: IdentitySource = {
  async read(engine, hash) {
    const [row] = await reading(engine.storage, (db) => sessionByHash(db, { hash }));
    if (!row || (row.user_id !== null && row.status !== 'active')) return undefined;
    const store = await findStore(engine, row.store_id);
    if (!store) return undefined;
    // Whoever has the link of a new store can make its first owner.
    const role = row.user_id === null ? undefined : (row.role as Role);
    const session = role === undefined ? { id: row.id } : { id: row.id, role };
    return {
      id: row.id,
      identity: {
        store,
        actor: { type: 'user', id: row.user_id, scopes: new Set(roles[role ?? 'owner']), session },
        prefix: 'user',
        expiresAt: endOf(row),
      },
    };
  },
  recordUse: (db, use) => recordUse(db, use),
};

/** Sessions in use, by the hash of their token. */
export const sessions = perEngine((engine) => new IdentityCache(engine, sessionSource));

function endOf({ is_kept, last_used_at, expires_at }: SessionTable): number {
  return is_kept ? expires_at : Math.min(expires_at, last_used_at + longestIdle);
}

/** Begins a session. @returns its token, which is stored only as a hash */
export async function beginSession(
  tx: TxContext,
  userId: string | null,
  keep: boolean,
  { address, agent = '' }: SignInPlace,
): Promise<string> {
  const { db, now, store } = tx;
  const token = newToken();
  await db.deleteFrom('sessions').where('store_id', '=', store.id).where('expires_at', '<=', now).execute();
  if (userId !== null) {
    const older = await db
      .selectFrom('sessions')
      .select('id')
      .where('store_id', '=', store.id)
      .where('user_id', '=', userId)
      .orderBy('last_used_at', 'desc')
      .orderBy('id', 'desc')
      .offset(maxSessions - 1)
      .limit(maxSessions)
      .execute();
    if (older.length > 0)
      await endSessionsWithId(
        tx,
        older.map(({ id }) => id),
      );
  }
  await db
    .insertInto('sessions')
    .values({
      store_id: store.id,
      id: tx.engine.ids.next(now),
      hash: hashToken(token),
      user_id: userId,
      is_kept: keep && userId !== null ? 1 : 0,
      agent: agent.slice(0, maxAgent),
      address: address ?? null,
      last_used_at: now,
      // Nobody can see or end the session of a link that belongs to no user.
      expires_at: now + (userId === null ? longestIdle : longest),
      created_at: now,
    })
    .execute();
  return token;
}

/** Seconds for which a browser keeps the cookie of a session that outlives it. */
export const keptSeconds = longest / 1000;

async function endSessionsWithId({ db, store }: TxContext, ids: readonly string[]): Promise<void> {
  await db.deleteFrom('sessions').where('store_id', '=', store.id).where('id', 'in', ids).execute();
}

/** Ends the sessions of a user, except for one. */
export async function endSessions({ db, store }: TxContext, userId: string, except?: string): Promise<void> {
  let ended = db.deleteFrom('sessions').where('store_id', '=', store.id).where('user_id', '=', userId);
  if (except !== undefined) ended = ended.where('id', '<>', except);
  await ended.execute();
}

/** Makes the end of a session or of a user's sessions take effect in this process. @param id of the session or the user */
export function forgetSessions(engine: Engine, id: string): void {
  sessions(engine).forget(id);
  engine.unit?.afterCommit((outer) => sessions(outer).forget(id));
}

/** The sessions of the user who sends the request, the last used first. @throws CommerceError `forbidden` for an API key */
export async function listSessions(ctx: Context): Promise<List<Session>> {
  const { id: userId, session } = requireUser(ctx);
  const now = ctx.engine.clock.now();
  const rows = await reading(ctx.engine.storage, (db) =>
    db
      .selectFrom('sessions')
      .selectAll()
      .where('store_id', '=', ctx.store.id)
      .where('user_id', '=', userId)
      .orderBy('last_used_at', 'desc')
      .orderBy('id', 'desc')
      .execute(),
  );
  const items = rows
    .filter((row) => endOf(row) > now)
    .map((row) => ({
      id: row.id,
      agent: row.agent,
      address: row.address,
      isCurrent: row.id === session.id,
      isKept: row.is_kept === 1,
      lastUsedAt: toTimestamp(row.last_used_at),
      expiresAt: toTimestamp(endOf(row)),
      createdAt: toTimestamp(row.created_at),
    }));
  return { items, total: items.length };
}

/**
 * Ends a session of the user who sends the request.
 * @throws CommerceError `notFound`; `forbidden` for an API key
 */
export async function endSession(ctx: Context, id: string): Promise<void> {
  const { id: userId } = requireUser(ctx);
  await transact(ctx, async (tx) => {
    const ended = await tx.db
      .deleteFrom('sessions')
      .where('store_id', '=', tx.store.id)
      .where('user_id', '=', userId)
      .where('id', '=', id)
      .returning('id')
      .executeTakeFirst();
    if (!ended) throw notFound('session', id);
    audit(tx, { action: 'user.session_ended', resourceType: 'user', resourceId: userId, changes: addressOf(tx) });
  });
  forgetSessions(ctx.engine, id);
}

/** Ends all sessions of the user who sends the request, except for the one of the request. @throws CommerceError as `endSession` */
export async function endOtherSessions(ctx: Context): Promise<void> {
  const { id: userId, session } = requireUser(ctx);
  await transact(ctx, async (tx) => {
    await endSessions(tx, userId, session.id);
    audit(tx, { action: 'user.session_ended', resourceType: 'user', resourceId: userId, changes: addressOf(tx) });
  });
  forgetSessions(ctx.engine, userId);
}

/** Ends the session of a token, if there is one. */
export async function signOut(engine: Engine, token: string): Promise<void> {
  const hash = hashToken(token);
  // The token is the secret that names the session, so no store is needed.
  const row = await writing(engine.storage, (db) =>
    db.deleteFrom('sessions').where('hash', '=', hash).returning('id').executeTakeFirst(),
  );
  if (row) forgetSessions(engine, row.id);
}

/** Facts of an audit entry about people: the network address of the request, if it is known. */
export function addressOf({ address }: Pick<Context, 'address'>): { address?: string } {
  return address === undefined ? {} : { address };
}
