import { hash } from 'node:crypto';
import { isIP } from 'node:net';
import type {
  AuthenticationResponseJSON,
  AuthenticatorTransport,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import { audit } from '../audit/entry.ts';
import type { Context, Engine } from '../engine/context.ts';
import { transact } from '../engine/transaction.ts';
import { CommerceError, invalid, notFound } from '../kernel/errors.ts';
import { parse } from '../kernel/parse.ts';
import { isLoopbackHost } from '../kernel/url.ts';
import { shareRows } from '../storage/locks.ts';
import { reading, writing } from '../storage/run.ts';
import type { Db } from '../storage/storage.ts';
import type { PasskeyTable } from '../storage/tables/users.ts';
import { requireUser } from './acting.ts';
import { type Passkey, PasskeyFields, type PasskeyInput } from './fields.ts';
import { newPerson } from './people.ts';
import { addressOf } from './sessions.ts';
import { toPasskey, userRow } from './users.ts';

/** Milliseconds in which a passkey must answer a challenge. */
const challengeLasts = 5 * 60_000;
/** Challenges that wait for an answer: anybody can ask for one. */
const maxChallenges = 20_000;
/** Passkeys of a person. */
const maxPasskeys = 20;

/** Loaded on first use: most processes never see a passkey. */
const library = () => import('@simplewebauthn/server');

/** What the browser needs to create a passkey of the user. @throws CommerceError `forbidden` for an API key; `conflict` without an address for passkeys */
export async function newPasskeyOptions(ctx: Context): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { id } = requireUser(ctx);
  const { engine, store } = ctx;
  const host = requireHost(engine);
  const { user, passkeys } = await reading(engine.storage, async (db) => {
    const row = await userRow(db, store.id, id);
    const of = db.selectFrom('passkeys').selectAll();
    return { user: row, passkeys: row.person_id ? await of.where('person_id', '=', row.person_id).execute() : [] };
  });
  const { generateRegistrationOptions } = await library();
  const options = await generateRegistrationOptions({
    rpName: store.name,
    rpID: host,
    userName: user.email,
    userDisplayName: user.name || user.email,
    // The same for all passkeys of a person, so that an authenticator replaces an older one. It names nobody.
    userID: Uint8Array.from(Buffer.from(user.person_id ?? user.id)),
    attestationType: 'none',
    excludeCredentials: passkeys.map(({ credential_id: id, transports }) => ({
      id,
      transports: JSON.parse(transports) as AuthenticatorTransport[],
    })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
  await noteChallenge(engine, options.challenge, false);
  return options;
}

/**
 * Adds a passkey to the user who sends the request, and so to the person in all stores. Audit entry: `user.passkey_added`.
 * @throws CommerceError `validation` for an answer that does not fit; `forbidden` for an API key; `conflict` without an address for passkeys, or if the
 * person has 20 passkeys
 */
export async function addPasskey(ctx: Context, input: PasskeyInput): Promise<Passkey> {
  const { id: userId } = requireUser(ctx);
  const host = requireHost(ctx.engine);
  const { name, response } = parse(PasskeyFields, input);
  const { verifyRegistrationResponse } = await library();
  const { registrationInfo } = await verifyRegistrationResponse({
    response: response as unknown as RegistrationResponseJSON,
    expectedChallenge: (challenge) => takeChallenge(ctx.engine, challenge),
    expectedOrigin: originsOf(ctx.engine, response),
    expectedRPID: host,
    requireUserVerification: true,
  }).catch(() => ({ registrationInfo: undefined }));
  if (!registrationInfo)
    throw invalid('response', 'must answer the latest challenge, at this address and with user verification');
  const { credential } = registrationInfo;
  return transact(
    ctx,
    async (tx) => {
      const user = await userRow(tx.db, tx.store.id, userId);
      const personId = user.person_id ?? (await newPerson(tx, userId, null));
      const { n } = await tx.db
        .selectFrom('passkeys')
        .select((eb) => eb.fn.countAll<number>().as('n'))
        .where('person_id', '=', personId)
        .executeTakeFirstOrThrow();
      if (n >= maxPasskeys)
        throw new CommerceError('conflict', `you have ${maxPasskeys} passkeys, the most you can have`);
      const row: PasskeyTable = {
        id: tx.engine.ids.next(tx.now),
        person_id: personId,
        credential_id: credential.id,
        public_key: Buffer.from(credential.publicKey).toString('base64url'),
        counter: credential.counter,
        transports: JSON.stringify(credential.transports ?? []),
        name,
        created_at: tx.now,
        last_used_at: null,
      };
      await tx.db.insertInto('passkeys').values(row).execute();
      const changes = { passkey: name, ...addressOf(tx) };
      audit(tx, { action: 'user.passkey_added', resourceType: 'user', resourceId: userId, changes });
      return toPasskey(row);
    },
    { 'passkeys.credential_id': { field: 'response', value: credential.id, taken: 'is already a passkey' } },
  );
}

/** Removes a passkey of the user who sends the request. Audit entry: `user.passkey_removed`. @throws CommerceError `notFound` */
export async function removePasskey(ctx: Context, id: string): Promise<void> {
  const { id: userId } = requireUser(ctx);
  await transact(ctx, async (tx) => {
    const { person_id } = await userRow(tx.db, tx.store.id, userId);
    const removed =
      person_id === null
        ? undefined
        : await tx.db
            .deleteFrom('passkeys')
            .where('person_id', '=', person_id)
            .where('id', '=', id)
            .returning('name')
            .executeTakeFirst();
    if (!removed) throw notFound('passkey', id);
    const changes = { passkey: removed.name, ...addressOf(tx) };
    audit(tx, { action: 'user.passkey_removed', resourceType: 'user', resourceId: userId, changes });
  });
}

/** What the browser needs to sign in with a passkey. @throws CommerceError `conflict` without an address for passkeys; `rateLimited` */
export async function passkeyOptions(engine: Engine): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const host = requireHost(engine);
  const { generateAuthenticationOptions } = await library();
  const options = await generateAuthenticationOptions({ rpID: host, userVerification: 'required' });
  await noteChallenge(engine, options.challenge);
  return options;
}

/** The person whose passkey has answered a challenge. @throws CommerceError `unauthorized` */
export async function personOfPasskey(
  engine: Engine,
  answer: Record<string, unknown>,
): Promise<{ id: string; personId: string }> {
  const host = requireHost(engine);
  const response = answer as unknown as AuthenticationResponseJSON;
  const credentialId = response.id;
  if (typeof credentialId !== 'string' || !/^[\w-]{1,1400}$/.test(credentialId)) throw refusedPasskey();
  // A passkey names its person, who can belong to several stores.
  const row = await reading(engine.storage, (db) =>
    db.selectFrom('passkeys').selectAll().where('credential_id', '=', credentialId).executeTakeFirst(),
  );
  if (!row) throw refusedPasskey();
  const { verifyAuthenticationResponse } = await library();
  const verified = await verifyAuthenticationResponse({
    response,
    expectedChallenge: (challenge) => takeChallenge(engine, challenge),
    expectedOrigin: originsOf(engine, response),
    expectedRPID: host,
    credential: {
      id: row.credential_id,
      publicKey: Uint8Array.from(Buffer.from(row.public_key, 'base64url')),
      counter: row.counter,
      transports: JSON.parse(row.transports) as AuthenticatorTransport[],
    },
    requireUserVerification: true,
  }).catch(() => undefined);
  if (!verified?.verified) throw refusedPasskey();
  const { newCounter } = verified.authenticationInfo;
  await writing(engine.storage, (db) =>
    db
      .updateTable('passkeys')
      .set({ counter: newCounter, last_used_at: engine.clock.now() })
      .where('id', '=', row.id)
      .execute(),
  );
  return { id: row.id, personId: row.person_id };
}

/** Locks a passkey: it can have been removed since it has answered. */
export async function hasPasskey(db: Db, id: string): Promise<boolean> {
  const row = await shareRows(db, db.selectFrom('passkeys').select('id').where('id', '=', id)).executeTakeFirst();
  return row !== undefined;
}

/**
 * The host that passkeys belong to: that of the public address; `localhost` if the service has none, or one of this machine. Undefined for
 * an address that can have no passkeys, such as a number.
 */
export function passkeyHost(engine: Engine): string | undefined {
  const url = publicAddress(engine);
  if (!url || isLoopbackHost(url.hostname)) return 'localhost';
  return url.protocol === 'https:' && isIP(url.hostname.replace(/^\[|\]$/g, '')) === 0 ? url.hostname : undefined;
}

function publicAddress({ publicUrl }: Engine): URL | undefined {
  const address = publicUrl?.();
  return address !== undefined && URL.canParse(address) ? new URL(address) : undefined;
}

/** Origins from which an answer is accepted. A browser gives a passkey of `localhost` to pages at any port of it. */
function originsOf(engine: Engine, response: { response?: unknown }): string {
  const url = publicAddress(engine);
  if (url && !isLoopbackHost(url.hostname)) return url.origin;
  const claimed = originIn(response);
  return claimed !== undefined && new URL(claimed).hostname === 'localhost' ? claimed : 'http://localhost';
}

/** The origin that the browser has written into its answer. */
function originIn({ response }: { response?: unknown }): string | undefined {
  try {
    const { clientDataJSON } = response as { clientDataJSON: string };
    const { origin } = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString()) as { origin: string };
    return origin === new URL(origin).origin ? origin : undefined;
  } catch {
    return undefined;
  }
}

function requireHost(engine: Engine): string {
  const host = passkeyHost(engine);
  if (host !== undefined) return host;
  throw new CommerceError(
    'conflict',
    'passkeys need a public address with https and a name, which --public-url gives, or http://localhost',
  );
}

const hashOf = (challenge: string) => hash('sha256', challenge);

/** @param isPublic whether anybody can ask for it; a person who has signed in is never refused for the many of others */
async function noteChallenge(engine: Engine, challenge: string, isPublic = true): Promise<void> {
  const now = engine.clock.now();
  await writing(engine.storage, async (db) => {
    if (isPublic) {
      const { n } = await db
        .selectFrom('passkey_challenges')
        .select((eb) => eb.fn.countAll<number>().as('n'))
        .executeTakeFirstOrThrow();
      if (n >= maxChallenges) {
        throw new CommerceError('rateLimited', 'too many people sign in at present; try again later');
      }
    }
    await db
      .insertInto('passkey_challenges')
      .values({ hash: hashOf(challenge), expires_at: now + challengeLasts })
      .execute();
  });
}

/** Uses up a challenge. @returns false if it was used, has expired, or never existed */
async function takeChallenge(engine: Engine, challenge: string): Promise<boolean> {
  const taken = await writing(engine.storage, (db) =>
    db
      .deleteFrom('passkey_challenges')
      .where('hash', '=', hashOf(challenge))
      .where('expires_at', '>', engine.clock.now())
      .returning('hash')
      .executeTakeFirst(),
  );
  return taken !== undefined;
}

function refusedPasskey(): CommerceError {
  return new CommerceError('unauthorized', 'the passkey is unknown here, or its answer is not valid');
}
