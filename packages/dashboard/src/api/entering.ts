import { signal } from '@preact/signals';
import { t } from '../words/words.ts';
import { api, had } from './client.ts';
import { ApiError } from './errors.ts';
import type { KeyPlace, StoredKey } from './key-store.ts';
import { begin, currentKey, forget, lock, resume, session, tellSignIn, tellSignOut } from './session.ts';
import type { Who } from './types.ts';

/** How people can sign in at this address. */
export interface Ways {
  /** False on plain HTTP elsewhere than at the machine itself. */
  canKeepSessions: boolean;
  /** The host that passkeys belong to. */
  passkeyHost: string | null;
}

/** Known once the service was asked. */
export const ways = signal<Ways | undefined>(undefined);

/** A store that a person can sign in to. */
export interface Choice {
  id: string;
  name: string;
}

/** What a person signs in with. */
export type Credentials = { email: string; password: string } | { passkey: Record<string, unknown> };

/**
 * The store, the user or the key, and the scopes.
 * @throws ApiError if it is refused
 */
async function whoami(storeId: string, key?: string): Promise<Who> {
  const headers = key === undefined ? {} : { Authorization: `Bearer ${key}` };
  const call = api.GET('/stores/{storeId}/whoami', { params: { path: { storeId } }, headers });
  const { store, key: own, user } = await had(call);
  const scopes = user?.scopes ?? own?.scopes;
  if (!scopes) throw new ApiError({ status: 401, code: 'UNAUTHORIZED', message: t.app.signIn.ended });
  return { store, key: own, user, scopes };
}

/**
 * Signs in with a pasted key.
 * @throws ApiError if it is refused
 */
export async function enterWithKey(storeId: string, key: string, place: KeyPlace): Promise<void> {
  begin({ storeId, key, fromLink: false, onDevice: place === 'device' }, await whoami(storeId, key), place);
}

/**
 * Signs in with the code of a link, which works once.
 * @throws ApiError if it is refused
 */
export async function enterWithCode(code: string): Promise<void> {
  const answer = await had(api.POST('/dashboard/sign-in', { body: { code } }));
  if (!('item' in answer)) return;
  const { item } = answer;
  // The key is for addresses at which a browser keeps no cookie of a session.
  if ('key' in item) {
    const key: StoredKey = { storeId: item.storeId, key: item.key, fromLink: true, onDevice: false };
    begin(key, await whoami(key.storeId, key.key), 'tab');
  } else await enterSession(item.storeId);
}

/**
 * Signs in a person.
 * @returns the stores to choose from, if the person has several and names none
 * @throws ApiError if it is refused
 */
export async function enterAsPerson(
  credentials: Credentials,
  keep: boolean,
  storeId?: string,
): Promise<readonly Choice[] | undefined> {
  const body = { ...credentials, keep, ...(storeId === undefined ? {} : { storeId }) };
  const answer = await had(api.POST('/dashboard/sign-in', { body }));
  if ('choose' in answer) return answer.choose;
  await enterSession(answer.item.storeId);
  return undefined;
}

async function enterSession(storeId: string): Promise<void> {
  resume({ storeId, key: undefined }, await whoami(storeId));
  tellSignIn();
}

/** The answer of a passkey of this device. @throws ApiError; DOMException if the person stops */
export async function askPasskey(): Promise<Record<string, unknown>> {
  const [{ item }, { startAuthentication }] = await Promise.all([
    had(api.POST('/dashboard/passkey-options')),
    import('@simplewebauthn/browser'),
  ]);
  return (await startAuthentication({ optionsJSON: item as never })) as never;
}

/** True if this page can ask for passkeys. */
export function hasPasskeys({ passkeyHost }: Ways): boolean {
  const { hostname } = location;
  const isOurs = passkeyHost !== null && (hostname === passkeyHost || hostname.endsWith(`.${passkeyHost}`));
  return isOurs && typeof PublicKeyCredential !== 'undefined';
}

/** Asks how people can sign in here, and whether the browser is signed in. @returns the id of the store of its session */
export async function askWays(): Promise<string | null> {
  const { item } = await had(api.GET('/dashboard/sign-in'));
  const { storeId, ...known } = item;
  ways.value = known;
  return storeId;
}

/**
 * Continues with the stored key, or with the session of the browser.
 * @throws ApiError if it is refused, or without an answer
 */
export async function enterAgain(): Promise<void> {
  const key = currentKey();
  try {
    if (key) return resume({ storeId: key.storeId, key }, await whoami(key.storeId, key.key));
    const storeId = await askWays();
    if (storeId === null) forget();
    else resume({ storeId, key: undefined }, await whoami(storeId));
  } catch (error) {
    if (error instanceof ApiError && [401, 403, 404].includes(error.status)) forget();
    throw error;
  }
}

/** Reads the user of the session again, after a change of the account. */
export async function reenter(): Promise<void> {
  const { value } = session;
  if (value.state !== 'in' || currentKey()) return;
  const { id } = value.who.store;
  session.value = { state: 'in', who: await whoami(id) };
}

/** Signs out: ends the session of the browser in all tabs, or revokes a key that was created only for this session. */
export async function leave(): Promise<void> {
  if (currentKey()) await revokeOwn();
  else {
    await had(api.POST('/dashboard/sign-out')).catch(() => {});
    tellSignOut();
  }
  forget();
}

/** Locks an idle tab with a key at once, and revokes a key that was created only for this session. */
export function lockIdle(): void {
  if (!currentKey()?.onDevice) void revokeOwn();
  lock();
}

/** Revokes the key of the session if it came from a link. A key that may not revoke itself expires. */
async function revokeOwn(): Promise<void> {
  const key = currentKey();
  const { value } = session;
  if (!key?.fromLink || !('who' in value) || !value.who.key) return;
  // The key is passed here, because the session may have forgotten it when the request is sent.
  const headers = { Authorization: `Bearer ${key.key}` };
  const path = { storeId: key.storeId, id: value.who.key.id };
  await api.DELETE('/stores/{storeId}/api-keys/{id}', { params: { path }, headers }).catch(() => {});
}

/** The code of a one-time link. It is removed from the address at once, so that the browser history does not keep it. */
export function takeCode(): string | undefined {
  const code = new URLSearchParams(location.hash.slice(1)).get('code') ?? undefined;
  if (location.hash !== '') history.replaceState(history.state, '', location.pathname + location.search);
  return code;
}
