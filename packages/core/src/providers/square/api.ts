import type { OutboundAnswer } from '../../network/outbound.ts';
import { ProviderSettingsError } from '../checkout-page.ts';
import { type ApiCall, type CallLimits, callProvider, checkoutLimits, jsonOf, judge } from '../provider-api.ts';
import { listAt, textAt } from '../reading.ts';
import type { Refusal } from '../refusal.ts';
import type { SquareSettings } from './square.ts';

export const squareVersion = '2026-05-20';

/** Square answers 408 for its own timeout. */
export function judgeSquare(answer: OutboundAnswer) {
  return answer.status === 408 ? 'again' : judge(answer);
}

const squareLimits: CallLimits = { ...checkoutLimits, judge: judgeSquare };

/** @throws CommerceError `unavailable` when Square cannot be reached; ProviderSettingsError without an access token */
export function callSquare(
  { accessToken, apiBase }: Partial<Pick<SquareSettings, 'accessToken'>> & Pick<SquareSettings, 'apiBase'>,
  method: ApiCall['method'],
  path: string,
  body?: object,
  limits: CallLimits = squareLimits,
): Promise<OutboundAnswer> {
  if (accessToken === undefined) throw new ProviderSettingsError('Square cannot be called without an access token');
  const headers = {
    Authorization: `Bearer ${accessToken}`,
    'Square-Version': squareVersion,
    'Content-Type': 'application/json',
  };
  const request = { method, url: apiBase + path, headers };
  return callProvider(body === undefined ? request : { ...request, body: JSON.stringify(body) }, limits);
}

export function reasonOf(answer: OutboundAnswer): Refusal {
  const [error] = listAt(jsonOf(answer), 'errors');
  return {
    provider: 'Square',
    status: answer.status,
    code: textAt(error, 'code'),
    field: textAt(error, 'field'),
    message: textAt(error, 'detail'),
  };
}
