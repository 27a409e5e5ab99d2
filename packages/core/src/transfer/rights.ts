import type { TxContext } from '../engine/context.ts';
import { type Role, roles, type Scope } from '../engine/scopes.ts';
import { type ImportedResource, nounOf } from './formats/own.ts';
import { type ImportNote, isStopped } from './notes.ts';
import type { ImportOptions } from './options.ts';

/** Ends an import before its next batch: it was stopped, or its key lost its rights. */
export class Stopped extends Error {
  override readonly name = 'Stopped';
  constructor(message = 'it was stopped by a request') {
    super(message);
  }
}

/**
 * Checks that an import over HTTP still has its rights: a key that was revoked or has expired takes its imports with it.
 * @param isLocked locks the note until the end of the transaction
 * @returns true if it can create categories
 * @throws Stopped
 */
export async function requireRights(
  tx: Pick<TxContext, 'db' | 'store' | 'actor' | 'engine'>,
  resource: ImportedResource,
  note: ImportNote,
  { images }: ImportOptions,
  isLocked = false,
): Promise<boolean> {
  if (note.fingerprint !== '' && (await isStopped(tx, note.import.id, isLocked))) throw new Stopped();
  if (note.file === null) return true;
  const scopes = await scopesNow(tx);
  if (!scopes) return true;
  const wanted: Scope[] = [`${nounOf[resource]}.write`, ...(images ? (['media.write'] as const) : [])];
  const missing = wanted.find((scope) => !scopes.has(scope));
  if (missing !== undefined) throw new Stopped(`whoever started it does not have the scope ${missing} any more`);
  return resource !== 'products' || scopes.has('category.write');
}

/**
 * The present scopes of the key or the user who started an import, or those that the application gave its user at that time; undefined if
 * it has no limits.
 * @throws Stopped if the key or the user has none any more
 */
async function scopesNow({
  db,
  store,
  actor,
  engine,
}: Pick<TxContext, 'db' | 'store' | 'actor' | 'engine'>): Promise<ReadonlySet<Scope> | undefined> {
  const id = actor.id ?? '';
  // The session of a link that belongs to no user is trusted with the store.
  if (actor.type === 'user' && actor.id === null) return undefined;
  if (actor.type === 'user') {
    const user = await db
      .selectFrom('users')
      .select(['role', 'status'])
      .where('store_id', '=', store.id)
      .where('id', '=', id)
      .executeTakeFirst();
    if (user?.status !== 'active') throw new Stopped('the user who started it was removed or disabled');
    return new Set(roles[user.role as Role]);
  }
  if (actor.type !== 'apiKey') return actor.scopes;
  const key = await db
    .selectFrom('api_keys')
    .select(['scopes', 'expires_at'])
    .where('store_id', '=', store.id)
    .where('id', '=', id)
    .executeTakeFirst();
  if (!key) throw new Stopped('the API key that started it was revoked');
  if (key.expires_at !== null && key.expires_at <= engine.clock.now())
    throw new Stopped('the API key that started it has expired');
  return new Set(JSON.parse(key.scopes) as Scope[]);
}
