import { audit } from '../audit/entry.ts';
import type { Actor, Engine, TxContext } from '../engine/context.ts';
import type { StoreContext } from '../engine/store.ts';
import { transact } from '../engine/transaction.ts';
import { CommerceError, invalid } from '../kernel/errors.ts';
import { parse } from '../kernel/parse.ts';
import { reading } from '../storage/run.ts';
import type { Db } from '../storage/storage.ts';
import { findStore } from '../stores/stores.ts';
import { countAttempt, succeeded } from './attempts.ts';
import { findCode, refusedCode, storeIdOf, takeCode } from './codes.ts';
import { emailKey, SignInFields, type SignInInput } from './fields.ts';
import { personOfPasskey } from './passkeys.ts';
import { isPassword } from './password.ts';
import { beginSession, type SignInPlace } from './sessions.ts';

/** A session that has begun. */
export interface SignedIn {
  storeId: string;
  /** Names the session; stored only as a hash. */
  token: string;
  /** Whether the session outlives the browser. */
  isKept: boolean;
}

/** Stores that a person can sign in to; one of them has to be chosen. */
export interface StoreChoice {
  stores: { id: string; name: string }[];
}

export interface SignInOptions extends SignInPlace {
  requestId?: string | null;
}

/** People of one e-mail whose passwords are tried: each takes as long as a hash. */
const maxPeople = 5;

const system: Actor = { type: 'system', id: null };

/**
 * Begins the session of a user. The answer to an e-mail that is unknown, a user who is disabled, and a wrong password is the same, and
 * takes as long. Audit entries: `user.signed_in`, `user.sign_in_failed`.
 * @returns the session; or the stores to choose from, if the person is a user of several and names none
 * @throws CommerceError `validation`; `unauthorized`; `rateLimited` after 5 failures of an e-mail or 20 of a network address in 15 minutes
 */
export async function signIn(
  engine: Engine,
  input: SignInInput,
  options: SignInOptions = {},
): Promise<SignedIn | StoreChoice> {
  const given = parse(SignInFields, input);
  const { code, email, password, passkey } = given;
  if (code !== undefined) return signInWithCode(engine, code, given.keep, options);
  if (passkey !== undefined) {
    const personId = await personOfPasskey(engine, passkey);
    return enter(engine, personId, 'passkey', given, options);
  }
  if (email === undefined || email.trim() === '') throw invalid('email', 'is required', { code: 'REQUIRED' });
  if (password === undefined) throw invalid('password', 'is required', { code: 'REQUIRED' });
  return signInWithPassword(engine, { ...given, email, password }, options);
}

type Wanted = Pick<ReturnType<typeof SignInFields.parse>, 'storeId' | 'keep'>;

async function signInWithPassword(
  engine: Engine,
  { email, password, ...wanted }: Wanted & { email: string; password: string },
  options: SignInOptions,
): Promise<SignedIn | StoreChoice> {
  const counted = { email: emailKey(email), address: options.address };
  await countAttempt(engine, counted);
  const people = await reading(engine.storage, (db) => peopleOf(db, emailKey(email)));
  const personId = await matching(people, password);
  if (personId === undefined) {
    // Not awaited, because only an e-mail that is known has an entry to write.
    void noteFailure(engine, emailKey(email), options).catch(() => {});
    throw refused();
  }
  await succeeded(engine, counted);
  return enter(engine, personId, 'password', wanted, options);
}

/** People with a password, by the e-mail of an active user. The e-mail alone says nothing about a store. */
export async function peopleOf(db: Db, key: string): Promise<{ id: string; password: string }[]> {
  const rows = await db
    .selectFrom('users')
    .innerJoin('people', 'people.id', 'users.person_id')
    .select(['people.id', 'people.password'])
    .distinct()
    .where('users.email_key', '=', key)
    .where('users.status', '=', 'active')
    .where('people.password', 'is not', null)
    .orderBy('people.id')
    .limit(maxPeople)
    .execute();
  return rows as { id: string; password: string }[];
}

/** The person with this password. Takes as long for nobody as for one. */
export async function matching(
  people: readonly { id: string; password: string }[],
  password: string,
): Promise<string | undefined> {
  if (people.length === 0) await isPassword(password, undefined);
  for (const person of people) if (await isPassword(password, person.password)) return person.id;
  return undefined;
}

