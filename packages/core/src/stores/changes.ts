import type { Engine } from '../engine/context.ts';
import { perEngine } from '../engine/per-engine.ts';

/** Number of store changes made by this process; data read before the last one is read again. */
export const storeChanges = perEngine(() => ({ count: 0 }));

/** Makes this process read stores again after a change. */
export function storeChanged(engine: Engine): void {
  storeChanges(engine).count++;
  engine.unit?.afterCommit(storeChanged);
}
