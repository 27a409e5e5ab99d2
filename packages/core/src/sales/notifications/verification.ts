import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Engine } from '../../engine/context.ts';
import { perEngine } from '../../engine/per-engine.ts';
import { CommerceError } from '../../kernel/errors.ts';
import { allProviderSettings, providerSettings, type StoreSettings } from '../../payments/settings.ts';
import type { Provider, RawNotification } from '../../providers/provider.ts';
import { BareLimits } from './bare-limits.ts';

/** The settings that verify a notification, the most likely ones first. */
export type Matching = readonly [StoreSettings, ...StoreSettings[]];

const notConfigured = (provider: Provider<unknown>) =>
  new CommerceError('validation', `${provider.name} is not configured: no secret is set to verify its notifications`, {
    reason: 'providerNotConfigured',
    about: provider.name,
  });

const notSigned = () =>
  new CommerceError(
    'validation',
    'the signature does not match the body and the configured secret, or its time is off by more than 5 minutes',
  );

/**
 * The settings of a store that verify a notification.
 * @throws CommerceError `validation` when nothing is configured or nothing matches; `unavailable` when none matches and the
 * provider could not be reached
 */
export async function verifyForStore(
  engine: Engine,
  provider: Provider<unknown>,
  notification: RawNotification,
  storeId: string,
): Promise<Matching> {
  const configured = await providerSettings(engine, provider.name, storeId);
  if (configured.length === 0) throw notConfigured(provider);
  const now = engine.clock.now();
  // In parallel: one provider that does not answer must not delay the others.
  const verdicts = await Promise.allSettled(
    configured.map(({ settings }) => provider.verify(notification, settings, now)),
  );
  const match = configured.find((_, i) => {
    const verdict = verdicts[i];
    return verdict?.status === 'fulfilled' && verdict.value;
  });
  const failed = verdicts.find((verdict) => verdict.status === 'rejected');
  if (match) return [match];
  throw failed ? failed.reason : notSigned();
}

const limitsOf = perEngine(() => new BareLimits());

/** Stores whose secrets are tried before other work gets a turn. */
const storesATurn = 4;

/**
 * The settings that verify a notification which names no store: all settings of the matching account, such as of stores that share a
 * secret. Free checks come first; the provider is called once per account.
 * @param first finds the store that the notification seems to be for, whose secret is tried first
 * @param address the sender's network address, whose calls to providers are limited
 * @throws CommerceError `validation` when nothing is configured or nothing matches; `unavailable` when none matches and one could not be
 * tried
 */
export async function verifyBare(
  engine: Engine,
  provider: Provider<unknown>,
  notification: RawNotification,
  {
    first,
    address,
  }: { first: (storeIds: readonly string[]) => Promise<string | undefined>; address: string | undefined },
): Promise<Matching> {
  const { settings, unreadable } = await allProviderSettings(engine, provider.name);
  if (settings.length === 0 && unreadable.length === 0) throw notConfigured(provider);
  const now = engine.clock.now();
  const plausible = settings.filter((one) => provider.plausible(notification, one.settings, now));
  const limits = limitsOf(engine);
  const event = fingerprintOf(notification);
  const refused = provider.asks && limits.hasFailed(event, now);
  if (plausible.length > 0 && !refused) {
    if (provider.asks && address !== undefined) limits.countNotification(address, now);
    const accounts = byAccount(provider, plausible);
    if (accounts.length > 1) {
      const owner = await first(plausible.map(({ storeId }) => storeId));
      const owned = (account: Matching) => (account.some(({ storeId }) => storeId === owner) ? 0 : 1);
      accounts.sort((a, b) => owned(a) - owned(b));
    }
    const verdict = provider.asks
      ? await askAll(provider, notification, accounts, limits, now)
      : await tryAll(provider, notification, accounts, now);
    if (verdict.matching) return verdict.matching;
    if (verdict.failure) throw verdict.failure;
    if (provider.asks) limits.recordFailure(event, now);
  }
  const [cause] = unreadable;
  if (cause) {
    const message = `the ${provider.name} settings of ${unreadable.length} store(s) cannot be read: ${cause.message}`;
    throw new CommerceError('unavailable', message, { cause });
  }
  throw notSigned();
}

interface Verdict {
  matching?: Matching;
  failure?: unknown;
}

/** The settings grouped by account. */
function byAccount(provider: Provider<unknown>, settings: readonly StoreSettings[]): Matching[] {
  const accounts = new Map<string, [StoreSettings, ...StoreSettings[]]>();
  for (const one of settings) {
    const account = provider.account(one.settings);
    const known = accounts.get(account);
    if (known) known.push(one);
    else accounts.set(account, [one]);
  }
  return [...accounts.values()];
}

async function tryAll(
  provider: Provider<unknown>,
  notification: RawNotification,
  accounts: readonly Matching[],
  now: number,
): Promise<Verdict> {
  for (const [i, account] of accounts.entries()) {
    if (i > 0 && i % storesATurn === 0) await nextTurn();
    if (await provider.verify(notification, account[0].settings, now)) return { matching: account };
  }
  return {};
}

/** Asks about the likeliest account first, then about the others in parallel. Skips an account for a minute after a failed call. */
async function askAll(
  provider: Provider<unknown>,
  notification: RawNotification,
  accounts: readonly Matching[],
  limits: BareLimits,
  now: number,
): Promise<Verdict> {
  const verdict: Verdict = {};
  const ask = async (account: Matching) => {
    if (verdict.matching) return;
    const key = `account ${hashOf(provider.account(account[0].settings))}`;
    try {
      if (limits.hasFailed(key, now))
        throw new CommerceError('unavailable', `${provider.name} could not be reached within the last minute`);
      const matches = await limits.call(async () => {
        if (verdict.matching) return false;
        return provider.verify(notification, account[0].settings, now);
      });
      if (matches) verdict.matching ??= account;
    } catch (error) {
      if (!limits.hasFailed(key, now)) limits.recordFailure(key, now);
      verdict.failure ??= error;
    }
  };
  const [likeliest, ...others] = accounts;
  if (likeliest) await ask(likeliest);
  if (!verdict.matching) await Promise.all(others.map(ask));
  return verdict;
}

/** Identifies one delivery of a notification, by its headers and body. */
function fingerprintOf({ headers, body }: RawNotification): string {
  return `event ${hashOf(JSON.stringify(headers))} ${createHash('sha256').update(body).digest('hex')}`;
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
