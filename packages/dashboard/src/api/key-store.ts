/** A stored key, in this tab or on this device. */
export interface StoredKey {
  storeId: string;
  key: string;
  /** True if the key came from a one-time link, so that it is revoked once it is not needed. */
  fromLink: boolean;
  onDevice: boolean;
}

export type KeyPlace = 'tab' | 'device';

const name = 'commerce.key';

/** The key of this tab, otherwise the key kept on this device. */
export function readKey(): StoredKey | undefined {
  for (const storage of [sessionStorage, localStorage]) {
    try {
      const kept = JSON.parse(storage.getItem(name) ?? 'null') as Partial<StoredKey> | null;
      if (typeof kept?.key === 'string' && typeof kept.storeId === 'string') {
        const { key, storeId, fromLink = false } = kept;
        return { key, storeId, fromLink, onDevice: storage === localStorage };
      }
    } catch {
      storage.removeItem(name);
    }
  }
  return undefined;
}

export function writeKey(key: StoredKey, place: KeyPlace): void {
  forgetKeys();
  (place === 'device' ? localStorage : sessionStorage).setItem(name, JSON.stringify(key));
}

export function forgetKeys(): void {
  sessionStorage.removeItem(name);
  localStorage.removeItem(name);
}
