import { setImmediate } from 'node:timers/promises';

/**
 * Yields to other work. Reads of a local file are answered at once, so a loop over them would block the only thread for all requests. Await
 * it between pieces of work that each take a few milliseconds.
 */
export async function breathe(): Promise<void> {
  await setImmediate();
}
