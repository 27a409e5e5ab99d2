import type * as z from 'zod';
import { audit } from '../audit/entry.ts';
import type { Context, Engine, TxContext } from '../engine/context.ts';
import { refusePublic } from '../engine/public-actor.ts';
import { transact } from '../engine/transaction.ts';
import { toTimestamp } from '../kernel/clock.ts';
import { CommerceError, invalid, quote } from '../kernel/errors.ts';
import { type List, toJson } from '../kernel/json.ts';
import { refuseUnknownFields, strictly } from '../kernel/known-fields.ts';
import { definedOnly, fields, flag, isSecretField, parse } from '../kernel/parse.ts';
import { lastFour } from '../kernel/secrets.ts';
import type { PayPalSettings } from '../providers/paypal/settings.ts';
import type { SquareSettings } from '../providers/square/square.ts';
import type { StripeSettings } from '../providers/stripe/stripe.ts';
import { requireVersion } from '../resources/versions.ts';
import { lockRows } from '../storage/locks.ts';
import { reading } from '../storage/run.ts';
import type { Db } from '../storage/storage.ts';
import type { ProviderName } from '../storage/tables/payments.ts';
import {
  type PaymentProvider,
  PaymentProviderFields,
  type PaymentProviderInput,
  paymentProviderAnswer,
} from './fields.ts';
import {
  adapterOf,
  findProvider,
  openSettings,
  type PreviousSettings,
  pagesOf,
  placeOf,
  type StoredSettings,
} from './settings.ts';

/** Replaces a secret in answers. */
export interface HiddenSecret {
  lastFour: string | null;
}

/** Settings that every provider has. */
interface CommonSettings {
  /** Lets payments that describe their items create the order that they name. Off at first; kept when left out. */
  makeOrders?: boolean | undefined;
}

/** Settings that `configureProvider` takes, by the provider's name. */
export interface ProviderSettings {
  stripe: z.input<typeof StripeSettings> & CommonSettings;
  paypal: z.input<typeof PayPalSettings> & CommonSettings;
  square: z.input<typeof SquareSettings> & CommonSettings;
}

/** The settings of a provider, or of any provider if its name is known only at run time. */
export type SettingsOf<Name extends string> = ProviderName extends Name
  ? object
  : Name extends ProviderName
    ? ProviderSettings[Name]
    : never;

/** Maximum number of replaced settings that still verify next to the current ones. */
const maxPrevious = 5;

/**
 * Configures a provider for a store, replacing the previous settings. Applies to the next notification, in every process.
 * Keeps the ways to pay of Stripe that are left out. Keeps a Stripe `secretKey` or Square `accessToken` that is left out, with its `locationId` and `apiBase`, so that only the secret of the
 * notifications can be replaced. Null removes it.
 * `makeOrders` lets payments that describe their items create orders. It is off at first and keeps its value when left out.
 * @param options `keepPrevious`: milliseconds for which the replaced settings still verify, while a secret is rotated
 * @throws CommerceError `validation`; `notFound` for an unknown provider.
 */
export async function configureProvider<const Name extends string>(
  ctx: Context,
  name: Name,
  input: SettingsOf<Name>,
  { keepPrevious = 0 }: { keepPrevious?: number } = {},
): Promise<PaymentProvider> {
  const provider = findProvider(name).name;
  const { makeOrders, ...given } = parse(inputOf(provider), input) as CommonSettings;
  return transact(ctx, async (tx) => {
    const row = await lockedRow(tx, provider);
    const settings = row
      ? withAccess(
          tx.engine,
          provider,
          { ...keptChoices(tx.engine, provider, row), ...definedOnly(given) },
          input as object,
          row,
        )
      : given;
    return writeSettings(tx, provider, row, { settings, makeOrders, keepPrevious });
  });
}

/**
 * Configures a provider for a store, or changes its settings: absent fields keep their values, null removes an optional one. Meant for
 * remote administration: an API key can set `apiBase` only to the provider's own addresses.
 * @throws CommerceError `validation`; `notFound` for an unknown provider; `conflict` when the caller expects another version
 */
