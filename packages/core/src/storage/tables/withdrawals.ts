/** A statement of a buyer that a contract is withdrawn from. */
export interface WithdrawalTable {
  store_id: string;
  id: string;
  status: string;
  /** The order that it was matched with. */
  order_id: string | null;
  /** The e-mail in lower case; empty once it was anonymised. */
  email_key: string;
  /** Keyed digest of the network address that it came from, while it counts against a limit; else null. */
  address_hash: string | null;
  /** Time at which its order was looked for, found or not; null until then. */
  tried_at: number | null;
  created_at: number;
  json: string;
  /** Number of the fields that `json` was printed with. */
  shape: number;
}
