import type { IncomingHttpHeaders } from 'node:http';
import { type Commerce, CommerceError, type Identity } from '@commerce/core';

/**
 * The store and scopes that the request's key grants.
 * @throws CommerceError `unauthorized` without a key, or with one that is unknown, revoked or expired
 */
export function authenticate(commerce: Commerce, headers: IncomingHttpHeaders): Identity | Promise<Identity> {
  const key = readKey(headers);
  if (key === undefined) {
    throw new CommerceError(
      'unauthorized',
      'an API key is required: send `Authorization: Bearer <key>` or `X-API-Key: <key>`',
    );
  }
  const { identities } = commerce;
  // A key in use is cached, so there is nothing to wait for.
  return identities.known(key) ?? identities.authenticate(key).then(accepted);
}

function accepted(identity: Identity | undefined): Identity {
  if (identity) return identity;
  throw new CommerceError('unauthorized', 'the API key is not valid: it is unknown, revoked or expired');
}

function readKey(headers: IncomingHttpHeaders): string | undefined {
  const { authorization } = headers;
  if (authorization !== undefined) return /^Bearer +(\S+)$/i.exec(authorization)?.[1];
  const key = headers['x-api-key'];
  return typeof key === 'string' && key !== '' ? key : undefined;
}
