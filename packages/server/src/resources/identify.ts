import {
  type Actor,
  type Commerce,
  CommerceError,
  findStore,
  type Identity,
  type Scope,
  scopes,
  storefrontScopes,
} from '@commerce/core';

/** Who asks, as the application knows it. */
export interface Identified {
  /** The store that the request is for; another one in its path is refused. */
  storeId: string;
  /**
   * The user of the application. `id` is up to 255 characters, and is what the audit log shows; null for nobody in particular. Without
   * `scopes` everything is allowed. With `isPublic`, no more is allowed than with a storefront key.
   */
  actor: Pick<Actor, 'id' | 'scopes' | 'isPublic'>;
}

/**
 * The sign-in of an application, asked for each request for the resources of a store. `'refuse'` answers 401; with `undefined`, the key or
 * the session of the request decides, as without it. Requests of pages of other origins are not asked about, unless `cors` names
 * them, so that they cannot use a cookie of the application.
 */
export type Identify<Request> = (
  request: Request,
) => Identified | 'refuse' | undefined | Promise<Identified | 'refuse' | undefined>;

const allScopes: ReadonlySet<Scope> = new Set(scopes);
const maxId = 255;

/**
 * @throws CommerceError `forbidden` without the store
 * @throws TypeError for an actor that the audit log cannot show
 */
export async function identityOf(commerce: Commerce, { storeId, actor }: Identified): Promise<Identity> {
  const { id, scopes: given = allScopes, isPublic = false } = actor;
  if (id !== null && (typeof id !== 'string' || id === '' || id.length > maxId)) {
    throw new TypeError(`identify() must name the id of an actor by 1 to ${maxId} characters, or null`);
  }
  const store = await findStore(commerce.engine, storeId);
  if (!store) throw new CommerceError('forbidden', 'insufficient permissions: the store of the user does not exist');
  // The operations of other scopes do not ask whether it is the public that calls them.
  const own = isPublic ? new Set(storefrontScopes.filter((scope) => given.has(scope))) : given;
  return {
    store,
    actor: { type: 'embedder', id, scopes: own, ...(isPublic && { isPublic }) },
    // As with a storefront key, so that the public does not read what is for operators.
    prefix: isPublic ? 'ck_pub_' : 'application',
    expiresAt: null,
  };
}
