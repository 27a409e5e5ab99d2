import type { IncomingHttpHeaders } from 'node:http';
import { type Commerce, CommerceError, type Identity } from '@commerce/core';
import type { SessionCookie } from '../request/session-cookie.ts';

/**
 * The store and scopes that the request's key grants; without a key, those of the session in the dashboard's own request.
 * @throws CommerceError `unauthorized` without either, or if it is unknown, revoked or expired
 */
export function authenticate(
  commerce: Commerce,
  headers: IncomingHttpHeaders,
  cookie: SessionCookie,
): Identity | Promise<Identity> {
  const key = readKey(headers);
  if (key === undefined) {
    const token = cookie.tokenOf({ headers });
    if (token === undefined) throw keyRequired();
    const { sessions } = commerce;
    return sessions.known(token) ?? sessions.authenticate(token).then(inSession);
  }
  const { identities } = commerce;
  // A key in use is cached, so there is nothing to wait for.
  return identities.known(key) ?? identities.authenticate(key).then(accepted);
}

function keyRequired(): CommerceError {
  return new CommerceError(
    'unauthorized',
    'an API key is required: send `Authorization: Bearer <key>` or `X-API-Key: <key>`',
  );
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
