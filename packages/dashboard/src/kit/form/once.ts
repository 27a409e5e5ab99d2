import { useRef } from 'preact/hooks';
import { toApiError } from '../../api/errors.ts';

/**
 * Sends a request with the key under which the service makes it only once.
 * @param typed what the person has chosen
 * @param bodyOf makes the body from it
 */
export type Once = <Body, T>(
  typed: unknown,
  bodyOf: () => Body,
  send: (header: { 'Idempotency-Key': string }, body: Body) => Promise<T>,
) => Promise<T>;

/**
 * For requests that must not be made twice, such as those that move money. A request that is repeated after no answer is the same one, with
 * the same key and body, as long as the person has changed nothing, even if the page has learnt something since. After an answer, the next
 * request is a new one.
 */
export function useOnce(): Once {
  const last = useRef<{ typed: string; body: unknown; key: string }>(undefined);
  return async <Body, T>(
    typed: unknown,
    bodyOf: () => Body,
    send: (header: { 'Idempotency-Key': string }, body: Body) => Promise<T>,
  ) => {
    const text = JSON.stringify(typed);
    if (last.current?.typed !== text) last.current = { typed: text, body: bodyOf(), key: crypto.randomUUID() };
    const { key, body } = last.current;
    try {
      const answer = await send({ 'Idempotency-Key': key }, body as Body);
      last.current = undefined;
      return answer;
    } catch (thrown) {
      const { status, reason } = toApiError(thrown);
      if (status >= 400 && status < 500 && reason !== 'idempotencyKeyBusy') last.current = undefined;
      throw thrown;
    }
  };
}
