import type { Plan, RateLimit } from './plans.ts';

/** One shop. Its currency (ISO 4217) is fixed when it is made. */
export interface Store {
  id: string;
  name: string;
  currency: string;
  /** Refuses to move a category with children below another; otherwise the children keep their parent. */
  strictCategoryDepth: boolean;
  /** Lets the shop record payments that reached it on another way than a provider's, such as a bank transfer. */
  manualPayments: boolean;
  plan: Plan;
  /** What its keys may do together; null where nothing is limited. */
  rateLimit: RateLimit | null;
  createdAt: string;
  updatedAt: string;
}

/** A store with what only core needs to know of it. */
export interface StoreContext extends Store {
  readonly number: number;
  /** Decimals of the currency. */
  readonly decimals: number;
}
