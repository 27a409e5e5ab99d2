import { hash } from 'node:crypto';
import { sql } from 'kysely';
import type { Engine } from '../engine/context.ts';
import { CommerceError } from '../kernel/errors.ts';
import { networkOf } from '../network/network-of.ts';
import { reading, runTransaction, writing } from '../storage/run.ts';

/** Milliseconds for which failed sign-ins count. */
const window = 15 * 60_000;

/** Failed sign-ins that are allowed in a window. A person is counted besides the e-mail, which another store can change. */
const allowed = { email: 5, person: 5, network: 20 };

type Kind = keyof typeof allowed;

/** What an attempt is counted under. */
export interface Counted {
  email: string;
  people: readonly { id: string }[];
  /** The network address, if it is known. */
  address: string | undefined;
}

interface Entry {
  kind: Kind;
  name: string;
}

const entryOf = (kind: Kind, value: string): Entry => ({ kind, name: hash('sha256', `${kind}:${value}`) });

function entriesOf({ email, people, address }: Counted): Entry[] {
  return [
    entryOf('email', email),
    ...people.map(({ id }) => entryOf('person', id)),
    ...(address === undefined ? [] : [entryOf('network', networkOf(address))]),
  ].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/**
 * Tries a password. The attempt counts from its beginning, so that attempts at the same moment cannot pass the limit together, and is taken
 * back unless the password is wrong: not if it is right, and not if it could not be tried.
 * @param attempt answers undefined for a wrong password
 * @throws CommerceError `rateLimited`, whose `about` is the number of seconds until the next attempt
 */
export async function attempted<T>(
  engine: Engine,
  counted: Counted,
  attempt: () => Promise<T | undefined>,
): Promise<T | undefined> {
  const entries = entriesOf(counted);
  await count(engine, entries);
  try {
    const result = await attempt();
    if (result !== undefined) await takeBack(engine, entries);
    return result;
  } catch (error) {
    await takeBack(engine, entries);
    throw error;
  }
}

/** The rows belong to no store: an attacker does not say which store an e-mail is for. */
async function count(engine: Engine, entries: readonly Entry[]): Promise<void> {
  const now = engine.clock.now();
  // An attempt that is refused takes no lock that writers wait for.
  const names = entries.map(({ name }) => name);
  const rows = await reading(engine.storage, (db) =>
    db.selectFrom('sign_in_failures').selectAll().where('name', 'in', names).where('ends_at', '>', now).execute(),
  );
  for (const { kind, name } of entries) {
    const row = rows.find((one) => one.name === name);
    if (row && row.count >= allowed[kind]) throw tooMany(kind, row.ends_at - now);
  }
  await runTransaction(engine.storage, async (db) => {
    for (const { kind, name } of entries) {
      const row = await db
        .insertInto('sign_in_failures')
        .values({ name, count: 1, ends_at: now + window })
        .onConflict((oc) =>
          oc.column('name').doUpdateSet({
            count: sql<number>`case when sign_in_failures.ends_at <= ${now} then 1 else sign_in_failures.count + 1 end`,
            ends_at: sql<number>`case when sign_in_failures.ends_at <= ${now} then ${now + window} else sign_in_failures.ends_at end`,
          }),
        )
        .returning(['count', 'ends_at'])
        .executeTakeFirstOrThrow();
      if (row.count > allowed[kind]) throw tooMany(kind, row.ends_at - now);
    }
  });
}

const subjects = { email: 'this e-mail', person: 'this person', network: 'one network address' };

function tooMany(kind: Kind, wait: number): CommerceError {
  const seconds = Math.ceil(wait / 1000);
  return new CommerceError(
    'rateLimited',
    `the limit for ${subjects[kind]} is ${allowed[kind]} failed sign-ins in 15 minutes; try again in ${seconds} s, or use a passkey or a link`,
    { reason: 'tooManySignIns', about: String(seconds) },
  );
}

async function takeBack(engine: Engine, entries: readonly Entry[]): Promise<void> {
  await writing(engine.storage, async (db) => {
    for (const { name } of entries) {
      await db
        .updateTable('sign_in_failures')
        .set((eb) => ({ count: eb('count', '-', 1) }))
        .where('name', '=', name)
        .where('count', '>', 0)
        .execute();
    }
  });
}

/** Removes rows of windows that have ended, and challenges that no passkey has answered. */
export async function forgetAttempts(engine: Engine): Promise<void> {
  const now = engine.clock.now();
  await writing(engine.storage, async (db) => {
    await db.deleteFrom('sign_in_failures').where('ends_at', '<=', now).execute();
    await db.deleteFrom('passkey_challenges').where('expires_at', '<=', now).execute();
  });
}
