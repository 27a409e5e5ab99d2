import type { Engine } from '../context.ts';
import { perEngine } from '../per-engine.ts';

/** Number of changes of stores that this process has made: what was read of a store before the last one is read again. */
export const storeChanges = perEngine(() => ({ count: 0 }));

/** Has stores read again, after a change in this process. */
export function storeChanged(engine: Engine): void {
  storeChanges(engine).count++;
  engine.unit?.afterCommit(storeChanged);
}
