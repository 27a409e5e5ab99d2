import type { z } from 'zod';
import { audit, type Context, type Engine } from '../context.ts';
import { CommerceError, quote } from '../errors.ts';
import { parse } from '../parse.ts';
import { prepared } from '../storage/prepared.ts';
import { reading, transact } from '../transaction.ts';
import { type Provider, type ProviderName, providerNames } from './provider.ts';
import { StripeSettings, stripe } from './stripe.ts';

/** Each provider with the schema of its settings. */
const providers = { stripe: { provider: stripe, settings: StripeSettings } } satisfies Record<
  ProviderName,
  { provider: Provider<never>; settings: z.ZodType }
>;

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

/**
 * Sets how a store's notifications of one provider are verified, in place of what was set before. Felt by the next
 * notification, in every process.
 * @throws CommerceError `validation`; `notFound` for an unknown provider.
 */
export async function configureProvider(ctx: Context, name: string, input: unknown): Promise<PaymentProvider> {
  const provider = findProvider(name).name;
  const settings = JSON.stringify(parse(providers[provider].settings, input));
  return transact(ctx, async (tx) => {
    await tx.db
      .insertInto('payment_providers')
      .values({ store_id: tx.store.id, provider, settings, updated_at: tx.now })
      .onConflict((conflict) =>
        conflict.columns(['store_id', 'provider']).doUpdateSet({ settings, updated_at: tx.now }),
      )
      .execute();
    audit(tx, { action: 'paymentProvider.updated', resourceType: 'paymentProvider', resourceId: provider });
    return { storeId: tx.store.id, provider, updatedAt: new Date(tx.now).toISOString() };
  });
}

export interface StoreSettings {
  storeId: string;
  settings: unknown;
}

const settingsOfStore = prepared<{ storeId: string; provider: string }, { store_id: string; settings: string }>(
  (db, p) =>
    db
      .selectFrom('payment_providers')
      .select(['store_id', 'settings'])
      .where('store_id', '=', p('storeId'))
      .where('provider', '=', p('provider')),
);

const settingsOfAll = prepared<{ provider: string }, { store_id: string; settings: string }>((db, p) =>
  db
    .selectFrom('payment_providers')
    .select(['store_id', 'settings'])
    .where('provider', '=', p('provider'))
    .orderBy('store_id'),
);

/** The settings of the provider in one store or, for the address that names none, in every store that has any. */
export async function providerSettings(
  engine: Engine,
  provider: ProviderName,
  storeId?: string,
): Promise<StoreSettings[]> {
  const rows = await reading(engine.storage, (db) =>
    storeId === undefined ? settingsOfAll(db, { provider }) : settingsOfStore(db, { storeId, provider }),
  );
  return rows.map((row) => ({ storeId: row.store_id, settings: JSON.parse(row.settings) }));
}
