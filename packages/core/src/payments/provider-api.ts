import pRetry, { AbortError } from 'p-retry';
import { CommerceError } from '../errors.ts';
import { callOutbound, type OutboundAnswer } from '../outbound.ts';

/** A call of a provider's interface. */
export interface ApiCall {
  method: 'GET' | 'POST';
  url: string;
  headers: Record<string, string>;
  body?: string;
}

const timeout = 5000;
const tries = 3;

/**
 * Calls a provider: 5 s a try, three tries while the fault may pass (no answer, 429, 5xx). Redirects are not followed.
 * @throws CommerceError `unavailable` when it could not be asked; a provider that is told so sends its notification again.
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
        // Not the interface that was configured: asking once more would not help.
        if (answer.status >= 300 && answer.status < 400) throw new AbortError(`it answered ${answer.status}`);
        return answer;
      },
      { retries: tries - 1, minTimeout: 200 },
    );
  } catch (error) {
    const { origin } = new URL(url);
    const reason = error instanceof Error ? error.message : String(error);
    throw new CommerceError('unavailable', `${origin} could not be asked: ${reason}`, { cause: error });
  }
}

/** The answer's JSON; null when it is none. */
export function jsonOf(answer: OutboundAnswer): unknown {
  try {
    return JSON.parse(answer.body.toString('utf8'));
  } catch {
    return null;
  }
}
