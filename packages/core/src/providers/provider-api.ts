import { setTimeout as sleep } from 'node:timers/promises';
import pRetry, { AbortError } from 'p-retry';
import { CommerceError } from '../kernel/errors.ts';
import { callOutbound, type OutboundAnswer } from '../network/outbound.ts';

/** A call to a provider's API. */
export interface ApiCall {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  url: string;
  headers: Record<string, string>;
  body?: string;
}

/** Time and number of tries of a call. */
export interface CallLimits {
  /** Milliseconds per try. */
  timeout: number;
  tries: number;
  /** Classifies an answer: `answer` is given to the caller, `again` is worth another try, `failed` is not. */
  judge(answer: OutboundAnswer): Verdict;
}
export type Verdict = 'answer' | 'again' | 'failed';

/** Longest wait before another try that a provider can ask for, in milliseconds; our own callers would not wait longer. */
const maxRetryAfter = 2000;

/** Temporary faults are tried again: 429, 5xx. */
export function judge({ status }: OutboundAnswer): Verdict {
  if (status === 429 || status >= 500) return 'again';
  // A redirect means that the configured address is not the API, so another try would not help.
  return status >= 300 && status < 400 ? 'failed' : 'answer';
}

/** Limits of calls caused by a notification, which the provider sends again when they fail. */
const notificationLimits: CallLimits = { timeout: 5000, tries: 3, judge };

/** Limits of calls that a buyer waits for. */
export const checkoutLimits: CallLimits = { timeout: 10_000, tries: 2, judge };

/**
 * Calls a provider's API, by default with 5 s per try and up to three tries for temporary faults (no answer, 429, 5xx). Random delays keep
 * callers apart. Does not follow redirects.
 * @throws CommerceError `unavailable` when it cannot be reached. If this answers the provider's notification, the provider sends it again.
 */
export async function callProvider(
  { method, url, headers, body }: ApiCall,
  limits: CallLimits = notificationLimits,
): Promise<OutboundAnswer> {
  const request = {
    method,
    url,
    headers: { Accept: 'application/json', ...headers },
    body: body === undefined ? undefined : Buffer.from(body),
    timeout: limits.timeout,
    maxAnswer: 1024 * 1024,
  };
  try {
    return await pRetry(
      async () => {
        const answer = await callOutbound(request);
        const verdict = limits.judge(answer);
        if (verdict === 'answer') return answer;
        const reason = `it answered ${answer.status}${answer.status === 429 ? ' (too many calls)' : ''}`;
        const wait = retryAfter(answer);
        if (verdict === 'failed' || wait > maxRetryAfter) throw new AbortError(reason);
        throw Object.assign(new Error(reason), { wait });
      },
      {
        retries: limits.tries - 1,
        minTimeout: 200,
        randomize: true,
        onFailedAttempt: ({ error, retriesLeft }) =>
          sleep(retriesLeft > 0 ? ((error as { wait?: number }).wait ?? 0) : 0),
      },
    );
  } catch (error) {
    const { origin } = new URL(url);
    const reason = error instanceof Error ? error.message : String(error);
    throw new CommerceError('unavailable', `${origin} could not be reached: ${reason}`, { cause: error });
  }
}

/** Milliseconds that `Retry-After` asks for; 0 without one. */
function retryAfter({ headers }: OutboundAnswer): number {
  const seconds = headers['retry-after'];
  return typeof seconds === 'string' && /^\d{1,6}$/.test(seconds) ? Number(seconds) * 1000 : 0;
}

/** The answer's JSON; null when it is not JSON. */
export function jsonOf(answer: OutboundAnswer): unknown {
  try {
    return JSON.parse(answer.body.toString('utf8'));
  } catch {
    return null;
  }
}
