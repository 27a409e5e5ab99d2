import { hash, randomBytes } from 'node:crypto';
import type { KeyKind } from '../storage/tables/api-keys.ts';

/** Hash of a key, the only form in which it is stored. A fast hash is enough: no dictionary contains a key of 256 random bits. */
export function hashKey(key: string): string {
  return hash('sha256', key);
}

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

const prefixes = { secret: 'ck_live_', storefront: 'ck_pub_' } as const satisfies Record<KeyKind, string>;

/** `ck_live_` or `ck_pub_`, and 43 base62 characters: 62^43 is more than 2^256. */
export function newKey(kind: KeyKind): string {
  let key: string = prefixes[kind];
  const length = key.length + 43;
  while (key.length < length) {
    for (const byte of randomBytes(64)) {
      // 248 is the largest multiple of 62 in a byte. Larger bytes would make the first characters more likely than the others.
      if (byte < 248 && key.length < length) key += alphabet[byte % 62];
    }
  }
  return key;
}
