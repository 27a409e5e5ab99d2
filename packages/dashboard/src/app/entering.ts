import { api, had } from '../api/client.ts';
import { ApiError } from '../api/errors.ts';
import type { KeyPlace, StoredKey } from '../api/key-store.ts';
import { begin, currentKey, forget, lock, resume, session } from '../api/session.ts';
import type { Who } from '../api/types.ts';
import { t } from '../words/words.ts';

/**
 * The scopes of the key.
 * @throws ApiError if it is refused
 */
async function whoami({ storeId, key }: { storeId: string; key: string }): Promise<Who> {
  const headers = { Authorization: `Bearer ${key}` };
  const call = api.GET('/stores/{storeId}/whoami', { params: { path: { storeId } }, headers });
  const { store, key: own } = await had(call);
  if (!own) throw new ApiError({ status: 401, code: 'UNAUTHORIZED', message: t.app.signIn.ended });
  return { store, key: own };
}

/**
 * Signs in with a pasted key.
 * @throws ApiError if it is refused
 */
export async function enterWithKey(storeId: string, key: string, place: KeyPlace): Promise<void> {
  begin({ storeId, key, fromLink: false, onDevice: place === 'device' }, await whoami({ storeId, key }), place);
}

/**
 * Signs in with the code of a link, which works once.
 * @throws ApiError if it is refused
 */
export async function enterWithCode(code: string): Promise<void> {
  const { item } = await had(api.POST('/dashboard/sign-in', { body: { code } }));
  const key: StoredKey = { storeId: item.storeId, key: item.key, fromLink: true, onDevice: false };
  begin(key, await whoami(key), 'tab');
}

/**
 * Continues with the stored key.
 * @throws ApiError if it is refused, or without an answer
 */
export async function enterAgain(): Promise<void> {
  const key = currentKey();
  if (!key) return;
  try {
    resume(await whoami(key));
  } catch (error) {
    if (error instanceof ApiError && [401, 403, 404].includes(error.status)) forget();
    throw error;
  }
}

/** Forgets everything, and revokes a key that was created only for this session. */
export async function leave(): Promise<void> {
  await revokeOwn();
  forget();
}

/** Locks an idle tab at once, and revokes a key that was created only for this session. */
export function lockIdle(): void {
  if (!currentKey()?.onDevice) void revokeOwn();
  lock();
}

/** Revokes the key of the session if it came from a link. A key that may not revoke itself expires. */
async function revokeOwn(): Promise<void> {
  const key = currentKey();
  const { value } = session;
  if (!key?.fromLink || !('who' in value)) return;
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
