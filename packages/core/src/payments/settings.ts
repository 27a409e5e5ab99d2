import type { z } from 'zod';
import { audit } from '../audit/entry.ts';
import { toTimestamp } from '../clock.ts';
import type { Context, Engine } from '../context.ts';
import { CommerceError, invalid, quote } from '../errors.ts';
import { fields, flag, parse } from '../parse.ts';
import { lockRows } from '../storage/locks.ts';
import { prepared } from '../storage/prepared.ts';
import { reading } from '../storage/run.ts';
import type { Db } from '../storage/storage.ts';
import { transact } from '../transaction.ts';
import type { CheckoutPages } from './checkout-page.ts';
import { PayPalSettings, paypal } from './paypal.ts';
import { paypalPages } from './paypal-checkout.ts';
import { type Provider, type ProviderName, providerNames } from './provider.ts';
import { SquareSettings, square } from './square.ts';
import { squarePages } from './square-checkout.ts';
import { StripeSettings, stripe } from './stripe.ts';
import { stripePages } from './stripe-checkout.ts';
import type { PaymentProviderTable } from './table.ts';

interface Adapter {
  provider: Provider<never>;
  pages: CheckoutPages<never>;
  settings: z.ZodType;
  /** The optional setting that opens the provider's API, and those that go with it; null where its settings are all required. */
  access: { key: string; others: readonly string[] } | null;
}

