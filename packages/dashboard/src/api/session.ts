import { computed, signal } from '@preact/signals';
import { forgetKeys, type KeyPlace, readKey, type StoredKey, writeKey } from './key-store.ts';
import type { Scope, Who } from './types.ts';

// The session: a user whom the browser's cookie names, or a key of the interface. A key is held in memory, and for reloads in this tab or on
// this device.

export type Session =
  | { state: 'out' }
  /** The service has not been asked yet who this is. */
  | { state: 'known' }
  | { state: 'in'; who: Who }
  /** Ended while a screen is open: the sign-in is shown above it. */
  | { state: 'ended'; who: Who; why: 'refused' | 'idle' };

/** What requests are sent with: a key; without one, the cookie. */
export interface Access {
  storeId: string;
  key: StoredKey | undefined;
}

const stored = readKey();
let access: Access | undefined = stored && { storeId: stored.storeId, key: stored };

export const session = signal<Session>({ state: 'known' });

/** Store and user or key of the session, also while the sign-in is shown again. */
export const who = computed(() => ('who' in session.value ? session.value.who : undefined));

/** Increased by every sign-in, so that loads that failed without a session run again. */
export const signIns = signal(0);

export function currentAccess(): Access | undefined {
  return access;
}

export function currentKey(): StoredKey | undefined {
  return access?.key;
}

/** The id of the session's store. */
export function currentStore(): string | undefined {
  return access?.storeId;
}

/** Whether the session has a scope. */
export function can(scope: Scope | undefined): boolean {
  return scope === undefined || (who.value?.scopes.includes(scope) ?? false);
}

/** Whether the session may count stock, which fulfilment does without changing products. */
export function canCount(): boolean {
  return can('product.write') || who.value?.user?.role === 'fulfilment';
}

const otherTabs = typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel('commerce.session');

/** Starts a session with a key that the service has accepted. */
export function begin(accepted: StoredKey, of: Who, place: KeyPlace): void {
  writeKey(accepted, place);
  resume({ storeId: accepted.storeId, key: accepted }, of);
}

/** Starts a session, or goes on with one that a reload found. */
export function resume(now: Access, of: Who): void {
  access = now;
  session.value = { state: 'in', who: of };
  signIns.value++;
}

/** Tells the other tabs that the browser has signed in. */
export function tellSignIn(): void {
  otherTabs?.postMessage('in');
}

/** Calls back when another tab has signed in, if this one has not. */
export function onSignInElsewhere(run: () => void): void {
  otherTabs?.addEventListener('message', ({ data }) => {
    if (data === 'in' && session.value.state !== 'in') run();
  });
}

/** Applies the new name and zone of the store, which every screen shows. */
export function rename(store: Pick<Who['store'], 'name' | 'timeZone'>): void {
  const { value } = session;
  if (value.state !== 'in') return;
  session.value = { state: 'in', who: { ...value.who, store: { ...value.who.store, ...store } } };
}

/**
 * Ends the session because the service refuses it; the open screen stays below the sign-in.
 * @param refused what the request was sent with
 */
export function onUnauthorized(refused: Access): void {
  // An answer to an older session says nothing about this one.
  if (access === refused) end('refused');
}

/** Ends the session of an idle tab with a key. A key kept on this device was meant to stay, and the service ends sessions of users. */
export function lock(): void {
  const key = currentKey();
  if (key && !key.onDevice) end('idle');
}

function end(why: 'refused' | 'idle'): void {
  access = undefined;
  forgetKeys();
  const of = who.value;
  session.value = of ? { state: 'ended', who: of, why } : { state: 'out' };
}

// Signing out in one tab signs out all tabs that use the key of this device.
addEventListener('storage', (event) => {
  if (currentKey()?.onDevice && event.storageArea === localStorage && !readKey()) forget();
});

// A browser has one cookie for all tabs.
otherTabs?.addEventListener('message', ({ data }) => {
  if (data === 'out' && access && !access.key) forget();
});

/** Forgets the session and all data of the shop in this browser. */
export function forget(): void {
  access = undefined;
  forgetKeys();
  for (const name of Object.keys(sessionStorage)) if (name.startsWith('commerce.')) sessionStorage.removeItem(name);
  session.value = { state: 'out' };
}

/** Tells the other tabs that the browser has signed out. */
export function tellSignOut(): void {
  otherTabs?.postMessage('out');
}
