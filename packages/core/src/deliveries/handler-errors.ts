import type { Engine } from '../engine/context.ts';
import { perEngine } from '../engine/per-engine.ts';
import type { CommerceEvent } from '../event-types.ts';

/** A call of an application's handler that threw, rejected or took too long. */
export interface HandlerFailure {
  /** Name of the subscriber. */
  subscriber: string;
  /** The event that the handler received. */
  event: CommerceEvent;
  /** Number of this attempt; the first is 1. */
  attempt: number;
  /** Time of the next attempt, ISO 8601, UTC; null if this was the last one. */
  willRetryAt: string | null;
}

/** Is told of an error; `failure` says which handler threw it, and is undefined for a fault of the service, such as an unreachable database. */
export type OnError = (error: unknown, failure?: HandlerFailure) => void;

/** Milliseconds for which the same fault of the service is not printed again: an unreachable database fails every second. */
const silence = 60_000;

/** Faults that were printed, with the time. */
const printed = perEngine(() => new Map<string, number>());
const maxPrinted = 100;

/** The error receiver of an application; without one, errors are printed as warnings of the process. Its own errors are printed too. */
export function receiverOf(engine: Engine, onError: OnError | undefined): OnError {
  const warn: OnError = (error, failure) => {
    const message = failure ? saidOf(error, failure) : textOf(error);
    if (!failure && isRepeated(engine, message)) return;
    const detail = error instanceof Error ? error.stack : undefined;
    const code = failure ? 'COMMERCE_SUBSCRIBER_FAILED' : 'COMMERCE_BACKGROUND_FAILED';
    process.emitWarning(message, { type: 'CommerceWarning', code, ...(detail ? { detail } : {}) });
  };
  if (!onError) return warn;
  // Async, so that a receiver that throws and one that rejects are treated alike: neither may stop a delivery from being recorded.
  const tell = async (error: unknown, failure?: HandlerFailure) => onError(error, failure);
  return (error, failure) => void tell(error, failure).catch((thrown) => warn(thrown));
}

function isRepeated(engine: Engine, message: string): boolean {
  const messages = printed(engine);
  const now = engine.clock.now();
  const last = messages.get(message);
  if (last !== undefined && now - last >= 0 && now - last < silence) return true;
  if (messages.size >= maxPrinted) messages.clear();
  messages.set(message, now);
  return false;
}

function saidOf(error: unknown, { subscriber, event, attempt, willRetryAt }: HandlerFailure): string {
  const next = willRetryAt === null ? 'this was the last attempt' : `the next attempt is at ${willRetryAt}`;
  return `the subscriber "${subscriber}" failed for ${event.type} ${event.id}, attempt ${attempt}; ${next}: ${textOf(error)}`;
}

/** The message of what was thrown; never empty. */
export function textOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)) || 'an error without a message';
}
