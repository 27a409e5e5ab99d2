import { hash, randomBytes } from 'node:crypto';

/** Hash of a key, which is all that is stored of it. A fast one is enough: the key has 256 random bits, which no dictionary holds. */
export function hashKey(key: string): string {
  return hash('sha256', key);
}

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** `ck_live_` and 43 base62 characters: 62^43 is more than 2^256. */
export function newKey(): string {
  let key = 'ck_live_';
  while (key.length < 8 + 43) {
    for (const byte of randomBytes(64)) {
      // 248 is the largest multiple of 62 in a byte; above it the first characters would be likelier than the rest.
      if (byte < 248 && key.length < 8 + 43) key += alphabet[byte % 62];
    }
  }
  return key;
}
