import type { z } from 'zod';
import { toTimestamp } from '../clock.ts';
import { audit, type Context, type Engine } from '../context.ts';
import { CommerceError, quote } from '../errors.ts';
import { parse } from '../parse.ts';
import { lockRows } from '../storage/locks.ts';
import { prepared } from '../storage/prepared.ts';
import { reading, transact } from '../transaction.ts';
import { PayPalSettings, paypal } from './paypal.ts';
import { type Provider, type ProviderName, providerNames } from './provider.ts';
import { SquareSettings, square } from './square.ts';
import { StripeSettings, stripe } from './stripe.ts';
import type { PaymentProviderTable } from './table.ts';

/** Each provider with the schema of its settings. */
const providers = {
  stripe: { provider: stripe, settings: StripeSettings },
  paypal: { provider: paypal, settings: PayPalSettings },
  square: { provider: square, settings: SquareSettings },
} satisfies Record<ProviderName, { provider: Provider<never>; settings: z.ZodType }>;

/** @throws CommerceError `notFound` for a name that no provider has. */
export function findProvider(name: string): Provider<unknown> {
  if (!providerNames.includes(name as ProviderName)) {
    throw new CommerceError('notFound', `no payment provider ${quote(name)}; there are ${providerNames.join(', ')}`);
  }
  return providers[name as ProviderName].provider as Provider<unknown>;
}

/** The settings that are public: which provider, for which store, since when. Secrets are never answered. */
export interface PaymentProvider {
  storeId: string;
  provider: string;
  updatedAt: string;
}

/** Settings that were replaced and still count until then, in milliseconds. */
interface PreviousSettings {
  settings: unknown;
  until: number;
}

/** How many replaced settings may count beside the present ones. */
const mostPrevious = 5;

/**
 * Sets how a store's notifications of one provider are verified, in place of what was set before. Felt by the next
 * notification, in every process.
 * @param options `keepPrevious`: for how many milliseconds the replaced settings count as well, while a secret is rotated
 * @throws CommerceError `validation`; `notFound` for an unknown provider.
 */
export async function configureProvider(
  ctx: Context,
  name: string,
  input: unknown,
  { keepPrevious = 0 }: { keepPrevious?: number } = {},
): Promise<PaymentProvider> {
  const provider = findProvider(name).name;
  const settings = parse(providers[provider].settings, input);
  return transact(ctx, async (tx) => {
    const { secrets } = tx.engine;
    const place = placeOf(tx.store.id, provider);
    const row = await lockRows(
      tx.db,
      tx.db
        .selectFrom('payment_providers')
        .select(['store_id', 'settings', 'previous'])
        .where('store_id', '=', tx.store.id)
        .where('provider', '=', provider),
    ).executeTakeFirst();
    const previous = row && keepPrevious > 0 ? open(tx.engine, provider, row) : undefined;
    const kept: PreviousSettings[] = previous
      ? [{ settings: previous.settings, until: tx.now + keepPrevious }, ...previous.previous]
          .filter(({ until }) => until > tx.now)
          .slice(0, mostPrevious)
      : [];
    const columns = {
      settings: secrets.seal(JSON.stringify(settings), place),
      previous: kept.length === 0 ? '[]' : secrets.seal(JSON.stringify(kept), place),
      updated_at: tx.now,
    };
    await tx.db
      .insertInto('payment_providers')
      .values({ store_id: tx.store.id, provider, ...columns })
      .onConflict((conflict) => conflict.columns(['store_id', 'provider']).doUpdateSet(columns))
      .execute();
    audit(tx, { action: 'paymentProvider.updated', resourceType: 'paymentProvider', resourceId: provider });
    return { storeId: tx.store.id, provider, updatedAt: toTimestamp(tx.now) };
  });
}

/** One set of settings that a store's notifications may be verified with. */
export interface StoreSettings {
  storeId: string;
  settings: unknown;
}

type StoredSettings = Pick<PaymentProviderTable, 'store_id' | 'settings' | 'previous'>;

const settingsOfStore = prepared<{ storeId: string; provider: string }, StoredSettings>((db, p) =>
  db
    .selectFrom('payment_providers')
    .select(['store_id', 'settings', 'previous'])
    .where('store_id', '=', p('storeId'))
    .where('provider', '=', p('provider')),
);

const settingsOfAll = prepared<{ provider: string }, StoredSettings>((db, p) =>
  db
    .selectFrom('payment_providers')
    .select(['store_id', 'settings', 'previous'])
    .where('provider', '=', p('provider'))
    .orderBy('store_id'),
);

/**
 * The settings of the provider in one store or, for the address that names none, in every store that has any; the present
 * ones of a store before those that they replaced.
 */
export async function providerSettings(
  engine: Engine,
  provider: ProviderName,
  storeId?: string,
): Promise<StoreSettings[]> {
  const rows = await reading(engine.storage, (db) =>
    storeId === undefined ? settingsOfAll(db, { provider }) : settingsOfStore(db, { storeId, provider }),
  );
  const now = engine.clock.now();
  return rows.flatMap((row) => {
    const { settings, previous } = open(engine, provider, row);
    const live = previous.filter(({ until }) => until > now);
    return [settings, ...live.map((one) => one.settings)].map((one) => ({ storeId: row.store_id, settings: one }));
  });
}

function open(engine: Engine, provider: ProviderName, row: StoredSettings) {
  const place = placeOf(row.store_id, provider);
  return {
    settings: JSON.parse(engine.secrets.open(row.settings, place)) as unknown,
    previous: JSON.parse(engine.secrets.open(row.previous, place)) as PreviousSettings[],
  };
}

function placeOf(storeId: string, provider: ProviderName): string {
  return `${storeId} ${provider}`;
}
