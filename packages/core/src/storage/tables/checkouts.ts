import { sql } from 'kysely';
import type { Flag } from '../flag.ts';
import type { ProviderName } from './payments.ts';

/** The path of one order to its payment. Totals and the outcome are read from the order. */
export interface CheckoutTable {
  store_id: string;
  id: string;
  order_id: string;
  /** `opening` until the provider has answered; `closed` once no buyer can pay there any more, and if no provider is asked. */
  state: 'opening' | 'open' | 'closed' | 'failed';
  /** Null for an order that costs nothing, and for one to pay without a provider. */
  provider: ProviderName | null;
  /** The provider's id of the page: session, wallet order or payment link. */
  page_id: string | null;
  /** The provider's own order, if it has another id. */
  provider_order: string | null;
  url: string | null;
  /** Digest of the request. */
  fingerprint: string;
  /** SHA-256 of the secret that allows cancelling, hex. */
  secret_hash: string;
  /** 1 if a storefront key made it. */
  by_storefront: Flag;
  /** Keyed digest of the network address, while it counts against a limit; else null. */
  address_hash: string | null;
  success_url: string;
  cancel_url: string;
  /** Time at which the page ends. */
  expires_at: number;
  /** Captures attempted so far. */
  captures: number;
  /** Time until which no other process captures; 0 when none does. */
  capturing_until: number;
  created_at: number;
  updated_at: number;
}

/** Restricts a query to checkouts whose page might be open. Literals, so both engines see that the partial indexes apply. */
export const hasPage = sql<boolean>`state in ('opening', 'open')`;
