import type { Context } from '../engine/context.ts';
import { refusePublic } from '../engine/public-actor.ts';
import { refuseInUnit } from '../engine/transaction.ts';
import { CommerceError } from '../kernel/errors.ts';
import { ProviderSettingsError } from '../providers/checkout-page.ts';
import type { Access, Endpoint } from '../providers/endpoints.ts';
import { notConfigured } from './configure.ts';
import { accessOf, addressOf, type ConnectOptions, settingsNow } from './connect.ts';
import type { EndpointCheck } from './fields.ts';
import { adapterOf, findProvider } from './settings.ts';

/**
 * Compares a provider's endpoint of notifications with what the service needs, and tries the rights of the key. Asks the provider.
 * @throws CommerceError `notFound` when the provider is unknown or not configured
 */
export async function checkProvider(
  ctx: Context,
  name: string,
  { publicUrl }: ConnectOptions = {},
): Promise<EndpointCheck> {
  refusePublic(ctx);
  refuseInUnit(ctx.engine, 'checkProvider asks a payment provider');
  const provider = findProvider(name).name;
  const { endpoints, provider: reader } = adapterOf(provider);
  const base: EndpointCheck = {
    url: null,
    status: 'ok',
    missingEvents: [],
    otherEvents: [],
    missingRights: [],
    message: '',
  };
  const stored = await settingsNow(ctx, provider);
  if (stored === undefined) throw notConfigured(provider);
  const { settings } = stored;
  if (settings === undefined) {
    return {
      ...base,
      status: 'unreadable',
      message: 'the settings are encrypted with a key that the service does not have',
    };
  }
  let access: Access;
  try {
    access = accessOf(provider, settings);
  } catch {
    const key = endpoints.access.at(-1);
    return { ...base, status: 'noKey', message: `without ${key}, ${provider} cannot be asked about its endpoint` };
  }
  const now = ctx.engine.clock.now();
  const url = addressOf(ctx, provider, publicUrl);
  try {
    const rights = await endpoints.rights(access, now);
    const missingRights = Object.entries(rights).flatMap(([right, reason]) =>
      reason === null ? [] : [{ right, reason }],
    );
    if (missingRights.length > 0) {
      const named = missingRights.map(({ right, reason }) => `${right} (${reason})`).join('; ');
      return { ...base, url, status: 'refused', missingRights, message: `the key lacks rights: ${named}` };
    }
    const all = await endpoints.list(access, now);
    const ids = [settings.endpointId, settings.webhookId];
    const own = all.filter(({ id, url: at }) =>
      url === null ? ids.includes(id) || at === settings.notificationUrl : at === url,
    );
    // One whose secret is known tells more than another at the same address.
    const firstHeld = (a: Endpoint, b: Endpoint) =>
      Number(endpoints.holds(b, access)) - Number(endpoints.holds(a, access));
    return { ...base, url, ...compared(own.sort(firstHeld), reader.events, url) };
  } catch (error) {
    const isRefused = error instanceof ProviderSettingsError;
    if (!isRefused && !(error instanceof CommerceError && error.kind === 'unavailable')) throw error;
    return { ...base, url, status: isRefused ? 'refused' : 'unreachable', message: error.message };
  }
}

function compared(
  own: readonly Endpoint[],
  events: readonly string[],
  url: string | null,
): Pick<EndpointCheck, 'status' | 'missingEvents' | 'otherEvents' | 'message'> {
  const nothing = { missingEvents: [], otherEvents: [] };
  const [first] = own;
  if (!first && url === null) {
    return { ...nothing, status: 'unknown', message: 'the public address of the service is not known' };
  }
  if (!first) {
    return { ...nothing, status: 'missing', message: `no endpoint sends notifications to ${url ?? 'this service'}` };
  }
  const missingEvents = events.filter((event) => !first.events.includes('*') && !first.events.includes(event));
  const otherEvents = first.events.filter((event) => !events.includes(event));
  if (!first.isOn)
    return { missingEvents, otherEvents, status: 'off', message: `the endpoint ${first.id} is switched off` };
  if (missingEvents.length > 0) {
    const message = `the endpoint ${first.id} does not send ${missingEvents.join(', ')}`;
    return { missingEvents, otherEvents, status: 'incomplete', message };
  }
  return { missingEvents, otherEvents, status: 'ok', message: `the endpoint ${first.id} sends every event` };
}
