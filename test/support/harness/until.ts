import { setTimeout as sleep } from 'node:timers/promises';

/** Waits until the condition holds; on a timeout, names the condition. */
export async function until(what: string, holds: () => boolean | Promise<boolean>, ms = 15_000): Promise<void> {
  const deadline = performance.now() + ms;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`waited ${ms} ms in vain until ${what}`);
    await sleep(20);
  }
}
