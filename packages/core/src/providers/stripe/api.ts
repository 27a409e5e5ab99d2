import type { OutboundAnswer } from '../../network/outbound.ts';
import { ProviderSettingsError } from '../checkout-page.ts';
import { type CallLimits, callProvider, checkoutLimits, jsonOf, judge, type Verdict } from '../provider-api.ts';
import { textAt } from '../reading.ts';
import type { Refusal } from '../refusal.ts';
import type { StripeSettings } from './stripe.ts';

const liveBase = 'https://api.stripe.com';
export const stripeVersion = '2026-10-28.endive';

interface CallOptions {
  body?: string;
  idempotencyKey?: string;
  limits?: CallLimits;
}

/** @throws CommerceError `unavailable` when Stripe cannot be reached; ProviderSettingsError without a secret key */
export function callStripe(
  { secretKey, apiBase }: Partial<Pick<StripeSettings, 'secretKey' | 'apiBase'>>,
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  { body, idempotencyKey, limits = stripeLimits }: CallOptions = {},
): Promise<OutboundAnswer> {
  if (secretKey === undefined) throw new ProviderSettingsError('Stripe cannot be called without a secret key');
  const headers = {
    Authorization: `Bearer ${secretKey}`,
    'Stripe-Version': stripeVersion,
    ...(body === undefined ? {} : { 'Content-Type': 'application/x-www-form-urlencoded' }),
    ...(idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey }),
  };
  const url = (apiBase ?? liveBase) + path;
  return callProvider({ method, url, headers, ...(body === undefined ? {} : { body }) }, limits);
}

/** Stripe says itself whether another try helps. 409: another call with the same key is under way. */
export function judgeStripe(answer: OutboundAnswer): Verdict {
  const advice = answer.headers['stripe-should-retry'];
  const verdict = answer.status === 409 ? 'again' : judge(answer);
  if (advice === 'true') return 'again';
  return advice === 'false' && verdict === 'again' ? 'failed' : verdict;
}

const stripeLimits = { ...checkoutLimits, judge: judgeStripe };

export function reasonOf(answer: OutboundAnswer): Refusal {
  const body = jsonOf(answer);
  return {
    provider: 'Stripe',
    status: answer.status,
    code: textAt(body, 'error', 'code') ?? textAt(body, 'error', 'type'),
    field: textAt(body, 'error', 'param'),
    message: textAt(body, 'error', 'message'),
  };
}
