/** Capitals and digits that are not mistaken for each other, in print or by ear. */
const signs = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';

/** A code that is easy to read and hard to guess: `K7QM-3XWA`. */
export function randomCode(): string {
  const text = [...crypto.getRandomValues(new Uint8Array(8))].map((byte) => signs[byte % signs.length]).join('');
  return `${text.slice(0, 4)}-${text.slice(4)}`;
}
