/** Kinds of keys: kept secret, or published in a storefront's pages. */
export const keyKinds = ['secret', 'storefront'] as const;
export type KeyKind = (typeof keyKinds)[number];

export interface ApiKeyTable {
  store_id: string;
  id: string;
  kind: KeyKind;
  name: string;
  prefix: string;
  /** SHA-256 of the whole key, hex. */
  hash: string;
  /** JSON array of scopes. */
  scopes: string;
  last_used_at: number | null;
  expires_at: number | null;
  created_at: number;
  /** The id of the key that created this one. */
  created_by: string | null;
}
