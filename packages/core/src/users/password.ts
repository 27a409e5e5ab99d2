import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { invalid } from '../kernel/errors.ts';
import { FairQueue } from '../kernel/fair-queue.ts';

/** Characters of a password, as NFKC writes it. */
export const minPassword = 12;
export const maxPassword = 128;

/** Cost of a new hash: 128 MiB and a few tenths of a second (OWASP's recommendation for scrypt). Only tests lower it. */
export const hashCost = { N: 2 ** 17, r: 8, p: 1 };
const saltBytes = 16;
const hashBytes = 32;

/** A hash takes 128 MiB and a thread of libuv's pool, which files and names of hosts need too. */
const hashing = new FairQueue({
  atOnce: 2,
  // Whoever floods it waits for themselves.
  maxWaiting: 8,
  maxWaitingOfAll: 200,
  patience: 30_000,
  refusal: 'too many people sign in at present; try again',
});

/**
 * A password as it is compared: typed on another keyboard, the same characters can have other code points.
 * @throws CommerceError `validation` for a password that is too short, too long, common, or the e-mail itself
 */
export async function readPassword(password: string, email: string): Promise<string> {
  const normal = password.normalize('NFKC');
  const length = [...normal].length;
  if (length < minPassword || length > maxPassword) {
    throw invalid('password', `must be a password of ${minPassword} to ${maxPassword} characters, not of ${length}`, {
      code: length < minPassword ? 'TOO_SHORT' : 'TOO_LONG',
      limits: { min: minPassword, max: maxPassword },
    });
  }
  const folded = normal.toLowerCase();
  if (folded.trim() === email.normalize('NFKC').trim().toLowerCase()) {
    throw invalid('password', 'must not be the e-mail address', { code: 'GUESSABLE' });
  }
  if ((await commonPasswords()).has(folded)) {
    throw invalid('password', 'must not be one of the most common passwords, which attackers try first', {
      code: 'GUESSABLE',
    });
  }
  return normal;
}

let common: Promise<ReadonlySet<string>> | undefined;

/** Loaded when the first password is set: half a megabyte of words. */
function commonPasswords(): Promise<ReadonlySet<string>> {
  common ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Set(dictionary['passwords-common'].filter(({ length }) => length >= minPassword)),
  );
  return common;
}

/**
 * The hash of a password, with its parameters: `scrypt$N$r$p$salt$hash`.
 * @param password as `readPassword` returns it
 * @param who whose turn it is: a network or a user
 */
export async function hashPassword(password: string, who: string): Promise<string> {
  const salt = randomBytes(saltBytes);
  const { N, r, p } = hashCost;
  const hash = await derive(who, password, salt, { N, r, p });
  return ['scrypt', N, r, p, salt.toString('base64url'), hash.toString('base64url')].join('$');
}

/** A hash that no password has, so that an unknown e-mail takes as long as a wrong password. */
const ofNobody = ({ N, r, p } = hashCost) => `scrypt$${N}$${r}$${p}$${'A'.repeat(22)}$${'A'.repeat(43)}`;

/** Whether a password has this hash; without a hash, takes as long and answers false. @param who as for `hashPassword` */
export async function isPassword(password: string, stored: string | null | undefined, who: string): Promise<boolean> {
  const [, N, r, p, salt = '', hash = ''] = (stored ?? ofNobody()).split('$');
  const expected = Buffer.from(hash, 'base64url');
  const given = await derive(who, password.normalize('NFKC'), Buffer.from(salt, 'base64url'), {
    N: Number(N),
    r: Number(r),
    p: Number(p),
  });
  return timingSafeEqual(given, expected) && stored !== null && stored !== undefined;
}

/** @throws CommerceError `unavailable` if too many hashes wait */
function derive(
  who: string,
  password: string,
  salt: Buffer,
  options: ScryptOptions & { N: number; r: number },
): Promise<Buffer> {
  const maxmem = 128 * options.N * options.r * 2;
  return hashing.run(
    who,
    () =>
      new Promise((resolve, reject) => {
        scrypt(password, salt, hashBytes, { ...options, maxmem }, (error, key) =>
          error ? reject(error) : resolve(key),
        );
      }),
  );
}