export async function updatePaymentProvider(
  ctx: Context,
  name: string,
  input: PaymentProviderInput,
): Promise<PaymentProvider> {
  refusePublic(ctx);
  const provider = findProvider(name).name;
  refuseUnknownFields(inputOf(provider), input);
  const { makeOrders, ...given } = parse(PaymentProviderFields, input);
  checkOrigin(ctx, provider, given.apiBase);
  return transact(ctx, async (tx) => {
    const row = await lockedRow(tx, provider);
    if (row) requireVersion(tx, provider, () => toJson(toPaymentProvider(tx.engine, row)));
    const stored = row ? storedSettings(tx.engine, provider, row) : undefined;
    const settings = parse(adapterOf(provider).settings, { ...stored, ...definedOnly(given) }) as object;
    return writeSettings(tx, provider, row, { settings, makeOrders, keepPrevious: 0 });
  });
}

/** Prevents a key from making the service send secrets to an arbitrary address. */
export function checkOrigin({ actor }: Context, provider: ProviderName, apiBase: string | null | undefined): void {
  const { origins } = adapterOf(provider);
  if (!actor.scopes || apiBase === undefined || apiBase === null || origins.includes(apiBase)) return;
  throw invalid('apiBase', `must be ${origins.map((origin) => quote(origin)).join(' or ')}, not ${quote(apiBase)}`, {
    code: 'NOT_OFFERED',
    limits: { values: origins },
  });
}

/**
 * Forgets the settings of a provider: its notifications are refused from now on, and buyers are no longer sent there. Payments made there
 * stay.
 * @throws CommerceError `notFound` when it is not configured
 */
export async function deletePaymentProvider(ctx: Context, name: string): Promise<void> {
  refusePublic(ctx);
  const provider = findProvider(name).name;
  await transact(ctx, async (tx) => {
    const row = await lockedRow(tx, provider);
    if (!row) throw notConfigured(provider);
    requireVersion(tx, provider, () => toJson(toPaymentProvider(tx.engine, row)));
    await tx.db
      .deleteFrom('payment_providers')
      .where('store_id', '=', tx.store.id)
      .where('provider', '=', provider)
      .execute();
    audit(tx, { action: 'paymentProvider.deleted', resourceType: 'paymentProvider', resourceId: provider });
  });
}

/** The providers that a store has configured. */
export async function listPaymentProviders(ctx: Context): Promise<List<PaymentProvider>> {
  refusePublic(ctx);
  const rows = await reading(ctx.engine.storage, (db) => ofStore(db, ctx.store.id).orderBy('provider').execute());
  return { items: rows.map((row) => toPaymentProvider(ctx.engine, row)), total: rows.length };
}

/** @throws CommerceError `notFound` when the provider is unknown or not configured */
export async function getPaymentProvider(ctx: Context, name: string): Promise<PaymentProvider> {
  refusePublic(ctx);
  const provider = findProvider(name).name;
  const row = await reading(ctx.engine.storage, (db) =>
    ofStore(db, ctx.store.id).where('provider', '=', provider).executeTakeFirst(),
  );
  if (!row) throw notConfigured(provider);
  return toPaymentProvider(ctx.engine, row);
}

export function notConfigured(provider: ProviderName): CommerceError {
  return new CommerceError('notFound', `the payment provider ${quote(provider)} is not configured`);
}

type Row = StoredSettings & { provider: string; updated_at: number };

export const ofStore = (db: Db, storeId: string) =>
  db
    .selectFrom('payment_providers')
    .select(['store_id', 'provider', 'settings', 'previous', 'make_orders', 'updated_at'])
    .where('store_id', '=', storeId);

/** The settings of a provider, locked, also while there are none. */
export async function lockedRow(tx: TxContext, provider: ProviderName): Promise<Row | undefined> {
  await tx.engine.storage.lockName(tx.db, `payment provider ${tx.store.id} ${provider}`);
  return lockRows(tx.db, ofStore(tx.db, tx.store.id).where('provider', '=', provider)).executeTakeFirst();
}

