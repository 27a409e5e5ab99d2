import { isDeepStrictEqual } from 'node:util';
import type { Context } from '../engine/context.ts';
import { refusePublic } from '../engine/public-actor.ts';
import { refuseInUnit, transact } from '../engine/transaction.ts';
import { CommerceError, invalid, quote } from '../kernel/errors.ts';
import { refuseUnknownFields } from '../kernel/known-fields.ts';
import { definedOnly, isSecretField, parse } from '../kernel/parse.ts';
import { withoutTrailing } from '../kernel/trailing.ts';
import { parseWebAddress } from '../kernel/url.ts';
import { openAddressGuard } from '../network/address-guard.ts';
import { ProviderSettingsError } from '../providers/checkout-page.ts';
import type { Access, Endpoint } from '../providers/endpoints.ts';
import { reading } from '../storage/run.ts';
import type { ProviderName } from '../storage/tables/payments.ts';
import {
  checkOrigin,
  deletePaymentProvider,
  inputOf,
  lockedRow,
  notConfigured,
  ofStore,
  storedSettings,
  writeSettings,
} from './configure.ts';
import { type PaymentProvider, PaymentProviderFields, type PaymentProviderInput } from './fields.ts';
import { adapterOf, findProvider } from './settings.ts';

/** Milliseconds for which notifications of a replaced endpoint still verify: those under way, and their repetitions. */
const keptAfterReplacing = 24 * 3_600_000;

/** Tries of a connection while others change the same settings. */
const maxTries = 5;

export interface ConnectOptions {
  /** Public https address of the service. By default, the service uses the address that it knows. */
  publicUrl?: string | undefined;
}

/**
 * Connects a provider: makes the endpoint of notifications at the provider, or updates it, and stores what verifies them. The endpoint is
 * found by its address, which is that of this service. One whose secret is not known is replaced. Takes the settings that are missing.
 *
 * A repetition after any failure finds what the first call has made. Of several calls at once, each ends with the one endpoint that all have.
 * @throws CommerceError `validation` for a setting, also if the provider refuses its key; `conflict` without a public https address, and if
 * the settings keep changing; `unavailable` when the provider cannot be reached; `notFound` for an unknown provider
 */
export async function connectProvider(
  ctx: Context,
  name: string,
  input: PaymentProviderInput = {},
  { publicUrl }: ConnectOptions = {},
): Promise<PaymentProvider> {
  refusePublic(ctx);
  refuseInUnit(ctx.engine, 'connectProvider asks a payment provider');
  const provider = findProvider(name).name;
  refuseUnknownFields(inputOf(provider), input);
  const given = parse(PaymentProviderFields, input);
  checkOrigin(ctx, provider, given.apiBase);
  const url = receiverUrl(ctx, provider, publicUrl);
  for (let tries = 0; tries < maxTries; tries++) {
    const connected = await connectOnce(ctx, provider, given, url);
    if (connected) return connected;
  }
  throw new CommerceError('conflict', `the settings of ${provider} keep changing: connect it again`);
}

/** @returns undefined if the settings have changed meanwhile: what was made for the earlier ones is removed by the next try */
async function connectOnce(
  ctx: Context,
  provider: ProviderName,
  { makeOrders, ...given }: PaymentProviderInput,
  url: string,
): Promise<PaymentProvider | undefined> {
  const { endpoints, provider: reader, settings: schema } = adapterOf(provider);
  const read = await settingsNow(ctx, provider);
  // Settings that no key opens are given anew.
  const stored = read?.settings;
  refuseOtherApi(provider, stored, given);
  const before = { ...stored, ...definedOnly(given) };
  const access = accessOf(provider, before);
  const now = ctx.engine.clock.now();
  const { events } = reader;

  const listed = async () => (await endpoints.list(access, now)).filter((one) => one.url === url);
  const found = await calling(provider, listed);
  const kept = found.find((one) => endpoints.holds(one, access));
  const usable = await calling(provider, async () => {
    if (kept) {
      if (!isComplete(kept, events)) await endpoints.update(kept.id, events, access, now);
      return { id: kept.id, settings: await endpoints.adopt(kept, access, now) };
    }
    try {
      return await endpoints.create({ url, events, key: ctx.engine.ids.next(now) }, access, now);
    } catch (error) {
      // PayPal refuses a second one of an address.
      if (error instanceof ProviderSettingsError && found.length < (await listed()).length) return undefined;
      throw error;
    }
  });
  if (!usable) return undefined;
  const { id, settings: proof } = usable;
  const connected = await transact(ctx, async (tx) => {
    const row = await lockedRow(tx, provider);
    const stored = row ? storedSettings(tx.engine, provider, row) : undefined;
    if (!isDeepStrictEqual(row && { settings: stored }, read)) return undefined;
    const settings = parse(schema, { ...stored, ...definedOnly(given), ...proof }) as object;
    return writeSettings(tx, provider, row, {
      settings,
      makeOrders,
      keepPrevious: kept || !stored ? 0 : keptAfterReplacing,
    });
  });
  if (!connected) return undefined;
  // Only now: until the new secret is stored, the notifications of the old endpoint are the ones that verify.
  await calling(provider, async () => {
    for (const one of found) if (one.id !== id) await endpoints.remove(one.id, access, now);
  });
  return connected;
}

