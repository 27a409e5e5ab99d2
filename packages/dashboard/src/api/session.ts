import { computed, signal } from '@preact/signals';
import { forgetKeys, type KeyPlace, readKey, type StoredKey, writeKey } from './key-store.ts';
import type { Scope, Who } from './types.ts';

// The session: a key of the interface, and its scopes. It is held in memory, and for reloads in this tab or on this device.

export type Session =
  | { state: 'out' }
  /** The service has not been asked yet for the scopes of the key. */
  | { state: 'known' }
  | { state: 'in'; who: Who }
  /** Ended while a screen is open: the sign-in is shown above it. */
  | { state: 'ended'; who: Who; why: 'refused' | 'idle' };

let key: StoredKey | undefined = readKey();

export const session = signal<Session>(key ? { state: 'known' } : { state: 'out' });

/** Store and key of the session, also while the sign-in is shown again. */
export const who = computed(() => ('who' in session.value ? session.value.who : undefined));

/** Increased by every sign-in, so that loads that failed without a key run again. */
export const signIns = signal(0);

export function currentKey(): StoredKey | undefined {
  return key;
}

/** Whether the key of the session has a scope. */
export function can(scope: Scope | undefined): boolean {
  return scope === undefined || (who.value?.key.scopes.includes(scope) ?? false);
}

/** Starts a session with a key that the service has accepted. */
export function begin(accepted: StoredKey, of: Who, place: KeyPlace): void {
  key = accepted;
  writeKey(accepted, place);
  session.value = { state: 'in', who: of };
  signIns.value++;
}

/** Restores the key that a reload found. */
export function resume(of: Who): void {
  session.value = { state: 'in', who: of };
  signIns.value++;
}

/** Applies the new name and zone of the store, which every screen shows. */
export function rename(store: Pick<Who['store'], 'name' | 'timeZone'>): void {
  const { value } = session;
  if (value.state !== 'in') return;
  session.value = { state: 'in', who: { ...value.who, store: { ...value.who.store, ...store } } };
}

/**
 * Ends the session because its key is not valid; the open screen stays below the sign-in.
 * @param refused the key that was refused
 */
export function onUnauthorized(refused: string): void {
  // An answer to an older key says nothing about this one.
  if (key?.key !== refused) return;
  end('refused');
}

/** Ends the session of an idle tab. A key kept on this device was meant to stay. */
export function lock(): void {
  if (!key?.onDevice) end('idle');
}

function end(why: 'refused' | 'idle'): void {
  key = undefined;
  forgetKeys();
  const of = who.value;
  session.value = of ? { state: 'ended', who: of, why } : { state: 'out' };
}

// Signing out in one tab signs out all tabs that use the key of this device.
addEventListener('storage', (event) => {
  if (key?.onDevice && event.storageArea === localStorage && !readKey()) forget();
});

/** Forgets the key and all data of the shop in this browser. */
export function forget(): void {
  key = undefined;
  forgetKeys();
  for (const name of Object.keys(sessionStorage)) if (name.startsWith('commerce.')) sessionStorage.removeItem(name);
  session.value = { state: 'out' };
}
