import type { Flag } from '../storage/schema.ts';
import type { Plan } from './plans.ts';

export interface StoreTable {
  id: string;
  /** Small and dense: names the store's range in the search index. */
  number: number;
  name: string;
  currency: string;
  strict_category_depth: Flag;
  manual_payments: Flag;
  plan: Plan;
  /** Of a plan with numbers of its own; null with `burst` where nothing is limited. */
  requests_per_minute: number | null;
  burst: number | null;
  created_at: number;
  updated_at: number;
}

/** How much of its rate limit a store has used. */
export interface RateLimitTable {
  store_id: string;
  /** Requests that count still, times 60,000, at the time `at`; it falls by the requests per minute each millisecond. */
  level: number;
  at: number;
}
