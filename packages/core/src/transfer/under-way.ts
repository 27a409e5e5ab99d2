import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Engine } from '../context.ts';
import { perEngine } from '../per-engine.ts';

/** Imports of this process that go on beside requests. */
interface Background {
  /** Ends of the imports of each store that are under way or wait. */
  lines: Map<string, Promise<void>>;
  taken: Set<string>;
  stop: AbortController;
}

export const backgrounds = perEngine<Background>(() => ({
  lines: new Map(),
  taken: new Set(),
  stop: new AbortController(),
}));

/** Names this process among all that use the database. */
export const processName = perEngine(() => `${hostname()} ${process.pid} ${randomUUID()}`);

/** Waits until no import of this process is under way. */
export async function importsIdle(engine: Engine): Promise<void> {
  const { lines } = backgrounds(engine);
  while (lines.size > 0) await Promise.all(lines.values());
}

/** Ends the imports of this process after the batch in hand; the next process goes on with them. */
export async function stopImports(engine: Engine): Promise<void> {
  const { stop } = backgrounds(engine);
  stop.abort();
  await importsIdle(engine);
}
