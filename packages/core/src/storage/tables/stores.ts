import type { Flag } from '../flag.ts';

export const plans = ['free', 'pro', 'enterprise'] as const;
export type Plan = (typeof plans)[number];

export interface StoreTable {
  id: string;
  /** A small number without gaps, which names the store's range in the search index. */
  number: number;
  name: string;
  currency: string;
  strict_category_depth: Flag;
  manual_payments: Flag;
  plan: Plan;
  /** Set together with `burst`, only on the plan `enterprise`; null when the store is not limited or the plan is fixed. */
  requests_per_minute: number | null;
  burst: number | null;
  /** JSON of `SellingSettings`. */
  settings: string;
  /** The encrypted password of the mail server; null for none. */
  smtp_password: string | null;
  /** Signs the links to buyers' pages of orders. */
  link_secret: string;
  /** Part of the addresses of the product feeds; null until they are enabled. */
  feed_token: string | null;
  /** The host that names this store to shopping agents; null for none. No two stores have the same. */
  ucp_host: string | null;
  created_at: number;
  updated_at: number;
}

/** The used part of a store's rate limit. */
export interface RateLimitTable {
  store_id: string;
  /** Requests still counted at the time `at`, times 60,000; falls by the requests per minute each millisecond. */
  level: number;
  at: number;
}
