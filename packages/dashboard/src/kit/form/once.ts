import { useRef } from 'preact/hooks';
import { toApiError } from '../../api/errors.ts';

/** Sends a request with the key under which the service makes it only once. */
export type Once = <T>(body: unknown, send: (header: { 'Idempotency-Key': string }) => Promise<T>) => Promise<T>;

/**
 * For requests that must not be made twice, such as those that move money. A request that is repeated after no answer has the same key; after
 * an answer, the next request is a new one.
 */
export function useOnce(): Once {
  const last = useRef<{ body: string; key: string }>(undefined);
  return async (sent, send) => {
    const body = JSON.stringify(sent);
    if (last.current?.body !== body) last.current = { body, key: crypto.randomUUID() };
    try {
      const answer = await send({ 'Idempotency-Key': last.current.key });
      last.current = undefined;
      return answer;
    } catch (thrown) {
      const { status, reason } = toApiError(thrown);
      if (status >= 400 && status < 500 && reason !== 'idempotencyKeyBusy') last.current = undefined;
      throw thrown;
    }
  };
}
