// The sign-in of this application. Yours is a library, or a service; Commerce only needs to know who asks.
import { randomBytes, scryptSync, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

export interface User {
  email: string;
}

const cookieName = 'admin';
const maxSessions = 1000;

export class SignIn {
  readonly #email: string;
  readonly #salt = randomBytes(16);
  readonly #hash: Buffer;
  /** Sessions of this process, the oldest first. */
  readonly #sessions = new Map<string, User>();

  constructor(email: string, password: string) {
    this.#email = email;
    this.#hash = this.#hashOf(password);
  }

  /** The cookie of a new session; undefined for a wrong e-mail or password. */
  begin(email: unknown, password: unknown): string | undefined {
    if (typeof email !== 'string' || typeof password !== 'string' || password.length > 200) return undefined;
    const isRight = timingSafeEqual(this.#hashOf(password), this.#hash);
    if (!isRight || email.toLowerCase() !== this.#email) return undefined;
    const token = randomBytes(32).toString('base64url');
    const [oldest] = this.#sessions.keys();
    if (oldest !== undefined && this.#sessions.size >= maxSessions) this.#sessions.delete(oldest);
    this.#sessions.set(token, { email: this.#email });
    return `${cookieName}=${token}; Path=/; HttpOnly; SameSite=Strict`;
  }

  /** Who asks; undefined for somebody who has not signed in. */
  userOf({ headers }: IncomingMessage): User | undefined {
    const token = new RegExp(`(?:^|; )${cookieName}=([\\w-]{43})(?:;|$)`).exec(headers.cookie ?? '')?.[1];
    return token === undefined ? undefined : this.#sessions.get(token);
  }

  #hashOf(password: string): Buffer {
    return scryptSync(password, this.#salt, 32);
  }
}
