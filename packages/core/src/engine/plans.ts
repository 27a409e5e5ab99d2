import type { Plan } from '../storage/tables/stores.ts';
/** Requests allowed to a store's keys together: a bucket of `burst`, refilled evenly. */
export interface RateLimit {
  requestsPerMinute: number;
  /** Size of the bucket: requests allowed at the same moment. */
  burst: number;
}

/** Limits of the plans with fixed numbers. An `enterprise` store has its own numbers, or no limit. */
const fixed: Readonly<Record<Exclude<Plan, 'enterprise'>, RateLimit>> = {
  free: { requestsPerMinute: 60, burst: 10 },
  pro: { requestsPerMinute: 300, burst: 50 },
};

/** The limit of a store; null when it is not limited. */
export function rateLimitOf(row: {
  plan: Plan;
  requests_per_minute: number | null;
  burst: number | null;
}): RateLimit | null {
  if (row.plan !== 'enterprise') return fixed[row.plan];
  if (row.requests_per_minute === null || row.burst === null) return null;
  return { requestsPerMinute: row.requests_per_minute, burst: row.burst };
}
