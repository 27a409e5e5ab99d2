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

/** Store and key of a session. */
export interface Who {
  store: Schemas['WhoAmI']['store'];
  key: NonNullable<Schemas['WhoAmI']['key']>;
}
