import { hash } from 'node:crypto';
import { sql } from 'kysely';
import type { Engine } from '../engine/context.ts';
import { CommerceError } from '../kernel/errors.ts';
import { runTransaction, writing } from '../storage/run.ts';

/** Milliseconds for which failed sign-ins count. */
const window = 15 * 60_000;

/** Failed sign-ins that are allowed in a window. */
const allowed = { email: 5, address: 20 };

type Kind = keyof typeof allowed;

/** What an attempt is counted under. */
export type Counted = Partial<Record<Kind, string | undefined>>;

const nameOf = (kind: Kind, value: string) => hash('sha256', `${kind}:${value}`);

function entriesOf(counted: Counted): [Kind, string][] {
  return Object.entries(counted).filter((entry): entry is [Kind, string] => entry[1] !== undefined) as [Kind, string][];
}

/**
 * Counts an attempt as failed until `succeeded` is called, so that attempts at the same moment cannot pass the limit together. The rows
 * belong to no store: an attacker does not say which store an e-mail is for.
 * @throws CommerceError `rateLimited`, whose `about` is the number of seconds until the next attempt
 */
export async function countAttempt(engine: Engine, counted: Counted): Promise<void> {
  const now = engine.clock.now();
  await runTransaction(engine.storage, async (db) => {
    for (const [kind, value] of entriesOf(counted)) {
      const { count, ends_at } = await db
        .insertInto('sign_in_failures')
        .values({ name: nameOf(kind, value), count: 1, ends_at: now + window })
        .onConflict((oc) =>
          oc.column('name').doUpdateSet({
            count: sql<number>`case when sign_in_failures.ends_at <= ${now} then 1 else sign_in_failures.count + 1 end`,
            ends_at: sql<number>`case when sign_in_failures.ends_at <= ${now} then ${now + window} else sign_in_failures.ends_at end`,
          }),
        )
        .returning(['count', 'ends_at'])
        .executeTakeFirstOrThrow();
      if (count > allowed[kind]) throw tooMany(kind, Math.ceil((ends_at - now) / 1000));
    }
  });
}

function tooMany(kind: Kind, seconds: number): CommerceError {
  const what = kind === 'email' ? 'this e-mail' : 'one network address';
  return new CommerceError(
    'rateLimited',
    `the limit for ${what} is ${allowed[kind]} failed sign-ins in 15 minutes; try again in ${seconds} s, or use a passkey or a link`,
    { reason: 'tooManySignIns', about: String(seconds) },
  );
}

/** Takes an attempt back: all of the e-mail, which has been proven, and the one of the address. */
export async function succeeded(engine: Engine, { email, address }: Counted): Promise<void> {
  await writing(engine.storage, async (db) => {
    if (email !== undefined) {
      await db.deleteFrom('sign_in_failures').where('name', '=', nameOf('email', email)).execute();
    }
    if (address !== undefined) {
      await db
        .updateTable('sign_in_failures')
        .set((eb) => ({ count: eb('count', '-', 1) }))
        .where('name', '=', nameOf('address', address))
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
