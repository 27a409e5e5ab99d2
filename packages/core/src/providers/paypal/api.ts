import { createHash } from 'node:crypto';
import { CommerceError } from '../../kernel/errors.ts';
import type { OutboundAnswer } from '../../network/outbound.ts';
import { ProviderSettingsError } from '../checkout-page.ts';
import { type ApiCall, type CallLimits, callProvider, jsonOf } from '../provider-api.ts';
import { integerAt, textAt } from '../reading.ts';
import type { PayPalSettings } from './settings.ts';

/** Access tokens by account; each is valid for hours. */
const tokens = new Map<string, { token: string; expiresAt: number }>();

/** Milliseconds taken off a token's life, for differing clocks and the duration of the call. */
const margin = 60_000;

async function tokenOf(
  { apiBase, clientId, clientSecret }: PayPalAccess,
  now: number,
  limits: CallLimits | undefined,
): Promise<string> {
  const account = createHash('sha256').update(`${apiBase} ${clientId} ${clientSecret}`).digest('hex');
  const known = tokens.get(account);
  if (known && known.expiresAt > now) return known.token;
  const call = {
    method: 'POST',
    url: `${apiBase}/v1/oauth2/token`,
    headers: {
      Authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`,
      'Content-Type': 'application/x-www-form-urlencoded',
    },
    body: 'grant_type=client_credentials',
  } as const;
  const answer = await callProvider(call, limits);
  const token = textAt(jsonOf(answer), 'access_token');
  if (answer.status !== 200 || token === null) {
    const message = `PayPal issued no token (${answer.status}): check that client id and secret belong to ${apiBase}`;
    throw new ProviderSettingsError(message);
  }
  const seconds = integerAt(jsonOf(answer), 'expires_in') ?? 0;
  tokens.set(account, { token, expiresAt: now + seconds * 1000 - margin });
  return token;
}

/** The settings that open PayPal's API. */
export type PayPalAccess = Pick<PayPalSettings, 'apiBase' | 'clientId' | 'clientSecret'>;

/** A call that carries a token. */
export interface PayPalCall {
  method: ApiCall['method'];
  path: string;
  body?: string;
  headers?: Record<string, string>;
}

/**
 * Calls PayPal with a token, and once more with a new one when PayPal has revoked it early.
 * @throws ProviderSettingsError when PayPal issues none; CommerceError `unavailable` when it cannot be reached
 */
export async function callPayPal(
  settings: PayPalAccess,
  now: number,
  call: PayPalCall,
  limits?: CallLimits,
): Promise<OutboundAnswer> {
  for (let again = false; ; again = true) {
    const token = await tokenOf(settings, now, limits);
    const request = {
      method: call.method,
      url: settings.apiBase + call.path,
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', ...call.headers },
      ...(call.body === undefined ? {} : { body: call.body }),
    };
    const answer = await callProvider(request, limits);
    if (answer.status !== 401 || again) return answer;
    for (const [account, known] of tokens) if (known.token === token) tokens.delete(account);
  }
}

/** A call caused by a notification. PayPal sends it again until the settings are right, so wrong settings are a temporary fault. */
async function askPayPal(settings: PayPalSettings, now: number, call: PayPalCall): Promise<OutboundAnswer> {
  try {
    return await callPayPal(settings, now, call);
  } catch (error) {
    if (!(error instanceof ProviderSettingsError)) throw error;
    throw new CommerceError('unavailable', error.message, { cause: error });
  }
}

/**
 * Asks PayPal whether it sent this event.
 * @param event the body exactly as received; parsing and printing it again would break its signature
 * @throws CommerceError `unavailable` when PayPal cannot be reached or gives no verdict
 */
export async function verifyAtPayPal(
  settings: PayPalSettings,
  transmission: Record<string, string>,
  event: string,
  now: number,
): Promise<boolean> {
  const question = JSON.stringify({ ...transmission, webhook_id: settings.webhookId });
  const answer = await askPayPal(settings, now, {
    method: 'POST',
    path: '/v1/notifications/verify-webhook-signature',
    body: `${question.slice(0, -1)},"webhook_event":${event}}`,
  });
  if (answer.status === 401 || answer.status === 403) {
    throw new CommerceError(
      'unavailable',
      `PayPal refused the verification call (${answer.status}): check the permissions of the client id`,
    );
  }
  // A 200 is not a yes yet; a 400 means that the headers or the body cannot be PayPal's.
  const status = textAt(jsonOf(answer), 'verification_status');
  if (answer.status === 200 && status === null) {
    throw new CommerceError('unavailable', 'PayPal answered the verification without a verification_status');
  }
  return answer.status === 200 && status === 'SUCCESS';
}

/**
 * PayPal's own order; null when PayPal shows none under this id.
 * @throws CommerceError `unavailable` when PayPal cannot be reached
 */
export async function paypalOrder(settings: PayPalSettings, id: string, now: number): Promise<unknown> {
  const path = `/v2/checkout/orders/${encodeURIComponent(id)}`;
  const answer = await askPayPal(settings, now, { method: 'GET', path });
  return answer.status === 200 ? jsonOf(answer) : null;
}
