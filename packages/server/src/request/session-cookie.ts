import { isLoopbackHost } from '@commerce/core';
import type { AppRequest } from '../http.ts';
import { originOf } from './origin.ts';

/** Header that pages of other sites cannot send: a browser asks first, and CORS never allows it. */
const dashboardHeader = 'commerce-dashboard';

/** The names of the cookie: over TLS, and on plain HTTP at the machine itself, where a browser accepts no other prefix. */
const names = { secure: '__Host-commerce', loopback: 'commerce' } as const;

/** Reads and writes the cookie that names the session of a user. */
export class SessionCookie {
  readonly #trustProxy: boolean;
  readonly #publicUrl: () => string | undefined;

  /** @param publicUrl address of the service: a proxy that ends TLS does not always say so */
  constructor(trustProxy: boolean, publicUrl: () => string | undefined) {
    this.#trustProxy = trustProxy;
    this.#publicUrl = publicUrl;
  }

  /**
   * The token in the cookie of the dashboard's own request. Undefined for every other request, so that no page of another site can act as
   * the user whose browser shows it.
   */
  tokenOf(request: Pick<AppRequest, 'headers'>): string | undefined {
    const { cookie } = request.headers;
    if (cookie === undefined || !this.isOfDashboard(request)) return undefined;
    const kind = this.#kindOf(request);
    if (!kind) return undefined;
    const start = `${names[kind]}=`;
    const found = cookie
      .split(';')
      .map((part) => part.trim())
      .find((part) => part.startsWith(start));
    const token = found?.slice(start.length);
    return token !== undefined && /^[\w-]{43}$/.test(token) ? token : undefined;
  }

  /** True if a page of this origin sent the request, and said that it is the dashboard. */
  isOfDashboard({ headers }: Pick<AppRequest, 'headers'>): boolean {
    return headers[dashboardHeader] === '1' && this.isOfOwnPage({ headers });
  }

  /** True if a page of this origin sent the request. */
  isOfOwnPage({ headers }: Pick<AppRequest, 'headers'>): boolean {
    const site = headers['sec-fetch-site'];
    if (site !== undefined) return site === 'same-origin';
    const { origin, host } = headers;
    if (origin === undefined) return false;
    const seen = originOf({ headers }, this.#trustProxy);
    // A proxy that ends TLS can pass the host on without the scheme.
    return origin === seen || hostOf(origin) === host?.toLowerCase();
  }

  /** True if a browser keeps a cookie that no other machine in the network can read. */
  canKeep(request: Pick<AppRequest, 'headers'>): boolean {
    return this.#kindOf(request) !== undefined;
  }

  /** The header that sets the cookie. @param maxAge seconds; undefined ends with the browser */
  set(request: Pick<AppRequest, 'headers'>, token: string, maxAge: number | undefined): string {
    const kind = this.#kindOf(request) ?? 'secure';
    return [
      `${names[kind]}=${token}`,
      'Path=/',
      'HttpOnly',
      'SameSite=Strict',
      ...(kind === 'secure' ? ['Secure'] : []),
      ...(maxAge === undefined ? [] : [`Max-Age=${maxAge}`]),
    ].join('; ');
  }

  /** The header that removes the cookie. */
  clear(request: Pick<AppRequest, 'headers'>): string {
    return this.set(request, '', 0);
  }

  #kindOf({ headers }: Pick<AppRequest, 'headers'>): keyof typeof names | undefined {
    const origin = originOf({ headers }, this.#trustProxy);
    if (origin === undefined) return undefined;
    const { protocol, host, hostname } = new URL(origin);
    if (protocol === 'https:') return 'secure';
    const known = this.#publicUrl();
    if (known !== undefined && URL.canParse(known)) {
      const url = new URL(known);
      if (url.protocol === 'https:' && url.host === host) return 'secure';
    }
    return isLoopbackHost(hostname) ? 'loopback' : undefined;
  }
}

function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}
