import pRetry, { AbortError } from 'p-retry';
import { CommerceError } from '../errors.ts';
import { callOutbound, type OutboundAnswer } from '../outbound.ts';

/** A call to a provider's API. */
export interface ApiCall {
  method: 'GET' | 'POST';
  url: string;
  headers: Record<string, string>;
  body?: string;
}

const timeout = 5000;
const tries = 3;

/**
 * Calls a provider's API, with 5 s per try and up to three tries for temporary faults (no answer, 429, 5xx). Does not follow
 * redirects.
 * @throws CommerceError `unavailable` when it cannot be reached. Answered to the provider's notification, this makes it send again.
 */
export async function callProvider({ method, url, headers, body }: ApiCall): Promise<OutboundAnswer> {
  const request = {
    method,
    url,
    headers: { Accept: 'application/json', ...headers },
    body: body === undefined ? undefined : Buffer.from(body),
    timeout,
    maxAnswer: 1024 * 1024,
  };
  try {
    return await pRetry(
      async () => {
        const answer = await callOutbound(request);
        if (answer.status === 429 || answer.status >= 500) throw new Error(`it answered ${answer.status}`);
        // A redirect means that the configured address is not the API, so another try would not help.
        if (answer.status >= 300 && answer.status < 400) throw new AbortError(`it answered ${answer.status}`);
        return answer;
      },
      { retries: tries - 1, minTimeout: 200 },
    );
  } catch (error) {
    const { origin } = new URL(url);
    const reason = error instanceof Error ? error.message : String(error);
    throw new CommerceError('unavailable', `${origin} could not be reached: ${reason}`, { cause: error });
  }
}

/** The answer's JSON; null when it is not JSON. */
export function jsonOf(answer: OutboundAnswer): unknown {
  try {
    return JSON.parse(answer.body.toString('utf8'));
  } catch {
    return null;
  }
}
