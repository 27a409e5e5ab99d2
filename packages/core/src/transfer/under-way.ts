import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Engine } from '../engine/context.ts';
import { perEngine } from '../engine/per-engine.ts';

/** Imports of this process that run next to requests. */
interface Background {
  /** Ends of each store's running and waiting imports. */
  lines: Map<string, Promise<void>>;
  taken: Set<string>;
  stop: AbortController;
}

export const backgrounds = perEngine<Background>(() => ({
  lines: new Map(),
  taken: new Set(),
  stop: new AbortController(),
}));

/** Identifies this process among all that use the database. */
export const processName = perEngine(() => `${hostname()} ${process.pid} ${randomUUID()}`);

/** Waits until no import of this process is running. */
export async function importsIdle(engine: Engine): Promise<void> {
  const { lines } = backgrounds(engine);
  while (lines.size > 0) await Promise.all(lines.values());
}

/** Ends the imports of this process after their current batch; the next process continues them. */
export async function stopImports(engine: Engine): Promise<void> {
  const { stop } = backgrounds(engine);
  stop.abort();
  await importsIdle(engine);
}
