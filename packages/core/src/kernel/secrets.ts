import { createCipheriv, createDecipheriv, createHmac, randomBytes, scryptSync } from 'node:crypto';
import { CommerceError, invalid } from './errors.ts';

/** Encrypts texts in the database, so a copy of it without the key does not reveal them. */
export interface SecretBox {
  /** @param place owner of the text; it opens only with the same place, so rows cannot be swapped */
  seal(text: string, place: string): string;
  /**
   * Returns a text that was stored without a key unchanged.
   * @throws CommerceError `unavailable` if the key is missing or wrong
   */
  open(stored: string, place: string): string;
  /** True if a text is stored as `seal` would store it now: with the current key, or in clear text without one. */
  isCurrent(stored: string, place: string): boolean;
  /** A digest that cannot be guessed back without the key; without a key, it is only a digest. */
  digest(text: string, place: string): string;
}

const mark = 'sealed:1:';
/** Prefix of a clear text that could be mistaken for something else. */
const plainMark = 'plain:1:';
const shortestKey = 16;

/** What is shown of a secret. Four characters reveal little of a long secret, but much of a short one. */
export function lastFour(secret: string): string | null {
  return secret.length < 16 ? null : secret.slice(-4);
}

/** What is shown of a long secret of ours to those who may not see it. */
export function masked(secret: string): string {
  return `${'•'.repeat(12)}${secret.slice(-4)}`;
}

/** True if a stored text can be read without a key. */
export function isClear(stored: string): boolean {
  return !stored.startsWith(mark);
}

/**
 * AES-256-GCM with a key that scrypt derives from the given text; without a key, texts are stored unchanged.
 * @param previousKey also opens texts, while the key is being replaced
 * @throws CommerceError `validation` if a key is too short to protect anything
 */
export function openSecretBox(secretKey: string | undefined, previousKey?: string): SecretBox {
  const current = secretKey === undefined ? undefined : keyOf('secretKey', secretKey);
  const keys = [current, previousKey === undefined ? undefined : keyOf('previousSecretKey', previousKey)].filter(
    (key) => key !== undefined,
  );
  return {
    seal(text, place) {
      if (!current) return text.startsWith(mark) || text.startsWith(plainMark) ? plainMark + text : text;
      const iv = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', current(), iv).setAAD(Buffer.from(place));
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return mark + Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64');
    },
    open(stored, place) {
      if (stored.startsWith(plainMark)) return stored.slice(plainMark.length);
      if (!stored.startsWith(mark)) return stored;
      if (keys.length === 0) {
        throw new CommerceError(
          'unavailable',
          'the secrets in the database are encrypted, and no secret key is set to read them',
          { reason: 'secretKeyMissing' },
        );
      }
      let failure: unknown;
      for (const key of keys) {
        try {
          return unseal(stored, place, key());
        } catch (error) {
          failure = error;
        }
      }
      const message = 'the secrets in the database were encrypted with another secret key';
      throw new CommerceError('unavailable', message, { cause: failure, reason: 'otherSecretKey' });
    },
    isCurrent(stored, place) {
      if (!current) return isClear(stored);
      if (isClear(stored)) return false;
      try {
        unseal(stored, place, current());
        return true;
      } catch {
        return false;
      }
    },
    digest: (text, place) =>
      createHmac('sha256', current?.() ?? '')
        .update(`${place}\n${text}`)
        .digest('base64url'),
  };
}

/** Derives a key from a text on first use. Deriving takes about 50 ms, and a start should not wait for it. */
function keyOf(field: string, text: string): () => Buffer {
  if (text.length < shortestKey) {
    throw invalid(
      field,
      `must have at least ${shortestKey} characters, such as the output of \`openssl rand -base64 32\``,
      field === 'secretKey' ? { reason: 'secretKeyTooShort' } : {},
    );
  }
  let derived: Buffer | undefined;
  return () => {
    derived ??= scryptSync(text, 'commerce payment settings', 32);
    return derived;
  };
}

function unseal(stored: string, place: string, key: Buffer): string {
  const bytes = Buffer.from(stored.slice(mark.length), 'base64');
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12)).setAAD(Buffer.from(place));
  decipher.setAuthTag(bytes.subarray(12, 28));
  return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8');
}
