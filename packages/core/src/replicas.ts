import type { Context, Engine } from './engine/context.ts';
import { perEngine } from './engine/per-engine.ts';
import { CommerceError } from './kernel/errors.ts';
import type { Storage } from './storage/storage.ts';

/** Engines that read from a replica. Each has its own process-local state, because its caches might be older. */
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
 * Runs a read-only operation at a read replica that has all writes up to a position and is not too far behind. Uses the database itself if
 * no replica qualifies, if the replica fails, and if it finds nothing. The answer can be a few seconds old, so never base a decision on it.
 * @param after from `writtenPosition`; omit it if any state of the last seconds will do
 * @param read the operation, called with the context that it must use; it can be called twice
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
 * Position of the database after all commits so far, for `readNearby`. Undefined if it has no replicas or does not answer: a completed
 * write must not fail because of this.
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

/** True if the database itself would answer the same, or should not be burdened with it. */
function isFinal(error: unknown): boolean {
  if (!(error instanceof CommerceError)) return false;
  if (error.kind === 'notFound') return false;
  if (error.kind !== 'unavailable' || error.cause === undefined) return true;
  // A statement that took too long takes as long on another machine.
  return (error.cause as { code?: unknown }).code === '57014';
}
