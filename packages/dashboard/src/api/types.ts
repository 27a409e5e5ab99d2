import type { components } from '@commerce/server/api';

/** The things of the interface by their names in its document. */
export type Schemas = components['schemas'];

/** A page of a list, with the number of all that match. */
export interface Page<T> {
  items: T[];
  total: number;
}

/** Store and key of a session, as `GET /whoami` tells them. */
export interface Who {
  store: { id: string; name: string; currency: string; plan: string; timeZone: string };
  key: { id: string; name: string; kind: string; scopes: string[]; expiresAt: string | null };
}
