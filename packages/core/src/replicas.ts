import type { Context, Engine } from './context.ts';
import { CommerceError } from './errors.ts';
import { perEngine } from './per-engine.ts';
import type { Storage } from './storage/storage.ts';

/** Engines whose reads are made at a replica, with process-local state of their own: what they remember may be older. */
const enginesOf = perEngine(() => new WeakMap<Storage, Engine>());

function engineAt(engine: Engine, storage: Storage): Engine {
  const engines = enginesOf(engine);
  let at = engines.get(storage);
  if (!at) {
    at = { ...engine, storage };
    engines.set(storage, at);
  }
  return at;
}

/**
 * Runs an operation that only reads, at a read replica where there is one that has all writes up to a position and is not too far
 * behind; otherwise, where that fails, and where it finds nothing there, at the database itself. For what nothing is decided by: what it
 * answers may be some seconds old.
 * @param after as `writtenPosition` told it; left out where any state of the last seconds will do
 * @param read the operation, to be called with the context it is given; it may be called twice
 */
export async function readNearby<T>(
  ctx: Context,
  after: string | undefined,
  read: (ctx: Context) => Promise<T>,
): Promise<T> {
  const { replicas } = ctx.engine.storage;
  const replica = replicas?.choose(after);
  if (!replicas || !replica) return read(ctx);
  try {
    return await read({ ...ctx, engine: engineAt(ctx.engine, replica.storage) });
  } catch (error) {
    if (isFinal(error)) throw error;
    if (!isMissing(error)) replica.failed();
  }
  replicas.repeated();
  return read(ctx);
}

/**
 * The position of the database behind all that was committed so far, which `readNearby` takes; undefined where it has no replicas or
 * does not answer: a write that was made is not failed for it.
 */
export async function writtenPosition({ storage }: Engine): Promise<string | undefined> {
  try {
    return await storage.replicas?.position();
  } catch {
    return undefined;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof CommerceError && error.kind === 'notFound';
}

/** Whether the database itself would answer the same, or should not be burdened with it. */
function isFinal(error: unknown): boolean {
  if (!(error instanceof CommerceError)) return false;
  if (error.kind === 'notFound') return false;
  if (error.kind !== 'unavailable' || error.cause === undefined) return true;
  // A statement that took too long takes as long elsewhere.
  return (error.cause as { code?: unknown }).code === '57014';
}
