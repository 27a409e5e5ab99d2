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
}

const mark = 'sealed:1:';
const shortestKey = 16;

/**
 * AES-256-GCM with a key that scrypt derives from the given text; without one, texts are stored as they are.
 * @throws CommerceError `validation` when the key is too short to protect anything
 */
export function openSecretBox(secretKey: string | undefined): SecretBox {
  if (secretKey !== undefined && secretKey.length < shortestKey) {
    throw invalid(
      'secretKey',
      `must have at least ${shortestKey} characters, such as the output of \`openssl rand -base64 32\``,
    );
  }
  let derived: Buffer | undefined;
  // Derived with the first secret: it takes some 50 ms, and a start should not wait for it.
  const key = () => {
    derived ??= scryptSync(secretKey as string, 'commerce payment settings', 32);
    return derived;
  };
  return {
    seal(text, place) {
      if (secretKey === undefined) return text;
      const iv = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', key(), iv).setAAD(Buffer.from(place));
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return mark + Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64');
    },
    open(stored, place) {
      if (!stored.startsWith(mark)) return stored;
      if (secretKey === undefined) {
        throw new CommerceError('unavailable', 'the secrets in the database are encrypted: set COMMERCE_SECRET_KEY');
      }
      const bytes = Buffer.from(stored.slice(mark.length), 'base64');
      try {
        const decipher = createDecipheriv('aes-256-gcm', key(), bytes.subarray(0, 12)).setAAD(Buffer.from(place));
        decipher.setAuthTag(bytes.subarray(12, 28));
        return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8');
      } catch (error) {
        const message = 'the secrets in the database were encrypted with another COMMERCE_SECRET_KEY';
        throw new CommerceError('unavailable', message, { cause: error });
      }
    },
  };
}