export async function writeSettings(
  tx: TxContext,
  provider: ProviderName,
  row: Row | undefined,
  {
    settings: given,
    makeOrders,
    keepPrevious,
  }: { settings: object; makeOrders: boolean | undefined; keepPrevious: number },
): Promise<PaymentProvider> {
  const { secrets } = tx.engine;
  const { choices, check } = adapterOf(provider);
  const chosen = { ...(row ? choices.earlier : choices.first), ...given };
  check?.(chosen as never);
  const place = placeOf(tx.store.id, provider);
  const previous = row && keepPrevious > 0 ? openSettings(tx.engine, provider, row) : undefined;
  const kept: PreviousSettings[] = previous
    ? [{ settings: previous.settings, until: tx.now + keepPrevious }, ...previous.previous]
        .filter(({ until }) => until > tx.now)
        .slice(0, maxPrevious)
    : [];
  const columns = {
    make_orders: (makeOrders ?? row?.make_orders === 1) ? 1 : 0,
    settings: secrets.seal(JSON.stringify(chosen), place),
    previous: kept.length === 0 ? '[]' : secrets.seal(JSON.stringify(kept), place),
    updated_at: tx.now,
  } as const;
  await tx.db
    .insertInto('payment_providers')
    .values({ store_id: tx.store.id, provider, ...columns })
    .onConflict((conflict) => conflict.columns(['store_id', 'provider']).doUpdateSet(columns))
    .execute();
  audit(tx, { action: 'paymentProvider.updated', resourceType: 'paymentProvider', resourceId: provider });
  return toPaymentProvider(tx.engine, { store_id: tx.store.id, provider, ...columns });
}

/**
 * The settings, with the stored API access if none is given.
 * @throws CommerceError `validation` for another `apiBase`: a caller with write access could otherwise have the stored secret sent there
 */
function withAccess(
  engine: Engine,
  provider: ProviderName,
  given: object,
  input: object,
  row: Omit<StoredSettings, 'make_orders'>,
): object {
  const { access } = adapterOf(provider);
  const has = (name: string) => (input as Record<string, unknown>)[name] !== undefined;
  if (access === null || has(access.key)) return given;
  const stored = storedSettings(engine, provider, row);
  if (stored?.[access.key] === undefined) return given;
  const { apiBase } = given as { apiBase?: string };
  if (has('apiBase') && apiBase !== stored.apiBase) {
    throw invalid(access.key, 'must be given with another apiBase, to which the stored one is not sent', {
      code: 'REQUIRED',
    });
  }
  const kept = [access.key, ...access.others].filter((name) => !has(name) && stored[name] !== undefined);
  return { ...given, ...Object.fromEntries(kept.map((name) => [name, stored[name]])) };
}

/** The choices of the stored settings, which do not go away with a new secret. */
function keptChoices(engine: Engine, provider: ProviderName, row: Omit<StoredSettings, 'make_orders'>): object {
  const { earlier } = adapterOf(provider).choices;
  const stored = storedSettings(engine, provider, row) ?? {};
  return Object.fromEntries(Object.entries(earlier).map(([name, value]) => [name, stored[name] ?? value]));
}

/** The stored settings; undefined if they are encrypted with a lost key. The shop then has to configure its providers again. */
export function storedSettings(
  engine: Engine,
  provider: ProviderName,
  row: Omit<StoredSettings, 'make_orders'>,
): Record<string, unknown> | undefined {
  try {
    return openSettings(engine, provider, row).settings as Record<string, unknown>;
  } catch (error) {
    if (error instanceof CommerceError && error.kind === 'unavailable') return undefined;
    throw error;
  }
}

function toPaymentProvider(engine: Engine, row: Row): PaymentProvider {
  const provider = row.provider as ProviderName;
  const { settings, choices, isTest } = adapterOf(provider);
  const stored = storedSettings(engine, provider, row);
  return {
    storeId: row.store_id,
    provider,
    makeOrders: row.make_orders === 1,
    settings:
      stored === undefined
        ? null
        : Object.fromEntries(
            Object.entries({ ...choices.earlier, ...stored }).map(([name, value]) => [
              name,
              isSecretField(settings, name)
                ? { lastFour: lastFour(value as string) }
                : (value as string | boolean | string[]),
            ]),
          ),
    hasPages: stored !== undefined && pagesOf(provider).ready(stored),
    testMode: stored === undefined ? null : isTest(stored as never),
    updatedAt: toTimestamp(row.updated_at),
  };
}

const inputs = new Map<ProviderName, z.ZodObject>();

/** The input of a provider's settings: a setting of another provider is unknown to it. */
export function inputOf(provider: ProviderName): z.ZodObject {
  const { shape } = adapterOf(provider).settings;
  const input =
    inputs.get(provider) ?? strictly(fields({ makeOrders: flag.optional(), ...shape }), paymentProviderAnswer);
  inputs.set(provider, input);
  return input;
}