/** Notes a failed sign-in in the stores that have a user of the e-mail. */
async function noteFailure(engine: Engine, key: string, { address, requestId = null }: SignInOptions): Promise<void> {
  const users = await reading(engine.storage, (db) =>
    db.selectFrom('users').select(['store_id', 'id']).where('email_key', '=', key).limit(maxPeople).execute(),
  );
  for (const { store_id, id } of users) {
    const store = await findStore(engine, store_id);
    if (!store) continue;
    await transact({ engine, store, actor: system, requestId }, async (tx) => {
      audit(tx, {
        action: 'user.sign_in_failed',
        resourceType: 'user',
        resourceId: id,
        changes: { address: address ?? null },
      });
    });
  }
}

/** Begins a session of a person in the store that is wanted, or in the only one. */
async function enter(
  engine: Engine,
  personId: string,
  by: 'password' | 'passkey',
  { storeId, keep }: Wanted,
  options: SignInOptions,
): Promise<SignedIn | StoreChoice> {
  const users = await reading(engine.storage, (db) => usersOf(db, personId));
  const wanted = users.filter((user) => storeId === undefined || user.store_id === storeId);
  const [user] = wanted;
  if (!user) throw refused();
  if (wanted.length > 1) return { stores: users.map(({ store_id: id, name }) => ({ id, name })) };
  const store = await requireStore(engine, user.store_id);
  return transact({ engine, store, actor: system, requestId: options.requestId ?? null }, async (tx) => {
    const active = await tx.db
      .updateTable('users')
      .set({ last_sign_in_at: tx.now })
      .where('store_id', '=', store.id)
      .where('id', '=', user.id)
      .where('status', '=', 'active')
      .where('person_id', '=', personId)
      .returning('id')
      .executeTakeFirst();
    if (!active) throw refused();
    return begin(tx, user.id, by, keep, options);
  });
}

/** The active users of a person, with the names of their stores. */
export function usersOf(db: Db, personId: string): Promise<{ store_id: string; id: string; name: string }[]> {
  return db
    .selectFrom('users')
    .innerJoin('stores', 'stores.id', 'users.store_id')
    .select(['users.store_id', 'users.id', 'stores.name'])
    .where('users.person_id', '=', personId)
    .where('users.status', '=', 'active')
    .orderBy('stores.name')
    .orderBy('users.store_id')
    .execute();
}

async function begin(
  tx: TxContext,
  userId: string | null,
  by: 'password' | 'passkey' | 'link',
  keep: boolean,
  place: SignInPlace,
): Promise<SignedIn> {
  const token = await beginSession(tx, userId, keep, place);
  audit(tx, {
    action: 'user.signed_in',
    resourceType: 'user',
    resourceId: userId ?? '',
    changes: { by, address: place.address ?? null },
  });
  return { storeId: tx.store.id, token, isKept: keep };
}

/** Signs in by a link, once. A user who was invited becomes active. */
async function signInWithCode(engine: Engine, code: string, keep: boolean, options: SignInOptions): Promise<SignedIn> {
  const store = await findStore(engine, storeIdOf(code));
  // The code is looked up without a write lock first. Otherwise an attacker could make writers wait.
  if (!store || !(await reading(engine.storage, (db) => findCode(db, store.id, code, engine.clock.now())))) {
    throw refusedCode();
  }
  return transact({ engine, store, actor: system, requestId: options.requestId ?? null }, async (tx) => {
    const used = await takeCode(tx, code);
    if (!used) throw refusedCode();
    if (used.user_id !== null) await accept(tx, used.user_id);
    return begin(tx, used.user_id, 'link', keep, options);
  });
}

async function accept(tx: TxContext, userId: string): Promise<void> {
  const accepted = await tx.db
    .updateTable('users')
    .set({ status: 'active', last_sign_in_at: tx.now, updated_at: tx.now })
    .where('store_id', '=', tx.store.id)
    .where('id', '=', userId)
    .where('status', 'in', ['invited', 'active'])
    .returning('id')
    .executeTakeFirst();
  if (!accepted) throw refusedCode();
}

async function requireStore(engine: Engine, id: string): Promise<StoreContext> {
  const store = await findStore(engine, id);
  if (!store) throw refused();
  return store;
}

function refused(): CommerceError {
  return new CommerceError('unauthorized', 'the e-mail or the password is wrong, or the user is disabled');
}
