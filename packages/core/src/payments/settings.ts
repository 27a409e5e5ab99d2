import type * as z from 'zod';
import type { Engine } from '../engine/context.ts';
import { CommerceError, quote } from '../kernel/errors.ts';
import type { CheckoutPages } from '../providers/checkout-page.ts';
import type { EndpointCalls } from '../providers/endpoints.ts';
import { paypalPages } from '../providers/paypal/checkout.ts';
import { paypalEndpoints } from '../providers/paypal/endpoints.ts';
import { paypal } from '../providers/paypal/paypal.ts';
import { paypalRefunds } from '../providers/paypal/refund.ts';
import { PayPalSettings } from '../providers/paypal/settings.ts';
import type { Provider } from '../providers/provider.ts';
import type { RefundCalls } from '../providers/refund-calls.ts';
import { squarePages } from '../providers/square/checkout.ts';
import { squareEndpoints } from '../providers/square/endpoints.ts';
import { squareRefunds } from '../providers/square/refund.ts';
import { SquareSettings, square } from '../providers/square/square.ts';
import { stripePages } from '../providers/stripe/checkout.ts';
import { stripeEndpoints } from '../providers/stripe/endpoints.ts';
import { earlierMethods, usualMethods } from '../providers/stripe/methods.ts';
import { stripeRefunds } from '../providers/stripe/refund.ts';
import { checkMethods, StripeSettings, stripe } from '../providers/stripe/stripe.ts';
import { prepared } from '../storage/prepared.ts';
import { reading } from '../storage/run.ts';
import type { Db } from '../storage/storage.ts';
import type { PaymentProviderTable } from '../storage/tables/payments.ts';
import { type ProviderName, providerNames } from '../storage/tables/payments.ts';

/** A provider's adapter and settings. */
interface Adapter {
  provider: Provider<never>;
  pages: CheckoutPages<never>;
  endpoints: EndpointCalls;
  refunds: RefundCalls<never>;
  settings: z.ZodObject;
  /** The optional setting that opens the provider's API, and its companion settings; null if all settings are required. */
  access: { key: string; others: readonly string[] } | null;
  /** Origins of the provider's own API, the live one first. */
  origins: readonly [live: string, ...others: string[]];
  /** Choices, which keep their values when they are left out: of settings without them, and of newly configured ones. */
  choices: { earlier: Record<string, unknown>; first: Record<string, unknown> };
  /** Checks what the schema cannot say. @throws CommerceError `validation` */
  check?(settings: never): void;
  /** True if the settings are of the provider's test mode; null if they do not tell. */
  isTest(settings: never): boolean | null;
}

const providers = {
  stripe: {
    provider: stripe,
    pages: stripePages,
    endpoints: stripeEndpoints,
    refunds: stripeRefunds,
    settings: StripeSettings,
    access: { key: 'secretKey', others: ['apiBase'] },
    origins: ['https://api.stripe.com'],
    choices: {
      earlier: { methods: earlierMethods, allowDelayed: false },
      first: { methods: usualMethods, allowDelayed: false },
    },
    check: checkMethods,
    // docs.stripe.com/keys: `sk_test_` and `rk_test_` are of test mode.
    isTest: ({ secretKey }: StripeSettings) => (secretKey === undefined ? null : /^[rs]k_test_/.test(secretKey)),
  },
  paypal: {
    provider: paypal,
    pages: paypalPages,
    endpoints: paypalEndpoints,
    refunds: paypalRefunds,
    settings: PayPalSettings,
    access: null,
    origins: ['https://api-m.paypal.com', 'https://api-m.sandbox.paypal.com'],
    choices: { earlier: {}, first: {} },
    isTest: ({ apiBase }: PayPalSettings) => apiBase !== 'https://api-m.paypal.com',
  },
  square: {
    provider: square,
    pages: squarePages,
    endpoints: squareEndpoints,
    refunds: squareRefunds,
    settings: SquareSettings,
    access: { key: 'accessToken', others: ['locationId', 'apiBase'] },
    origins: ['https://connect.squareup.com', 'https://connect.squareupsandbox.com'],
    choices: { earlier: {}, first: {} },
    isTest: ({ apiBase }: SquareSettings) => apiBase !== 'https://connect.squareup.com',
  },
} satisfies Record<ProviderName, Adapter>;

/** @throws CommerceError `notFound` for an unknown name. */
export function findProvider(name: string): Provider<unknown> {
  if (!providerNames.includes(name as ProviderName)) {
    throw new CommerceError(
      'notFound',
      `no payment provider ${quote(name)}; the providers are ${providerNames.join(', ')}`,
    );
  }
  return providers[name as ProviderName].provider as Provider<unknown>;
}

/** The provider's adapter. @throws CommerceError `notFound` for an unknown name. */
export function adapterOf(name: string): Adapter {
  return providers[findProvider(name).name];
}