/**
 * Disconnects a provider: deletes its endpoint of notifications at the provider, and its settings here, so that no buyer pays at a page of
 * which nothing is heard. Payments made there stay.
 * @throws CommerceError `notFound` when it is not configured; `validation` if the provider refuses its key, and `unavailable` when it
 * cannot be reached: nothing is deleted here then
 */
export async function disconnectProvider(
  ctx: Context,
  name: string,
  { publicUrl }: ConnectOptions = {},
): Promise<void> {
  refusePublic(ctx);
  refuseInUnit(ctx.engine, 'disconnectProvider asks a payment provider');
  const provider = findProvider(name).name;
  const { endpoints } = adapterOf(provider);
  const stored = await settingsNow(ctx, provider);
  if (stored === undefined) throw notConfigured(provider);
  const access = accessOf(provider, stored.settings ?? {});
  const now = ctx.engine.clock.now();
  const ids = [access.endpointId, stored.settings?.webhookId];
  const urls = [addressOf(ctx, provider, publicUrl), stored.settings?.notificationUrl];
  await calling(provider, async () => {
    for (const one of await endpoints.list(access, now)) {
      if (urls.includes(one.url) || ids.includes(one.id)) await endpoints.remove(one.id, access, now);
    }
  });
  await deletePaymentProvider(ctx, provider);
}

/** @throws CommerceError `validation` for another API than the stored secret belongs to, to which it must not be sent */
function refuseOtherApi(
  provider: ProviderName,
  stored: Record<string, unknown> | undefined,
  given: Record<string, unknown>,
): void {
  const { endpoints, settings } = adapterOf(provider);
  if (given.apiBase === undefined || given.apiBase === stored?.apiBase) return;
  for (const name of endpoints.access) {
    if (!isSecretField(settings, name) || given[name] !== undefined || stored?.[name] === undefined) continue;
    throw invalid(name, 'must be given with another apiBase, to which the stored one is not sent', {
      code: 'REQUIRED',
    });
  }
}

/** True if an endpoint is on, sends exactly these events, and in our version. */
function isComplete({ isOn, isCurrent, events: sent }: Endpoint, events: readonly string[]): boolean {
  return isOn && isCurrent && sent.length === events.length && events.every((event) => sent.includes(event));
}

/** The address of this service for the notifications of a provider; null while it is not known. */
export function addressOf(
  { engine, store }: Context,
  provider: ProviderName,
  publicUrl: string | undefined,
): string | null {
  const base = publicUrl ?? engine.publicUrl?.();
  return base === undefined ? null : `${withoutTrailing(base, '/')}/api/webhooks/${provider}/${store.id}`;
}

/** @throws CommerceError `conflict` unless the service has a public https address, which providers can reach */
function receiverUrl(ctx: Context, provider: ProviderName, publicUrl: string | undefined): string {
  const address = addressOf(ctx, provider, publicUrl);
  const url = address === null ? undefined : parseWebAddress(address);
  if (address === null || url === undefined) {
    throw new CommerceError('conflict', 'the public address of this service (`publicUrl`) is not set', {
      reason: 'publicUrlMissing',
    });
  }
  const refused = openAddressGuard().refuseHost(url.hostname);
  if (url.protocol === 'https:' && !refused) return address;
  const why = refused ? refused.reason : 'it is not an https:// address';
  throw new CommerceError('conflict', `${provider} cannot send notifications to ${quote(url.origin)}: ${why}`, {
    reason: 'publicUrlMissing',
  });
}

/** @throws CommerceError `validation` naming the setting that opens the provider's API */
export function accessOf(provider: ProviderName, settings: Record<string, unknown>): Access {
  const { endpoints, origins } = adapterOf(provider);
  for (const name of endpoints.access) {
    if (typeof settings[name] === 'string' && settings[name] !== '') continue;
    throw invalid(name, `is required to connect ${provider}`, { code: 'REQUIRED' });
  }
  return { ...settings, apiBase: typeof settings.apiBase === 'string' ? settings.apiBase : origins[0] } as Access;
}

/** The stored settings, undefined in them if no key opens them; undefined if there are none. */
export async function settingsNow(
  ctx: Context,
  provider: ProviderName,
): Promise<{ settings: Record<string, unknown> | undefined } | undefined> {
  const row = await reading(ctx.engine.storage, (db) =>
    ofStore(db, ctx.store.id).where('provider', '=', provider).executeTakeFirst(),
  );
  return row && { settings: storedSettings(ctx.engine, provider, row) };
}

/** @throws CommerceError `validation` when the provider refuses the key */
async function calling<Result>(provider: ProviderName, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ProviderSettingsError)) throw error;
    throw invalid(adapterOf(provider).endpoints.access.at(-1) ?? 'provider', `is refused: ${error.message}`, {
      code: 'NOT_OFFERED',
    });
  }
}
