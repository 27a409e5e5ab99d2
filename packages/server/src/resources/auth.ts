import type { IncomingHttpHeaders } from 'node:http';
import { type Commerce, CommerceError, type Identity } from '@commerce/core';
import type { AppRequest } from '../http.ts';
import type { SessionCookie } from '../request/session-cookie.ts';
import { type Identified, type Identify, identityOf } from './identify.ts';

/** How a request is identified, beside its key. */
export interface SignInOptions {
  cookie: SessionCookie;
  /** The sign-in of the application, which is asked first. */
  identify: Identify<AppRequest> | undefined;
  /** Origins whose pages may be signed in to the application. */
  origins: readonly string[];
}

/**
 * The store and scopes of a request: those that the application's own sign-in names, else those of its key, else those of the session in the
 * dashboard's own request.
 * @throws CommerceError `unauthorized` without any of them, or if it is unknown, refused, revoked or expired
 */
export function authenticate(
  commerce: Commerce,
  request: AppRequest,
  options: SignInOptions,
): Identity | Promise<Identity> {
  const { identify, cookie, origins } = options;
  const { headers } = request;
  if (!identify) return ofKeyOrSession(commerce, headers, cookie);
  if (isForeign(headers, origins, cookie)) return ofKeyOrSession(commerce, headers, cookie, notCounted(headers));
  return identified(commerce, request, identify, cookie);
}

async function identified(
  commerce: Commerce,
  request: AppRequest,
  identify: Identify<AppRequest>,
  cookie: SessionCookie,
): Promise<Identity> {
  const named: Identified | 'refuse' | undefined = await identify(request);
  if (named === 'refuse') throw new CommerceError('unauthorized', 'sign in to the application first');
  return named ? identityOf(commerce, named) : ofKeyOrSession(commerce, request.headers, cookie);
}

/**
 * True for a request of a page of another origin, with which a browser can send the cookies of this one. A link in a page of the same site is
 * none: it only reads, and its page does not see the answer. On plain HTTP, and in old browsers, only the origin tells.
 */
function isForeign(headers: IncomingHttpHeaders, origins: readonly string[], cookie: SessionCookie): boolean {
  const { origin, 'sec-fetch-site': site } = headers;
  if (origin !== undefined && origins.includes(origin)) return false;
  if (site === 'cross-site') return true;
  return origin !== undefined && site !== 'none' && !cookie.isOfOwnPage({ headers });
}

function ofKeyOrSession(
  commerce: Commerce,
  headers: IncomingHttpHeaders,
  cookie: SessionCookie,
  note = '',
): Identity | Promise<Identity> {
  const key = readKey(headers);
  if (key === undefined) {
    const token = cookie.tokenOf({ headers });
    if (token === undefined) throw keyRequired(note);
    const { sessions } = commerce;
    return sessions.known(token) ?? sessions.authenticate(token).then(inSession);
  }
  const { identities } = commerce;
  // A key in use is cached, so there is nothing to wait for.
  return identities.known(key) ?? identities.authenticate(key).then(accepted);
}

function keyRequired(note: string): CommerceError {
  return new CommerceError(
    'unauthorized',
    `an API key is required: send \`Authorization: Bearer <key>\` or \`X-API-Key: <key>\`${note}`,
  );
}

function notCounted({ origin }: IncomingHttpHeaders): string {
  const page = origin === undefined ? 'another site' : origin.slice(0, 200);
  return `; the sign-in of the application does not count for a page of ${page}, which the service does not name in \`cors\``;
}

function accepted(identity: Identity | undefined): Identity {
  if (identity) return identity;
  throw new CommerceError('unauthorized', 'the API key is not valid: it is unknown, revoked or expired');
}

function inSession(identity: Identity | undefined): Identity {
  if (identity) return identity;
  throw new CommerceError('unauthorized', 'the session has ended: sign in again');
}

function readKey(headers: IncomingHttpHeaders): string | undefined {
  const { authorization } = headers;
  if (authorization !== undefined) return /^Bearer +(\S+)$/i.exec(authorization)?.[1];
  const key = headers['x-api-key'];
  return typeof key === 'string' && key !== '' ? key : undefined;
}
