import type { Plan } from '../storage/tables/stores.ts';
import type { RateLimit } from './plans.ts';
import type { SellingSettings } from './settings/settings.ts';

/** One shop. Its currency (ISO 4217) is fixed at creation. */
export interface Store {
  id: string;
  name: string;
  currency: string;
  /** Refuses to move a category with children below another category; when false, the children keep their parent. */
  strictCategoryDepth: boolean;
  /** Allows recording payments that did not come through a provider, such as a bank transfer. */
  manualPayments: boolean;
  plan: Plan;
  /** Limit of all its keys together; null when they are not limited. */
  rateLimit: RateLimit | null;
  createdAt: string;
  updatedAt: string;
}

/** A store with the facts that only core needs. */
export interface StoreContext extends Store {
  readonly number: number;
  /** Decimals of the currency. */
  readonly decimals: number;
  readonly settings: SellingSettings;
}
