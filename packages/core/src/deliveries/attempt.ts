import type { Engine } from '../engine/context.ts';
import type { CommerceEvent } from '../event-types.ts';
import type { EventType, StoredEvent } from '../events/events.ts';
import { toTimestamp } from '../kernel/clock.ts';
import { maxRetries } from '../kernel/limits.ts';
import { storable } from '../kernel/parse.ts';
import { callOutbound } from '../network/outbound.ts';
import { webhookBody, webhookHeaders } from '../webhooks/signature.ts';
import type { Claim } from './claims.ts';
import { switchOffFailing } from './failing.ts';
import { type HandlerFailure, textOf } from './handler-errors.ts';
import { deliveryObservers } from './observers.ts';
import { record } from './record.ts';
import { readRetryAfter, waitAfter } from './schedule.ts';
import type { Subscriber } from './subscriber.ts';

/** Milliseconds. */
const attemptTimeout = 10_000;

/** Milliseconds that an application's handler can take; then the attempt counts as failed, even if the handler still runs. */
export const handlerTimeout = 60_000;

/** Bytes read of an answer, and bytes of it kept in the log. */
const maxAnswer = 64 * 1024;
const keptAnswer = 1024;

/** Outcome of an attempt; `released` means that this process broke it off, and it is not counted. */
export type AttemptOutcome = 'succeeded' | 'retrying' | 'failed' | 'cancelled' | 'released';

interface Reaction {
  responseCode: number | null;
  error: string | null;
  responseBody: string | null;
  retryAfter?: number | undefined;
  /** What a handler threw. */
  thrown?: { error: unknown };
}

/**
 * Makes one attempt and records its outcome: success, the time of the next attempt, or the final failure. Only a 2xx answer is a success.
 * If `signal` aborts, the delivery is released without counting the attempt.
 * @param onOutcome called as soon as the outcome is known, before it is recorded
 * @param onThrown called with what a handler of the application threw
 */
export async function attemptDelivery(
  engine: Engine,
  claim: Claim,
  signal?: AbortSignal,
  onOutcome: (outcome: AttemptOutcome) => void = () => {},
  onThrown: (error: unknown, failure: HandlerFailure) => void = () => {},
): Promise<AttemptOutcome> {
  const { subscriber, event, log } = claim;
  if (!subscriber || !event) {
    onOutcome('cancelled');
    await record(engine, claim, { status: 'cancelled', dueAt: null, attempts: claim.attempts, log });
    return 'cancelled';
  }
  const startedAt = engine.clock.now();
  const started = performance.now();
  const reaction = await (subscriber.kind === 'webhook'
    ? callWebhook(engine, subscriber, event, startedAt, signal)
    : callHandler(subscriber, event, claim.attempts + 1, signal));
  if (reaction === undefined) {
    onOutcome('released');
    await record(engine, claim, { status: 'pending', dueAt: startedAt, attempts: claim.attempts, log });
    return 'released';
  }
  const { retryAfter, thrown, ...result } = reaction;
  const attempt = { at: toTimestamp(startedAt), latencyMs: Math.round(performance.now() - started), ...result };
  const attempts = claim.attempts + 1;
  const { random } = engine.webhooks;
  const retries = subscriber.kind === 'webhook' ? subscriber.retries : maxRetries;
  const failed = result.error !== null;
  const wait = failed ? waitAfter(attempts, retries, { status: result.responseCode, retryAfter }, random) : undefined;
  const outcome = !failed ? 'succeeded' : wait === undefined ? 'failed' : 'retrying';
  const dueAt = wait === undefined ? null : engine.clock.now() + wait;
  onOutcome(outcome);
  if (thrown && subscriber.kind === 'app') {
    const willRetryAt = dueAt === null ? null : toTimestamp(dueAt);
    onThrown(thrown.error, {
      subscriber: subscriber.name,
      event: toCommerceEvent(event),
      attempt: attempts,
      willRetryAt,
    });
  }
  await record(engine, claim, {
    status: outcome === 'retrying' ? 'pending' : outcome,
    dueAt,
    attempts,
    log: [...log, attempt],
  });
  deliveryObservers(engine).tell((observer) => observer.deliveryAttempted?.({ outcome }));
  if (failed) await switchOffFailing(engine, claim);
  return outcome;
}

/** Sends an event to a webhook. @returns undefined when `signal` aborted the attempt */
async function callWebhook(
  engine: Engine,
  subscriber: Extract<Subscriber, { kind: 'webhook' }>,
  event: StoredEvent,
  now: number,
  signal: AbortSignal | undefined,
): Promise<Reaction | undefined> {
  try {
    const body = webhookBody(event);
    const answer = await callOutbound({
      method: 'POST',
      url: subscriber.url,
      headers: webhookHeaders(event, body, subscriber, now),
      body,
      timeout: attemptTimeout,
      maxAnswer,
      guard: engine.webhookGuard,
      ...(signal ? { signal } : {}),
    });
    const { status } = answer;
    return {
      responseCode: status,
      responseBody: storable(answer.body.subarray(0, keptAnswer).toString('utf8'), keptAnswer),
      error: status >= 200 && status < 300 ? null : `answered ${status}`,
      retryAfter: readRetryAfter(answer.headers['retry-after'], engine.clock.now()),
    };
  } catch (error) {
    if (signal?.aborted) return undefined;
    return { responseCode: null, responseBody: null, error: storable((error as Error).message, keptAnswer) };
  }
}

function toCommerceEvent({ id, type, storeId, createdAt, data }: StoredEvent): CommerceEvent {
  // The compiler does not compare a union of this size.
  return {
    id,
    type: type as EventType,
    timestamp: toTimestamp(createdAt),
    storeId,
    data: JSON.parse(data),
  } as CommerceEvent;
}

async function callHandler(
  { handler }: Extract<Subscriber, { kind: 'app' }>,
  event: StoredEvent,
  attempt: number,
  signal: AbortSignal | undefined,
): Promise<Reaction | undefined> {
  let timer: NodeJS.Timeout | undefined;
  let giveUp = () => {};
  const aborted = new Promise<undefined>((resolve) => {
    giveUp = () => resolve(undefined);
  });
  signal?.addEventListener('abort', giveUp);
  const tooLong = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Error(`the handler took more than ${handlerTimeout / 1000} s`)),
      handlerTimeout,
    );
  });
  try {
    const done = Promise.resolve(handler(toCommerceEvent(event), { attempt })).then(() => ({
      responseCode: null,
      responseBody: null,
      error: null,
    }));
    return await Promise.race([done, aborted, tooLong]);
  } catch (error) {
    return {
      responseCode: null,
      responseBody: null,
      error: storable(textOf(error), keptAnswer),
      thrown: { error },
    };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', giveUp);
  }
}
