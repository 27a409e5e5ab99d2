/** The first answer to a request that carried an `Idempotency-Key`. */
export interface IdempotentRequestTable {
  store_id: string;
  /** Empty where no API key acts. */
  api_key_id: string;
  /** Method and path as the route table has them, such as `POST /products`. */
  route: string;
  key: string;
  /** A digest of what was asked for. */
  fingerprint: string;
  status: number;
  /** What was answered, without secrets. */
  body: string | null;
  expires_at: number;
}
