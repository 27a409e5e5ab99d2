import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from 'node:crypto';
import { CommerceError, invalid } from './errors.ts';

/** Keeps texts in the database so that a copy of it, without the key, does not show them. */
export interface SecretBox {
  /** @param place what the text belongs to; it opens only there, so that rows cannot be swapped */
  seal(text: string, place: string): string;
  /**
   * A text that was stored without a key comes back as it is.
   * @throws CommerceError `unavailable` when the key is missing or is another one
   */
  open(stored: string, place: string): string;
  /** Whether a text is stored as `seal` would store it now: sealed with the present key, or in the clear where there is none. */
  isCurrent(stored: string, place: string): boolean;
}

const mark = 'sealed:1:';
/** Before a text that is stored as it is and could be taken for something else. */
const plainMark = 'plain:1:';
const shortestKey = 16;

/** Whether a stored text can be read without a key. */
export function isClear(stored: string): boolean {
  return !stored.startsWith(mark);
}

/**
 * AES-256-GCM with a key that scrypt derives from the given text; without one, texts are stored as they are.
 * @param previousKey what was sealed with this one opens, too, while the key is being replaced
 * @throws CommerceError `validation` when a key is too short to protect anything
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
          'the secrets in the database are encrypted, and there is no secret key to read them with',
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
  };
}

/** The key that is derived from a text, with its first use: it takes some 50 ms, and a start should not wait for it. */
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
