import type { components } from '@commerce/server/api';

/** The types of the interface by their names in its document. */
export type Schemas = components['schemas'];

/** A scope of a key, such as `order.read`. */
export type Scope = NonNullable<Schemas['WhoAmI']['key']>['scopes'][number];

/** A page of a list, with the total number of matches. */
export interface Page<T> {
  items: T[];
  total: number;
}

/** The store of a session, and its user or key, with the scopes. */
export interface Who extends Pick<Schemas['WhoAmI'], 'store' | 'key' | 'user'> {
  scopes: readonly Scope[];
}
