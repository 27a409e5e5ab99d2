import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';

const file = join(import.meta.dirname, '../../../docs/checkout-faults.md');
const secondPart = '\n## Refunds\n';

/** Expects a part of the page of faults, or writes it anew with FAULT_TABLE=write. The second part begins with its heading. */
export async function expectPrinted(part: 'sales' | 'refunds', printed: string): Promise<void> {
  console.log(printed);
  const page = await readFile(file, 'utf8');
  const at = page.includes(secondPart) ? page.indexOf(secondPart) : page.length;
  const parts = { sales: page.slice(0, at), refunds: page.slice(at) };
  if (process.env.FAULT_TABLE === 'write') {
    const now = { ...parts, [part]: printed };
    await writeFile(file, now.sales + now.refunds);
    return;
  }
  // On a busy machine, a call can exceed its time limit here, and can then end in another correct way.
  const cells = (text: string) => text.replaceAll(/\| (?!–)[a-z, \d/]+(?= \|)/g, '| …');
  expect(cells(printed)).toBe(cells(parts[part]));
}
