import { api, at, had } from '../../api/client.ts';
import { can } from '../../api/session.ts';
import type { Schemas, Scope } from '../../api/types.ts';
import type { t } from '../../words/words.ts';

/** What the steps are derived from, each loaded once if the key may see it. */
interface Facts {
  settings: Schemas['Settings'];
  products: Schemas['Product'][];
  providers: Schemas['PaymentProvider'][];
  orders: number;
}

type Loads = { [Name in keyof Facts]: { scope: Scope; load(signal: AbortSignal): Promise<Facts[Name]> } };

const params = <Q extends object>(query: Q) => ({ path: at(), query });

const loads: Loads = {
  settings: {
    scope: 'settings.read',
    load: async (signal) => (await had(api.GET('/stores/{storeId}/settings', { params: { path: at() }, signal }))).item,
  },
  products: {
    scope: 'product.read',
    load: async (signal) =>
      (await had(api.GET('/stores/{storeId}/products', { params: params({ limit: 50 }), signal }))).items,
  },
  providers: {
    scope: 'settings.read',
    load: async (signal) =>
      (await had(api.GET('/stores/{storeId}/payment-providers', { params: { path: at() }, signal }))).items,
  },
  orders: {
    scope: 'order.read',
    load: async (signal) =>
      (await had(api.GET('/stores/{storeId}/orders', { params: params({ limit: 1 }), signal }))).total,
  },
};

export type StepName = keyof typeof t.home.steps;

export interface Step {
  name: StepName;
  /** The place where it is done. */
  to: string;
  needs: readonly (keyof Facts)[];
  isDone(facts: Facts): boolean;
}

function step<K extends keyof Facts>(
  name: StepName,
  to: string,
  needs: readonly K[],
  isDone: (facts: Pick<Facts, K>) => boolean,
): Step {
  return { name, to, needs, isDone };
}

/** What a new shop needs before it sells, one step a line, in this order. */
const steps: readonly Step[] = [
  step('shop', 'settings', ['settings'], ({ settings }) => settings.timeZone !== 'UTC'),
  step('product', 'products', ['products'], ({ products }) => products.some(({ mediaIds }) => mediaIds.length > 0)),
  step('tax', 'settings', ['settings'], ({ settings }) => Number(settings.taxRate) > 0),
  step('shipping', 'settings', ['settings'], ({ settings }) => settings.shippingMethods.length > 0),
  step(
    'payment',
    'payments/providers',
    ['settings', 'providers'],
    (is) => is.settings.manualPayments || is.providers.some(({ hasPages }) => hasPages),
  ),
  step('origin', 'settings', ['settings'], ({ settings }) => settings.returnUrls.length > 0),
  step('seller', 'settings?tab=seller', ['settings'], ({ settings }) => settings.seller !== null),
  step('mail', 'settings?tab=mail', ['settings'], ({ settings: { mail } }) => mail.from !== null && mail.smtp !== null),
  step('order', 'orders?tab=all', ['orders'], ({ orders }) => orders > 0),
];

/** The steps whose facts the key may see. */
export function visibleSteps(): readonly Step[] {
  return steps.filter(({ needs }) => needs.every((name) => can(loads[name].scope)));
}

/** The names of the steps that are done. @throws ApiError */
export async function loadDone(shown: readonly Step[], signal: AbortSignal): Promise<ReadonlySet<StepName>> {
  const needed = [...new Set(shown.flatMap(({ needs }) => needs))];
  const entries = needed.map(async (name) => [name, await loads[name].load(signal)] as const);
  const facts = Object.fromEntries(await Promise.all(entries)) as unknown as Facts;
  return new Set(shown.filter(({ isDone }) => isDone(facts)).map(({ name }) => name));
}
