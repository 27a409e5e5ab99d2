import { text } from '../parse.ts';

/** A secret as a provider gives it out; a blank in it is a slip of copying. */
export const secret = text(1024, 1).refine((value) => !/\s/.test(value), 'must be the secret alone, without blanks');

/** Where a provider's interface is: live, sandbox, or a stub on this machine. */
export const apiBase = text(2048, 1)
  .refine(isApiBase, 'must be an https:// address without path, or http:// on this machine')
  .transform((address) => new URL(address).origin);

function isApiBase(address: string): boolean {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url || url.username || url.password || url.search || url.hash || url.pathname !== '/') return false;
  const local = ['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname);
  return url.protocol === 'https:' || (url.protocol === 'http:' && local);
}