const providers = {
  stripe: {
    provider: stripe,
    pages: stripePages,
    settings: StripeSettings,
    access: { key: 'secretKey', others: ['apiBase'] },
  },
  paypal: { provider: paypal, pages: paypalPages, settings: PayPalSettings, access: null },
  square: {
    provider: square,
    pages: squarePages,
    settings: SquareSettings,
    access: { key: 'accessToken', others: ['locationId', 'apiBase'] },
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

/** The pages of the provider, to pay at. @throws CommerceError `notFound` for an unknown name. */
export function pagesOf(name: string): CheckoutPages<unknown> {
  return providers[findProvider(name).name].pages as CheckoutPages<unknown>;
}

/** The public part of a provider's settings. Secrets are never answered. */
export interface PaymentProvider {
  storeId: string;
  provider: string;
  /** True when a payment that describes its items creates the order that it names. */
  makeOrders: boolean;
  updatedAt: string;
}

/** Replaced settings that still verify until a time in milliseconds. */
interface PreviousSettings {
  settings: unknown;
  until: number;
}

/** Most replaced settings that still verify beside the present ones. */
const maxPrevious = 5;

/**
 * Configures a provider for a store, replacing the settings before. Applies to the next notification, in every process.
 * A Stripe `secretKey` or Square `accessToken` that is left out is kept, with the `locationId` and `apiBase` that belong to it, so
 * that the secret of the notifications can be replaced alone; null removes it.
 * `makeOrders` among the settings lets payments that describe their items create orders; it is off at first and keeps its value
 * when left out.
 * @param options `keepPrevious`: milliseconds for which the replaced settings still verify, while a secret is rotated
 * @throws CommerceError `validation`; `notFound` for an unknown provider.
 */
export async function configureProvider(
  ctx: Context,
  name: string,
  input: unknown,
  { keepPrevious = 0 }: { keepPrevious?: number } = {},
): Promise<PaymentProvider> {
  const provider = findProvider(name).name;
  const given = parse(providers[provider].settings, input);
  const { makeOrders } = parse(MakeOrders, input);
  return transact(ctx, async (tx) => {
    const { secrets } = tx.engine;
    const place = placeOf(tx.store.id, provider);
    const row = await lockRows(
      tx.db,
      tx.db
        .selectFrom('payment_providers')
        .select(['store_id', 'settings', 'previous', 'make_orders'])
        .where('store_id', '=', tx.store.id)
        .where('provider', '=', provider),
    ).executeTakeFirst();
    const previous = row && keepPrevious > 0 ? open(tx.engine, provider, row) : undefined;
    const kept: PreviousSettings[] = previous
      ? [{ settings: previous.settings, until: tx.now + keepPrevious }, ...previous.previous]
          .filter(({ until }) => until > tx.now)
          .slice(0, maxPrevious)
      : [];
    const settings = row ? withAccess(tx.engine, provider, given, input as object, row) : given;
    const makes = makeOrders ?? row?.make_orders === 1;
    const columns = {
      make_orders: makes ? 1 : 0,
      settings: secrets.seal(JSON.stringify(settings), place),
      previous: kept.length === 0 ? '[]' : secrets.seal(JSON.stringify(kept), place),
      updated_at: tx.now,
    } as const;
    await tx.db
      .insertInto('payment_providers')
      .values({ store_id: tx.store.id, provider, ...columns })
      .onConflict((conflict) => conflict.columns(['store_id', 'provider']).doUpdateSet(columns))
      .execute();
    audit(tx, { action: 'paymentProvider.updated', resourceType: 'paymentProvider', resourceId: provider });
    return { storeId: tx.store.id, provider, makeOrders: makes, updatedAt: toTimestamp(tx.now) };
  });
}

/**
 * The settings with the stored access to the API, when none is given.
 * @throws CommerceError `validation` for another `apiBase`: whoever may write settings could have the stored secret sent there
 */
function withAccess(
  engine: Engine,
  provider: ProviderName,
  given: object,
  input: object,
  row: Omit<StoredSettings, 'make_orders'>,
): object {
  const { access } = providers[provider];
  const has = (name: string) => (input as Record<string, unknown>)[name] !== undefined;
  if (access === null || has(access.key)) return given;
  const stored = storedAccess(engine, provider, row);
  if (stored[access.key] === undefined) return given;
  const { apiBase } = given as { apiBase?: string };
  if (has('apiBase') && apiBase !== stored.apiBase) {
    throw invalid(access.key, 'must be given with another apiBase, to which the stored one is not sent');
  }
  const kept = [access.key, ...access.others].filter((name) => !has(name) && stored[name] !== undefined);
  return { ...given, ...Object.fromEntries(kept.map((name) => [name, stored[name]])) };
}

/** The stored settings; none when they are encrypted with a lost key, after which a shop configures its providers anew. */
function storedAccess(engine: Engine, provider: ProviderName, row: Omit<StoredSettings, 'make_orders'>) {
  try {
    return open(engine, provider, row).settings as Record<string, unknown>;
  } catch (error) {
    if (error instanceof CommerceError && error.kind === 'unavailable') return {};
    throw error;
  }
}

const MakeOrders = fields({ makeOrders: flag.optional() });

/** One set of settings that can verify a store's notifications. */
export interface StoreSettings {
  storeId: string;
  settings: unknown;
  makeOrders: boolean;
}

type StoredSettings = Pick<PaymentProviderTable, 'store_id' | 'settings' | 'previous' | 'make_orders'>;

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
 * The settings of the provider in every store that configured it. Unreadable ones are left out, so that they affect their own
 * store alone.
 * @returns with them the error of each store that was left out
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
  const { settings, previous } = open(engine, provider, row);
  const live = previous.filter(({ until }) => until > now);
  const makeOrders = row.make_orders === 1;
  return [settings, ...live.map((one) => one.settings)].map((one) => ({
    storeId: row.store_id,
    settings: one,
    makeOrders,
  }));
}

function open(engine: Engine, provider: ProviderName, row: Omit<StoredSettings, 'make_orders'>) {
  const place = placeOf(row.store_id, provider);
  return {
    settings: JSON.parse(engine.secrets.open(row.settings, place)) as unknown,
    previous: JSON.parse(engine.secrets.open(row.previous, place)) as PreviousSettings[],
  };
}

function placeOf(storeId: string, provider: ProviderName): string {
  return `${storeId} ${provider}`;
}

/** A provider of a store with settings that open pages. */
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
  const rows = await reading(engine.storage, (db) => settingsOfEach(db, { storeId }));
  return rows.flatMap((row) => {
    const name = row.provider as ProviderName;
    const { settings } = open(engine, name, row);
    return pagesOf(name).ready(settings) ? [{ name, settings }] : [];
  });
}
