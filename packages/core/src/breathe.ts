import { setImmediate } from 'node:timers/promises';

/**
 * Lets everybody else go on: reads of a local file are answered at once, so that a loop over them would keep the only thread
 * from every request until it ends. To be awaited between pieces of work that each take some milliseconds.
 */
export async function breathe(): Promise<void> {
  await setImmediate();
}
