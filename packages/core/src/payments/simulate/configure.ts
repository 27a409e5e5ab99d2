import type { Context } from '../../context.ts';
import { CommerceError } from '../../errors.ts';
import { configureProvider, type PaymentProvider } from '../configure.ts';
import { findProvider, providerSettings } from '../settings.ts';

/**
 * Configures a provider for a store with the settings of a stand-in on this machine.
 * @param options `replace`: also in place of settings that lead to the provider itself
 * @throws CommerceError `conflict` without `replace`, when the store has such settings; `validation`; `notFound`
 */
export async function configureSimulation(
  ctx: Context,
  name: string,
  settings: Record<string, string>,
  { replace = false }: { replace?: boolean } = {},
): Promise<PaymentProvider> {
  const provider = findProvider(name).name;
  const [present] = replace ? [] : await providerSettings(ctx.engine, provider, ctx.store.id);
  const apiBase = present && (present.settings as { apiBase?: string }).apiBase;
  // Settings take plain HTTP on this machine alone.
  if (present && !apiBase?.startsWith('http:')) {
    throw new CommerceError(
      'conflict',
      `${provider} is set up in this store with ${apiBase ?? 'its own API'}; a simulation would replace these settings`,
      { reason: 'wouldReplaceSettings' },
    );
  }
  return configureProvider(ctx, provider, settings);
}
