import { toTimestamp } from '../clock.ts';
import type { Engine } from '../context.ts';
import type { EventType } from '../events/events.ts';
import { callOutbound } from '../outbound.ts';
import { preparedChange } from '../storage/prepared.ts';
import { runTransaction } from '../transaction.ts';
import type { Claim } from './claims.ts';
import { switchOffFailing } from './failing.ts';
import { mostRetries, readRetryAfter, waitAfter } from './schedule.ts';
import { webhookBody, webhookHeaders } from './signature.ts';
import type { DeliveryAttempt, StoredEvent, Subscriber } from './subscriber.ts';

const attemptTimeout = 10_000;

/** How long the handler of an application may take; then it counts as failed, whatever it still does. */
export const handlerTimeout = 60_000;

const maxAnswer = 64 * 1024;
const keptAnswer = 1024;

/** What an attempt came to. */
export type AttemptOutcome = 'succeeded' | 'retrying' | 'failed' | 'cancelled' | 'released';

interface Reaction {
  responseCode: number | null;
  error: string | null;
  responseBody: string | null;
  retryAfter?: number | undefined;
}

/**
 * Makes one attempt and records it with what follows: success, the next attempt's time, or the end after the last one.
 * Given up from outside, it is released uncounted. Only a 2xx answer is a success.
 */
export async function attemptDelivery(engine: Engine, claim: Claim, signal?: AbortSignal): Promise<AttemptOutcome> {
  const { subscriber, event, log } = claim;
  if (!subscriber || !event) {
    await record(engine, claim, { status: 'cancelled', dueAt: null, attempts: claim.attempts, log });
    return 'cancelled';
  }
  const startedAt = engine.clock.now();
  const started = performance.now();
  const reaction = await (subscriber.kind === 'webhook'
    ? callWebhook(engine, subscriber, event, startedAt, signal)
    : callHandler(subscriber, event, claim.attempts + 1, signal));
  if (reaction === undefined) {
    await record(engine, claim, { status: 'pending', dueAt: startedAt, attempts: claim.attempts, log });
    return 'released';
  }
  const { retryAfter, ...told } = reaction;
  const attempt = { at: toTimestamp(startedAt), latencyMs: Math.round(performance.now() - started), ...told };
  const attempts = claim.attempts + 1;
  const { random } = engine.webhooks;
  const retries = subscriber.kind === 'webhook' ? subscriber.retries : mostRetries;
  const failed = told.error !== null;
  const wait = failed ? waitAfter(attempts, retries, { status: told.responseCode, retryAfter }, random) : undefined;
  const outcome = !failed ? 'succeeded' : wait === undefined ? 'failed' : 'retrying';
  await record(engine, claim, {
    status: outcome === 'retrying' ? 'pending' : outcome,
    dueAt: wait === undefined ? null : engine.clock.now() + wait,
    attempts,
    log: [...log, attempt],
  });
  engine.observers.deliveryAttempted({ outcome });
  if (failed) await switchOffFailing(engine, claim);
  return outcome;
}

/** Undefined when it was given up from outside. */
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
      responseBody: stored(answer.body.subarray(0, keptAnswer).toString('utf8')),
      error: status >= 200 && status < 300 ? null : `answered ${status}`,
      retryAfter: readRetryAfter(answer.headers['retry-after'], engine.clock.now()),
    };
  } catch (error) {
    if (signal?.aborted) return undefined;
    return { responseCode: null, responseBody: null, error: stored((error as Error).message) };
  }
}

async function callHandler(
  { handler }: Extract<Subscriber, { kind: 'app' }>,
  event: StoredEvent,
  attempt: number,
  signal: AbortSignal | undefined,
): Promise<Reaction | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const given = new Promise<undefined>((resolve) => signal?.addEventListener('abort', () => resolve(undefined)));
  const tooLong = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Error(`the handler took more than ${handlerTimeout / 1000} s`)),
      handlerTimeout,
    );
  });
  try {
    const { id, storeId, createdAt, data } = event;
    const told = {
      id,
      type: event.type as EventType,
      timestamp: toTimestamp(createdAt),
      storeId,
      data: JSON.parse(data),
    };
    const done = Promise.resolve(handler(told, { attempt })).then(() => ({
      responseCode: null,
      responseBody: null,
      error: null,
    }));
    return await Promise.race([done, given, tooLong]);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { responseCode: null, responseBody: null, error: stored(message || 'the handler threw') };
  } finally {
    clearTimeout(timer);
  }
}

/** A text from outside as the log keeps it: PostgreSQL has no NUL, and nobody needs more of it. */
function stored(text: string): string {
  return text.replaceAll('\0', '\ufffd').slice(0, keptAnswer);
}

interface Recorded {
  status: string;
  dueAt: number | null;
  attempts: number;
  log: DeliveryAttempt[];
}

const recordAttempt = preparedChange<{
  storeId: string;
  id: string;
  claimedUntil: number;
  status: string;
  dueAt: number | null;
  attempts: number;
  log: string;
}>((db, p) =>
  db
    .updateTable('deliveries')
    .set({ status: p('status'), due_at: p('dueAt'), attempts: p('attempts'), log: p('log'), locked_until: null })
    .where('store_id', '=', p('storeId'))
    .where('id', '=', p('id'))
    .where('status', '=', 'pending')
    // A claim that ran out belongs to whoever took it next.
    .where('locked_until', '=', p('claimedUntil')),
);

const noteSuccess = preparedChange<{ storeId: string; id: string; at: number; before: number }>((db, p) =>
  db
    .updateTable('webhooks')
    .set({ last_triggered_at: p('at'), failing_since: null })
    .where('store_id', '=', p('storeId'))
    .where('id', '=', p('id'))
    .where((eb) =>
      eb.or([
        eb('last_triggered_at', 'is', null),
        eb('last_triggered_at', '<', p('before')),
        eb('failing_since', 'is not', null),
      ]),
    ),
);

const noteFailure = preparedChange<{ storeId: string; id: string; at: number }>((db, p) =>
  db
    .updateTable('webhooks')
    .set({ failing_since: p('at') })
    .where('store_id', '=', p('storeId'))
    .where('id', '=', p('id'))
    .where('failing_since', 'is', null),
);

async function record(engine: Engine, claim: Claim, { status, dueAt, attempts, log }: Recorded): Promise<void> {
  const { storeId, id, webhookId, subscriber } = claim;
  const counted = attempts > claim.attempts && subscriber?.kind === 'webhook';
  await runTransaction(engine.storage, async (db) => {
    const written = await recordAttempt(db, {
      storeId,
      id,
      claimedUntil: claim.lockedUntil,
      status,
      dueAt,
      attempts,
      log: JSON.stringify(log),
    });
    if (written === 0 || !counted) return;
    const at = engine.clock.now();
    // To the second is exact enough, and keeps parallel deliveries from queueing for one row.
    if (status === 'succeeded') await noteSuccess(db, { storeId, id: webhookId, at, before: at - 1000 });
    else if (subscriber.failingSince === null) await noteFailure(db, { storeId, id: webhookId, at });
  });
}