/** The pages of the provider, to pay at. @throws CommerceError `notFound` for an unknown name. */
export function pagesOf(name: string): CheckoutPages<unknown> {
  return providers[findProvider(name).name].pages as CheckoutPages<unknown>;
}

/** The refunds of the provider. @throws CommerceError `notFound` for an unknown name. */
export function refundsOf(name: string): RefundCalls<unknown> {
  return providers[findProvider(name).name].refunds as RefundCalls<unknown>;
}

/** Replaced settings that still verify until a time in milliseconds. */
export interface PreviousSettings {
  settings: unknown;
  until: number;
}

/** One set of settings that can verify a store's notifications. */
export interface StoreSettings {
  storeId: string;
  settings: unknown;
  makeOrders: boolean;
}

/** A stored row of settings. */
export type StoredSettings = Pick<PaymentProviderTable, 'store_id' | 'settings' | 'previous' | 'make_orders'>;

const stored = (db: Db) =>
  db.selectFrom('payment_providers').select(['store_id', 'settings', 'previous', 'make_orders']);

const settingsOfStore = prepared<{ storeId: string; provider: string }, StoredSettings>((db, p) =>
  stored(db).where('store_id', '=', p('storeId')).where('provider', '=', p('provider')),
);

const settingsOfAll = prepared<{ provider: string }, StoredSettings>((db, p) =>
  stored(db).where('provider', '=', p('provider')).orderBy('store_id'),
);

/**
 * The settings of the provider in one store, the present ones first, then replaced ones.
 * @throws CommerceError `unavailable` when they are encrypted with another key
 */
export async function providerSettings(
  engine: Engine,
  provider: ProviderName,
  storeId: string,
): Promise<StoreSettings[]> {
  const rows = await reading(engine.storage, (db) => settingsOfStore(db, { storeId, provider }));
  return rows.flatMap((row) => liveSettings(engine, provider, row));
}

/**
 * The settings of the provider in every store that configured it. Skips unreadable ones: they affect only their own store.
 * @returns also the error of each skipped store
 */
export async function allProviderSettings(
  engine: Engine,
  provider: ProviderName,
): Promise<{ settings: StoreSettings[]; unreadable: Error[] }> {
  const rows = await reading(engine.storage, (db) => settingsOfAll(db, { provider }));
  const settings: StoreSettings[] = [];
  const unreadable: Error[] = [];
  for (const row of rows) {
    try {
      settings.push(...liveSettings(engine, provider, row));
    } catch (error) {
      unreadable.push(error instanceof Error ? error : new Error(String(error)));
    }
  }
  return { settings, unreadable };
}

function liveSettings(engine: Engine, provider: ProviderName, row: StoredSettings): StoreSettings[] {
  const now = engine.clock.now();
  const { settings, previous } = openSettings(engine, provider, row);
  const live = previous.filter(({ until }) => until > now);
  const makeOrders = row.make_orders === 1;
  return [settings, ...live.map((one) => one.settings)].map((one) => ({
    storeId: row.store_id,
    settings: one,
    makeOrders,
  }));
}

/** The settings of a row in the clear. @throws CommerceError `unavailable` when they are encrypted with another key */
export function openSettings(engine: Engine, provider: ProviderName, row: Omit<StoredSettings, 'make_orders'>) {
  const place = placeOf(row.store_id, provider);
  return {
    settings: JSON.parse(engine.secrets.open(row.settings, place)) as unknown,
    previous: JSON.parse(engine.secrets.open(row.previous, place)) as PreviousSettings[],
  };
}

/** The place that sealed settings are bound to. */
export function placeOf(storeId: string, provider: ProviderName): string {
  return `${storeId} ${provider}`;
}

/** A provider of a store with its settings. */
export interface ReadySettings {
  name: ProviderName;
  settings: unknown;
}

const settingsOfEach = prepared<{ storeId: string }, StoredSettings & { provider: string }>((db, p) =>
  stored(db).select('provider').where('store_id', '=', p('storeId')).orderBy('provider'),
);

/**
 * The providers at which a store can open pages to pay at.
 * @throws CommerceError `unavailable` when their settings are encrypted with another key
 */
export async function readyProviders(engine: Engine, storeId: string): Promise<ReadySettings[]> {
  const all = await settingsOfProviders(engine, storeId);
  return all.filter(({ name, settings }) => pagesOf(name).ready(settings));
}

/**
 * The providers that a store can ask for refunds.
 * @throws CommerceError `unavailable` when their settings are encrypted with another key
 */
export async function refundingProviders(engine: Engine, storeId: string): Promise<ReadySettings[]> {
  const all = await settingsOfProviders(engine, storeId);
  return all.filter(({ name, settings }) => refundsOf(name).ready(settings));
}

async function settingsOfProviders(engine: Engine, storeId: string): Promise<ReadySettings[]> {
  const rows = await reading(engine.storage, (db) => settingsOfEach(db, { storeId }));
  return rows.map((row) => {
    const name = row.provider as ProviderName;
    return { name, settings: openSettings(engine, name, row).settings };
  });
}
