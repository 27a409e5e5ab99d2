/** The first answer to a request that carried an `Idempotency-Key`. */
export interface IdempotentRequestTable {
  store_id: string;
  /** Empty if the actor is not an API key. */
  api_key_id: string;
  /** Method and path as in the route table, such as `POST /products`. */
  route: string;
  key: string;
  /** Digest of the input. */
  fingerprint: string;
  status: number;
  /** The answer's body, without secrets. */
  body: string | null;
  expires_at: number;
}
