import type { IncomingHttpHeaders } from 'node:http';
import { type Commerce, CommerceError, type Identity } from '@commerce/core';

/**
 * Whom the request's key stands for.
 * @throws CommerceError `unauthorized` when there is no key or it is not, or no longer, a key.
 */
export function authenticate(commerce: Commerce, headers: IncomingHttpHeaders): Identity | Promise<Identity> {
  const key = readKey(headers);
  if (key === undefined) {
    throw new CommerceError(
      'unauthorized',
      'an API key is needed: send `Authorization: Bearer <key>` or `X-API-Key: <key>`',
    );
  }
  const { identities } = commerce;
  // A key in use is known, and then nothing has to wait.
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
